"""The dialog that sets the number of a device's slots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QGridLayout
from typing_extensions import override

from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.text.words import fill, share, translate
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import CONTROL, GAPS
from starloom_gui.viewmodel.limit_lines import device_slots
from starloom_gui.widgets.controls import text
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.field_error import FieldErrorLabel
from starloom_gui.widgets.form import LABELS
from starloom_gui.widgets.number_field import NumberField

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.gateway.feed import Feed
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

_FIELD: Final = 120


class SlotsDialog(Dialog):
    """Asks how many slots a device is to have; to be shown with `open()`.

    Args:
        appearance: the colours.
        device: gives the device as it is; None: it is in the fleet no more.
        gateway: what another number is asked for by.
        feed: tells that something has happened to the devices; it becomes the dialog's. None: nothing does.
        parent: the window it stands over.

    Attributes:
        field: where the number is typed.
    """

    def __init__(
        self,
        appearance: Appearance,
        device: Callable[[], DeviceFacts | None],
        gateway: CommandGateway,
        feed: Feed | None = None,
        parent: QWidget | None = None,
    ) -> None:
        title = translate("Limits", "Set slots")
        super().__init__(appearance, title, title, width=420, parent=parent)
        self._device, self._gateway = device, gateway
        there = device()
        assert there is not None, "else nobody asks"
        self._line = device_slots(there)
        says = translate("Limits", "How many tasks it runs at once. Taking slots away stops nothing that runs there.")
        self.body.addWidget(text(says, look="muted"))
        self.field = NumberField(optional=self._line.optional, rest=None)
        self.field.setFixedHeight(CONTROL)
        self.field.setFixedWidth(_FIELD)
        self.field.show_value(self._line.most, self._line.used or 0)
        self.field.name(self._line.label)
        self.field.edited.connect(self._look)
        self._now = text("", Role.SMALL, "muted", wraps=False)
        self._trouble = FieldErrorLabel(lambda: appearance.palette)
        self._lay()
        self.field.setFocus()
        self.apply_theme(appearance.palette)
        self._look()
        if feed is not None:
            feed.setParent(self)
            feed.changed.connect(self.on_changes)
            self.finished.connect(feed.close)

    def on_changes(self, *_: object) -> None:
        """Show how many it has by now; the field is left alone while it is in use."""
        device = self._device()
        if device is not None:
            self._line = device_slots(device)
            self.field.show_value(self._line.most, self._line.used or 0)
        self._look()

    def _lay(self) -> None:
        grid = QGridLayout()
        grid.setColumnMinimumWidth(0, LABELS)
        grid.setColumnStretch(2, 1)
        grid.setHorizontalSpacing(GAPS[1])
        grid.setVerticalSpacing(GAPS[0])
        label = text(self._line.label, wraps=False)
        label.setBuddy(self.field)
        grid.addWidget(label, 0, 0)
        grid.addWidget(self.field, 0, 1)
        grid.addWidget(self._now, 0, 2)
        grid.addWidget(self._trouble, 1, 1, 1, 2)
        self.body.addLayout(grid)

    @property
    def trouble(self) -> str:
        """The error below the field."""
        return self._trouble.words.text()

    def _look(self) -> None:
        """Update the error of the number."""
        line, is_same = self._line, False
        self._now.setText(fill(translate("Limits", "now %1"), share(line.used or 0, line.most)))
        if self._device() is None:
            self._trouble.show_trouble(fill(self.tr("%1 is in the fleet no more."), line.name))
            self.allow(self.tr("There is no such device any more"))
            return
        try:
            value = self.field.whole()
            is_same = value == line.most
            reason = "" if is_same else reason_of(self._gateway.can(line.command(value)))
        except ValueError as error:
            reason = str(error)
        self.field.set_wrong(bool(reason))
        self._trouble.show_trouble(reason)
        if reason:
            self.allow(self.tr("This number cannot be used"))
        else:
            self.allow(self.tr("Nothing is changed yet") if is_same else "")

    @override
    def do(self) -> None:
        self._gateway.do(self._line.command(self.field.whole()))
        self.accept()

    @override
    def apply_theme(self, palette: Palette) -> None:
        super().apply_theme(palette)
        self.field.apply_theme(palette)
