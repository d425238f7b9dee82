"""Each kind of event comes back as it was, and so do plans; what no journal wrote is refused."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, cast

import msgspec
import pytest
from tests.driver import as_journalled, edge, task
from tests.unit.scheduling.decide.test_asking import MAY_I

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.errors import Problem
from starloom.journal.base import JournalError
from starloom.journal.codec import decode_parts, encode_parts
from starloom.journal.forms import KINDS
from starloom.model.agent_terms import EditScope, EndFilter, OnConflict, ScopeKind
from starloom.model.dependency import Dependency
from starloom.model.device import DeviceSpec
from starloom.model.note import Note
from starloom.model.plan import Limits, PlanIndex
from starloom.model.result import ErrorCode, ErrorInfo, Result
from starloom.model.status import Fence, GateDefault, Join, OnInterrupt, RunState, Severity, TaskStatus
from starloom.model.task import BypassValue, Gate, Prefer, Retry, Simulate, Task
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from collections.abc import Sequence

EVERYTHING = Task(
    id="t ü",
    name="name",
    description="text",
    tips=("one", "two"),
    command=("echo", "${a.value}"),
    inputs={"a": [1, {"b": None}], "big": 2**80, "pair": (1, 2)},
    env={"X": "y"},
    cwd="/",
    upstream=True,
    priority=80,
    requires=frozenset({"gpu", "ssd"}),
    device=Prefer(prefer="d"),
    groups=("g", "h"),
    timeout=1.25,
    retry=Retry(attempts=3, delay=2.0, cap=9.0),
    severity=Severity.CRITICAL,
    join=Join.ANY,
    on_interrupt=OnInterrupt.ASK,
    **cast("Any", {"expects": "json", "permissions": "reject"}),
    estimate=7.0,
    metadata={"note": "n"},
)
TASKS = (
    EVERYTHING,
    task("s", simulate=Simulate(duration=2.0, outcome="failed", fail_attempts=1, value={"x": 1})),
    task("p", python="a.b:c", device="pinned"),
    task("q", shell="ls | wc", bypass=BypassValue((1, None))),
    task("r", prompt="say"),
    task("gate", gate=Gate("Ship it?", 60.0, GateDefault.SKIP), breakpoint=True),
    task("n", priority=0, timeout=0, bypass=True),
)
EDGES = (
    edge("a", "b"),
    edge("a", "c", "always"),
    edge("s", "p"),
    edge("b", "c", condition="value > 1"),
    edge("p", "q", "failure"),
    edge("p", "r"),
    Dependency(parent="x", child="y", metadata={"prose": "if it rains", "t": (1,)}),
)
EDITS = (
    ed.AddTask(EVERYTHING, 3),
    ed.AddTask(TASKS[1]),
    ed.RemoveTask("a"),
    ed.UpdateTask(
        "a",
        retry=Retry(attempts=2),
        requires=frozenset({"gpu"}),
        device=None,
        join=Join.ANY,
        timeout=None,
        groups=("g",),
        estimate=2.0,
        metadata={"k": (1, 2)},
        severity=Severity.ERROR,
        priority=50,
    ),
    ed.UpdateTask("a", command=None, shell="true", bypass=BypassValue({"k": 1})),
    ed.UpdateTask("a", simulate=None, call="x", device="d", env={"A": "b"}),
    ed.UpdateTask("a", gate=Gate("Ship it?", 60.0, GateDefault.ABORT), breakpoint=True, bypass=False),
    ed.UpdateTask("a"),
    ed.AddDependency(EDGES[3]),
    ed.RemoveDependency("a", "b"),
    ed.UpdateDependency(EDGES[6]),
)
RESULT = Result(
    value={"a": [1, 2.5, True]},
    exit_code=3,
    output="tail",
    output_length=99,
    output_file="out/a.txt",
    error=ErrorInfo(code=ErrorCode.EXIT_CODE, message="It exited with 3.", detail="…"),
)
PROBLEM = Problem(message="m", hint="h", where="w", line=3, code="c", task_id="t", follows_from=0)
FILLED: dict[str, Any] = {
    **dict.fromkeys(("name", "description"), "plan"),
    "limits": Limits(max_concurrency=3, groups={"g": 0}),
    "metadata": {"k": 1},
    "rules": ({"do": [{"remove_task": "b"}]},),
    "notes": (Note(text="a\nb", x=-1.5, width=300, task="a"),),
    "origin": "agent:x",
    "hold_open": True,
    "wall_time": 1.7e9,
    "shift": 3.5,
    "devices": (
        DeviceSpec(id="d"),
        DeviceSpec(id="e", kind="x", slots=3, capabilities=frozenset({"b", "a"}), speed=2.0, options={"o": (1, [2])}),
    ),
    "tasks": TASKS,
    "dependencies": EDGES,
    "reason": "because",
    "because": "t",
    "max_concurrency": 4,
    "reasons": ("a", "b"),
    "state": RunState.PARTIALLY_FAILED,
    "task_id": "t",
    **dict.fromkeys(("task_ids", "answers"), ("t", "u")),
    "attempt": 2,
    "device_id": "d",
    "result": RESULT,
    "retry_at": 12.5,
    "status": TaskStatus.FAILED,
    **dict.fromkeys(("parent", "child"), "p"),
    "priority": 80,
    "revision": 7,
    "changes": EDITS,
    "inverse": EDITS[::-1],
    **dict.fromkeys(("agents", "late"), ("x", "y")),
    "asks": ("add_task",),
    "on": (EndFilter(("a", "b*"), (TaskStatus.FAILED,), "value > 1"),),
    "scope": EditScope(ScopeKind.TASKS, ("a",)),
    "on_conflict": OnConflict.REPLACE,
    "fence": Fence.DESCENDANTS,
    **dict.fromkeys(("modification_timeout", "approval_timeout"), 7.0),
    "edits": EDITS,
    **dict.fromkeys(("is_late", "is_accepted", "is_applied", "is_set", "promoted", "refused"), True),
    **dict.fromkeys(("agent", "how", "note", "message"), "x"),
    **dict.fromkeys(("cycle", "approval", "deferral", "count", "base_revision"), 6),
    "problems": (PROBLEM, Problem(message="n")),
    "fleet": {"devices": [{"id": "d", "slots": None}], "limits": {"placement": "load_balance"}},
    **dict.fromkeys(("slots", "max_queue"), 8),
    "used": {"d": 2},
    "kind": "local",
    **dict.fromkeys(("capabilities", "actions", "unsupported"), ("gpu", "shell")),
    "speed": 2.0,
    "connected": True,
    "will_reconnect": False,
    "groups": {"g": 1},
    **dict.fromkeys(("starvation_timeout", "overdue_factor", "expected"), 0.5),
    "placement": "critical_path",
}
FILLED |= {"command_id": "c-1", "answer": "t", "code": "wrong_status", "hint": "Wait.", "reserved_run": "b"}
FILLED |= {"left_out": (0, 2), "trip_after": 3, "cool_down": 90.0, "failures": 4, "until": 66.5, "bypassed": True}
FILLED |= {"slot": 5, "cause": "timeout", "verdict": True, "error": "e", "number": 5, "key": 3, "holder": "ada"}
FILLED |= msgspec.structs.asdict(MAY_I) | {"option": "yes", "allowed": True, "asks_when_interrupted": True}
FILLED |= {"exit_code": 3} | dict.fromkeys(("started_at", "began_at", "ended_at", "waits_until"), 2.5)

WALL = 1_800_000_000.25


def kept(events: Sequence[ev.Event], run_id: str = "run") -> list[ev.Event]:
    """The events as they come back from a journal; a plan's index is left out."""
    recorded = decode_parts(tuple(encode_parts(events, WALL)), run_id)
    assert recorded.wall == WALL
    return [as_journalled(event) for event in recorded.events]


