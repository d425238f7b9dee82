"""Making the sheet of whatever lies on the desk, and wiring it to the window."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from starloom.journal.library import output_path
from starloom.journal.names import JOURNAL
from starloom_gui.bridge.output import OutputHub
from starloom_gui.documents.document import RunTab
from starloom_gui.editing.base import Mode
from starloom_gui.editing.templates import kinds, ready_made
from starloom_gui.sheets.sheet import Sheet
from starloom_gui.sheets.source import Surroundings
from starloom_gui.sheets.sources import plan_source, recorded_source, run_source

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.app import Console
    from starloom_gui.documents.document import Item
    from starloom_gui.past.vantage import Vantage
    from starloom_gui.selection import Selected


class SheetMaker:
    """Makes sheets for a console.

    Args:
        console: whose.
    """

    def __init__(self, console: Console) -> None:
        self._console = console

    def make(self, item: Item) -> Sheet:
        """A sheet of what lies on the desk."""
        console = self._console
        around = self._around()
        if not isinstance(item, RunTab):
            source = plan_source(item, console.desk, console.bridge, console.commands, console.start_plan)
        elif item.folder is None:
            source = run_source(item, console.bridge, console.commands, self._journal)
        else:
            found = console.recorded.of(item.folder)
            source = recorded_source(item, found.recording, found.ended)
        if source.travel is not None:
            around = self._around(source.travel.vantage, item.folder if isinstance(item, RunTab) else None)
        return self._wired(Sheet(source, around, console))

    def _journal(self, run_id: str) -> Path | None:
        folder = self._console.engine.pump.journal.folder(run_id)
        return None if folder is None else folder / JOURNAL

    def _around(self, vantage: Vantage | None = None, folder: Path | None = None) -> Surroundings:
        console, bridge = self._console, self._console.bridge
        return Surroundings(
            appearance=console.appearance,
            log=vantage.log if vantage is not None else bridge.log,
            hub=console.hub if folder is None else OutputHub(None),
            fleet=vantage.fleet if vantage is not None else lambda: bridge.fleet,
            runs=vantage.runs if vantage is not None else bridge.all_runs,
            run=vantage.run if vantage is not None else bridge.run,
            line=vantage.line if vantage is not None else bridge.in_line,
            wall=vantage.wall if vantage is not None else bridge.wall,
            kinds=lambda: (*kinds(), *ready_made(), *console.shelf.own),
            device_at=console.devices.cards.device_at,
            file_of=console.engine.dispatcher.output_file if folder is None else partial(_output_in, folder),
        )

    def _wired(self, sheet: Sheet) -> Sheet:
        console = self._console
        sheet.inspect_asked.connect(lambda: console.window.workbench.show_pane("inspector"))
        sheet.selection.changed.connect(partial(self._bring_inspector, sheet))
        sheet.menu_asked.connect(console.errands.menus.show)
        sheet.open_asked.connect(console.papers.opening.ask)
        sheet.device_asked.connect(console.errands.add_device)
        if sheet.against is not None:
            sheet.against.changed.connect(console.actions.ask_refresh)
        sheet.apply_asked.connect(console.errands.reworking.plans.apply)
        sheet.attach_asked.connect(console.errands.attending.attach)
        sheet.trust_asked.connect(console.errands.attending.trust)
        sheet.agents_asked.connect(console.errands.attending.look)
        sheet.compare_asked.connect(console.errands.comparing.choose)
        sheet.compare_toggled.connect(console.errands.comparing.toggle)
        sheet.elsewhere_asked.connect(console.show_task)
        sheet.refused.connect(console.say_not_done)
        sheet.views["queue"].widget.tasks_asked.connect(lambda: console.window.workbench.show_pane("tasks"))
        plots = sheet.views["plots"].widget
        plots.start_asked.connect(console.actions["start"].trigger)
        plots.travel_asked.connect(lambda at: console.travelling.visit(at))
        plots.saver.export_asked.connect(lambda wanted: console.papers.exporting.export_made(*wanted))
        return sheet

    def _bring_inspector(self, sheet: Sheet, selected: Selected) -> None:
        """Have the Inspector in front of what is staged once a task is selected elsewhere; the strip has the count."""
        if sheet is not self._console.keeper.front or not selected.numbers or sheet.source.editor.mode is Mode.LIVE:
            return
        keyboard = QApplication.focusWidget()
        if keyboard is None or not sheet.pane("changes").isAncestorOf(keyboard):
            self._console.window.workbench.turn_to("inspector")


def _output_in(folder: Path, _run_id: str, task_id: str, attempt: int) -> Path:
    return output_path(folder, task_id, attempt)
