"""Laws of the codec: what is encoded comes back exactly, and what is not whole does not come back at all."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.driver import as_journalled, assert_same
from tests.properties.test_scheduler import Walk
from tests.properties.test_scheduler_agents import AgentWalk

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.errors import Problem
from starloom.journal.codec import decode_parts, encode_parts
from starloom.journal.forms import KINDS
from starloom.journal.plans import tasks_to_columns
from starloom.journal.values import tasks_from_plain, unpack
from starloom.model import status
from starloom.model.agent_terms import ENDS, EditScope, EndFilter, OnConflict, ScopeKind
from starloom.model.dependency import Dependency
from starloom.model.device import DeviceSpec
from starloom.model.expected import JsonSchema
from starloom.model.files import FileCopy, Files
from starloom.model.note import Note
from starloom.model.plan import Limits
from starloom.model.question import Option
from starloom.model.result import AgentUsage, ErrorCode, ErrorInfo, Result
from starloom.model.secret import Secret
from starloom.model.task import ACTIONS, TASK_FIELDS, BypassValue, Gate, Prefer, Retry, Simulate, Task
from starloom.model.task_columns import tasks_from_columns
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.restore import restore
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

STEPS = 40
WALL = 1_800_000_000.25

texts = st.text(st.characters(codec=None, categories=None), max_size=8)  # halves of surrogate pairs, too
scalars = st.none() | st.booleans() | st.integers() | st.integers(2**62, 2**70) | st.floats(allow_nan=False) | texts
keys = texts | st.integers() | st.tuples(st.integers(), texts)
values = st.recursive(
    scalars | st.binary(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(keys, inner, max_size=4)
        | st.lists(inner, max_size=3).map(tuple)
        | st.frozensets(st.integers(), max_size=1)
    ),
    max_leaves=12,
)
plain = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats() | st.text(max_size=3) | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=6), inner, max_size=5),
    max_leaves=15,
)


def exactly(events: Sequence[ev.Event]) -> str:
    """All values with their types: an enum is not its text, a tuple is not a list. Codes are declared as text."""
    return re.sub(r"<ErrorCode\.\w+: ('\w+')>", r"\1", repr(events))


def kept(events: Sequence[ev.Event]) -> list[ev.Event]:
    """The events of a turn as they come back from a journal; a plan's index is left out."""
    recorded = decode_parts(tuple(encode_parts(events, WALL)), events[0].run_id)
    assert recorded.wall == WALL
    return [as_journalled(event) for event in recorded.events]


def turns(events: Iterable[ev.Event]) -> list[list[ev.Event]]:
    """What a journal is given: the events of each stream in order, those of one time together."""
    by_stream = sorted(map(as_journalled, events), key=lambda event: event.run_id)
    return [list(turn) for _, turn in groupby(by_stream, key=lambda event: (event.run_id, event.at))]


# ---- whole runs


def walked(seed: int) -> Walk:
    walk = (AgentWalk if seed % 2 else Walk)(seed)
    walk.driver.checked = False  # its laws are shown elsewhere
    for _ in range(STEPS):
        walk.step()
    return walk


@settings(max_examples=15)
@given(st.integers(0, 2**32))
def test_every_event_of_a_random_run_comes_back_as_it_was(seed: int) -> None:
    for events in turns(walked(seed).driver.events):
        decoded = kept(events)
        assert decoded == events
        assert exactly(decoded) == exactly(events)


@settings(max_examples=15)
@given(st.integers(0, 2**32))
def test_what_comes_back_folds_to_the_same_state(seed: int) -> None:
    driver = walked(seed).driver
    decoded = [
        event
        for events in turns(driver.events)
        for event in decode_parts(tuple(encode_parts(events, WALL)), events[0].run_id).events
    ]
    twin = restore(decoded)
    assert_same(twin.fleet.snapshot(), driver.scheduler.fleet.snapshot(), "the fleet as decoded")
    for run_id in driver.scheduler.runs:
        live = driver.run(run_id).canonical()
        assert_same(twin.run(run_id).canonical(), live, f"the decoded run {run_id!r}")
        stream = [event for event in decoded if event.run_id == run_id]
        assert_same(fold(FoldedRun(run_id), stream).run.canonical(), live, f"the decoded stream of {run_id!r}")


# ---- every kind of event, with any fields

