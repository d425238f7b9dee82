"""Fields with structured values: texts of several lines, lists, tables, a preferred device."""

from __future__ import annotations

import json
import shlex
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtWidgets import QLineEdit
from typing_extensions import override

from starloom.model.status import DependencyKind, Expects
from starloom_gui.text.cell_text import (
    cell_of_json,
    cell_of_secret,
    cell_of_text,
    cell_of_variable,
    json_of_cell,
    lines_of,
    names_of,
    names_text,
    rows_of,
    text_of_cell,
    variable_of_cell,
)
from starloom_gui.text.command_text import command_text
from starloom_gui.text.words import fill, translate
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import CONTROL
from starloom_gui.viewmodel.task_reading import as_schema
from starloom_gui.widgets.controls import mark
from starloom_gui.widgets.editor import FieldEditor, FieldSpec, ValueType
from starloom_gui.widgets.names_field import NamesField
from starloom_gui.widgets.script_editor import ScriptEditor
from starloom_gui.widgets.table_editors import list_editor, table_editor, value_editor, values_editor, variables_editor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.field_error import ErrorRemedy
    from starloom_gui.widgets.typed_editor import TypedEditor

_WORD: Final = 120
"""Pixels that a number or a word has."""


class TypedField(FieldEditor):
    """The field of a form that is edited in a `TypedEditor`.

    Attributes:
        typed: the editor.

    Args:
        spec: the field.
        typed: the editor.
        read: the value that its text stands for; a ValueError says in a sentence why it is none.
        write: the text of a value.
    """

    def __init__(
        self, spec: FieldSpec, typed: TypedEditor, read: Callable[[str], Any], write: Callable[[Any], str]
    ) -> None:
        super().__init__(spec)
        self.typed, self._read, self._write = typed, read, write
        typed.setAccessibleName(spec.label)
        if spec.hint:
            typed.set_hint(spec.hint)
        self.row.addWidget(typed)
        self.setFocusProxy(typed)
        typed.edited.connect(self.edited)

    @override
    def value(self) -> Any:
        fault = self.typed.fault()
        if fault is not None:
            raise ValueError(fault.words)
        return self._read(self.typed.text())

    @property
    @override
    def remedies(self) -> Sequence[ErrorRemedy]:
        """What mends what stands there."""
        fault = self.typed.fault()
        return () if fault is None else (fault.remedy,)

    @override
    def show_value(self, value: Any) -> None:
        self.typed.put("" if value is None else self._write(value))

    @override
    def set_wrong(self, wrong: bool) -> None:
        self.typed.set_wrong(wrong)
        if wrong:
            self.typed.outline_part(self._is_wrong, "")

    def _is_wrong(self, text: str) -> bool:
        try:
            self._read(text)
        except ValueError:
            return True
        return False

    @override
    def apply_theme(self, palette: Palette) -> None:
        self.typed.apply_theme(palette)


def script(name: str, label: str, *, code: bool = False, **more: Any) -> FieldSpec:
    """A field for a text of several lines."""
    make = lambda spec: TypedField(spec, ScriptEditor(code=code), lambda text: text, str)  # noqa: E731
    return FieldSpec(name=name, label=label, is_long=True, make=make, **more)


def expected(name: str, label: str, **more: Any) -> FieldSpec:
    """A field for what an agent's last message has to end with: `json`, or a schema."""

    def read(text: str) -> Any:
        words = text.strip()
        return as_schema(text) if words not in {"", Expects.JSON.value} else words or None

    def write(value: Any) -> str:
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)

    make = lambda spec: TypedField(spec, ScriptEditor(), read, write)  # noqa: E731
    return FieldSpec(name=name, label=label, is_long=True, make=make, **more)


def lines(name: str, label: str, **more: Any) -> FieldSpec:
    """A field for a list of texts, one a row."""

    def read(words: str) -> list[str]:
        return [text_of_cell(cell) for (cell,) in rows_of(words, 1)]

    def write(value: Any) -> str:
        return lines_of((cell_of_text(one),) for one in ([value] if isinstance(value, str) else value))

    return FieldSpec(
        name=name, label=label, is_long=True, make=lambda spec: TypedField(spec, list_editor(), read, write), **more
    )


