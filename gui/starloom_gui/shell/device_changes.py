"""Changing a device of the fleet: it leaves, and joins at once as it is wanted, under the same name."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom.devices.kinds import is_group
from starloom.errors import StarloomError
from starloom.scheduling import commands as c
from starloom_gui.event_loop import async_slot
from starloom_gui.shell.joining import belongs, join_steered, steering_of, with_changes_of, with_slots_of
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import fill
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.model.device import DeviceSpec
    from starloom_gui.event_loop import BackgroundTasks
    from starloom_gui.gateway.engine import Engine
    from starloom_gui.shell.removed_devices import OwnDevices
    from starloom_gui.widgets.message_bar import MessageBar


class DeviceChanges(QObject):
    """Knows what devices were made from, and puts others in their places.

    Args:
        engine: whose fleet it is.
        bar: shows what is said.
        devices: keeps the user's own; owns this.
        background_tasks: those of the owner.
    """

    def __init__(
        self, engine: Engine, bar: MessageBar, devices: OwnDevices, background_tasks: BackgroundTasks, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._engine, self._bar, self._devices = engine, bar, devices
        self.background_tasks = background_tasks
        self._told: dict[str, ErrorMessage] = {}

    def spec_of(self, device_id: str) -> DeviceSpec | None:
        """What a device was made from, with the slots it has by now, or its group; None: that is not known here."""
        known = self._known()
        if (spec := known.get(device_id)) is not None:
            return with_slots_of(spec, self._engine.fleet_facts.devices.get(device_id))
        return next((one for one in known.values() if belongs(device_id, one)), None)

    def group(self, id: str) -> DeviceSpec | None:
        """What the group of an id was made from, which no device of the fleet has; None: there is none."""
        known = self._known().get(id)
        return known if known is not None and is_group(known.kind) and self._engine.devices.has(id) else None

    def _known(self) -> Mapping[str, DeviceSpec]:
        return {**self._devices.own, **{spec.id: spec for spec in self._engine.devices.specs}}

    def unknown(self, device_id: str) -> tuple[str, str]:
        """Why a device cannot be changed of which nobody knows what it was made from, and what to do, as sentences."""
        why = fill(self.tr("Nothing here knows what %1 was made from."), device_id)
        return why, self.tr("Remove it, and add it as it should be.")

    def tell_unknown(self, device_id: str) -> None:
        """Say that in the message bar."""
        what = fill(self.tr("%1 was not changed"), device_id)
        self._bar.show_trouble(ErrorMessage(what, " ".join(self.unknown(device_id))))

    def ids_of(self, spec: DeviceSpec) -> list[str]:
        """The ids of the devices in the fleet that change with a spec: of a group all that belong to it."""
        return [id for id in self._engine.fleet_facts.devices if belongs(id, spec)]

    @async_slot(object, object)
    async def change(self, before: DeviceSpec, after: DeviceSpec) -> None:
        """Put a device in the place of the one of its name, steered as that is; what went wrong is told.

        Args:
            before: what it was made from when its user was asked; what others have changed since stays.
            after: what it is to be made from.
        """
        if before == after:
            return
        now = self.spec_of(before.id) or before
        before, after = now, with_changes_of(now, before, after)
        is_own, what = before.id in self._devices.own, fill(self.tr("%1 was not changed"), before.id)
        steering = steering_of(self._engine.fleet_facts.devices.get(before.id))
        if before.slots != after.slots:
            steering = [command for command in steering if not isinstance(command, c.SetSlots)]
        try:
            await self._engine.command(c.RemoveDevice(device_id=before.id, origin=c.OPERATOR))
        except StarloomError as error:
            self._bar.show_trouble(ErrorMessage(what, why_not(error)))
            return
        try:
            await join_steered(self._engine, after, steering)
        except StarloomError as error:
            self._bar.show_trouble(ErrorMessage(what, why_not(error)))
            await self._bring_back(before, steering)
            return
        if is_own:
            self._devices.keep(after)
        self._tell(before, after)

    async def _bring_back(self, spec: DeviceSpec, steering: list[c.Command]) -> None:
        try:
            await join_steered(self._engine, spec, steering)
        except StarloomError as error:
            what = fill(self.tr("%1 was not added again"), spec.id)
            self._bar.show_trouble(ErrorMessage(what, why_not(error)))

    def _tell(self, before: DeviceSpec, after: DeviceSpec) -> None:
        words = fill(self.tr("%1 was changed."), after.id)
        if name := self._devices.file_with(after.id):
            still = self.tr("It is as it was in %1, and so the next time, unless you save the fleet there.")
            words = f"{words} {fill(still, name)}"
        if (told := self._told.pop(after.id, None)) is not None:
            self._bar.withdraw(told)
        back = partial(self.change, after, before)
        told = ErrorMessage("", words, self.tr("Change it back"), back, is_notice=True)
        self._told[after.id] = told
        self._bar.show_trouble(told)
