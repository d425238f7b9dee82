"""A form for a mapping as a plan file holds it: each field edits a place in it, and shows its errors below."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from starloom_gui.text.engine_words import said
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.form import Form

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.errors import Problem
    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.editor import FieldSpec

Fault = tuple[str, str]
"""Where something is wrong, as problems say it, and a sentence about it."""
_NOTHING: Final[tuple[Any, ...]] = (None, "", [], {}, frozenset())


@runtime_checkable
class OfParts(Protocol):
    """The protocol of an editor whose value has parts, within which it shows what is wrong with them."""

    def unread(self) -> Sequence[Fault]:
        """The errors of values that cannot be parsed; places begin with the name of the field."""

    def explain_parts(self, faults: Sequence[Fault]) -> None:
        """Show exactly these errors, each under its part."""


class RawForm(QWidget):
    """A form whose fields are named after places in a mapping, such as `limits.groups`.

    What the mapping holds besides stays. An empty field is left out, and one at its default unless it is required.

    Attributes:
        form: the form.
        faults: what cannot even be read, by its place.

    Args:
        fields: the description.
        colours: gives the palette.

    Signals:
        edited(): something else stands in a field.
    """

    edited = Signal()

    def __init__(self, fields: Sequence[FieldSpec], colours: Callable[[], Palette]) -> None:
        super().__init__()
        self.form, self.faults = Form(fields, colours), dict[str, str]()
        self._fields, self._raw = tuple(fields), dict[str, Any]()
        editors = {spec.name: self.form.editor(spec.name) for spec in self._fields}
        # Found once, as asking a widget whether it has a protocol's methods takes long.
        self._of_parts = {name: editor for name, editor in editors.items() if isinstance(editor, OfParts)}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.form)
        self.form.edited.connect(self.edited)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its fields."""
        return self.form.names

    def fill(self, raw: Mapping[str, Any]) -> None:
        """Fill the fields from a mapping."""
        self._raw = copy.deepcopy(dict(raw))
        for spec in self._fields:
            editor, value = self.form.editor(spec.name), at(self._raw, spec.name)
            editor.blockSignals(True)
            editor.show_value(spec.default if value is None else value)
            editor.blockSignals(False)
        self.form.clear()

    def value(self) -> dict[str, Any]:
        """The mapping; values that cannot be parsed are left out, and listed in `faults`."""
        made, self.faults = copy.deepcopy(self._raw), {}
        for spec in self._fields:
            take_out(made, spec.name)
        for spec in self._fields:
            editor = self.form.editor(spec.name)
            try:
                value = editor.value()
            except ValueError as error:
                self.faults[spec.name] = str(error)
                continue
            if spec.name in self._of_parts:
                self.faults |= dict(self._of_parts[spec.name].unread())
            if isinstance(value, frozenset):
                value = sorted(value)
            if value not in _NOTHING and (spec.required or value != spec.default):
                put(made, spec.name, value)
        return made

    def explain(self, faults: Iterable[Fault]) -> None:
        """Show exactly these errors and those of values that cannot be parsed, each below its field."""
        found: dict[str, list[Fault]] = {}
        for where, words in (*self.faults.items(), *faults):
            found.setdefault(self._field_at(where), []).append((where, words))
        for spec in self._fields:
            here = found.get(spec.name, [])
            editor = self.form.editor(spec.name)
            if spec.name in self._of_parts:
                self._of_parts[spec.name].explain_parts(here)
                here = [fault for fault in here if fault[0] == spec.name]
            words = " ".join(dict.fromkeys(words for _, words in here))
            self.form.explain(spec.name, words, remedies=editor.remedies if words else ())

    def _field_at(self, where: str) -> str:
        """The field that edits a place, one that contains it, or one within it, in this order."""
        names = [spec.name for spec in self._fields]
        around = [name for name in names if where == name or where.startswith((f"{name}.", f"{name}["))]
        within = [name for name in names if name.startswith(f"{where}.")]
        return max(around, key=len) if around else next(iter([*within, *names]))

    def apply_theme(self, palette: Palette) -> None:
        """Show other colours."""
        self.form.apply_theme(palette)


def sentence(words: str) -> str:
    """A message of the engine's as a sentence in the language of the console."""
    made = said(words)
    return made[:1].upper() + made[1:]


def fault_of(problem: Problem) -> Fault:
    """Where a problem is, and the sentences about it."""
    return problem.where, " ".join(sentence(words) for words in (problem.message, problem.hint) if words)


def scrolled(form: QWidget) -> QScrollArea:
    """A scroll area with a form at its top."""
    page, inside = QScrollArea(), QWidget()
    page.setFrameShape(QFrame.Shape.NoFrame)
    page.setWidgetResizable(True)
    page.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    page.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    inside.setObjectName("fields")
    column = QVBoxLayout(inside)
    column.setContentsMargins(0, 0, GAPS[1], 0)
    column.addWidget(form)
    column.addStretch(1)
    page.setWidget(inside)
    return page


# ---- places


def keys_of(places: Iterable[str]) -> set[str]:
    """The keys of a mapping under which these places lie."""
    return {place.partition(".")[0] for place in places}


def at(raw: Mapping[str, Any], place: str) -> Any:
    """The value at a place; None: there is none."""
    value: Any = raw
    for step in place.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def put(raw: dict[str, Any], place: str, value: Any) -> None:
    """Set the value at a place."""
    *around, last = place.split(".")
    for step in around:
        inner = raw.get(step)
        raw[step] = raw = dict(inner) if isinstance(inner, Mapping) else {}
    raw[last] = value


def take_out(raw: dict[str, Any], place: str) -> None:
    """Remove the value at a place, and mappings around it that become empty."""
    step, _, rest = place.partition(".")
    inner = raw.get(step)
    if not rest:
        raw.pop(step, None)
    elif isinstance(inner, Mapping):
        raw[step] = inner = dict(inner)
        take_out(inner, rest)
        if not inner:
            del raw[step]
