"""The commands on a device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.scheduling import commands as c
from starloom.scheduling.reservation_commands import ReleaseReservation
from starloom_gui.gateway.verbs import command_for
from starloom_gui.specs.action_spec import Target, Verb
from starloom_gui.text.reservation_words import break_words
from starloom_gui.text.words import translate
from starloom_gui.theme.icons import Icon
from starloom_gui.widgets.offers import Offer, offer_of

if TYPE_CHECKING:
    from starloom_gui.models.device_table import DeviceRow

_FIRST: Final = (c.EnableDevice, c.DisableDevice, c.DrainDevice, c.ResumeDevice, c.TryDeviceAgain)


def offers_for(row: DeviceRow) -> tuple[Offer, ...]:
    """Every command about a device, in the order of its menu."""
    slots = c.SetSlots(device_id=row.id, slots=row.offered or max(1, row.used))
    return (
        *(offer_of(kind(device_id=row.id)) for kind in _FIRST),
        *_of_key(row),
        Offer(translate("Devices", "Set slots…"), slots, Icon.SETTINGS, dots=True),
        Offer(translate("Devices", "Change…"), c.RemoveDevice(device_id=row.id), Icon.EDIT, dots=True),
        offer_of(c.RemoveDevice(device_id=row.id)),
        *_of_reservation(row),
    )


def _of_key(row: DeviceRow) -> tuple[Offer, ...]:
    """The way to trust another host key, after which the device is tried again."""
    again = c.TryDeviceAgain(device_id=row.id)
    return (
        (Offer(translate("Devices", "Compare host key…"), again, Icon.COMPARE, dots=True),) if row.has_other_key else ()
    )


def _of_reservation(row: DeviceRow) -> tuple[Offer, ...]:
    reserve, made = command_for(Verb.RESERVE_DEVICE, Target(device_id=row.id)), row.reserved
    if made is None:
        return (Offer(translate("Actions", "Reserve…"), reserve, Icon.KEY, dots=True),)
    if made.is_mine:
        change = Offer(translate("ReservationActions", "Change my reservation…"), reserve, Icon.KEY, dots=True)
        end = ReleaseReservation(device_id=row.id)
        return change, Offer(translate("Actions", "End my reservation"), end, Icon.KEY_BACK)
    broken = command_for(Verb.BREAK_DEVICE_RESERVATION, Target(device_id=row.id))
    return (Offer(break_words(made.holder), broken, Icon.KEY_BROKEN, dots=True),)
