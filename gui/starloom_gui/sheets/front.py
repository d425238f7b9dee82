"""What stands around the panes of the sheet in front: run header, toolbar, status bar, and what is possible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom.scheduling.codes import FAILED
from starloom_gui.event_words import event_text
from starloom_gui.shell.figures import figures_of

if TYPE_CHECKING:
    from starloom.scheduling.fleet_facts import FleetFacts
    from starloom_gui.bridge.bridge import Bridge
    from starloom_gui.bridge.changes import Changes
    from starloom_gui.sheets.sheet import Sheet
    from starloom_gui.shell.actions import Actions
    from starloom_gui.shell.main_window import MainWindow


class Front(QObject):
    """Keeps what is around the panes up with the sheet in front.

    Args:
        window: whose parts they are.
        actions: what is possible is looked at whenever something has changed.
        bridge: the engine's side.
    """

    def __init__(self, window: MainWindow, actions: Actions, bridge: Bridge) -> None:
        super().__init__(window)
        self._window, self._actions, self._bridge = window, actions, bridge
        self._sheet: Sheet | None = None
        self._feed = bridge.feed(parent=self)
        self._feed.changed.connect(self._take)

    def show_sheet(self, sheet: Sheet | None) -> None:
        """Follow another sheet; None: there is none."""
        if self._sheet is not None:
            self._sheet.selection.changed.disconnect(self._actions.ask_refresh)
            self._sheet.source.editor.changed.disconnect(self._actions.ask_refresh)
            self._sheet.outlook_changed.disconnect(self.refresh)
            self._sheet.compared.changed.disconnect(self._actions.ask_refresh)
            if self._sheet.source.travel is not None:
                self._sheet.source.travel.vantage.moved.disconnect(self._turn)
                self._sheet.source.travel.vantage.passed.disconnect(self.refresh)
            self._sheet.set_front(False)
        self._sheet = sheet
        if sheet is not None:
            sheet.selection.changed.connect(self._actions.ask_refresh)
            sheet.source.editor.changed.connect(self._actions.ask_refresh)
            sheet.outlook_changed.connect(self.refresh)
            sheet.compared.changed.connect(self._actions.ask_refresh)
            if sheet.source.travel is not None:
                sheet.source.travel.vantage.moved.connect(self._turn)
                sheet.source.travel.vantage.passed.connect(self.refresh)
            sheet.set_front(True)
        self.refresh()
        self._actions.refresh()

    def refresh(self, *_: object) -> None:
        """Read everything anew."""
        self._show_run()
        self._show_load()
        self._show_status()

    def _turn(self, *_: object) -> None:
        """Another moment is shown."""
        self.refresh()
        self._actions.ask_refresh()

    def _take(self, changes: Changes) -> None:
        if self._sheet is not None and self._sheet.source.is_past:
            self._show_status()
            return
        self._show_run()
        is_of_tasks = changes.everything or changes.run or bool(changes.tasks or changes.edits)
        if is_of_tasks or changes.load or changes.limits or changes.devices:  # not a second that has passed alone
            self._show_load()
        self._show_status()
        if is_of_tasks or changes.devices:
            self._actions.ask_refresh()

    def _show_run(self) -> None:
        sheet = self._sheet
        run = sheet.source.facts() if sheet is not None else None
        if sheet is None or run is None:
            self._window.header.line.show_figures(None)
            return
        now = sheet.source.clock()
        figures = figures_of(run, now, sheet.around.wall(now), sheet.outlook.projection)
        self._window.header.line.show_figures(figures)

    def _show_load(self) -> None:
        sheet = self._sheet
        run = sheet.source.facts() if sheet is not None else None
        failed = run.status.count(FAILED) if run is not None else 0
        fleet = sheet.around.fleet() if sheet is not None else self._bridge.fleet
        most = [one for one in (most_of(fleet), run.limit if run is not None else None) if one is not None]
        state = run.state if run is not None else None
        self._window.tool_bar.show_run(state, failed, fleet.running, min(most, default=None))

    def _show_status(self) -> None:
        sheet, status = self._sheet, self._window.status
        log, wall = (
            (sheet.around.log, sheet.around.wall) if sheet is not None else (self._bridge.log, self._bridge.wall)
        )
        if len(log):
            event = log.get(log.end - 1)
            status.show_event(event_text(event), wall(event.at))
        if self._sheet is not None:
            status.show_health(self._bridge.health)
            run = self._sheet.source.facts()
            status.show_problems(run.status.count(FAILED) if run is not None else 0)


def most_of(fleet: FleetFacts) -> int | None:
    """How many tasks may run at once: the limit, or as many as there are slots; None: any number."""
    slots = [device.slots for device in fleet.devices.values() if device.accepts]
    if any(one is None for one in slots) or not slots:
        return fleet.max_concurrency
    total = sum(one for one in slots if one is not None)
    return total if fleet.max_concurrency is None else min(total, fleet.max_concurrency)
