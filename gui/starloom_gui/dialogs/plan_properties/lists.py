"""The fields of a plan's rules, agents, notes and devices: lists whose entries have a form each."""

from __future__ import annotations

import copy
from functools import partial
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from starloom.formats.rules import MOST_ITEMS, TIMES
from starloom.model.agent_terms import OnConflict
from starloom.model.frozen import EMPTY
from starloom.model.status import Fence
from starloom_gui.dialogs.plan_properties.device_entry import DeviceEntry
from starloom_gui.dialogs.plan_properties.entries import EntriesEditor
from starloom_gui.dialogs.plan_properties.raw_form import RawForm, at, put
from starloom_gui.dialogs.plan_properties.scope_field import ScopeField
from starloom_gui.dialogs.plan_properties.task_edits import EditsEditor
from starloom_gui.dialogs.plan_properties.typed_fields import choice, condition, names, script, word
from starloom_gui.text.field_words import field_word
from starloom_gui.text.limit_words import fence_word
from starloom_gui.text.scope_words import conflict_word
from starloom_gui.text.words import fill, plain, translate
from starloom_gui.widgets.editor import FieldSpec, ValueType

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starloom_gui.dialogs.plan_properties.sections import KnownNames
    from starloom_gui.theme.palette import Palette


class EndForm(RawForm):
    """The form of what goes by ends of tasks, such as a rule.

    Args:
        fields: the description; those below `on` say which ends are meant.
        colours: gives the palette.
        always: what it has even where nothing is said.
    """

    def __init__(
        self, fields: Sequence[FieldSpec], colours: Callable[[], Palette], always: Mapping[str, Any] = EMPTY
    ) -> None:
        super().__init__(fields, colours)
        self._always = always

    @override
    def fill(self, raw: Mapping[str, Any]) -> None:
        ends = at(raw, "on.status")
        made = copy.deepcopy(dict(raw))
        if isinstance(ends, list | tuple):
            put(made, "on.status", ends[0] if len(ends) == 1 else None)
        super().fill(made)

    @override
    def value(self) -> dict[str, Any]:
        made = {**copy.deepcopy(dict(self._always)), **super().value()}
        tasks = at(made, "on.task")
        if isinstance(tasks, list) and len(tasks) == 1:
            put(made, "on.task", tasks[0])
        return made


def rules_field(colours: Callable[[], Palette], known: KnownNames) -> FieldSpec:
    """The field of a plan's rules. `known`: gives the names that are offered in a field of a task."""
    hint = translate(
        "PlanProperties", "No rules yet. A rule makes edits as tasks end, once its run has an agent for it."
    )
    always = {"on": {"task": "*"}, "do": []}
    form = lambda: EndForm(rule_fields(colours, known), colours, always)  # noqa: E731
    make = lambda spec: EntriesEditor(spec, form, _rule_title, _new_rule)  # noqa: E731
    return FieldSpec(name="rules", label=translate("PlanProperties", "Rules"), is_long=True, hint=hint, make=make)


def rule_fields(colours: Callable[[], Palette], known: KnownNames) -> tuple[FieldSpec, ...]:
    """The fields of one rule. `known`: see `rules_field`."""
    items = translate("PlanProperties", "items at most")
    return (
        FieldSpec(name="name", label=field_word("name"), is_long=True),
        *_on_fields(translate("PlanProperties", "When a task"), "list-*", "size(value.files) > 0"),
        FieldSpec(
            name="for_each", label=translate("PlanProperties", "For each of"), is_long=True, hint="${task.value.files}"
        ),
        word("most", translate("PlanProperties", "Of these"), hint=str(MOST_ITEMS), unit=items),
        word(
            "times",
            translate("PlanProperties", "Applies"),
            hint=str(TIMES),
            unit=translate("PlanProperties", "times at most"),
        ),
        FieldSpec(
            name="do",
            label="",
            is_long=True,
            make=lambda spec: EditsEditor(spec, colours, known),
        ),
    )


def _on_fields(label: str, tasks: str, when: str) -> tuple[FieldSpec, ...]:
    """The fields that say which ends are meant; `tasks` and `when` are examples."""
    ends = (
        (None, translate("PlanProperties", "completed or failed")),
        ("completed", translate("PlanProperties", "completed")),
        ("failed", translate("PlanProperties", "failed")),
    )
    ending = translate("PlanProperties", "has ended as")
    return (
        names("on.task", label, hint=tasks),
        FieldSpec(name="on.status", label=ending, sort=ValueType.CHOICE, choices=ends),
        condition("on.when", translate("PlanProperties", "and if"), hint=when),
    )