ids = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"], codec="utf-8"), min_size=1, max_size=6)
words = st.text(max_size=6)
seconds = st.floats(0, 1e10)
json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
objects = st.dictionaries(words, json, max_size=3)
simulates = st.builds(
    Simulate, seconds, st.sampled_from(["completed", "failed"]), st.integers(0, 9), json | st.just((1, 2))
)
gates = st.builds(Gate, words) | st.builds(Gate, words, seconds, st.sampled_from(status.GateDefault))
ACTION = {
    "command": st.lists(words, min_size=1, max_size=3).map(tuple),
    "shell": words,
    "python": st.sampled_from(["a:b", "a.b:c_1", "ä.b:ç"]),
    "call": ids,
    "prompt": words,
    "simulate": simulates,
    "gate": gates,
}
actions = st.one_of(*(st.fixed_dictionaries({name: strategy}) for name, strategy in ACTION.items()))
copies = st.lists(st.builds(FileCopy, st.sampled_from(["a", "a b/c", "ä"]), st.just("x")), max_size=1).map(tuple)
SCHEMA = JsonSchema('{"type":"object","required":["é"]}')
secrets = st.builds(Secret, st.sampled_from(["env:A", "file:a b", "keyring:é"]))
rest_of_task: dict[str, Any] = {
    "name": words,
    "description": words,
    "tips": st.lists(words, max_size=2).map(tuple),
    "inputs": objects,
    "env": st.dictionaries(words, words | secrets, max_size=2),
    "cwd": words,
    "upstream": st.booleans(),
    "files": st.builds(Files, copies, copies),
    "priority": st.integers(0, 100),
    "requires": st.frozensets(words, max_size=1),  # of several, `exactly` would depend on their order
    "device": ids | st.builds(Prefer, ids),
    "groups": st.lists(ids, max_size=3).map(tuple),
    "timeout": seconds,
    "retry": st.builds(Retry, st.integers(1, 10_000), st.sampled_from(status.Backoff), seconds, st.none() | seconds),
    "severity": st.sampled_from(status.Severity),
    "join": st.sampled_from(status.Join),
    "on_interrupt": st.sampled_from(status.OnInterrupt),
    "expects": st.sampled_from([status.Expects.JSON, SCHEMA]),
    "permissions": st.sampled_from(status.PermissionPolicy),
    "estimate": seconds,
    "breakpoint": st.booleans(),
    "bypass": st.booleans() | st.builds(BypassValue, json | st.just((1, 2))),
    "metadata": objects,
}


@st.composite
def tasks(draw: st.DrawFn) -> Task:
    given_fields = draw(st.fixed_dictionaries({}, optional=rest_of_task)) if draw(st.booleans()) else {}
    return Task(id=draw(ids), **draw(actions), **given_fields)


@st.composite
def dependencies(draw: st.DrawFn, ends: Any = ids) -> Dependency:
    kind = draw(st.sampled_from(status.DependencyKind))
    condition = draw(st.text(min_size=1, max_size=5)) if kind is status.DependencyKind.CONDITION else None
    metadata = draw(objects) if draw(st.booleans()) else {}
    return Dependency(parent=draw(ends), child=draw(ends), kind=kind, condition=condition, metadata=metadata)


def updates(fields: dict[str, Any]) -> Any:
    return st.builds(lambda task_id, given: ed.UpdateTask(task_id, **given), ids, st.just(fields))


