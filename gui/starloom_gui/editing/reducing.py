"""Removing redundant dependencies: staged in a run, applied in a plan; one step of undo."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from starloom.constellation.edits import RemoveDependency
from starloom.constellation.redundancy import redundant_dependencies
from starloom.scheduling.read.run_view import RunView, TaskView
from starloom_gui.editing.base import Mode, Step
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.editing.words import EditPlurals
from starloom_gui.event_loop.background import in_background
from starloom_gui.text.words import fill
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.editing.plan_editor import PlanEditor
    from starloom_gui.widgets.message_bar import MessageBar

MANY: Final = 3_000
"""From so many tasks on they are looked for in a thread: 10,000 take about 70 ms."""


class Reducing(QObject):
    """Looks for redundant dependencies and has an editor remove them.

    Args:
        strip: says how many were removed, or that there are none.
        parent: of the object.
    """

    def __init__(self, strip: MessageBar, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._strip = strip
        self._notice: ErrorMessage | None = None
        self._task: asyncio.Task[None] | None = None

    def begin(self, editor: RunEditor | PlanEditor) -> None:
        """Stage the removal of redundant dependencies of a run; in a plan, remove them. A message reports it."""
        run = _facts(editor)
        if run is None or self._task is not None:
            return
        if len(run.graph) < MANY:
            self._remove(editor, redundant_dependencies(run.graph, _started(run).__getitem__))
        else:
            self._task = asyncio.get_running_loop().create_task(self._look(editor, run), name="console: redundant")
            self._task.add_done_callback(self._ended)

    async def _look(self, editor: RunEditor | PlanEditor, run: RunFacts) -> None:
        self._remove(editor, await in_background(redundant_dependencies, run.graph.copy(), _started(run).__getitem__))

    def _remove(self, editor: RunEditor | PlanEditor, found: Sequence[tuple[str, str]]) -> None:
        run = _facts(editor)
        if run is None:
            return
        edits = tuple(RemoveDependency(parent, child) for parent, child in found if _is_there(run, parent, child))
        if not edits:
            self._strip.show_trouble(
                ErrorMessage("", self.tr("No dependency is redundant."), is_notice=True, of_tab=True)
            )
            return
        step = Step(label=self.tr("Remove %n redundant dependenc(y|ies)", "", len(edits)), edits=edits)
        if isinstance(editor, RunEditor):  # the strip of what is staged says the rest
            editor.set_mode(Mode.STAGED)
            editor.do(step)
            return
        editor.do(step)
        self._offer_undo(editor, len(edits))

    def _offer_undo(self, editor: PlanEditor, count: int) -> None:
        """Show the number of removed dependencies, with Undo for as long as that would undo just this."""
        done = editor.history.to_undo
        removed = fill(self.tr("Redundant and removed: %1."), EditPlurals().dependencies(count))
        notice = self._notice = ErrorMessage("", removed, self.tr("Undo"), editor.undo, is_notice=True, of_tab=True)

        def follow() -> None:
            if editor.history.to_undo is not done:
                editor.changed.disconnect(follow)
                self._strip.withdraw(notice)

        editor.changed.connect(follow)
        self._strip.show_trouble(notice)

    def put_away(self) -> None:
        """Hide the notice, as another plan is in front."""
        if self._notice is not None:
            self._strip.withdraw(self._notice)
            self._notice = None

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._task = None
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error

    def close(self) -> None:
        """Cancel the search."""
        if self._task is not None:
            self._task.cancel()


def _facts(editor: RunEditor | PlanEditor) -> RunFacts | None:
    """The facts to edit: a run with the staged edits, without a proposal that is only shown."""
    return editor.facts(proposed=False) if isinstance(editor, RunEditor) else editor.facts()


def _started(run: RunFacts) -> list[bool]:
    """Whether each task has started, by number."""
    return [task.is_running or task.has_ended for task in RunView(run).tasks(range(len(run.graph.ids)))]


def _is_there(run: RunFacts, parent: str, child: str) -> bool:
    """Whether a dependency can still be removed: the run has gone on since it was found."""
    graph = run.graph
    if parent not in graph or child not in graph:
        return False
    ends = graph.place[parent], graph.place[child]
    return graph.has_edge(*ends) and TaskView(run, ends[1]).is_to_start
