"""The form of an event in a journal: a short array that begins with a code.

Golden: what is written today is read by all later versions. The events of which there are many have codes of their own,
and their fields follow in a fixed order, defaults at the end left out; a field may be added at the end. A plan is
`DeclaredForm`. Everything else is `OtherForm`: the name of the kind and a map of the fields that are not at their
defaults, so that a field may be added anywhere. No form says the stream, the number or the time of an event: its turn
does (see `codec`).
"""

from __future__ import annotations

from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, get_args

import msgspec
from msgspec.structs import astuple

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.decodable import decodable
from starloom.journal.base import JournalError
from starloom.journal.plans import join_dependencies
from starloom.journal.values import (
    NotKeepable,
    devices_from_plain,
    edit_to_plain,
    edits_from_plain,
    is_keepable,
    limits_from_plain,
    notes_from_plain,
    pack,
    part_to_plain,
)
from starloom.model.device import DeviceSpec
from starloom.model.note import Note
from starloom.model.plan import Limits
from starloom.model.result import EMPTY_RESULT, Result
from starloom.model.task_columns import tasks_from_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

OTHER: Final = 0
READY: Final = 1
STARTED: Final = 2
COMPLETED: Final = 3
RETRY_SCHEDULED: Final = 4
FAILED: Final = 5
SKIPPED: Final = 6
CANCELLED: Final = 7
DECLARED: Final = 8
LOAD: Final = 9

Number = Annotated[int, msgspec.Meta(ge=0)]


class _Form(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, omit_defaults=True):
    """An event, or a part of one, without the fields that its turn has."""


class ReadyForm(_Form, frozen=True, tag=READY, gc=False):
    """A `TaskReady`."""

    task_id: str


class StartedForm(_Form, frozen=True, tag=STARTED, gc=False):
    """A `TaskStarted`."""

    task_id: str
    attempt: int
    device_id: str
    slot: int
    promoted: bool = False


class CompletedForm(_Form, frozen=True, tag=COMPLETED, gc=False):
    """A `TaskCompleted`."""

    task_id: str
    attempt: int = 0
    result: Result = EMPTY_RESULT


class RetryScheduledForm(_Form, frozen=True, tag=RETRY_SCHEDULED, gc=False):
    """A `TaskRetryScheduled`."""

    task_id: str
    attempt: int = 0
    result: Result = EMPTY_RESULT
    retry_at: float = 0.0


class FailedForm(_Form, frozen=True, tag=FAILED, gc=False):
    """A `TaskFailed`."""

    task_id: str
    attempt: int = 0
    result: Result = EMPTY_RESULT


class SkippedForm(_Form, frozen=True, tag=SKIPPED):
    """A `TaskSkipped`."""

    task_id: str
    reason: str = ""
    because: str | None = None
    origin: str = ""


class CancelledForm(_Form, frozen=True, tag=CANCELLED, gc=False):
    """A `TaskCancelled`."""

    task_id: str
    attempt: int = 0
    result: Result = EMPTY_RESULT
    reason: str = ""
    origin: str = ""


class LoadForm(_Form, frozen=True, tag=LOAD):
    """A `FleetLoad`."""

    used: dict[str, int] = {}


class DeclaredForm(_Form, frozen=True, tag=DECLARED):
    """A `TasksDeclared`, or a part of one; see `plans`."""

    columns: dict[str, list[Any]] = {}
    parents: list[Number] = []
    children: list[Number] = []
    others: list[tuple[Number, dict[str, Any]]] = []
    more: bool = False
    """The same event goes on in the next form."""


class OtherForm(_Form, frozen=True, tag=OTHER):
    """Any other event, or one with values that need `values.pack`: its kind and its fields."""

    kind: str
    fields: dict[str, Any] = {}


Form = (
    ReadyForm
    | StartedForm
    | CompletedForm
    | RetryScheduledForm
    | FailedForm
    | SkippedForm
    | CancelledForm
    | DeclaredForm
    | LoadForm
    | OtherForm
)


# ---- the kinds of events


def _journalled_kinds() -> dict[str, type[ev.Event]]:
    kinds = (kind for kind in vars(ev).values() if isinstance(kind, type) and issubclass(kind, ev.Event))
    return {kind.__name__: kind for kind in kinds if kind not in (ev.Event, ev.Snapshot)}


