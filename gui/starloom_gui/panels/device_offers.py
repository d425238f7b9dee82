"""The commands on a device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.scheduling import commands as c
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
        Offer(translate("Devices", "Set slots…"), slots, Icon.EDIT, dots=True),
        offer_of(c.RemoveDevice(device_id=row.id)),
    )
