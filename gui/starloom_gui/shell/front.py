"""The window's parts around the panes: run header, toolbar, status bar and which actions are possible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom.events import ConstellationModified
from starloom.model.status import TaskStatus
from starloom.scheduling.state.reservations import FLEET_TARGET, ReservationTarget
from starloom_gui.gateway.event_log import NewestEvent
from starloom_gui.panels.waiting import count_of
from starloom_gui.text.reservation_words import words_of
from starloom_gui.text.words import fill
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.event_words import event_text
from starloom_gui.viewmodel.figures import figures_of
from starloom_gui.workspace.load import most_now

if TYPE_CHECKING:
    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.gateway.run_reader import RunReader
    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.widgets.actions import Actions
    from starloom_gui.workspace.document_view import DocumentView


class Front(QObject):
    """Keeps the window's own parts up to date with the document in front.

    Args:
        window: whose parts they are.
        actions: what is possible is looked at whenever something has changed.
        bridge: the engine's side.
        origin: in whose name the console asks.
    """

    def __init__(self, window: MainWindow, actions: Actions, bridge: Bridge, origin: str) -> None:
        super().__init__(window)
        self._window, self._actions, self._bridge, self._origin = window, actions, bridge, origin
        self._view: DocumentView | None = None
        self._newest = NewestEvent()
        self._feed = bridge.feed(parent=self)
        self._feed.changed.connect(self._take)

    def show_view(self, view: DocumentView | None) -> None:
        """Follow another view; None: there is none."""
        if self._view is not None:
            self._view.selection.changed.disconnect(self._actions.ask_refresh)
            self._view.source.editor.changed.disconnect(self._actions.ask_refresh)
            self._view.outlook.changed.disconnect(self.refresh)
            self._view.compared.changed.disconnect(self._actions.ask_refresh)
            if self._view.source.travel is not None:
                self._view.source.travel.reader.moved.disconnect(self._turn)
                self._view.source.travel.reader.passed.disconnect(self.refresh)
            self._view.outlook.set_front(False)
        self._view = view
        if view is not None:
            view.selection.changed.connect(self._actions.ask_refresh)
            view.source.editor.changed.connect(self._actions.ask_refresh)
            view.outlook.changed.connect(self.refresh)
            view.compared.changed.connect(self._actions.ask_refresh)
            if view.source.travel is not None:
                view.source.travel.reader.moved.connect(self._turn)
                view.source.travel.reader.passed.connect(self.refresh)
            view.outlook.set_front(True)
        self.refresh()
        self._actions.refresh()

    def refresh(self, *_: object) -> None:
        """Update everything that depends on the view in front."""
        self._show_run()
        self._show_load()
        self._show_status()

    def _turn(self, *_: object) -> None:
        """Handle a change of the shown moment."""
        self.refresh()
        self._actions.ask_refresh()

    def _take(self, changes: Changes) -> None:
        if self._view is not None and self._view.reader.is_past:
            self._show_status()
            return
        self._show_run()
        is_of_tasks = changes.everything or changes.run or bool(changes.tasks or changes.edits)
        if is_of_tasks or changes.load or changes.limits or changes.devices:  # not a second that has passed alone
            self._show_load()
        self._show_status()
        if is_of_tasks or changes.devices:  # a reservation is told as a change of everything
            self._actions.ask_refresh()

    def _show_run(self) -> None:
        view = self._view
        run = view.reader.view() if view is not None else None
        if view is None or run is None:
            self._window.header.line.show_figures(None)
            return
        reader, ahead = view.reader, view.outlook.now.projection
        now = reader.now()
        reserved = words_of(reader.fleet(), ReservationTarget(run_id=run.run_id), now, self._origin)
        wall = run.wall(now)  # by the clock of all other panes: each second of a finish is the same everywhere
        figures = figures_of(run, now, wall, ahead, count_of(run), is_past=reader.is_past, reserved=reserved)
        self._window.header.line.show_figures(figures)

    def _show_load(self) -> None:
        view = self._view
        run = view.reader.view() if view is not None else None
        fleet = view.reader.fleet() if view is not None else self._bridge.fleet
        state, running, most = run.state if run is not None else None, fleet.running, most_now(fleet)
        is_past = view is not None and view.reader.is_past  # of which its journal tells nothing of other runs
        is_own = run is not None and (is_past or (run.limit is not None and (most is None or run.limit < most)))
        if run is not None and is_own:
            # both of this run: others run under limits of theirs
            running, most = run.count(TaskStatus.RUNNING), run.limit
        self._window.tool_bar.show_run(state, self._failures(), running, most, is_own=is_own)

    def _failures(self) -> tuple[int, int]:
        """The number of failed tasks of the shown run, and the number of those that are only warnings."""
        figures = self._window.header.line.figures
        return (figures.counts[StatusForm.FAILED], figures.counts[StatusForm.WARNED]) if figures is not None else (0, 0)

    def _show_status(self) -> None:
        view, status = self._view, self._window.status
        status.reserved.show_reservation(words_of(self._bridge.fleet, FLEET_TARGET, self._bridge.now(), self._origin))
        if view is None:
            self._show_newest(self._bridge, "")
        elif view.source.run_id:
            self._show_newest(view.reader, view.source.run_id)
        else:
            status.show_event("")  # a plan: nothing has happened in it
        if view is not None:
            status.show_health(self._bridge.health)
        status.show_problems(*self._failures())

    def _show_newest(self, reader: Bridge | RunReader, run_id: str) -> None:
        """Show the last event of a run; of any run, if the id is empty."""
        event = self._newest.find(reader.log, run_id)
        if event is None:
            self._window.status.show_event("")
        else:
            text = event_text(event, reader.run(event.run_id), reader.log.limits_before(event))
            if isinstance(event, ConstellationModified) and event.origin not in ("", self._origin):
                text = fill(self.tr("%1: %2"), event.origin, text)
            self._window.status.show_event(text, reader.wall(event.at))
