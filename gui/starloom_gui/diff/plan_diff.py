"""The difference between a run and a plan, updated while either changes, for a list and for the canvas."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from starloom_gui.diff.diff_overlay import DiffOverlay
from starloom_gui.gateway.feed_visibility import Watch

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from starloom.model.plan import Plan
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.specs.action_spec import Verdict
    from starloom_gui.viewmodel.roles import Facts
    from starloom_gui.viewmodel.staged_overlay import StagedOverlay

_REST: Final = 3
"""Between two comparisons is so many times what one takes."""
_LEAST_REST: Final = 0.05


@dataclass(frozen=True, slots=True)
class ComparedPlan:
    """The plan that a run is compared with.

    Attributes:
        plan: that.
        title: what it is called.
        can_apply: says whether the run's edits can be carried over to it.
    """

    plan: Plan
    title: str
    can_apply: Callable[[], Verdict]


class PlanDiff(QObject):
    """Compares a run with its plan in a thread, while the graph can be seen. To be used where a loop runs.

    Args:
        facts: gives the facts of the run as it is now.
        seen: the widget on which what differs is drawn.
        parent: of the object.

    Attributes:
        beside: what the run is compared with; None: nothing.
        apart: what differs; None: it is not known yet, or nothing is compared.

    Signals:
        changed(): one of these is another.
    """

    changed = Signal()

    def __init__(self, facts: Facts, seen: QWidget, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._facts = facts
        self.beside: ComparedPlan | None = None
        self.apart: DiffOverlay | None = None
        self._is_outdated, self._is_seen = False, False
        self._since: set[int] = set()
        self._task: asyncio.Task[None] | None = None
        Watch(seen, self._set_seen)

    @property
    def ghosts(self) -> StagedOverlay | None:
        """The overlay to draw; None: there is none."""
        return self.apart.ghosts if self.apart is not None else None

    def compare(self, beside: ComparedPlan) -> None:
        """Compare the run with a plan from now on."""
        self.beside = beside
        self.changed.emit()
        self._ask()

    def stop(self) -> bool:
        """Stop comparing; returns whether anything was compared."""
        was_on = self.beside is not None
        self.beside = self.apart = None
        self.close()
        if was_on:
            self.changed.emit()
        return was_on

    def close(self) -> None:
        """Stop comparing and following."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    # ---- keeping up

    def on_changes(self, changes: Changes) -> None:
        """Follow changes of the run; calling it twice is allowed."""
        run = self._facts()
        if self.beside is None or run is None:
            return
        self._since |= changes.tasks
        is_same = self.apart is None or self.apart.follow(run, changes.tasks)
        if changes.everything or changes.edits or not is_same:
            self._ask()

    def _set_seen(self, seen: bool) -> None:
        self._is_seen = seen
        if seen and self._is_outdated:
            self._ask()

    def _ask(self) -> None:
        self._is_outdated = True
        if self._is_seen and self.beside is not None and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._keep_comparing(), name="console: run and plan")
            self._task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error

    async def _keep_comparing(self) -> None:
        loop = asyncio.get_running_loop()
        while self._is_outdated and self._is_seen:
            self._is_outdated = False
            begun = loop.time()
            await self._compare()
            await asyncio.sleep(max(_LEAST_REST, _REST * (loop.time() - begun)))

    async def _compare(self) -> None:
        run, beside = self._facts(), self.beside
        if run is None or beside is None:
            return
        self._since = set()
        made = await asyncio.to_thread(DiffOverlay, run.copy(run.fleet), beside.plan)
        run = self._facts()
        if run is not None and not made.follow(run, self._since):
            self._is_outdated = True  # it is shown all the same: somebody may edit all the time
        if self.beside is not None:  # it may have been left meanwhile
            self.apart = made
            self.changed.emit()
