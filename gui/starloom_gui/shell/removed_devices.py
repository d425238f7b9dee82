"""The devices that the user has removed: what is said of each, and adding one again, steered as it was."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject

from starloom.errors import StarloomError
from starloom.scheduling import commands as c
from starloom_gui.event_loop import async_slot
from starloom_gui.shell.joining import belongs, join_steered, steering_of, with_slots_of
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import fill
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from starloom.model.device import DeviceSpec
    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom_gui.event_loop import BackgroundTasks
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.gateway.commands import Done
    from starloom_gui.gateway.engine import Engine
    from starloom_gui.settings import Settings
    from starloom_gui.widgets.message_bar import MessageBar


class OwnDevices(Protocol):
    """The protocol of who keeps the user's own devices for the next session."""

    @property
    def own(self) -> Mapping[str, DeviceSpec]:
        """The devices, by their ids."""

    def keep(self, spec: DeviceSpec) -> None:
        """Keep a device, too."""

    def give_up(self, device_id: str) -> None:
        """Keep a device no more."""

    def file_with(self, device_id: str) -> str:
        """The name of the fleet file that the user has chosen, if a device is in it; empty: it is not."""


class RemovedDevices(QObject):
    """Remembers across sessions what was removed, and says so, with a button that adds it again.

    A group, such as a cluster, whose last member was removed has gone with it.

    Args:
        engine: whose fleet it is.
        settings: where it is remembered.
        bar: shows what is said.
        devices: keeps the user's own; owns this.
        background_tasks: those of the owner.
    """

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        bar: MessageBar,
        devices: OwnDevices,
        background_tasks: BackgroundTasks,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._engine, self._settings, self._bar, self._devices = engine, settings, bar, devices
        self.background_tasks = background_tasks
        self._told: dict[str, ErrorMessage] = {}

    @property
    def ids(self) -> frozenset[str]:
        """Ids of the devices that the user has removed, in whatever session."""
        return self._settings.removed_devices

    def note_brought(self, device_ids: Iterable[str]) -> None:
        """Record that the user has added these devices, so that they no longer count as removed."""
        brought = frozenset(device_ids)
        self._settings.removed_devices = self.ids - brought
        for told in [self._told.pop(id) for id in brought & self._told.keys()]:
            self._bar.withdraw(told)

    def on_changes(self, _changes: Changes) -> None:
        """Say no more that a device was removed that is there again, whoever has added it."""
        for id in [id for id in self._told if self._engine.devices.has(id)]:
            self._bar.withdraw(self._told.pop(id))

    def note_done(self, done: Done) -> None:
        """Record that the user has removed a device: no resumed run adds it again, unless the user does."""
        if isinstance(done.command, c.RemoveDevice):
            self._note_removed(done.command.device_id, done.answer, done.device)

    def _note_removed(self, device_id: str, spec: DeviceSpec | None, device: DeviceFacts | None) -> None:
        gone = spec.id if spec is not None else device_id  # with the last member of a group that
        was_own = gone in self._devices.own
        self._devices.give_up(gone)
        self._settings.removed_devices = self.ids | {device_id, gone}
        told = ErrorMessage("", self._words(device_id, gone), is_notice=True)
        if spec is not None:
            again = partial(self._add_again, spec, device if gone == device_id else None, was_own)
            told = replace(told, remedy=self.tr("Add it again"), act=again)
        elif group := self._group_of(device_id):
            every = partial(self._remove_group, group)
            told = replace(told, remedy=fill(self.tr("Remove all of %1"), group), act=every)
        self._told[gone] = told
        self._bar.show_trouble(told)

    def _words(self, device_id: str, gone: str) -> str:
        what = fill(self.tr("%1 was removed from the fleet."), device_id)
        if gone != device_id:
            what = fill(self.tr("%1 was removed from the fleet, and %2, which has no other."), device_id, gone)
        if group := self._group_of(device_id):
            back = self.tr("It is back the next time with the rest of %1; drain it instead, or remove all of that.")
            return f"{what} {fill(back, group)}"
        if name := self._devices.file_with(gone):
            still = self.tr("It is still in %1, and back the next time unless you save the fleet there.")
            return f"{what} {fill(still, name)}"
        return what

    def _group_of(self, device_id: str) -> str:
        """The id of the user's own group that a device is a member of and that stays; empty: there is none."""
        own = self._devices.own.values()
        return next((spec.id for spec in own if spec.id != device_id and belongs(device_id, spec)), "")

    @async_slot(str)
    async def _remove_group(self, group: str) -> None:
        """Remove a group with all its members."""
        command = c.RemoveDevice(device_id=group, origin=c.OPERATOR)
        try:
            spec = await self._engine.command(command)
        except StarloomError as error:
            self._bar.show_trouble(ErrorMessage(fill(self.tr("%1 was not removed"), group), why_not(error)))
            return
        self._note_removed(group, spec, None)

    @async_slot(object, object, bool)
    async def _add_again(self, spec: DeviceSpec, device: DeviceFacts | None, is_own: bool) -> None:
        """Add a removed device again, steered as it was, to the user's own if it was one of them."""
        try:
            await join_steered(self._engine, with_slots_of(spec, device), steering_of(device))
        except StarloomError as error:
            self._bar.show_trouble(ErrorMessage(fill(self.tr("%1 was not added again"), spec.id), why_not(error)))
            return
        if is_own:
            self._devices.keep(spec)
        else:
            self.note_brought((spec.id,))
