"""The devices that could take a task and have no slot free, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.scheduling.state.device_facts import DeviceRequirements
from starloom.scheduling.state.reservations import ReservationTarget
from starloom_gui.text.words import Plurals, device_word, fill, lowered, plain, share, translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.scheduling.read.run_view import TaskView
    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom.scheduling.state.fleet_facts import FleetFacts

_NAMED: Final = 3
"""So many devices are named that take no tasks."""


def full_devices(task: TaskView) -> list[DeviceFacts]:
    """The devices that take tasks like this one, all of which have a limit of slots while it waits for one."""
    fields = task.fields
    if fields is None:
        return []
    wanted, fleet = DeviceRequirements.of(fields, task.pin), task.run.fleet.devices.values()
    return [device for device in fleet if device.accepts and device.slots is not None and wanted.fits(device)]


def away_text(task: TaskView) -> str:
    """The devices that tasks like this one could run on and that take none at present, with their status."""
    fields = task.fields
    if fields is None:
        return ""
    wanted, fleet = DeviceRequirements.of(fields, task.pin), task.run.fleet
    away = [device for device in fleet.devices.values() if not device.accepts and wanted.fits(device)]
    return ", ".join(fill(translate("Inspector", "%1: %2"), one.id, _away_word(one, fleet)) for one in away[:_NAMED])


def _away_word(device: DeviceFacts, fleet: FleetFacts) -> str:
    """Why a device takes nothing at present, in a few words."""
    made = fleet.reservations.get(ReservationTarget(device_id=device.id))
    if device.is_kept_away and made is not None:
        return fill(translate("Inspector", "reserved by %1"), plain(made.holder))
    return lowered(device_word(device.status, enabled=device.enabled))


def full_text(devices: Sequence[DeviceFacts]) -> str:
    """A sentence that none of these devices has a free slot, with all their names."""
    taken = [(device.id, share(device.taken, device.limit)) for device in devices]
    if len(taken) == 1:
        return fill(translate("Inspector", "All slots of %1 are taken: %2"), *taken[0])
    words = ", ".join(fill(translate("Inspector", "%1 %2"), *one) for one in taken)
    return fill(translate("Inspector", "All slots are taken: %1"), words)


def kept_text(devices: Sequence[DeviceFacts]) -> str:
    """A sentence that slots of these devices are kept for what an earlier program left there; empty: none are."""
    kept = sum(device.unattended for device in devices)
    if not kept:
        return ""
    text = translate(
        "Inspector", "%1 that no program looks after; their run can be gone on with, or ended then, from History"
    )
    return fill(text, Plurals().may_still_run(kept))


def raise_label(device: DeviceFacts, slots: int, *, is_only: bool) -> str:
    """The button that gives a device so many slots."""
    more = Plurals().slots(slots)
    if is_only:
        return fill(translate("Inspector", "Raise to %1"), more)
    return fill(translate("Inspector", "Raise %1 to %2"), device.id, more)