def filled(kind: type[ev.Event]) -> ev.Event:
    """An event of a kind with a value in every field."""
    names = [name for name in kind.__struct_fields__ if name not in ("seq", "at", "run_id", "index")]
    return kind(3, 4.5, "run", **{name: FILLED[name] for name in names})


def bare(kind: type[ev.Event]) -> ev.Event:
    """An event of a kind with values only where there is no default."""
    required = [field.name for field in msgspec.structs.fields(kind) if field.required]
    return kind(3, 4.5, "run", **{name: FILLED[name] for name in required if name not in ("seq", "at", "run_id")})


@pytest.mark.parametrize("make", [filled, bare])
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_an_event_comes_back_as_it_was(kind: type[ev.Event], make: Any) -> None:
    event = make(kind)
    (decoded,) = kept([event])
    assert decoded == event
    assert type(decoded) is kind
    for name in kind.__struct_fields__:
        if name not in ("changes", "inverse", "tasks"):
            assert type(getattr(decoded, name)) is type(getattr(event, name)) or name == "metadata"


def test_every_kind_but_the_snapshot_is_journalled() -> None:
    kinds = {kind for kind in vars(ev).values() if isinstance(kind, type) and issubclass(kind, ev.Event)}
    assert set(KINDS.values()) == kinds - {ev.Event, ev.Snapshot}
    assert len(KINDS) > 35
    with pytest.raises(JournalError, match="Snapshot is never journalled"):
        encode_parts([ev.Snapshot(1, 0.0, "r")], WALL)


def test_a_turn_of_many_kinds_keeps_their_order() -> None:
    turn = [msgspec.structs.replace(filled(kind), seq=number) for number, kind in enumerate(KINDS.values(), 1)]
    assert kept(turn) == turn