edits = st.one_of(
    st.builds(ed.AddTask, tasks(), st.none() | st.integers(0, 99)),
    st.builds(ed.RemoveTask, ids),
    tasks().flatmap(
        lambda one: updates({name: getattr(one, name) for name in rest_of_task if getattr(one, name) is not None})
    ),
    st.builds(ed.AddDependency, dependencies()),
    st.builds(ed.RemoveDependency, ids, ids),
    st.builds(ed.UpdateDependency, dependencies()),
)
errors = st.builds(
    ErrorInfo, code=st.sampled_from(ErrorCode).map(str) | texts, message=texts, detail=st.just("") | texts
)
ends = (st.none() | errors, st.none() | st.builds(AgentUsage, st.integers(0, 2**53), st.floats(0, 1e9), texts))
results = st.just(Result()) | st.builds(
    Result, values, st.none() | st.integers(-9, 300), texts, st.integers(0), st.none() | texts, *ends
)
devices = st.builds(
    DeviceSpec,
    id=ids,
    kind=st.sampled_from(["local", "x-1"]),
    slots=st.none() | st.integers(1, 99),
    capabilities=st.frozensets(words, max_size=1),
    speed=st.floats(0.1, 9),
    options=st.dictionaries(words, values, max_size=2),
)
limits = st.builds(
    Limits, max_concurrency=st.none() | st.integers(0, 99), groups=st.dictionaries(ids, st.integers(0, 9), max_size=2)
)
notes = st.builds(Note, text=ids.map("n{}".format), x=st.floats(-9, 9), task=st.none() | ids)
FIELDS: dict[str, Any] = {
    "limits": limits,
    "devices": st.lists(devices, max_size=2).map(tuple),
    "metadata": st.dictionaries(texts, values, max_size=2),
    "fleet": st.dictionaries(texts, values, max_size=2),
    "rules": st.lists(objects, max_size=2).map(tuple),
    "notes": st.lists(notes, max_size=2).map(tuple),
    "dependencies": st.lists(dependencies(st.sampled_from("abcd")), max_size=6).map(tuple),
    "tasks": st.lists(tasks(), max_size=3).map(tuple)
    | st.permutations("abcd").map(lambda names: tuple(Task(id=name, call="noop") for name in names)),
    "index": st.none(),
    **dict.fromkeys(("changes", "inverse", "edits"), st.lists(edits, max_size=3).map(tuple)),
    "result": results,
    "on": st.lists(st.builds(EndFilter, st.just(("a*",)), st.just(ENDS[1:]), st.none() | words), max_size=2).map(tuple),
    "scope": st.none() | st.builds(EditScope, st.sampled_from(ScopeKind), st.lists(words, max_size=2).map(tuple)),
    "on_conflict": st.sampled_from(OnConflict),
    "fence": st.none() | st.sampled_from(status.Fence),
    "state": st.sampled_from(status.RunState),
    "status": st.sampled_from(status.TaskStatus),
    "options": st.lists(st.builds(Option, texts, texts, st.booleans()), max_size=2).map(tuple),
    "problems": st.lists(
        st.builds(
            Problem, message=texts, hint=texts, line=st.none() | st.integers(), follows_from=st.none() | st.just(0)
        ),
        max_size=2,
    ).map(tuple),
}
TYPES: dict[Any, Any] = {
    int: st.integers(-(2**70), 2**70),
    float: st.floats(allow_nan=False).map(lambda number: number + 0.0),  # a zero without a sign, as a default is
    str: texts,
    bool: st.booleans(),
    str | None: st.none() | texts,
    int | None: st.none() | st.integers(),
    int | str | None: st.none() | st.integers(-(2**60), 2**60) | texts,
    float | None: st.none() | st.floats(allow_nan=False).map(lambda number: number + 0.0),
    tuple[str, ...]: st.lists(texts, max_size=3).map(tuple),
    tuple[str, ...] | None: st.none() | st.lists(texts, max_size=3).map(tuple),
    tuple[Any, ...]: st.lists(objects, max_size=2).map(tuple),
    tuple[int, ...]: st.lists(st.integers(0, 2**31), max_size=3).map(tuple),
}


def any_event(kind: type[ev.Event]) -> st.SearchStrategy[ev.Event]:
    """An event of a kind with anything in its fields that they may hold."""
    strategies = [
        FIELDS.get(field.name) if field.name in FIELDS else TYPES.get(field.type, st.dictionaries(texts, st.integers()))
        for field in msgspec.structs.fields(kind)[3:]
    ]
    return st.tuples(*strategies).map(lambda fields: kind(7, 1.5, "r", *fields))


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@settings(max_examples=40)
@given(st.data())
def test_any_event_of_any_kind_comes_back_exactly(kind: type[ev.Event], data: st.DataObject) -> None:
    event = data.draw(any_event(kind))
    decoded = kept([event])
    assert decoded == [event]
    assert exactly(decoded).replace("{}", "") == exactly([event]).replace("{}", "")


@given(values, texts)
def test_any_value_of_plain_types_comes_back_exactly(value: Any, text: str) -> None:
    events: list[ev.Event] = [
        ev.TaskCompleted(1, 0.5, "r", "a", 1, Result(value=value, output=text)),
        ev.RunCreated(2, 0.5, "r", name="n", metadata={"value": value, text: 1}, origin=text),
        ev.FleetSnapshot(3, 0.5, "r", fleet={"x": value}),
        ev.RunPaused(4, 0.5, "r", origin="operator", reason=text),
    ]
    decoded = kept(events)
    assert decoded == events
    assert exactly(decoded) == exactly(events)


# ---- columns are read as tasks are

