"""What can be asked of a device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom_gui.gateway.verbs import Target, Verb
from starloom_gui.text.words import translate, verb_word
from starloom_gui.theme.icons import Verb as Icon
from starloom_gui.widgets.offers import Offer

if TYPE_CHECKING:
    from starloom_gui.models.device_table import DeviceRow

_ICONS: Final = (
    (Verb.ENABLE, Icon.ENABLE),
    (Verb.DISABLE, Icon.DISABLE),
    (Verb.DRAIN, Icon.DRAIN),
    (Verb.UNDRAIN, Icon.RESUME),
    (Verb.TRY_AGAIN, Icon.RETRY),
)


def offers_for(row: DeviceRow) -> tuple[Offer, ...]:
    """Every verb of a device, in the order of its menu."""
    target = Target(device_id=row.id)
    slots = Offer(
        translate("Devices", "Set slots…"),
        Verb.SET_SLOTS,
        target,
        Icon.EDIT,
        {"slots": row.offered or max(1, row.used)},
        dots=True,
    )
    remove = Offer(verb_word(Verb.REMOVE_DEVICE), Verb.REMOVE_DEVICE, target, Icon.REMOVE)
    return (*(Offer(verb_word(verb), verb, target, shape) for verb, shape in _ICONS), slots, remove)
