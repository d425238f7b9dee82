"""A section of the dialog that is one list, such as that of the rules: it takes all the room there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from starloom_gui.widgets.editors import editor_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from starloom_gui.dialogs.plan_properties.raw_form import Fault
    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.editor import FieldSpec


class ListSection(QWidget):
    """Edits the one list of a mapping, and is used like a `RawForm`.

    Attributes:
        names: the name of its field.
        faults: what cannot even be read, by its place.
        entries: the editor of the list.

    Args:
        spec: the field, whose editor is an `EntriesEditor`.

    Signals:
        edited(): something else stands there.
    """

    edited = Signal()

    def __init__(self, spec: FieldSpec) -> None:
        super().__init__()
        self.names, self.faults = (spec.name,), dict[str, str]()
        self.entries: Any = editor_for(spec)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.entries)
        self.entries.edited.connect(self.edited)

    def fill(self, raw: Mapping[str, Any]) -> None:
        """Fill the list from a mapping."""
        self.entries.show_value(raw.get(self.names[0]))

    def value(self) -> dict[str, Any]:
        """The mapping; values that cannot be parsed are left out, and listed in `faults`."""
        found = self.entries.value()
        self.faults = dict(self.entries.unread())
        return {self.names[0]: found} if found else {}

    def explain(self, faults: Iterable[Fault]) -> None:
        """Show exactly these errors and those of values that cannot be parsed, each below its field."""
        self.entries.explain_parts([*self.faults.items(), *faults])

    def apply_theme(self, palette: Palette) -> None:
        """Show other colours."""
        self.entries.apply_theme(palette)
