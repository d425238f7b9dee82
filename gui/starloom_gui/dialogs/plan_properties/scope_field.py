"""The field of what an agent may change: everything, what depends on an end, or the tasks of some names or groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from starloom.model.agent_terms import NAMING, ScopeKind
from starloom_gui.text.cell_text import names_of, names_text
from starloom_gui.text.scope_words import kind_of_scope_word
from starloom_gui.text.words import translate
from starloom_gui.theme.metrics import CONTROL
from starloom_gui.widgets.editor import FieldEditor, FieldSpec, ValueType
from starloom_gui.widgets.editors import ChoiceEditor
from starloom_gui.widgets.names_field import NamesField

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom_gui.theme.palette import Palette

_HINTS: Final = {ScopeKind.TASKS: "build-*, deploy", ScopeKind.GROUP: "gpu"}


class ScopeField(FieldEditor):
    """Edits a scope as a plan file has it.

    Attributes:
        choice: its kind; None: nothing is said.
        names: the ids, patterns or groups of the kinds that need some.
    """

    def __init__(self, spec: FieldSpec) -> None:
        super().__init__(spec)
        unset = spec.hint or translate("PlanProperties", "not set")
        choices = ((None, unset), *((str(kind), kind_of_scope_word(kind)) for kind in ScopeKind))
        described = FieldSpec(name="kind", label=spec.label, sort=ValueType.CHOICE, choices=choices, is_long=True)
        self.choice = ChoiceEditor(described)
        self.names = NamesField(tuple, CONTROL)
        self.names.setAccessibleName(translate("PlanProperties", "Tasks or limit groups that it may change"))
        self.row.addWidget(self.choice)
        self.row.addWidget(self.names)
        self.setFocusProxy(self.choice)
        self.choice.edited.connect(self._turn)
        self.names.edited.connect(self.edited)
        self._show_names()

    def _show_names(self) -> None:
        kind = self.choice.value()
        self.names.setVisible(kind in NAMING)
        self.names.set_hint(_HINTS.get(kind, ""))

    def _turn(self) -> None:
        self._show_names()
        self.edited.emit()

    @override
    def value(self) -> Any:
        kind = self.choice.value()
        return {kind: _short(names_of(self.names.text()))} if kind in NAMING else kind

    @override
    def show_value(self, value: Any) -> None:
        kind, given = next(iter(value.items()), (None, ())) if isinstance(value, Mapping) else (value, ())
        self.choice.show_value(kind)
        self.names.put(names_text([given] if isinstance(given, str) else list(given)))
        self._show_names()

    @override
    def set_wrong(self, wrong: bool) -> None:
        self.names.set_wrong(wrong)

    @override
    def apply_theme(self, palette: Palette) -> None:
        self.choice.apply_theme(palette)
        self.names.apply_theme(palette)


def _short(given: Sequence[str]) -> Any:
    """One name as people write it, without a list around it."""
    return given[0] if len(given) == 1 else list(given)
