"""The field of the device of tasks: the only one they may run on, or one they would rather run on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from starloom_gui.text.words import translate
from starloom_gui.widgets.editor import FieldEditor, FieldSpec
from starloom_gui.widgets.editors import SwitchEditor, TextEditor

if TYPE_CHECKING:
    from starloom_gui.theme.palette import Palette


class DeviceWish(FieldEditor):
    """Edits the id of a device and whether another one serves as well.

    Attributes:
        device: the id.
        wish: whether it is only preferred.
    """

    def __init__(self, spec: FieldSpec) -> None:
        super().__init__(spec)
        words = translate("PlanProperties", "Another device serves as well")
        self.device = TextEditor(FieldSpec(name="id", label=spec.label, is_long=True))
        self.wish = SwitchEditor(FieldSpec(name="wish", label=words, unit=words))
        for each in (self.device, self.wish):
            self.row.addWidget(each)
            each.edited.connect(self.edited)
        self.setFocusProxy(self.device)

    @override
    def value(self) -> Any:
        device = self.device.value()
        return {"prefer": device} if device and self.wish.value() else device

    @override
    def show_value(self, value: Any) -> None:
        is_wish = isinstance(value, Mapping)
        self.device.show_value(value["prefer"] if is_wish else value)
        self.wish.show_value(is_wish)

    @override
    def set_wrong(self, wrong: bool) -> None:
        self.device.set_wrong(wrong)

    @override
    def apply_theme(self, palette: Palette) -> None:
        self.wish.apply_theme(palette)
