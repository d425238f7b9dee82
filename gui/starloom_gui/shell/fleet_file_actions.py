"""Fleet files: devices and limits apart from plans; opened, saved, and loaded at the next start.

Who has no fleet file gets one of the program's: what was added by the form is there the next time, too.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from starloom.errors import PlanError, StarloomError
from starloom.formats import save_fleet
from starloom_gui.dialogs.problems import RETRY, ProblemPlurals, ProblemsDialog
from starloom_gui.documents.files import located
from starloom_gui.documents.fleet_files import keep_devices, kept_path, read_fleet
from starloom_gui.event_loop import BackgroundTasks, async_slot
from starloom_gui.event_loop.background import in_background
from starloom_gui.shell.device_changes import DeviceChanges
from starloom_gui.shell.removed_devices import RemovedDevices
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import fill, plain
from starloom_gui.widgets.file_dialog import FileDialog
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtWidgets import QWidget

    from starloom.devices.base import Device
    from starloom.model.device import DeviceSpec
    from starloom.model.plan import Limits
    from starloom_gui.gateway.engine import Engine
    from starloom_gui.settings import Settings
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.message_bar import MessageBar

_FILTER: Final = "*.yaml *.yml *.json"


class FleetFileActions(QObject):
    """Opens and saves fleet files, and knows which devices are the user's own.

    To be used where the loop runs.

    Args:
        engine: whose fleet it is; what the user adds to one elsewhere is not kept in a file here.
        settings: the file to begin with is remembered there.
        strip: is told what went wrong, and what is well again.
        appearance: the colours of dialogs.
        window: what dialogs stand over; it owns this.
        is_busy: whether a run is in front, over which no dialog comes.

    Attributes:
        own: what the user has added by form or file, by id, and what joined for a plan that names no device; what a
            plan brings is the plan's.
        removed: what the user has removed.
        changes: changes a device.
    """

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        strip: MessageBar,
        appearance: Appearance,
        window: QWidget,
        is_busy: Callable[[], bool],
    ) -> None:
        super().__init__(window)
        self._keeps = not engine.where
        self.own: dict[str, DeviceSpec] = {}
        self._engine, self._settings, self._strip = engine, settings, strip
        self._appearance, self._window, self._is_busy = appearance, window, is_busy
        self._limits: Limits | None = None
        self._filed: dict[str, DeviceSpec] = {}
        """Of what the program's own file holds, what this console has read or written."""
        self._in_file: set[str] = set()
        """The ids of the devices in the fleet file that the user has chosen."""
        self._is_writing = asyncio.Lock()
        self.background_tasks = BackgroundTasks("console: fleet file")
        self.removed = RemovedDevices(engine, settings, strip, self, self.background_tasks, self)
        self.changes = DeviceChanges(engine, strip, self, self.background_tasks, self)

    # ---- which devices

    def noted(self, device: Device) -> Device:
        """The device itself, noted as one that the user adds."""
        self.note_brought((device.id,))
        if device.spec is not None:
            self.own[device.id] = device.spec
        return device

    def added(self, device: Device) -> Device:
        """Record a device that the user adds by the form; a message says if it is not stored."""
        noted = self.noted(device)
        if not self._keep_own():  # it is about to join
            self._strip.show_trouble(
                ErrorMessage(
                    fill(self.tr("%1 is not in %2"), device.id, Path(self._settings.fleet_file).name),
                    self.tr("It goes with this session unless the fleet is saved."),
                    self.tr("Save as…"),
                    self.ask_where,
                    is_notice=True,
                )
            )
        return noted

    def keep(self, spec: DeviceSpec) -> None:
        """Store a device that has joined for a plan without devices, for the next session."""
        self.note_brought((spec.id,))
        self.own[spec.id] = spec
        self._keep_own()

    def note_brought(self, device_ids: Iterable[str]) -> None:
        """Record that the user has added these devices, so that they no longer count as removed."""
        self.removed.note_brought(device_ids)

    def file_with(self, device_id: str) -> str:
        """The name of the fleet file that the user has chosen, if a device is in it; empty: it is not."""
        return Path(self._settings.fleet_file).name if device_id in self._in_file else ""

    def give_up(self, device_id: str) -> None:
        """Keep a device no more, as it was removed, or replaced by another one of the same name."""
        if self.own.pop(device_id, None) is not None:
            self._keep_own()

    def _keep_own(self) -> bool:
        """Write the own devices, unless the user has a fleet file; returns whether they were written."""
        is_ours = self._settings.fleet_file in ("", str(kept_path()))
        if is_ours and self._keeps:
            self._keep(tuple(self.own.values()))
        return is_ours

    @async_slot(object)
    async def _keep(self, specs: tuple[DeviceSpec, ...]) -> None:
        async with self._is_writing:
            try:
                is_there = await asyncio.to_thread(keep_devices, dict(self._filed), specs)
            except (PlanError, OSError) as error:
                what = self.tr("The devices are not kept for the next time")
                self._strip.show_trouble(ErrorMessage(what, why_not(error)))
                return
            self._filed = {spec.id: spec for spec in specs}
        self._settings.fleet_file = str(kept_path()) if is_there else ""

    def listed(self) -> tuple[DeviceSpec, ...]:
        """The devices that the user has added and not removed, in that order."""
        return tuple(spec for id, spec in self.own.items() if self._engine.devices.has(id))

    def can_save(self) -> Verdict:
        """Whether there is anything to save."""
        return Verdict(bool(self.listed()), self.tr("You have added no device: those of plans are in their plans."))

    # ---- asked for by the user

    def begin(self, path: str = "") -> None:
        """Open this fleet file, or the one that was opened or saved last; returns at once."""
        chosen = path or self._settings.fleet_file
        if chosen:
            self.open(chosen)

    def ask(self) -> None:
        """Open the dialog that chooses a fleet file."""
        dialog = self._dialog(self.tr("Open a fleet"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.open)
        dialog.open()

    def ask_where(self) -> None:
        """Open the dialog that asks for the file of the own devices."""
        dialog = self._dialog(self.tr("Save the fleet as"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("yaml")
        dialog.selectFile(Path(self._settings.fleet_file or "fleet.yaml").name)
        dialog.fileSelected.connect(self.save)
        dialog.open()

    def _dialog(self, title: str) -> QFileDialog:
        known = self._settings.fleet_file
        dialog = FileDialog(self._window, title, str(Path(known).parent) if known else "")
        dialog.setNameFilters([fill(self.tr("Fleets (%1)"), _FILTER), self.tr("All files (*)")])
        return dialog

    # ---- opening

    @async_slot(str)
    async def open(self, path: str | Path) -> None:
        """Add the devices of a fleet file to the fleet."""
        path = await in_background(located, Path(path))
        try:
            devices, limits = await in_background(read_fleet, path)
        except PlanError as error:
            self._fail(path, error)
            return
        others = {device.id for device in devices if self._engine.devices.has(device.id)}
        try:
            await self._engine.devices.add_all(devices)
        except StarloomError as error:
            self._note_all(device for device in devices if device.id not in others)  # some may have joined
            self._report(path, why_not(error))
            return
        self._note_all(devices)
        self._in_file = set() if path == kept_path() else {device.id for device in devices}
        if path == kept_path():
            self._filed = {device.id: device.spec for device in devices if device.spec is not None}
        await self._apply(limits)
        self._settings.fleet_file = str(path)
        self._strip.settle(self._not_opened(path))

    def _note_all(self, devices: Iterable[Device]) -> None:
        for device in devices:
            if self._engine.devices.has(device.id):
                self.noted(device)

    async def _apply(self, limits: Limits) -> None:
        self._limits = limits
        given: dict[str, Any] = {"groups": dict(limits.groups)} if limits.groups else {}
        if limits.max_concurrency is not None:
            given["max_concurrency"] = limits.max_concurrency
        if given:
            await self._engine.set_limits(**given, origin="settings")  # the file gives them anew each time

    def _fail(self, path: Path, error: PlanError) -> None:
        """Show the problems of a file: in a list, or in the message bar while a run is in front."""
        if not self._is_busy():
            self._show_problems(path, error)
            return
        first, count = plain(error.problems[0], 160), len(error.problems)
        reason = first if count == 1 else fill(self.tr("%1, first of all %2"), ProblemPlurals().problems(count), first)
        remedy = self.tr("Show problems")
        self._strip.show_trouble(
            ErrorMessage(self._not_opened(path), reason, remedy, lambda: self._show_problems(path, error))
        )

    def _show_problems(self, path: Path, error: PlanError) -> None:
        count = ProblemPlurals().problems(len(error.problems))
        sentence = fill(self.tr("%1 in %2. No device was added, and nothing has changed."), count, path)
        dialog = ProblemsDialog(
            self._appearance, self._not_opened(path), sentence, error.problems, self._window, retries=True
        )
        dialog.choices.answered.connect(lambda answer: self.open(path) if answer == RETRY else None)
        dialog.open()

    def _not_opened(self, path: Path) -> str:
        return fill(self.tr("The fleet %1 was not opened"), path.name)

    def _report(self, path: Path, reason: str) -> None:
        remedy = self.tr("Try again")
        self._strip.show_trouble(ErrorMessage(self._not_opened(path), reason, remedy, lambda: self.open(path)))

    # ---- saving

    @async_slot(str)
    async def save(self, path: str | Path) -> None:
        """Write the own devices into a fleet file, and begin with it from now on."""
        path = await in_background(located, Path(path))
        specs, limits = self.listed(), self._limits
        try:
            left_out = await asyncio.to_thread(save_fleet, specs, path, *(() if limits is None else (limits,)))
        except PlanError as error:
            reason = fill(self.tr("%1 The file is as it was."), why_not(error))
            what = fill(self.tr("The fleet was not saved in %1"), path.name)
            self._strip.show_trouble(ErrorMessage(what, reason, self.tr("Save as…"), self.ask_where))
            return
        self._settings.fleet_file = str(path)
        self._in_file = {spec.id for spec in specs}
        self._strip.settle(fill(self.tr("The fleet was not saved in %1"), path.name))
        if left_out:
            self._strip.show_trouble(ErrorMessage(fill(self.tr("%1 is not complete"), path.name), " ".join(left_out)))
        else:
            saved = fill(
                self.tr("%n device(s) saved in %1. They are here the next time, too.", "", len(specs)), path.name
            )
            self._strip.show_trouble(ErrorMessage("", saved, is_notice=True))

    # ---- life

    async def settled(self) -> None:
        """Return once no file is being opened or saved."""
        await self.background_tasks.settled()

    async def close(self) -> None:
        """Stop opening files; a file that is being written is completed, and the own list is updated."""
        self.background_tasks.cancel()
        await self.settled()
        if self.own and self._keeps and self._settings.fleet_file in ("", str(kept_path())):
            self._keep(self.listed())
            await self.settled()
