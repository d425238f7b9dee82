"""What the window's own verbs do: those that the engine is not simply asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint, QRect, Qt

from starloom.settings import journal_path
from starloom_gui.attending import Attending
from starloom_gui.bridge.verbs import Verdict
from starloom_gui.canvas.asked import tasks_title
from starloom_gui.canvas.menu import GraphMenu
from starloom_gui.comparing.chooser import Chooser
from starloom_gui.context_menus import ContextMenus
from starloom_gui.dialogs.about import AboutDialog
from starloom_gui.dialogs.add_device import AddDeviceDialog
from starloom_gui.dialogs.command_palette import CommandPalette, verbs_of
from starloom_gui.dialogs.pin import PinDialog
from starloom_gui.dialogs.set_number import SlotsDialog
from starloom_gui.dialogs.shortcut_sheet import ShortcutSheet
from starloom_gui.dialogs.with_reason import ReasonDialog
from starloom_gui.documents.document import Document, RunTab
from starloom_gui.edit_actions import EditActions
from starloom_gui.fleet_papers import FleetPapers
from starloom_gui.panels.limit_popover import LimitPopover
from starloom_gui.placing import Placing
from starloom_gui.reworking import Reworking
from starloom_gui.shell.cancelling import Cancelling
from starloom_gui.shell.filter_menu import FilterMenu
from starloom_gui.shell.layout_state import Perspective
from starloom_gui.shell.plan_verbs import FROM_START, Beside

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.scheduling.run_facts import RunFacts
    from starloom_gui.app import Console
    from starloom_gui.canvas.matching import Filter
    from starloom_gui.sheets.sheet import Sheet
    from starloom_gui.shell.settings import Settings

_OF_SHEETS: Final = ("fit", "zoom_in", "zoom_out", "filter", "critical_path", "find", "close_tab")
"""Verbs that need something to be open."""


class Errands(QObject):
    """Carries out what `Actions.wanted` asks for, and says of each such verb whether it is possible now.

    Args:
        console: whose window it is.
        settings: what is remembered.

    Attributes:
        attending: what it does about agents.
        reworking: what it does about many tasks at once.
        edits: what it does about edits and taking them back.
        placing: what it does about where things stand on the canvas.
        comparing: lays an earlier run beside the one in front.
        cancelling: asks before a run is cancelled.
        menus: those at the pointer.
        fleet: opens and saves fleet files.
    """

    def __init__(self, console: Console, settings: Settings) -> None:
        super().__init__(console.window)
        self.fleet = FleetPapers(
            console.engine.fleet,
            console.engine.set_limits,
            settings,
            console.strip,
            console.appearance,
            console.window,
            lambda: isinstance(console.desk.front, RunTab),
        )
        self._console, self._window = console, console.window
        self.attending, self.reworking = Attending(console), Reworking(console)
        self.edits = EditActions(console)
        self.placing = Placing(console, settings)
        self.menus = ContextMenus(console)
        self.comparing = self._new_chooser(console)
        self.cancelling = self._new_cancelling(console)
        self._verbs: dict[str, Callable[[], object]] = {
            "demo": console.run_demo,
            "new": self._new,
            "open": console.papers.opening.ask,
            "history": console.history.show,
            "compare": self.comparing.choose,
            "compare_off": self.comparing.stop,
            "open_fleet": self.fleet.ask,
            "save_fleet": self.fleet.ask_where,
            "resume_runs": console.papers.resuming.ask,
            "save": self._save,
            "save_as": self._save_as,
            "save_run_as_plan": self._save_run_as_plan,
            "apply_to_plan": self._apply_to_plan,
            "export": self._export,
            "close_tab": self._close_tab,
            **self.edits.verbs,
            "limit": self._limit,
            "attach_agent": self.attending.attach,
            "pin": self._pin,
            "with_reason": self._ask_reason,
            "set_slots": self._set_slots,
            "add_device": self.add_device,
            "critical_path": self._critical_path,
            "filter": self._filter,
            "fit": lambda: self._canvas(lambda sheet: sheet.canvas.fit_all()),
            "zoom_in": lambda: self._canvas(lambda sheet: sheet.canvas.zoom_in()),
            "zoom_out": lambda: self._canvas(lambda sheet: sheet.canvas.zoom_out()),
            **self.placing.verbs,
            "commands": self._commands,
            "shortcuts": self._shortcuts,
            "about": lambda: AboutDialog(console.appearance, self._window).open(),
            **self.reworking.verbs,
        }
        console.actions.wanted.connect(self._do)
        console.actions.refreshed.connect(self._allow)
        console.window.workbench.arranged.connect(self._arranged)
        console.window.status.problems_asked.connect(self._show_problems)
        console.window.tool_bar.search.stepped.connect(self._find)
        self._allow()

    def _new_cancelling(self, console: Console) -> Cancelling:
        made = Cancelling(console.desk, console.bridge.run, console.appearance, console.window)
        console.actions.ask_first("cancel_run", made.ask)
        console.bridge.feed(parent=self).changed.connect(made.take)
        return made

    def _new_chooser(self, console: Console) -> Chooser:
        report, turn = console.strip.show_trouble, console.window.workbench.turn_to
        loading, directory = console.papers.loading, journal_path()
        look, window = console.appearance, console.window
        return Chooser(directory, look, window, loading, report, lambda: console.keeper.front, turn)

    def catch_up(self, keys: Sequence[str]) -> None:
        """Do what was asked for before anybody could."""
        for key in keys:
            self._do(key)

    async def close(self) -> None:
        """Let go of what goes on."""
        self.comparing.close()
        self.reworking.close()
        await self.cancelling.close()
        await self.fleet.close()

    def _do(self, key: str) -> None:
        act = self._verbs.get(key)
        if act is not None:
            act()

    # ---- what is possible

    def _allow(self) -> None:
        console = self._console
        front, sheet = console.desk.front, console.keeper.front
        nothing = Verdict(False, self.tr("Nothing is open."))
        for key in _OF_SHEETS:
            console.actions.allow(key, Verdict(True) if sheet is not None else nothing)
        plan = Verdict(True) if isinstance(front, Document) else Verdict(False, self.tr("No plan is in front."))
        for key in ("save", "save_as"):
            console.actions.allow(key, plan)
        run = Verdict(True) if isinstance(front, RunTab) else Verdict(False, self.tr("No run is in front."))
        for key in ("save_run_as_plan", "export"):
            console.actions.allow(key, run)
        tab = front if isinstance(front, RunTab) else None
        console.actions.allow("apply_to_plan", console.papers.plan_verbs.can_apply(tab, self._facts(), self._beside()))
        console.actions.allow("save_fleet", self.fleet.can_save())
        self.comparing.allow(console.actions)
        self.edits.allow()
        self._allow_choices(sheet)
        self.reworking.allow()
        self.placing.allow()

    def _allow_choices(self, sheet: Sheet | None) -> None:
        """Say which verbs are possible that need a choice first; about the past nothing can be chosen."""
        console = self._console
        past = self._past(sheet)
        target = console.target()
        chosen = Verdict(True) if target.task_ids else Verdict(False, self.tr("No task is selected."))
        console.actions.allow("pin", past or chosen)
        possible = Verdict(bool(console.actions.reasoned()), self.tr("Nothing that keeps a reason can be done now."))
        console.actions.allow("with_reason", past or possible)
        device = Verdict(True) if target.device_id else Verdict(False, self.tr("No device is selected."))
        console.actions.allow("set_slots", past or device)
        for key in ("limit", "add_device"):
            console.actions.allow(key, past or Verdict(True))
        console.actions.allow("attach_agent", self.attending.can_attach())

    def _past(self, sheet: Sheet | None) -> Verdict | None:
        """Why nothing can be done about what is shown; None: it can."""
        return sheet.source.barred if sheet is not None else None

    def _facts(self) -> RunFacts | None:
        sheet = self._console.keeper.front
        return sheet.source.facts() if sheet is not None else None

    def _beside(self) -> Beside:
        sheet = self._console.keeper.front
        return sheet.beside if sheet is not None else FROM_START

    def _run_facts(self) -> RunFacts | None:
        return self._facts() if isinstance(self._console.desk.front, RunTab) else None

    # ---- plans

    def _new(self) -> None:
        self._console.desk.put_new()
        self._canvas(lambda sheet: sheet.canvas.setFocus(Qt.FocusReason.OtherFocusReason))

    def _save(self) -> None:
        front = self._console.desk.front
        if isinstance(front, Document):
            self._console.papers.saving.save(front.key)

    def _save_as(self) -> None:
        front = self._console.desk.front
        if isinstance(front, Document):
            self._console.papers.saving.save_as(front.key)

    def _save_run_as_plan(self) -> None:
        run = self._run_facts()
        if run is not None:
            self._console.papers.plan_verbs.save_run_as_plan(run, self._beside())

    def _apply_to_plan(self) -> None:
        front, run = self._console.desk.front, self._run_facts()
        if isinstance(front, RunTab) and run is not None:
            self._console.papers.plan_verbs.apply_to_plan(front, run, self._beside())

    def _export(self) -> None:
        front = self._console.desk.front
        if isinstance(front, RunTab):
            self._console.papers.exporting.export(front.run_id, front.title)

    def _close_tab(self) -> None:
        front = self._console.desk.front
        if front is not None:
            self._console.papers.leaving.close_tab(front.key)

    # ---- runs, tasks, devices

    def _limit(self) -> None:
        """Have the limits of this run and of all runs changed, below the button that shows them."""
        console, button = self._console, self._window.tool_bar.limit
        popover = LimitPopover(
            console.appearance, lambda: console.bridge.fleet, self._run_facts, console.asks, self._window
        )
        popover.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        feed = console.bridge.feed(parent=self)
        feed.changed.connect(popover.take)
        console.commands.refused.connect(popover.refuse)
        popover.closed.connect(feed.close)
        popover.closed.connect(feed.deleteLater)
        place = button if button.isVisible() else self._window.tool_bar
        popover.popup(QRect(place.mapToGlobal(QPoint()), place.size()))

    def _pin(self) -> None:
        console, run, sheet = self._console, self._facts(), self._console.keeper.front
        if run is not None and sheet is not None and sheet.selection.now.numbers:
            numbers, fleet = sheet.selection.now.numbers, console.bridge.fleet
            PinDialog(console.appearance, run, numbers, fleet, console.asks, self._window).open()

    def _ask_reason(self) -> None:
        console, sheet = self._console, self._console.keeper.front
        console.actions.refresh(thoroughly=True)
        named = tasks_title(self._facts(), sheet.selection.now.numbers) if sheet is not None else ""
        if console.actions.reasoned():
            ReasonDialog(console.appearance, console.actions, console.target(), named, self._window).open()

    def _set_slots(self) -> None:
        self.set_slots(self._console.target().device_id)

    def set_slots(self, device_id: str) -> None:
        """Ask how many slots a device is to have."""
        console = self._console
        device = console.bridge.fleet.devices.get(device_id)
        if device is not None:
            SlotsDialog(console.appearance, device, console.asks, self._window).open()

    def add_device(self) -> None:
        """Ask for a device and put it into the fleet."""
        console = self._console
        AddDeviceDialog(
            console.appearance,
            lambda device: console.commands.add_device(self.fleet.added(device)),
            lambda: tuple(console.bridge.fleet.devices),
            parent=self._window,
        ).open()

    # ---- what is shown

    def _canvas(self, act: Callable[[Sheet], object]) -> None:
        sheet = self._console.keeper.front
        if sheet is not None:
            act(sheet)

    def _critical_path(self) -> None:
        shown = self._console.actions["critical_path"].isChecked()
        self._canvas(lambda sheet: sheet.canvas.show_critical_path(shown))

    def _filter(self) -> None:
        self._show_filtered()  # the click has turned the button over, and nothing is chosen yet
        sheet, run = self._console.keeper.front, self._facts()
        if sheet is None or run is None:
            return
        menu = FilterMenu(run, sheet.canvas.filter, self._window)

        def show(wanted: Filter) -> None:
            sheet.canvas.set_filter(wanted)
            self._show_filtered()

        menu.changed.connect(show)
        button = self._window.tool_bar.filter
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def take_up(self, sheet: Sheet | None) -> None:
        """Another sheet is in front: have what the window shows of a sheet be that of this one."""
        self._show_filtered()
        self._critical_path()
        self.placing.show_snapping()
        menu = GraphMenu(sheet.canvas, sheet.selection, self._window) if sheet is not None else None
        self._window.show_graph_menu(menu)

    def _show_filtered(self) -> None:
        """Have the button of the filter say whether anything is filtered."""
        sheet = self._console.keeper.front
        self._console.actions["filter"].setChecked(sheet is not None and bool(sheet.canvas.filter))

    def _find(self, way: int) -> None:
        words = self._window.tool_bar.search.text()
        sheet = self._console.keeper.front
        if sheet is None or not words.strip():
            return
        if sheet.canvas.find_task(words.strip(), forward=way > 0) is None:
            self._window.tool_bar.search.note_missing()
        else:
            sheet.canvas.setFocus(Qt.FocusReason.ShortcutFocusReason)
            sheet.canvas.typed.remember(words.strip())

    def _arranged(self, perspective: Perspective) -> None:
        """With the failures in sight, the tasks that failed are the ones in the table, and what one of them printed."""
        if perspective is Perspective.FAILURES:
            self._show_failed(selects=True)

    def _show_failed(self, *, selects: bool = False) -> None:
        sheet = self._console.keeper.front
        if sheet is not None:
            sheet.views["tasks"].widget.show_failed()
            if selects:
                sheet.views["tasks"].widget.select_failed()

    def _show_problems(self) -> None:
        """Bring the tasks that failed forward; everything else stays where it is."""
        self._show_failed()
        self._window.workbench.show_pane("tasks")

    # ---- finding one's way

    def _commands(self) -> None:
        self._console.actions.refresh(thoroughly=True)
        verbs = verbs_of(self._window.menuBar())
        CommandPalette(verbs, self._console.appearance, self._window).open()

    def _shortcuts(self) -> None:
        ShortcutSheet(verbs_of(self._window.menuBar()), self._console.appearance, self._window).open()