KINDS: Final = _journalled_kinds()
"""Every kind of event that is journalled, by its name."""
_SHORT: Final[dict[type[ev.Event], type[Any]]] = {
    ev.TaskReady: ReadyForm,
    ev.TaskStarted: StartedForm,
    ev.TaskCompleted: CompletedForm,
    ev.TaskRetryScheduled: RetryScheduledForm,
    ev.TaskFailed: FailedForm,
    ev.TaskSkipped: SkippedForm,
    ev.TaskCancelled: CancelledForm,
    ev.FleetLoad: LoadForm,
}
_KIND_OF: Final = {form: kind for kind, form in _SHORT.items()}


# ---- to forms


class _Cut(NamedTuple):
    """The rule by which the fields of an event are reduced to its form."""

    code: int
    fields: Callable[[Any], tuple[Any, ...]]
    defaults: tuple[Any, ...]
    required: int
    has_result: bool


def _cut_of(form: type[msgspec.Struct]) -> _Cut:
    names = form.__struct_fields__
    defaults = form.__struct_defaults__
    code: Any = form.__struct_config__.tag
    required = len(names) - len(defaults)
    fields = attrgetter(*names, "seq")  # of a single name it would give no tuple
    return _Cut(code, fields, (None,) * required + defaults, required, "result" in names)


_CUTS: Final = {kind: _cut_of(form) for kind, form in _SHORT.items()}


def forms_of(events: Iterable[Any]) -> list[Any]:
    """The form of each event; msgpack may still fail to encode one.

    Raises:
        NotKeepable: an event holds something that is no plain value, or is a `TasksDeclared`, which goes in pieces.
        JournalError: an event is of a kind that is never journalled.
    """
    ready, started, completed, nothing = ev.TaskReady, ev.TaskStarted, ev.TaskCompleted, EMPTY_RESULT
    forms: list[Any] = []
    add = forms.append
    for event in events:
        kind = type(event)
        if kind is ready:
            add((READY, event.task_id))
        elif kind is started and not event.promoted:
            add((STARTED, event.task_id, event.attempt, event.device_id, event.slot))
        elif kind is completed and event.result is nothing:
            add((COMPLETED, event.task_id, event.attempt))
        else:
            add(form_of(event))
    return forms


def form_of(event: ev.Event) -> tuple[Any, ...]:
    """The form of any event, as in `forms_of`; raises what that does."""
    cut = _CUTS.get(type(event))
    if cut is None or (cut.has_result and not is_keepable(event.result.value)):  # type: ignore[attr-defined]  # it has one
        return other_form_of(event)
    *fields, _ = cut.fields(event)
    while len(fields) > cut.required and fields[-1] == cut.defaults[len(fields) - 1]:
        fields.pop()
    return (cut.code, *fields)


def other_form_of(event: ev.Event) -> tuple[int, str, dict[str, Any]]:
    """The form that holds any value a journal can keep; raises what `forms_of` does."""
    kind = type(event)
    if kind is ev.TasksDeclared:
        raise NotKeepable("a plan in one piece")
    if KINDS.get(kind.__name__) is not kind:
        raise JournalError(f"An event of the kind {kind.__name__} is never journalled. This is a defect.")
    return OTHER, kind.__name__, _without_defaults(event, _to_plain, 3)


def _without_defaults(struct: msgspec.Struct, to_plain: Callable[[Any], Any], begin: int = 0) -> dict[str, Any]:
    fields = {}
    for name, default in _defaults_of(type(struct))[begin:]:
        value = getattr(struct, name)
        if value != default:
            fields[name] = to_plain(value)
    return fields


@cache
def _defaults_of(kind: type[msgspec.Struct]) -> tuple[tuple[str, Any], ...]:
    """Its fields and their defaults; one without is equal to nothing."""
    return tuple(
        (field.name, field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory())
        for field in msgspec.structs.fields(kind)
    )


def _to_plain(value: Any) -> Any:
    """The value of a field of an event: there a tuple is what the field has several of."""
    kind = type(value)
    if kind is tuple:
        return [_to_plain(one) for one in value]
    if kind in _EDITS:
        return edit_to_plain(value)
    return part_to_plain(value) if kind in _MODELS else _packed(value)