def test_fields_of_an_edit_keep_their_types() -> None:
    (decoded,) = kept([ev.ConstellationModified(1, 0.0, "run", 1, EDITS, EDITS)])
    assert isinstance(decoded, ev.ConstellationModified)
    for one, other in zip(EDITS, decoded.changes, strict=True):
        if isinstance(one, ed.UpdateTask) and isinstance(other, ed.UpdateTask):
            assert {name: type(value) for name, value in one.fields.items()} == {
                name: type(value) for name, value in other.fields.items()
            }


def test_a_field_at_its_default_takes_no_room_in_a_plan() -> None:
    (few,) = encode_parts([ev.TasksDeclared(1, 0.0, "run", tasks=(task("a"),))], WALL)
    (more,) = encode_parts([ev.TasksDeclared(1, 0.0, "run", tasks=(task("a"), task("b")))], WALL)
    assert len(more) - len(few) == len(msgspec.msgpack.encode("b") + msgspec.msgpack.encode("noop"))


@pytest.mark.parametrize(
    ("events", "why"),
    [
        ([], "without events"),
        ([ev.RunReadied(1, 0.0, "run"), ev.RunReadied(2, 0.0, "other")], "not one turn"),
        ([ev.RunReadied(1, 0.0, "run"), ev.RunReadied(2, 0.5, "run")], "not one turn"),
        ([ev.RunReadied(1, 0.0, "run"), ev.RunReadied(3, 0.0, "run")], "not one turn"),
        ([ev.RunReadied(2, 0.0, "run"), ev.RunReadied(1, 0.0, "run")], "not one turn"),
    ],
    ids=["none", "two streams", "two times", "a gap", "backwards"],
)
def test_events_that_are_no_turn_are_refused(events: list[ev.Event], why: str) -> None:
    with pytest.raises(JournalError, match=f"{why}.* This is a defect"):
        encode_parts(events, WALL)


def declared(event: ev.TasksDeclared) -> ev.TasksDeclared:
    """A plan as it comes back, with its index."""
    (decoded,) = decode_parts(tuple(encode_parts([event], WALL)), "run").events
    assert isinstance(decoded, ev.TasksDeclared)
    return decoded


def index_of(index: PlanIndex | None) -> dict[str, Any]:
    """All that an index says, but for the order, of which there may be several."""
    assert index is not None
    return {name: getattr(index, name) for name in PlanIndex.__slots__ if name != "order"}


def edges(*pairs: str) -> tuple[Dependency, ...]:
    """Dependencies from words such as `"a>b"`."""
    return tuple(edge(*pair.split(">")) for pair in pairs)


@pytest.mark.parametrize(
    "dependencies",
    [
        (),
        edges("a>b", "a>c", "b>c"),
        edges("c>b", "b>a", "c>a"),
        edges("a>b>always", "a>c", "b>c>failure"),
        (*edges("a>c"), edge("a", "b", condition="value"), *edges("b>c")),
        (*edges("a>c"), Dependency(parent="a", child="b", metadata={"k": 1})),
    ],
    ids=["none", "in order", "backwards", "other kinds", "condition", "metadata"],
)
def test_a_plan_comes_back_with_the_index_its_validation_would_build(dependencies: tuple[Dependency, ...]) -> None:
    tasks = (task("a", priority=80), task("b", join=Join.ANY, groups="g"), task("c"))
    decoded = declared(ev.TasksDeclared(1, 0.0, "run", tasks, dependencies))
    assert decoded.dependencies == dependencies
    assert index_of(decoded.index) == index_of(PlanIndex(tasks, dependencies))
    place = {number: position for position, number in enumerate(decoded.index.order)}  # type: ignore[union-attr]  # above
    assert sorted(place) == [0, 1, 2]
    assert all(place["abc".index(one.parent)] < place["abc".index(one.child)] for one in dependencies)


@pytest.mark.parametrize(
    "dependencies",
    [
        edges("a>b", "b>c", "c>a"),
        edges("a>a"),
        edges("a>b", "a>b"),
        (*edges("a>b"), edge("a", "b", "always")),
        edges("a>b", "elsewhere>b"),
        (edge("a", "b", "always"), edge("a", "elsewhere", "always")),
    ],
    ids=["cycle", "loop", "twice", "twice of two kinds", "to a task elsewhere", "from a task elsewhere"],
)
def test_a_plan_that_breaks_a_law_comes_back_without_an_index(dependencies: tuple[Dependency, ...]) -> None:
    event = ev.TasksDeclared(1, 0.0, "run", (task("a"), task("b"), task("c")), dependencies)
    assert declared(event) == event


def test_two_tasks_of_one_id_come_back_without_an_index() -> None:
    event = ev.TasksDeclared(1, 0.0, "run", (task("a"), task("b"), task("a")), edges("a>b"))
    assert declared(event) == event


