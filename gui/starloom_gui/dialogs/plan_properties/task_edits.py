"""The edits of a rule, one below the other, each with the form of its kind."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from starloom.constellation.edits import ALL_KINDS
from starloom.model.status import GateDefault
from starloom_gui.dialogs.plan_properties.raw_form import RawForm, keys_of
from starloom_gui.dialogs.plan_properties.sections import task_fields
from starloom_gui.dialogs.plan_properties.shorthands import collapsed, expanded
from starloom_gui.dialogs.plan_properties.typed_fields import (
    any_value,
    choice,
    command,
    condition,
    duration,
    names,
    needs,
    script,
    word,
)
from starloom_gui.text.field_words import field_word
from starloom_gui.text.words import translate
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.controls import button, empty, line, mark, text
from starloom_gui.widgets.editor import FieldEditor, FieldSpec, ValueType
from starloom_gui.widgets.editors import ChoiceEditor

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.dialogs.plan_properties.raw_form import Fault
    from starloom_gui.dialogs.plan_properties.sections import KnownNames
    from starloom_gui.theme.palette import Palette

_TASK: Final = "task"


def kind_word(kind: str) -> str:
    """The name of a kind of edit."""
    return {
        "add_task": translate("PlanProperties", "Add a task"),
        "remove_task": translate("PlanProperties", "Remove a task"),
        "update_task": translate("PlanProperties", "Change a task"),
        "add_dependency": translate("PlanProperties", "Add a dependency"),
        "remove_dependency": translate("PlanProperties", "Remove a dependency"),
        "update_dependency": translate("PlanProperties", "Change a dependency"),
    }[kind]


def fields_of(kind: str, known: KnownNames) -> tuple[FieldSpec, ...]:
    """The fields of a kind of edit. `known`: gives the names that are offered in a field."""
    if kind.endswith("_dependency"):
        ends = (
            FieldSpec(name="parent", label=translate("PlanProperties", "Parent"), is_long=True),
            FieldSpec(name="child", label=translate("PlanProperties", "Child"), is_long=True),
        )
        return ends if kind == "remove_dependency" else (*ends, *_of_edge())
    if kind == "remove_task":
        return (_named(),)
    rare = tuple(replace(spec, is_rare=True) for spec in (*_seldom(), *task_fields(known)))
    if kind == "update_task":
        return (_named(), *_often(), *rare)
    id_ = FieldSpec(name="id", label=translate("PlanProperties", "Id"), is_long=True, hint="check-${index}")
    before = names("before", translate("PlanProperties", "Leads to"), hint=translate("PlanProperties", "report"))
    return (id_, *_often(), needs("needs", translate("PlanProperties", "Waits for")), before, *rare)


def _named() -> FieldSpec:
    said = translate("PlanProperties", "A task id; * stands for any characters.")
    return FieldSpec(name=_TASK, label=translate("PlanProperties", "Task"), is_long=True, help=said)


def _of_edge() -> tuple[FieldSpec, ...]:
    kinds = {
        "success": translate("PlanProperties", "on success"),
        "always": translate("PlanProperties", "always"),
        "failure": translate("PlanProperties", "on failure"),
        "condition": translate("PlanProperties", "on a condition"),
    }
    return (
        choice("kind", translate("PlanProperties", "Kind"), tuple(kinds.items())),
        condition("condition", translate("PlanProperties", "Condition")),
    )


def _often() -> tuple[FieldSpec, ...]:
    return (
        command("command", field_word("command")),
        script("shell", field_word("shell"), code=True),
        script("prompt", field_word("prompt")),
    )


def _seldom() -> tuple[FieldSpec, ...]:
    outcomes = {
        "completed": translate("PlanProperties", "it completes"),
        "failed": translate("PlanProperties", "it fails"),
    }
    then = {
        GateDefault.PROCEED: translate("PlanProperties", "go on"),
        GateDefault.SKIP: translate("PlanProperties", "skip it"),
        GateDefault.ABORT: translate("PlanProperties", "end the run"),
    }
    return (
        FieldSpec(name="python", label=field_word("python"), is_long=True, hint="module:function"),
        FieldSpec(name="call", label=field_word("call"), is_long=True),
        duration("simulate.duration", field_word("simulate")),
        choice("simulate.outcome", translate("PlanProperties", "Simulated"), tuple(outcomes.items())),
        word("simulate.fail_attempts", translate("PlanProperties", "Fails first"), hint="0"),
        any_value("simulate.value", translate("PlanProperties", "Its value")),
        FieldSpec(name="gate.message", label=field_word("gate"), is_long=True),
        duration("gate.after", translate("PlanProperties", "Gate waits for")),
        choice("gate.then", translate("PlanProperties", "Then"), tuple((str(one), said) for one, said in then.items())),
    )


class EditRow(QWidget):
    """One edit: its kind, its fields, and a button that removes it.

    Attributes:
        kind: where the kind is chosen.
        content: the form of its fields.

    Signals:
        edited(): something else stands there.
        removed(): it is to be taken away.
    """

    edited = Signal()
    removed = Signal()

    def __init__(self, raw: Mapping[str, Any], colours: Callable[[], Palette], known: KnownNames) -> None:
        super().__init__()
        self._colours, self._known = colours, known
        kinds = tuple((kind, kind_word(kind)) for kind in ALL_KINDS)
        label = translate("PlanProperties", "Kind of edit")
        self.kind = ChoiceEditor(FieldSpec(name="kind", label=label, sort=ValueType.CHOICE, choices=kinds))
        self._remove: QPushButton = button("", height=24)
        self._remove.setFixedWidth(28)
        mark(self._remove, "flat")
        self._remove.setToolTip(translate("PlanProperties", "Remove this edit"))
        self._remove.setAccessibleName(self._remove.toolTip())
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GAPS[0])
        top = QHBoxLayout()
        top.addWidget(self.kind)
        top.addStretch(1)
        top.addWidget(self._remove)
        self._column.addWidget(line())
        self._column.addLayout(top)
        kind, content = next(iter(raw.items()), (ALL_KINDS[0], {}))
        self.kind.show_value(kind)
        self.content = self._form(kind, content)
        self._column.addWidget(self.content)
        self.apply_theme(colours())
        self.kind.edited.connect(self._turn)
        self._remove.clicked.connect(lambda _=False: self.removed.emit())

    def _form(self, kind: str, content: Any) -> RawForm:
        made = RawForm(fields_of(kind, self._known), self._colours)
        made.fill(expanded(content if isinstance(content, Mapping) else {_TASK: content}))
        made.edited.connect(self.edited)
        return made

    def _turn(self) -> None:
        """Switch to the form of another kind, keeping the values that both have in common."""
        before, kept = self.content, self.content.value()
        kind = self.kind.value()
        known = keys_of(spec.name for spec in fields_of(kind, self._known))
        self.content = self._form(kind, {name: value for name, value in kept.items() if name in known})
        self._column.replaceWidget(before, self.content)
        before.hide()
        before.deleteLater()
        self.edited.emit()

    def value(self) -> dict[str, Any]:
        """The edit, as a file has it."""
        kind, content = self.kind.value(), collapsed(self.content.value())
        return {kind: content.get(_TASK, "") if kind == "remove_task" else content}

    def apply_theme(self, palette: Palette) -> None:
        """Show other colours."""
        self._remove.setIcon(icon(Icon.REMOVE, palette))
        self.kind.apply_theme(palette)
        self.content.apply_theme(palette)


class EditsEditor(FieldEditor):
    """The field of the edits of a rule.

    Attributes:
        rows: the edits, from top to bottom.
        add: adds one.

    Args:
        spec: the field.
        colours: gives the palette.
        known: gives the names that are offered in a field.
    """

    def __init__(self, spec: FieldSpec, colours: Callable[[], Palette], known: KnownNames) -> None:
        super().__init__(spec)
        self._colours, self._known = colours, known
        self.rows: list[EditRow] = []
        self._rows = QVBoxLayout()
        self._rows.setSpacing(GAPS[1])
        self.add = button(translate("PlanProperties", "Add edit"), height=24)
        self.row.addWidget(text(translate("PlanProperties", "Edits"), Role.SECTION))
        self.row.addLayout(self._rows)
        last = QHBoxLayout()
        last.addWidget(self.add)
        last.addStretch(1)
        self.row.addLayout(last)
        self.setFocusProxy(self.add)
        self.add.clicked.connect(lambda _=False: self._add())

    @override
    def value(self) -> Any:
        return [row.value() for row in self.rows]

    def unread(self) -> list[Fault]:
        """The errors of values that cannot be parsed, of all edits."""
        name = self.spec.name
        return [
            (f"{name}[{at}].{row.kind.value()}.{place}", words)
            for at, row in enumerate(self.rows)
            for place, words in row.content.faults.items()
        ]

    @override
    def show_value(self, value: Any) -> None:
        empty(self._rows)
        self.rows = []
        for raw in value or ():
            self._put(raw)

    def _put(self, raw: Mapping[str, Any]) -> None:
        made = EditRow(raw, self._colours, self._known)
        made.edited.connect(self.edited)
        made.removed.connect(partial(self._drop, made))
        self.rows.append(made)
        self._rows.addWidget(made)

    def _add(self) -> None:
        self._put({"add_task": {}})
        self.edited.emit()

    def _drop(self, row: EditRow) -> None:
        self.rows.remove(row)
        row.hide()
        row.deleteLater()
        self.edited.emit()

    def explain_parts(self, faults: Sequence[Fault]) -> None:
        """Show the errors below the fields of their edits."""
        found: dict[int, list[Fault]] = {}
        for where, words in faults:
            at = re.match(rf"{self.spec.name}\[(\d+)\]\.?\w*\.?", where)
            if at is not None:
                found.setdefault(int(at[1]), []).append((where[at.end() :], words))
        for number, row in enumerate(self.rows):
            row.content.explain(found.get(number, ()))

    @override
    def apply_theme(self, palette: Palette) -> None:
        for row in self.rows:
            row.apply_theme(palette)