ODD: dict[str, list[Any]] = {
    "id": ["a", "", "a\n", "a\x7f", "x" * 501, 7, ["a"]],
    "name": ["", "n", 7, True, ["n"], b"n"],
    "description": ["", "d", {}],
    "tips": [[], ["a"], "a", [7], {}],
    "command": [["a"], [], "a", [7], [[]]],
    "shell": ["a", "", 7],
    "python": ["a:b", "a", "a:b\n", "ä:ü", "a b:c", "a:\u200d", 7],
    "call": ["a", "", "a\x00", 7],
    "prompt": ["a", "", 7],
    "expects": ["json", "odd", None, {}, {"type": "array"}, {"type": "odd"}, 7],
    "permissions": ["reject", "odd", None],
    "simulate": [
        {},
        {"duration": 1},
        3,
        "3s",
        -1,
        {"outcome": "odd"},
        {"x": 1},
        {"fail_attempts": -1},
        {"value": 1e999},
    ],
    "gate": ["", "Well?", 7, {}, {"message": "m", "after": 1, "then": "skip"}, {"after": 1}, {"then": "odd"}, {"x": 1}],
    "inputs": [{}, {"a": [1, None]}, {"a": float("nan")}, [], {"a": b""}, {7: 1}],
    "env": [{}, {"a": "b"}, {"a": 1}, {7: "b"}, {"a": {"secret": "env:A"}}, {"a": {"secret": "odd"}}, {"a": {}}],
    "cwd": ["", "a", 7],
    "upstream": [True, False, 1, 0, 2, "yes", "odd"],
    "files": [
        {},
        {"send": ["a"]},
        {"send": "a"},
        {"fetch": [{"from": "/a", "to": "b"}]},
        {"send": [7]},
        {"x": 1},
        [],
        "a",
    ],
    "priority": [0, 50, 100, 101, -1, "high", "7", "odd", 1.0, True],
    "requires": [[], ["a", "a"], "a", [7], {}],
    "device": ["d", "", {"prefer": "d"}, {"prefer": ""}, {"prefer": "d", "x": 1}, 7],
    "groups": [[], ["g", "g"], "g", [""], [7]],
    "timeout": [0, 1.5, -1, "5m", "odd", float("inf"), float("nan"), 2e10, True],
    "retry": [0, 3, -1, {"attempts": 3}, {"attempts": 0}, {"backoff": "linear"}, {"backoff": "odd"}, {"x": 1}, True],
    "severity": ["error", "critical", "odd", 1],
    "join": ["all", "any", "odd"],
    "on_interrupt": ["ask", "odd"],
    "estimate": [1, "1h", "odd"],
    "breakpoint": [True, False, 1, 0, 2, "yes", "odd"],
    "bypass": [True, False, 1, 2, "odd", {"value": None}, {"value": [1]}, {"value": float("nan")}, {}, {"x": 1}],
    "metadata": [{}, {"a": 1}, {"a": float("inf")}, 7],
}


def outcome(read: Any, given_values: Any) -> Any:
    """What reading gives, exactly, or that it is refused."""
    try:
        return repr(list(read(given_values)))
    except (ValueError, ValidationError):
        return "refused"


def test_every_field_of_a_task_is_tried_in_a_column() -> None:
    assert list(ODD) == list(TASK_FIELDS)


@settings(max_examples=300)
@given(
    st.fixed_dictionaries(
        {"id": st.sampled_from(ODD["id"])},
        optional={name: st.sampled_from(odd) for name, odd in ODD.items() if name != "id"},
    )
)
def test_a_task_in_columns_is_accepted_where_a_task_is_and_equals_it(fields: dict[str, Any]) -> None:
    columns = {name: [value] for name, value in fields.items()}
    assert outcome(tasks_from_columns, columns) == outcome(tasks_from_plain, [fields])


@pytest.mark.parametrize("name", TASK_FIELDS)
def test_each_field_in_a_column_is_accepted_where_the_field_is_and_equals_it(name: str) -> None:
    action = {} if name in ACTIONS else {"call": "noop"}
    for value in ODD[name]:
        fields = {"id": "a", **action, name: value}
        columns = {name: [value] for name, value in fields.items()}
        assert outcome(tasks_from_columns, columns) == outcome(tasks_from_plain, [fields]), value
        text = "x" * 1_000_001
    assert outcome(tasks_from_columns, {"id": ["a"], "shell": [text]}) == "refused"


@given(st.lists(tasks(), min_size=1, max_size=5))
def test_tasks_in_columns_are_the_tasks_that_validation_makes(made: list[Task]) -> None:
    columns = msgspec.msgpack.decode(msgspec.msgpack.encode(tasks_to_columns(made)), ext_hook=unpack)
    again = tasks_from_columns(columns)
    assert again == made
    names = [name for name in TASK_FIELDS if name not in ("inputs", "env", "metadata")]
    for one, other in zip(made, again, strict=True):
        assert [type(getattr(one, name)) for name in names] == [type(getattr(other, name)) for name in names]