def test_a_fold_of_a_plan_with_its_index_is_that_of_the_plan_alone() -> None:
    tasks = (task("a"), task("b", join=Join.ANY), task("c", groups="g", priority=80))
    event = ev.TasksDeclared(1, 0.0, "run", tasks, edges("a>b", "a>c>always", "b>c"))
    with_index, alone = fold(FoldedRun("run"), [declared(event)]), fold(FoldedRun("run"), [event])
    assert with_index.run.canonical() == alone.run.canonical()


def sealed(payload: Any, version: int = ev.FORMAT_VERSION) -> bytes:
    """A whole part around a value: what somebody might write by hand, or another version has written."""
    head = bytes([version, 0, 0, 0])
    data = msgspec.msgpack.encode(payload)
    return head + zlib.crc32(data, zlib.crc32(head)).to_bytes(4, "little") + data


@pytest.mark.parametrize(
    "form",
    [
        [8, {"call": ["x"]}],
        [8, {"id": ["a", "b"], "call": ["x"]}],
        [8, {"id": ["a", None], "call": ["x", "x"]}],
        [8, {"id": ["a"]}],
        [8, {"id": ["a"], "call": [None]}],
        [8, {"id": ["a"], "call": ["x"], "shell": ["y"]}],
        [8, {"id": ["a\n"], "call": ["x"]}],
        [8, {"id": [7], "call": ["x"]}],
        [8, {"id": ["a"], "call": ["x"], "groups": [[7]]}],
        [8, {"id": ["a"], "call": ["x"], "retry": [{"attempts": 0}]}],
        [8, {"id": ["a"], "call": ["x"], "colour": ["red"]}],
        [8, {"id": ["a"], "call": ["x"]}, [0], [1]],
        [8, {"id": ["a"], "call": ["x"]}, [0], [-1]],
        [8, {"id": ["a"], "call": ["x"]}, [0], []],
        [8, {"id": ["a"], "call": ["x"]}, [], [], [[1, {"parent": "a", "child": "b"}]]],
        [8, {"id": ["a"], "call": ["x"]}, [], [], [[0, {"parent": "a", "child": ""}]]],
        [8, {"id": ["a"], "call": ["x"]}, [], [], [[0, {"parent": "a"}]]],
        [8, {"id": ["a"], "call": ["x"]}, [], [], [], True],
        [8, {"id": ["a"], "call": ["x"]}, [], [], [], False, 1],
        [0, "TasksDeclared", {}],
        [0, "Snapshot", {}],
        [0, "Nothing", {}],
        [0, "RunReadied", {"colour": "red"}],
        [0, "RunReadied", {"seq": 7}],
        [0, "RunReadied", {"run_id": "other"}],
        [0, "RunPaused", {"reason": 7}],
        [0, "TaskReady", {}],
        [0, "RunCreated", {"limits": {"max_concurrency": -1}}],
        [0, "RunCreated", {"devices": [{"id": ""}]}],
        [0, "ConstellationModified", {"revision": 1, "changes": [["remove_task", 7]]}],
        [0, "ConstellationModified", {"revision": 1, "changes": [["update_task", "a", {"id": "b"}]]}],
        [0, "ConstellationModified", {"revision": 1, "changes": [["paint", "a"]]}],
        [0, "EditRejected", {"problems": [{"message": "m", "colour": "red"}]}],
        [1],
        [1, 7],
        [1, "a", 7],
        [2, "a", 1, "d"],
        [2, "a", 1.5, "d", 0],
        [2, "a", 1, "d", 0, 1],
        [3, "a", 1, {"colour": "red"}],
        [3, "a", 1, {"exit_code": "0"}],
        [3, "a", 1, {"error": {"code": "c", "message": "m", "colour": "red"}}],
        [9, "a"],
        ["TaskReady", "a"],
        {"type": "TaskReady", "task_id": "a"},
        None,
    ],
    ids=str,
)
def test_a_form_that_no_journal_wrote_is_refused_in_a_sentence(form: Any) -> None:
    with pytest.raises(JournalError, match=r"cannot be read: .*\. Salvage what comes before it\.$"):
        decode_parts([sealed([1, 0.5, 1.5, [form]])], "run")


@pytest.mark.parametrize(
    "payload",
    [
        [],
        [1, 0.5, 1.5, []],
        [0, 0.5, 1.5, [[1, "a"]]],
        [1, "0", 1.5, []],
        [1, 0.5, 1.5, [], 7],
        [1, 0.5, 1.5],
        {},
        None,
        7,
    ],
    ids=str,
)
def test_a_payload_that_no_journal_wrote_is_refused_in_a_sentence(payload: Any) -> None:
    with pytest.raises(JournalError, match=r"cannot be read: .*\. Salvage what comes before it\.$"):
        decode_parts([sealed(payload)], "run")
