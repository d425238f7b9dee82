"""The window's actions that edit many tasks of the graph in front at once."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt

from starloom.scheduling.state.stops import is_bypassed
from starloom_gui.dialogs.find_replace import FindReplaceDialog
from starloom_gui.editing import steps
from starloom_gui.editing.plan_editor import PlanEditor
from starloom_gui.editing.reducing import Reducing
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.editing.seeking import ReplaceQuery
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import fill
from starloom_gui.viewmodel.reach import downstream, upstream
from starloom_gui.viewmodel.selection import there

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from starloom.constellation.graph import Graph
    from starloom.scheduling.read.run_view import TaskView
    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.shell.plan_comparison import PlanComparison
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.actions import Actions
    from starloom_gui.widgets.message_bar import MessageBar
    from starloom_gui.workspace.open_views import OpenViews

    Walk = Callable[[Graph, Iterable[int]], frozenset[int]]

_WALKS: Final[dict[str, Walk]] = {
    "select_upstream": upstream,
    "with_upstream": upstream,
    "select_downstream": downstream,
    "with_downstream": downstream,
}
_BYPASS: Final = {"bypass": True, "no_bypass": False}
_KEEPING: Final = frozenset({"with_upstream", "with_downstream"})
"""Those that keep what is selected."""


class BulkEdit(QObject):
    """Carries out the actions of `shell.graph_verbs`.

    Args:
        views: of what is open.
        actions: those of the window; they are told what is possible.
        plans: compares runs with their plans.
        strip: says what came of removing dependencies.
        appearance: the colours of dialogs.
        window: what dialogs stand over; it owns this.

    Attributes:
        plans: compares runs with their plans.
        verbs: what is done, by the keys of the verbs.
    """

    def __init__(
        self,
        views: OpenViews,
        actions: Actions,
        plans: PlanComparison,
        strip: MessageBar,
        appearance: Appearance,
        window: MainWindow,
    ) -> None:
        super().__init__(window)
        self._views, self._actions, self.plans = views, actions, plans
        self._appearance, self._window = appearance, window
        self._wanted, self._reducing = ReplaceQuery(), Reducing(strip, self)
        views.turned.connect(self._reducing.put_away)
        self.verbs: dict[str, Callable[[], object]] = {
            "add_task": self.add_task,
            "replace": self.replace,
            "remove_redundant": self.reduce,
            "compare_plan": self.plans.turn,
            **{key: partial(self._select, key) for key in _WALKS},
            **{key: partial(self._bypass, is_on) for key, is_on in _BYPASS.items()},
        }

    def allow(self) -> None:
        """Update which actions are possible."""
        view = self._views.front
        nothing = Verdict(False, self.tr("Nothing is open."))
        open_to = nothing if view is None else view.source.barred or Verdict(True)
        for key in ("add_task", "replace", "remove_redundant"):
            self._actions.allow(key, open_to)
        found = self._chosen()  # once: it may be many
        up, down = (self._can_select(found, walk) for walk in (upstream, downstream))
        for key, walk in _WALKS.items():
            self._actions.allow(key, up if walk is upstream else down)
        for key, is_on in _BYPASS.items():
            self._actions.allow(key, self._can_bypass(is_on=is_on) if open_to.ok else open_to)
        self.plans.allow()

    # ---- adding

    def add_task(self) -> None:
        """Open the editor of a new task in the graph in front, wherever the keyboard focus is."""
        view = self._views.front
        if view is not None:
            view.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
            view.canvas.gestures.insert()

    # ---- selecting

    def _chosen(self) -> tuple[Graph, set[int]] | None:
        """The visible graph and its selected tasks; None: nothing is open."""
        view = self._views.front
        run = view.source.editor.view() if view is not None else None
        return (run.graph, there(run, view.selection.now.numbers)) if run is not None and view is not None else None

    def _can_select(self, found: tuple[Graph, set[int]] | None, walk: Walk) -> Verdict:
        if found is None:
            return Verdict(False, self.tr("Nothing is open."))
        graph, numbers = found
        if not numbers:
            return Verdict(False, self.tr("No task is selected."))
        is_up = walk is upstream
        if any((graph.parents if is_up else graph.children)[number] for number in numbers):
            return Verdict(True)
        nothing = self.tr("What is selected depends on nothing.")
        return Verdict(False, nothing if is_up else self.tr("Nothing depends on what is selected."))

    def _select(self, key: str) -> None:
        """Select the ancestors or descendants of the selected tasks, instead of them or with them."""
        found, view = self._chosen(), self._views.front
        if found is not None and view is not None:
            graph, numbers = found
            reached = _WALKS[key](graph, numbers)
            if reached:
                view.selection.select_all(reached | numbers if key in _KEEPING else reached)

    # ---- bypassing

    def _to_bypass(self, *, is_on: bool) -> list[TaskView]:
        """The selected tasks that are not bypassed yet, or that are."""
        view = self._views.front
        run = view.source.editor.view() if view is not None else None
        if run is None or view is None:
            return []
        chosen = run.tasks(sorted(there(run, view.selection.now.numbers)))
        return [task for task in chosen if is_bypassed(run.facts, task.number) is not is_on]

    def _can_bypass(self, *, is_on: bool) -> Verdict:
        view, tasks = self._views.front, self._to_bypass(is_on=is_on)
        if view is None or not view.selection.now.numbers:
            return Verdict(False, self.tr("No task is selected."))
        if not tasks:
            already = self.tr("What is selected is bypassed already.")
            return Verdict(False, already if is_on else self.tr("Nothing that is selected is bypassed."))
        begun = next((task for task in tasks if not task.is_to_start), None)
        if begun is None:
            return Verdict(True)
        reason = fill(self.tr("“%1” has started or ended."), begun.title)
        again = self.tr("Set a breakpoint and rerun it: it can be changed while it is held there.")
        return Verdict(False, reason, again)

    def _bypass(self, is_on: bool) -> None:
        """Bypass the selected tasks, or let them run, as one step."""
        view = self._views.front
        run = view.source.editor.facts() if view is not None else None
        if view is not None and run is not None and self._can_bypass(is_on=is_on).ok:
            numbers = (task.number for task in self._to_bypass(is_on=is_on))
            view.source.editor.do(steps.bypass(run, numbers, is_on=is_on))

    # ---- dependencies

    def reduce(self) -> None:
        """Remove the dependencies of the graph in front that others replace."""
        view = self._views.front
        if view is not None and not view.reader.is_past:
            self._reducing.begin(view.source.editor)

    def close(self) -> None:
        """Cancel all actions."""
        self._reducing.close()

    # ---- texts

    def replace(self) -> None:
        """Open the dialog that finds and replaces text in the tasks in front."""
        view = self._views.front
        if view is None or view.reader.is_past:
            return
        source = view.source
        dialog = FindReplaceDialog(
            self._appearance,
            partial(source.editor.facts, proposed=False)
            if isinstance(source.editor, RunEditor)
            else source.editor.facts,
            view.selection.now.numbers,
            source.gateway,
            self._wanted,
            self._window,
        )
        if isinstance(source.editor, PlanEditor):
            source.editor.applied.connect(dialog.on_changes)
        elif source.feed is not None:
            feed = source.feed(source.run_id, parent=dialog)
            feed.changed.connect(dialog.on_changes)
            dialog.finished.connect(feed.close)
        dialog.finished.connect(lambda: self._note(dialog.wanted))
        dialog.open()

    def _note(self, wanted: ReplaceQuery) -> None:
        """Store the search, as the default of the next time."""
        self._wanted = wanted
