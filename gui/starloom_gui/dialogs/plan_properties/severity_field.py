"""The field of a failure's severity: one word, or one for each exit code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from starloom.model.severity import ELSE
from starloom.model.status import Severity
from starloom_gui.dialogs.plan_properties.typed_fields import mapping_of
from starloom_gui.text.cell_text import cell_of_text, lines_of, text_of_cell
from starloom_gui.text.words import fill, translate
from starloom_gui.widgets.editor import FieldEditor, FieldSpec, ValueType
from starloom_gui.widgets.editors import ChoiceEditor
from starloom_gui.widgets.table_editors import table_editor

if TYPE_CHECKING:
    from starloom_gui.theme.palette import Palette

_BY_CODE: Final = "by_code"


class SeverityField(FieldEditor):
    """Edits a severity, or a table of exit codes with one each.

    Attributes:
        choice: the severity, or that each exit code has one.
        table: the exit codes.
    """

    def __init__(self, spec: FieldSpec) -> None:
        super().__init__(spec)
        words = {
            Severity.WARNING: translate("PlanProperties", "a warning"),
            Severity.ERROR: translate("PlanProperties", "an error"),
            Severity.CRITICAL: translate("PlanProperties", "the end of the run"),
        }
        choices = (
            (None, translate("PlanProperties", "not set")),
            *((str(one), said) for one, said in words.items()),
            (_BY_CODE, translate("PlanProperties", "as the exit code says")),
        )
        described = FieldSpec(name="one", label=spec.label, sort=ValueType.CHOICE, choices=choices, is_long=True)
        self.choice = ChoiceEditor(described)
        heads = (translate("PlanProperties", "Exit code"), translate("PlanProperties", "warning, error, critical"))
        self.table = table_editor(heads)
        self.table.setAccessibleName(spec.label)
        self.table.set_hint(fill(translate("PlanProperties", "%1 stands for all other exit codes."), ELSE))
        self.row.addWidget(self.choice)
        self.row.addWidget(self.table)
        self.setFocusProxy(self.choice)
        self.choice.edited.connect(self._turn)
        self.table.edited.connect(self.edited)
        self.table.hide()

    def _turn(self) -> None:
        self.table.setVisible(self.choice.value() == _BY_CODE)
        self.edited.emit()

    @override
    def value(self) -> Any:
        chosen = self.choice.value()
        return mapping_of(text_of_cell, self.table.text()) if chosen == _BY_CODE else chosen

    @override
    def show_value(self, value: Any) -> None:
        by_code = isinstance(value, Mapping)
        self.choice.show_value(_BY_CODE if by_code else value)
        rows = value.items() if by_code else ()
        self.table.put(lines_of((cell_of_text(str(code)), cell_of_text(str(one))) for code, one in rows))
        self.table.setVisible(by_code)

    @override
    def set_wrong(self, wrong: bool) -> None:
        self.table.set_wrong(wrong)

    @override
    def apply_theme(self, palette: Palette) -> None:
        self.choice.apply_theme(palette)
        self.table.apply_theme(palette)