def _packed(value: Any) -> Any:
    """Any other value: there a tuple stays one."""
    return _without_defaults(value, _packed) if isinstance(value, msgspec.Struct) else pack(value)


_EDITS: Final = frozenset(get_args(ed.Edit))
_MODELS: Final = frozenset({Limits, DeviceSpec, Note})


# ---- and back


_MODELLED: Final[dict[type[ev.Event], dict[str, Callable[[Any], Any]]]] = {
    ev.RunCreated: {"limits": limits_from_plain, "devices": devices_from_plain, "notes": notes_from_plain},
    ev.ConstellationModified: {"changes": edits_from_plain, "inverse": edits_from_plain},
    ev.AgentAnswered: {"edits": edits_from_plain},
    ev.ProposalStaged: {"edits": edits_from_plain},
    ev.EditsLeftOut: {"edits": edits_from_plain},
    ev.EditsDeferred: {"edits": edits_from_plain},
}
"""How to read the fields that hold values with a validation of their own."""


def _shape_of(kind: type[ev.Event]) -> type[msgspec.Struct]:
    """The required type of `OtherForm.fields` for a kind: exactly its fields with their types."""
    modelled = _MODELLED.get(kind, {})
    fields = [
        (
            field.name,
            Any if field.name in modelled else field.type,
            *(() if field.required else (msgspec.field(default=None),)),
        )
        for field in msgspec.structs.fields(kind)[3:]
    ]
    return msgspec.defstruct(kind.__name__, fields, frozen=True, forbid_unknown_fields=True, kw_only=True)


_SHAPES: Final = {name: _shape_of(kind) for name, kind in KINDS.items() if kind is not ev.TasksDeclared}


def events_of(forms: Iterable[Any], number: int, at: float, run_id: str) -> list[ev.Event]:
    """The events of a turn's forms.

    Args:
        forms: decoded ones.
        number: that of the first event.
        at: the time of all of them.
        run_id: their stream.

    Raises:
        ValueError, TypeError, KeyError, AttributeError, msgspec.ValidationError: there are none behind them.
    """
    events: list[ev.Event] = []
    add = events.append
    begun: list[DeclaredForm] = []
    ready, started, completed = ev.TaskReady, ev.TaskStarted, ev.TaskCompleted
    for form in forms:
        kind = type(form)
        if begun and kind is not DeclaredForm:
            raise ValueError("the plan of a run ends in the middle")
        if kind is ReadyForm:
            add(ready(number, at, run_id, form.task_id))
        elif kind is StartedForm:
            add(started(number, at, run_id, form.task_id, form.attempt, form.device_id, form.slot, form.promoted))
        elif kind is CompletedForm:
            add(completed(number, at, run_id, form.task_id, form.attempt, form.result))
        elif kind is DeclaredForm:
            begun.append(form)
            if form.more:
                continue
            add(_declared(begun, number, at, run_id))
            begun = []
        else:
            add(_event_of(form, number, at, run_id))
        number += 1
    if begun:
        raise ValueError("the plan of a run ends in the middle")
    return events


def _event_of(form: Any, number: int, at: float, run_id: str) -> ev.Event:
    if type(form) is not OtherForm:
        return _KIND_OF[type(form)](number, at, run_id, *astuple(form))
    shaped = msgspec.convert(form.fields, decodable(_SHAPES[form.kind]))
    kind = KINDS[form.kind]
    fields = {name: getattr(shaped, name) for name in form.fields}
    for name, read in _MODELLED.get(kind, {}).items():
        if name in fields:
            fields[name] = read(fields[name])
    return kind(number, at, run_id, **fields)


def _declared(forms: Sequence[DeclaredForm], number: int, at: float, run_id: str) -> ev.TasksDeclared:
    tasks = [task for form in forms for task in tasks_from_columns(form.columns)]
    dependencies, index = join_dependencies(
        tasks,
        [parent for form in forms for parent in form.parents],
        [child for form in forms for child in form.children],
        [other for form in forms for other in form.others],
    )
    return ev.TasksDeclared(number, at, run_id, tuple(tasks), dependencies, index)