def table(name: str, label: str, *, variables: bool = False, **more: Any) -> FieldSpec:
    """A field for a mapping from names to JSON values, or to the values of environment variables."""
    of_cell = variable_of_cell if variables else json_of_cell
    make_editor = variables_editor if variables else values_editor

    def write(value: Mapping[str, Any]) -> str:
        cells = ((cell_of_text(key), _variable(one) if variables else cell_of_json(one)) for key, one in value.items())
        return lines_of(cells)

    make = lambda spec: TypedField(spec, make_editor(), partial(mapping_of, of_cell), write)  # noqa: E731
    return FieldSpec(name=name, label=label, is_long=True, make=make, **more)


def any_value(name: str, label: str, **more: Any) -> FieldSpec:
    """A field for one JSON value, which may be nothing."""

    def read(words: str) -> Any:
        return json_of_cell(words) if words else None

    make = lambda spec: TypedField(spec, value_editor(), read, lambda value: cell_of_json(value) or '""')  # noqa: E731
    return FieldSpec(name=name, label=label, is_long=True, make=make, **more)


def _variable(value: Any) -> str:
    return cell_of_variable(value) if isinstance(value, str) else cell_of_secret(value.get("secret", ""))


def counts(name: str, label: str, heads: Sequence[str], **more: Any) -> FieldSpec:
    """A field for a mapping from names to whole numbers."""
    make = lambda spec: TypedField(spec, table_editor(heads), partial(mapping_of, json_of_cell), _plain_rows)  # noqa: E731
    return FieldSpec(name=name, label=label, is_long=True, make=make, **more)


def _plain_rows(value: Mapping[str, Any]) -> str:
    return lines_of((cell_of_text(key), cell_of_json(one)) for key, one in value.items())


def mapping_of(of_cell: Callable[[str], Any], words: str) -> dict[str, Any]:
    """The mapping that the rows of a table of names and values stand for.

    Raises:
        ValueError: a name is missing or there twice, or a value cannot be read.
    """
    found: dict[str, Any] = {}
    for cell, value in rows_of(words, 2):
        name = text_of_cell(cell)
        if not name:
            raise ValueError(fill(translate("PlanProperties", "The value “%1” has no name."), value))
        if name in found:
            raise ValueError(fill(translate("PlanProperties", "The name “%1” is there twice."), name))
        found[name] = of_cell(value)
    return found


def copies(name: str, label: str, **more: Any) -> FieldSpec:
    """A field for files that are copied: each a path here and one there, which may be left out if they are the same."""
    heads = (translate("PlanProperties", "From"), translate("PlanProperties", "To"))

    def read(words: str) -> list[Any]:
        rows = [(text_of_cell(one), text_of_cell(other)) for one, other in rows_of(words, 2)]
        return [{"from": one, "to": other} if other and other != one else one for one, other in rows]

    def write(value: Any) -> str:
        given = value if isinstance(value, list | tuple) else [value]
        pairs = ((one, "") if isinstance(one, str) else (one.get("from", ""), one.get("to", "")) for one in given)
        return lines_of((cell_of_text(one), cell_of_text(other)) for one, other in pairs)

    make = lambda spec: TypedField(spec, table_editor(heads), read, write)  # noqa: E731
    return FieldSpec(name=name, label=label, is_long=True, make=make, **more)