def terms_fields() -> tuple[FieldSpec, ...]:
    """The fields of the terms of an agent: which ends it is asked about, what it may change, and how."""
    return (
        *_on_fields(translate("PlanProperties", "Asked when"), "build-*", "attempts > 1"),
        FieldSpec(
            name="scope",
            label=translate("PlanProperties", "May change"),
            is_long=True,
            hint=translate("PlanProperties", "not set: everything, or what its rules say"),
            make=ScopeField,
        ),
        choice(
            "on_conflict",
            translate("PlanProperties", "If a task has started"),
            tuple((str(one), conflict_word(one)) for one in OnConflict),
            fill(translate("PlanProperties", "not set: %1"), conflict_word(OnConflict.DROP)),
            is_long=True,
            help=fill(
                translate("PlanProperties", "Where the fence is “%1”: what becomes of an edit of a task that has."),
                fence_word(Fence.OPTIMISTIC),
            ),
        ),
    )


def agents_field(colours: Callable[[], Palette]) -> FieldSpec:
    """The field of the terms on which agents of some names are attached."""
    hint = translate(
        "PlanProperties", "No terms yet. They hold for an agent of that name, once one is attached to a run."
    )
    name = FieldSpec(
        name="name", label=field_word("name"), is_long=True, required=True, hint="rules, plans.agent:propose"
    )
    form = lambda: EndForm((name, *terms_fields()), colours)  # noqa: E731
    make = lambda spec: EntriesEditor(spec, form, _agent_title, _new_agent)  # noqa: E731
    return FieldSpec(name="agents", label=translate("PlanProperties", "Agents"), is_long=True, hint=hint, make=make)


def _agent_title(place: int, raw: Mapping[str, Any]) -> str:
    return str(raw.get("name") or fill(translate("PlanProperties", "Agent %1"), place + 1))


def _new_agent(known: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    taken = {raw.get("name") for raw in known}
    offered = ("rules", *(f"agent-{number}" for number in range(1, len(known) + 2)))
    return {"name": next(name for name in offered if name not in taken)}


def _rule_title(place: int, raw: Mapping[str, Any]) -> str:
    return str(raw.get("name") or fill(translate("PlanProperties", "Rule %1"), place + 1))


def _new_rule(_known: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"on": {"task": "*"}, "do": [{"add_task": {}}]}


def notes_field(colours: Callable[[], Palette]) -> FieldSpec:
    """The field of a plan's notes; where they stand is moved on the canvas."""
    hint = translate("PlanProperties", "No notes yet. A note stands beside the tasks on the canvas.")
    fields = (
        script("text", translate("PlanProperties", "Text")),
        FieldSpec(
            name="task",
            label=translate("PlanProperties", "Stays with"),
            is_long=True,
            hint=translate("PlanProperties", "no task"),
        ),
        word("width", translate("PlanProperties", "Width"), hint="192", unit="px", is_rare=True),
        word("x", translate("PlanProperties", "Right by"), hint="0", unit="px", is_rare=True),
        word("y", translate("PlanProperties", "Down by"), hint="0", unit="px", is_rare=True),
    )
    make = lambda spec: EntriesEditor(spec, lambda: RawForm(fields, colours), _note_title, _new_note)  # noqa: E731
    return FieldSpec(name="notes", label=field_word("notes"), is_long=True, hint=hint, make=make)


def _note_title(place: int, raw: Mapping[str, Any]) -> str:
    words = str(raw.get("text") or "").strip()
    return plain(words, 40) if words else fill(translate("PlanProperties", "Note %1"), place + 1)


def _new_note(_known: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"text": translate("PlanProperties", "Note")}


def devices_field(colours: Callable[[], Palette]) -> FieldSpec:
    """The field of the devices that a plan brings."""
    hint = translate("PlanProperties", "It names no device: its tasks run on those of the fleet.")
    make = partial(
        EntriesEditor,
        form=lambda: DeviceEntry(colours),
        title=_device_title,
        new=_new_device,
        id_of=lambda raw: str(raw.get("id", "")),
    )
    return FieldSpec(name="devices", label=field_word("devices"), is_long=True, hint=hint, make=make)


def _device_title(place: int, raw: Mapping[str, Any]) -> str:
    return str(raw.get("id") or fill(translate("PlanProperties", "Device %1"), place + 1))


def _new_device(known: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    taken = {raw.get("id") for raw in known}
    names_ = (f"device-{number}" for number in range(1, len(known) + 2))
    return {"id": next(name for name in names_ if name not in taken)}
