"""The window's own actions: those that are not a single command to the engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt

from starloom_gui.canvas.menu import GraphMenu
from starloom_gui.dialogs.about import AboutDialog
from starloom_gui.dialogs.command_palette import CommandPalette, verbs_of
from starloom_gui.dialogs.shortcut_sheet import ShortcutSheet
from starloom_gui.documents.annotations import FROM_START, Annotations
from starloom_gui.documents.document import Document, RunTab
from starloom_gui.shell.cancelling import Cancelling
from starloom_gui.shell.document_tabs import TURNS
from starloom_gui.shell.filter_menu import FilterMenu
from starloom_gui.shell.perspectives import Perspective
from starloom_gui.specs.action_spec import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starloom.scheduling.read.run_view import RunView
    from starloom_gui.canvas.matching import Filter
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.history.history import RunHistory
    from starloom_gui.shell.agent_actions import AgentActions
    from starloom_gui.shell.bulk_edit import BulkEdit
    from starloom_gui.shell.choice_actions import ChoiceActions
    from starloom_gui.shell.connect_actions import ConnectActions
    from starloom_gui.shell.edit_actions import EditActions
    from starloom_gui.shell.file_actions import FileActions
    from starloom_gui.shell.fleet_file_actions import FleetFileActions
    from starloom_gui.shell.layout_actions import LayoutActions
    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.shell.reservation_actions import ReservationActions
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.actions import Actions
    from starloom_gui.workspace.baseline_chooser import Chooser
    from starloom_gui.workspace.document_view import DocumentView
    from starloom_gui.workspace.open_views import OpenViews

_OF_VIEWS: Final = ("fit", "zoom_in", "zoom_out", "filter", "critical_path", "find", "close_tab", *TURNS)
"""Verbs that need something to be open."""


@dataclass(frozen=True, slots=True)
class Controllers:
    """The controllers of actions that need more than a command; each says which of its own are possible.

    Attributes:
        files: plans and runs on disk.
        fleet: fleet files.
        history: the runs of the directory of journals.
        starting: the actions that make runs.
        agents: agents of the run in front.
        bulk: many tasks at once.
        edits: undo, redo, staged edits.
        layout: where things stand on the canvas.
        baseline: an earlier run beside the one in front.
        choices: those that ask for something first.
        connect: shows engines elsewhere.
        reservations: reserves runs, devices and the fleet.
    """

    files: FileActions
    fleet: FleetFileActions
    connect: ConnectActions
    history: RunHistory
    starting: Mapping[str, Callable[[], object]]
    agents: AgentActions
    bulk: BulkEdit
    edits: EditActions
    layout: LayoutActions
    baseline: Chooser
    choices: ChoiceActions
    reservations: ReservationActions


class WindowActions(QObject):
    """Carries out the actions that `Actions.wanted` emits, and updates which of them are possible.

    Args:
        controllers: who carries out most of it.
        documents: what is open.
        views: of that.
        bridge: tells of runs and the fleet.
        actions: those of the window.
        appearance: the colours of dialogs.
        window: what dialogs stand over; it owns this.

    Attributes:
        controllers: as given.
        cancelling: asks before a run is cancelled.
    """

    def __init__(
        self,
        controllers: Controllers,
        documents: OpenDocuments,
        views: OpenViews,
        bridge: Bridge,
        actions: Actions,
        appearance: Appearance,
        window: MainWindow,
    ) -> None:
        super().__init__(window)
        self.controllers = controllers
        self._documents, self._views, self._bridge, self._actions = documents, views, bridge, actions
        self._appearance, self._window = appearance, window
        self.cancelling = self._new_cancelling()
        files, fleet, baseline = controllers.files, controllers.fleet, controllers.baseline
        self._verbs: dict[str, Callable[[], object]] = {
            **controllers.starting,
            "new": self._new,
            "open": files.opening.ask,
            "history": controllers.history.show,
            "compare": baseline.choose,
            "compare_off": baseline.stop,
            "open_fleet": fleet.ask,
            "connect_server": controllers.connect.ask,
            "save_fleet": fleet.ask_where,
            "resume_runs": files.resuming.ask,
            "save": self._save,
            "save_as": self._save_as,
            "reload": lambda: files.opening.ask_reload(documents.front.key if documents.front is not None else ""),
            "save_run_as_plan": self._save_run_as_plan,
            "apply_to_plan": self._apply_to_plan,
            "export": self._export,
            "close_tab": self._close_tab,
            **controllers.edits.verbs,
            **controllers.choices.verbs,
            **controllers.reservations.verbs,
            "attach_agent": controllers.agents.attach,
            "critical_path": self._critical_path,
            "filter": self._filter,
            "fit": lambda: self._canvas(lambda view: view.canvas.pan_zoom.fit_all()),
            "zoom_in": lambda: self._canvas(lambda view: view.canvas.pan_zoom.zoom_in()),
            "zoom_out": lambda: self._canvas(lambda view: view.canvas.pan_zoom.zoom_out()),
            **controllers.layout.verbs,
            "commands": self._commands_list,
            "shortcuts": self._shortcuts,
            "about": lambda: AboutDialog(appearance, window).open(),
            **controllers.bulk.verbs,
        }
        actions.wanted.connect(self._do)
        actions.refreshed.connect(self._allow)
        window.workbench.arranged.connect(self._arranged)
        window.status.problems_asked.connect(self._show_problems)
        window.tool_bar.search.stepped.connect(self._find)
        self._allow()

    def _new_cancelling(self) -> Cancelling:
        made = Cancelling(self._documents, self._bridge.run, self._appearance, self._window)
        self._actions.ask_first("cancel_run", made.ask)
        self._bridge.feed(parent=self).changed.connect(made.on_changes)
        return made

    def catch_up(self, keys: Sequence[str]) -> None:
        """Carry out the actions that were triggered before the engine was loaded."""
        for key in keys:
            self._do(key)

    async def close(self) -> None:
        """Cancel all actions."""
        self.controllers.baseline.close()
        self.controllers.bulk.close()
        await self.cancelling.close()
        await self.controllers.fleet.close()

    def _do(self, key: str) -> None:
        act = self._verbs.get(key)
        if act is not None:
            act()

    # ---- what is possible

    def _allow(self) -> None:
        actions, controllers = self._actions, self.controllers
        front, view = self._documents.front, self._views.front
        nothing = Verdict(False, self.tr("Nothing is open."))
        for key in _OF_VIEWS:
            actions.allow(key, Verdict(True) if view is not None else nothing)
        plan = Verdict(True) if isinstance(front, Document) else Verdict(False, self.tr("No plan is in front."))
        for key in ("save", "save_as"):
            actions.allow(key, plan)
        is_empty = isinstance(front, Document) and not front.plan.tasks
        empty = Verdict(False, self.tr("The plan has no tasks."), self.tr("Add one before you make a run of it."))
        actions.allow("create_run", empty if is_empty else plan)
        is_new = isinstance(front, Document) and front.path is None
        actions.allow("reload", Verdict(False, self.tr("The plan has no file yet.")) if is_new else plan)
        on_run = Verdict(True) if isinstance(front, RunTab) else Verdict(False, self.tr("No run is in front."))
        for key in ("save_run_as_plan", "export"):
            actions.allow(key, on_run)
        tab, run = front if isinstance(front, RunTab) else None, self._run()
        facts = run.facts if run is not None else None
        can_apply = controllers.files.plan_verbs.can_apply(tab, facts, self._beside())
        actions.allow("apply_to_plan", can_apply)
        actions.allow("save_fleet", controllers.fleet.can_save())
        controllers.baseline.allow(actions)
        controllers.edits.allow()
        controllers.choices.allow()
        controllers.reservations.allow()
        actions.allow("attach_agent", controllers.agents.can_attach())
        controllers.bulk.allow()
        controllers.layout.allow()

    def _run(self) -> RunView | None:
        view = self._views.front
        return view.reader.view() if view is not None else None

    def _beside(self) -> Annotations:
        view = self._views.front
        return view.beside if view is not None else FROM_START

    def _run_in_front(self) -> RunView | None:
        return self._run() if isinstance(self._documents.front, RunTab) else None

    # ---- plans

    def _new(self) -> None:
        self._window.layouts.begin_drawing(self._documents.put_new().key)
        self._canvas(lambda view: view.canvas.setFocus(Qt.FocusReason.OtherFocusReason))

    def _save(self) -> None:
        front = self._documents.front
        if isinstance(front, Document):
            self.controllers.files.saving.save(front.key)

    def _save_as(self) -> None:
        front = self._documents.front
        if isinstance(front, Document):
            self.controllers.files.saving.save_as(front.key)

    def _save_run_as_plan(self) -> None:
        run = self._run_in_front()
        if run is not None:
            self.controllers.files.plan_verbs.save_run_as_plan(run.facts, self._beside())

    def _apply_to_plan(self) -> None:
        front, run = self._documents.front, self._run_in_front()
        if isinstance(front, RunTab) and run is not None:
            self.controllers.files.plan_verbs.apply_to_plan(front, run.facts, self._beside())

    def _export(self) -> None:
        front = self._documents.front
        if isinstance(front, RunTab):
            self.controllers.files.exporting.export(front.run_id, front.title, front.folder)

    def _close_tab(self) -> None:
        front = self._documents.front
        if front is not None:
            self.controllers.files.leaving.close_tab(front.key)

    # ---- what is shown

    def _canvas(self, act: Callable[[DocumentView], object]) -> None:
        view = self._views.front
        if view is not None:
            act(view)

    def _critical_path(self) -> None:
        shown = self._actions["critical_path"].isChecked()
        self._canvas(lambda view: view.canvas.highlights.show_critical_path(shown))

    def _filter(self) -> None:
        self._show_filtered()  # the click has turned the button over, and nothing is chosen yet
        view, run = self._views.front, self._run()
        if view is None or run is None:
            return
        menu = FilterMenu(run, view.canvas.highlights.filter, self._window)

        def show(wanted: Filter) -> None:
            view.canvas.highlights.set_filter(wanted)
            self._show_filtered()

        menu.changed.connect(show)
        button = self._window.tool_bar.filter
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def take_up(self, view: DocumentView | None) -> None:
        """Show another document, which is in front now."""
        front = self._documents.front
        key = front.key if front is not None else ""
        self._window.layouts.follow(key)
        self._window.tool_bar.search.turn_to(key)
        self._show_filtered()
        self._critical_path()
        self.controllers.layout.show_snapping()
        menu = GraphMenu(view.canvas, view.selection, self._window) if view is not None else None
        self._window.show_graph_menu(menu)

    def _show_filtered(self) -> None:
        """Show in the button of the filter whether a filter is set."""
        view = self._views.front
        self._actions["filter"].setChecked(view is not None and bool(view.canvas.highlights.filter))

    def _find(self, way: int) -> None:
        words = self._window.tool_bar.search.text()
        view = self._views.front
        if view is None or not words.strip():
            return
        if view.canvas.graph.picture is None:  # it is still laid out, so nothing can be said not to be there
            self._find_once_drawn(view, way)
        elif view.canvas.search.find_task(words.strip(), forward=way > 0) is None:
            self._window.tool_bar.search.note_missing()
        else:
            view.canvas.setFocus(Qt.FocusReason.ShortcutFocusReason)
            view.canvas.typed.remember(words.strip())

    def _find_once_drawn(self, view: DocumentView, way: int) -> None:
        """Find what is sought once the graph is drawn, if it is still in front and the keyboard in the field."""

        def find() -> None:
            view.drawing.drawn.disconnect(find)
            if self._views.front is view and self._window.tool_bar.search.hasFocus():
                self._find(way)

        view.drawing.drawn.connect(find)

    def _arranged(self, perspective: Perspective) -> None:
        """Adapt the views to a perspective: for failures, show the failed tasks and the output of one; else all."""
        view = self._views.front
        if perspective is Perspective.FAILURES:
            self._show_failed(selects=True)
        elif view is not None and "tasks" in view.views.made:
            view.views["tasks"].widget.show_all_again()

    def _show_failed(self, *, selects: bool = False) -> None:
        view = self._views.front
        if view is not None:
            view.views["tasks"].widget.show_failed()
            if selects:
                view.views["tasks"].widget.select_failed()

    def _show_problems(self) -> None:
        """Show the failed tasks; all other views are unchanged."""
        self._show_failed()
        self._window.workbench.show_pane("tasks")

    # ---- finding one's way

    def _commands_list(self) -> None:
        self._actions.refresh(thoroughly=True)
        verbs = verbs_of(self._window.menuBar())
        CommandPalette(verbs, self._appearance, self._window).open()

    def _shortcuts(self) -> None:
        ShortcutSheet(verbs_of(self._window.menuBar()), self._appearance, self._window).open()