class LineField(FieldEditor):
    """The field of a value that is typed in one line.

    Attributes:
        line: where it is typed.

    Args:
        spec: the field.
        read: the value that a text without spaces around it stands for; a ValueError says why it is none.
        write: the text of a value.
        code: whether it is read by programs.
        width: logical pixels; None: as the field says.
    """

    def __init__(
        self,
        spec: FieldSpec,
        read: Callable[[str], Any],
        write: Callable[[Any], str] = str,
        *,
        code: bool = False,
        width: int | None = None,
    ) -> None:
        super().__init__(spec)
        self._read, self._write = read, write
        self.line = QLineEdit()
        self.line.setPlaceholderText(spec.hint)
        self.adopt(self.line, width)
        if code:
            self.line.setFont(font(Role.MONOSPACE))
        self.line.textChanged.connect(self.edited)

    @override
    def value(self) -> Any:
        return self._read(self.line.text().strip())

    @override
    def show_value(self, value: Any) -> None:
        self.line.setText("" if value is None else self._write(value))

    @override
    def set_wrong(self, wrong: bool) -> None:
        mark(self.line, "wrong" if wrong else "")


def word(name: str, label: str, **more: Any) -> FieldSpec:
    """A field for a number or a word: a value that is not a number is passed as text."""

    def read(words: str) -> Any:
        for number in (int, float):
            try:
                return number(words)
            except ValueError:
                continue
        return words or None

    return FieldSpec(name=name, label=label, make=lambda spec: LineField(spec, read, width=_WORD), **more)


def duration(name: str, label: str, hint: str = "90s, 1h30m", **more: Any) -> FieldSpec:
    """A field for a duration as people write it."""
    return word(name, label, hint=hint, **more)


def condition(name: str, label: str, hint: str = "value.score > 0.8") -> FieldSpec:
    """A field for the condition of a dependency."""
    make = lambda spec: LineField(spec, lambda words: words, code=True)  # noqa: E731
    return FieldSpec(name=name, label=label, is_long=True, hint=hint, make=make)


def names(name: str, label: str, known: Callable[[], Sequence[str]] = tuple, **more: Any) -> FieldSpec:
    """A field for several names. `known`: gives those that are offered."""
    write = lambda value: names_text([value] if isinstance(value, str) else value)  # noqa: E731
    make = lambda spec: TypedField(spec, NamesField(known, CONTROL), names_of, write)  # noqa: E731
    return FieldSpec(name=name, label=label, is_long=True, make=make, **more)


def command(name: str, label: str, **more: Any) -> FieldSpec:
    """A field for a program and its arguments, as people type them."""

    def read(words: str) -> list[str]:
        try:
            return shlex.split(words)
        except ValueError:
            raise ValueError(translate("PlanProperties", "A quotation mark is not closed.")) from None

    write = lambda value: value if isinstance(value, str) else command_text(value)  # noqa: E731
    make = lambda spec: LineField(spec, read, write, code=True)  # noqa: E731
    return FieldSpec(name=name, label=label, is_long=True, make=make, **more)


def choice(name: str, label: str, choices: tuple[tuple[Any, str], ...], unset: str = "", **more: Any) -> FieldSpec:
    """A field that chooses one of several values, or none."""
    first = (None, unset or translate("PlanProperties", "not set"))
    return FieldSpec(name=name, label=label, sort=ValueType.CHOICE, choices=(first, *choices), **more)


def needs(name: str, label: str, **more: Any) -> FieldSpec:
    """A field for the dependencies of a task: parents, each with a kind or a condition."""
    heads = (
        translate("PlanProperties", "Task"),
        translate("PlanProperties", "Kind, or a condition"),
    )

    def read(words: str) -> list[Any]:
        return [_need(text_of_cell(task), text_of_cell(when)) for task, when in rows_of(words, 2)]

    def write(value: Any) -> str:
        given = value if isinstance(value, list | tuple) else [value]
        pairs = (
            (one, "") if isinstance(one, str) else (one.get("task", ""), one.get("condition") or one.get("kind", ""))
            for one in given
        )
        return lines_of((cell_of_text(task), cell_of_text(when)) for task, when in pairs)

    make = lambda spec: TypedField(spec, table_editor(heads), read, write)  # noqa: E731
    return FieldSpec(name=name, label=label, is_long=True, make=make, **more)


def _need(task: str, when: str) -> Any:
    if when in {"", DependencyKind.SUCCESS}:
        return task
    is_kind = when in {DependencyKind.ALWAYS, DependencyKind.FAILURE}
    return {"task": task, "kind" if is_kind else "condition": when}
