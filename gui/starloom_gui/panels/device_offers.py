"""What can be asked of a device, and the small dialog for its slots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QInputDialog

from starloom_gui.bridge.verbs import Target, Verb
from starloom_gui.panels.asking import Offer, reason_of
from starloom_gui.theme.icons import Verb as Icon
from starloom_gui.words import fill, translate, verb_word

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom_gui.models.device_table import DeviceRow
    from starloom_gui.panels.asking import Asks

_MOST: Final = 1_000_000
_ICONS: Final = (
    (Verb.ENABLE, Icon.ENABLE),
    (Verb.DISABLE, Icon.DISABLE),
    (Verb.DRAIN, Icon.DRAIN),
    (Verb.UNDRAIN, Icon.RESUME),
)


def offers_for(row: DeviceRow) -> tuple[Offer, ...]:
    """Every verb of a device, in the order of its menu."""
    target = Target(device_id=row.id)
    slots = Offer(
        translate("Devices", "Set slots…"),
        Verb.SET_SLOTS,
        target,
        Icon.EDIT,
        {"slots": row.slots or max(1, row.used)},
        dots=True,
    )
    remove = Offer(verb_word(Verb.REMOVE_DEVICE), Verb.REMOVE_DEVICE, target, Icon.REMOVE)
    return (*(Offer(verb_word(verb), verb, target, shape) for verb, shape in _ICONS), slots, remove)


class SlotsDialog(QInputDialog):
    """Asks how many tasks a device is to run at once; it runs no loop of its own.

    Args:
        offer: "Set slots", with the slots there are now.
        asks: what the answer is sent by.
        parent: the widget it stands over.
    """

    def __init__(self, offer: Offer, asks: Asks, parent: QWidget) -> None:
        super().__init__(parent)
        self._offer, self._asks = offer, asks
        self.setInputMode(QInputDialog.InputMode.IntInput)
        self.setIntRange(1, _MOST)
        self.setIntValue(offer.given["slots"])
        self.setWindowTitle(self.tr("Set slots"))
        self._question = fill(self.tr("How many tasks “%1” runs at once"), offer.target.device_id)
        self.setLabelText(self._question)
        self.setOkButtonText(self.tr("Set slots"))
        self.intValueChanged.connect(self._look)
        self.intValueSelected.connect(self._send)
        self.finished.connect(self.deleteLater)

    def _look(self, slots: int) -> None:
        reason = reason_of(self._asks.can(Verb.SET_SLOTS, self._offer.target, slots=slots))
        self.setLabelText(fill(self.tr("%1\n%2"), self._question, reason) if reason else self._question)

    def _send(self, slots: int) -> None:
        self._asks.do(Verb.SET_SLOTS, self._offer.target, slots=slots)
