"""The form of a device that a plan brings: its kind, and the fields that adding a device asks for."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from starloom_gui.dialogs.device_fields import OTHER, as_fields
from starloom_gui.dialogs.device_forms import COMMON, device_forms
from starloom_gui.dialogs.plan_properties.raw_form import RawForm
from starloom_gui.text.words import translate
from starloom_gui.widgets.controls import text
from starloom_gui.widgets.editor import FieldSpec, ValueType

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.dialogs.plan_properties.raw_form import Fault
    from starloom_gui.theme.palette import Palette

_USUAL: Final = "local"


class DeviceEntry(QWidget):
    """The form of one device. Options that the form of its kind does not have stay as they are.

    Attributes:
        kind: where the kind is chosen.
        forms: those of the kinds that have been shown, by kind.
        faults: what cannot even be read, by field.

    Args:
        colours: gives the palette.

    Signals:
        edited(): something else stands there.
    """

    edited = Signal()

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__()
        self._colours = colours
        self._known = {one.kind: one for one in device_forms()}
        self.faults: dict[str, str] = {}
        choices = tuple((one.kind, one.label) for one in self._known.values())
        label = translate("PlanProperties", "Kind")
        self.kind = RawForm(
            (FieldSpec(name="kind", label=label, sort=ValueType.CHOICE, choices=choices),),
            colours,
        )
        self.forms: dict[str, RawForm] = {}
        self._current = RawForm((), colours)
        self._foreign = text(look="muted")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        for part in (self.kind, self._foreign, self._current):
            self._column.addWidget(part)
        self.kind.edited.connect(self._turn)

    def _form(self, kind: str) -> RawForm:
        if kind not in self.forms:
            fields = self._known[kind].fields if kind in self._known else ()
            made = self.forms[kind] = RawForm(fields, self._colours)
            made.edited.connect(self.edited)
            self._column.addWidget(made)
            made.apply_theme(self._colours())
        return self.forms[kind]

    def _show(self, kind: str, raw: Mapping[str, Any]) -> None:
        self._current.hide()
        self._current = self._form(kind)
        self._current.fill(_flat(raw))
        self._current.show()
        self._foreign.setText(translate("PlanProperties", "This kind is not installed here; it stays as it is."))
        self._foreign.setVisible(kind not in self._known)
        self.kind.setVisible(kind in self._known)

    def fill(self, raw: Mapping[str, Any]) -> None:
        """Fill the form with a device."""
        kind = str(raw.get("kind", _USUAL))
        self.kind.fill({"kind": kind})
        self._show(kind, raw)

    def _turn(self) -> None:
        """Switch to another kind of device, keeping the values that all kinds have in common."""
        kept = self._current.value()
        kind = self.kind.value()["kind"]
        self._show(kind, {"kind": kind, **{name: kept[name] for name in COMMON if name in kept}})
        self.edited.emit()

    def value(self) -> dict[str, Any]:
        """The device as a file has it."""
        made = self._current.value()
        self.faults = dict(self._current.faults)
        if made.get("kind") == _USUAL:
            del made["kind"]
        if made.get("wrapper") == OTHER:
            try:
                made["wrapper"] = shlex.split(made.pop("program", ""))
            except ValueError:
                self.faults["program"] = translate("PlanProperties", "A quotation mark is not closed.")
        return made

    def explain(self, faults: Iterable[Fault]) -> None:
        """Show the errors below their fields."""
        self._current.explain([(where.removeprefix("options."), words) for where, words in faults])

    def apply_theme(self, palette: Palette) -> None:
        """Show other colours."""
        self.kind.apply_theme(palette)
        for form in self.forms.values():
            form.apply_theme(palette)


def _flat(raw: Mapping[str, Any]) -> dict[str, Any]:
    """A device with its options beside its other fields, as its form has them."""
    options = raw.get("options")
    made = {name: value for name, value in raw.items() if name != "options"}
    return made | (as_fields(options) if isinstance(options, Mapping) else {})
