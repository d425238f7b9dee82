"""What can be asked of a device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.scheduling import commands as c
from starloom_gui.gateway.verbs import command_word
from starloom_gui.text.words import translate
from starloom_gui.theme.icons import Verb as Icon
from starloom_gui.widgets.offers import Offer

if TYPE_CHECKING:
    from starloom_gui.models.device_table import DeviceRow

_ICONS: Final = (
    (c.EnableDevice, Icon.ENABLE),
    (c.DisableDevice, Icon.DISABLE),
    (c.DrainDevice, Icon.DRAIN),
    (c.ResumeDevice, Icon.RESUME),
    (c.TryDeviceAgain, Icon.RETRY),
)


def offers_for(row: DeviceRow) -> tuple[Offer, ...]:
    """Every command about a device, in the order of its menu."""
    commands = ((kind(device_id=row.id), shape) for kind, shape in _ICONS)
    slots = c.SetSlots(device_id=row.id, slots=row.offered or max(1, row.used))
    remove = c.RemoveDevice(device_id=row.id)
    return (
        *(Offer(command_word(command), command, shape) for command, shape in commands),
        Offer(translate("Devices", "Set slots…"), slots, Icon.EDIT, dots=True),
        Offer(command_word(remove), remove, Icon.REMOVE),
    )
