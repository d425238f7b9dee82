"""Comparison of two runs: their graphs, outcomes and durations, and where they first diverged."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Final

import msgspec

from starloom import events as ev
from starloom.formats.native_writer import field_value
from starloom.model.task import UPDATABLE_FIELDS
from starloom.reporting.interventions import told
from starloom.reporting.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from starloom.constellation.graph import Graph
    from starloom.events import Event
    from starloom.reporting.report import Report, ReportedTask

Step = tuple[str, float]
"""What happened, and when in seconds since the run's start."""
_NOTHING: Final[Step] = "", 0.0
_REPORTED: Final = ("action", "priority")
"""What is compared of the reports: the kind of action as a word, and the priority as it was steered."""
_DEFINED: Final = tuple(sorted(UPDATABLE_FIELDS - set(_REPORTED)))
_SILENT: Final = (
    *(ev.FleetOpened, ev.FleetSnapshot, ev.FleetLoad, ev.DeviceAdded, ev.DeviceConnecting, ev.DeviceConnected),
    *(ev.Snapshot, ev.RunCreated, ev.TasksDeclared, ev.RunReadied, ev.TaskStopping, ev.TaskStuck),
    *(ev.TaskWarned, ev.TaskOverdue, ev.AttemptBegan, ev.AttemptWorkEnded),
)
"""Events that say how a run was set up or what time does, not which way it went."""


class FieldDifference(msgspec.Struct, frozen=True):
    """A field of a task with different values, as plan files write them."""

    task: str
    field: str
    before: Any
    after: Any


class OutcomeChange(msgspec.Struct, frozen=True):
    """A task in both runs with different statuses."""

    task: str
    before: str
    after: str


class Took(msgspec.Struct, frozen=True):
    """The duration of a task's attempts in both runs, in seconds."""

    task: str
    before: float
    after: float

    @property
    def more(self) -> float:
        """Seconds by which it took longer in the second run."""
        return self.after - self.before


class Parted(msgspec.Struct, frozen=True):
    """The first step at which the runs diverged.

    Attributes:
        number: how many steps they went together.
        before: what the first run did next; empty: it had ended.
        before_s: when, in seconds since its start.
        after: what the second run did next; empty: it had ended.
        after_s: when, in seconds since its start.
    """

    number: int
    before: str
    before_s: float
    after: str
    after_s: float


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The differences of a second run from a first one.

    Attributes:
        added, removed: tasks that only the second, only the first one has.
        changed: fields of tasks that both have.
        connected, disconnected: dependencies that only the second, only the first one has, with their kinds.
        ended: tasks that stand otherwise.
        took: tasks that ran in both, the largest difference first.
        seconds: for how long each run has gone on.
        states: how each run stands.
        parted: where they first went different ways; None: they never did.
    """

    runs: tuple[str, str]
    states: tuple[str, str]
    seconds: tuple[float, float]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[FieldDifference, ...]
    connected: tuple[tuple[str, str, str], ...]
    disconnected: tuple[tuple[str, str, str], ...]
    ended: tuple[OutcomeChange, ...]
    took: tuple[Took, ...]
    parted: Parted | None

    @property
    def is_same_graph(self) -> bool:
        """Whether both graphs have the same tasks and dependencies."""
        return not (self.added or self.removed or self.changed or self.connected or self.disconnected)

    @property
    def is_same(self) -> bool:
        """Whether they have the same graph and the same status of each task; times and order may differ."""
        return self.is_same_graph and not self.ended and self.states[0] == self.states[1]


def compare(first: Report, second: Report, parted: Parted | None, graphs: tuple[Graph, Graph]) -> Comparison:
    """The differences of the second run from the first.

    Args:
        first: what the one came to.
        second: what the other came to.
        parted: where they first went different ways, as `divergence` finds it.
        graphs: the graphs of both at their ends.
    """
    old, new = _by_id(first), _by_id(second)
    both = [name for name in old if name in new]
    links = _links(graphs[0]), _links(graphs[1])
    return Comparison(
        runs=(first.run_id, second.run_id),
        states=(first.state, second.state),
        seconds=(first.gone_on_s, second.gone_on_s),
        added=tuple(name for name in new if name not in old),
        removed=tuple(name for name in old if name not in new),
        changed=tuple(change for name in both for change in _changes(old[name], new[name], graphs)),
        connected=tuple(sorted(links[1] - links[0])),
        disconnected=tuple(sorted(links[0] - links[1])),
        ended=tuple(
            OutcomeChange(name, old[name].status, new[name].status)
            for name in both
            if old[name].status != new[name].status
        ),
        took=_took(first, second, both),
        parted=parted,
    )


def _by_id(report: Report) -> dict[str, ReportedTask]:
    return {task.id: task for task in report.tasks}


def _links(graph: Graph) -> set[tuple[str, str, str]]:
    """All dependencies by their ends and kinds; a condition is a part of its kind."""
    return {
        (one.parent, one.child, f"if {one.condition}" if one.condition is not None else str(one.kind))
        for one in graph.dependencies()
    }


def _changes(old: ReportedTask, new: ReportedTask, graphs: tuple[Graph, Graph]) -> Iterator[FieldDifference]:
    for field in _REPORTED:
        before, after = getattr(old, field), getattr(new, field)
        if before != after:
            yield FieldDifference(old.id, field, before, after)
    if not all(old.id in graph for graph in graphs):
        return
    tasks = [graph.task(old.id) for graph in graphs]
    for field in _DEFINED:
        before, after = (getattr(task, field) for task in tasks)
        if before != after:
            values = [None if value is None else field_value(field, value, field) for value in (before, after)]
            yield FieldDifference(old.id, field, *values)


def _took(first: Report, second: Report, both: Iterable[str]) -> tuple[Took, ...]:
    ran = [_seconds(report) for report in (first, second)]
    found = [Took(name, ran[0][name], ran[1][name]) for name in both if name in ran[0] and name in ran[1]]
    return tuple(sorted(found, key=lambda one: -abs(one.more)))


def _seconds(report: Report) -> dict[str, float]:
    found: dict[str, float] = {}
    for attempt in report.attempts:
        name = report.tasks[attempt.task].id
        found[name] = found.get(name, 0.0) + attempt.seconds
    return found


# ---- where they parted


def divergence(first: Iterable[Event], second: Iterable[Event]) -> Parted | None:
    """The first step that differs: event, task, device and outcome, but not time or duration.

    Args:
        first: the stream of the one run.
        second: that of the other.
    """
    turns = _turns(first), _turns(second)
    ahead, waiting, number = 1, _Waiting(()), 0
    while True:
        turn = next(turns[1 - ahead], None)
        if turn is None:
            left = waiting.first or next(iter(next(turns[ahead], ())), None)  # which may still go on
            return None if left is None else _parted(number, ahead, left, _NOTHING)
        rest = [step for step in turn if not waiting.takes(step[0])]
        number += len(turn) - len(rest)
        if waiting and rest:
            return _parted(number, ahead, waiting.first or _NOTHING, rest[0])
        if not waiting:
            ahead, waiting = (1 - ahead, _Waiting(rest)) if rest else (1, waiting)


class _Waiting:
    """The steps that one run has done and the other has not yet, in any order."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self._left: dict[str, deque[tuple[int, float]]] = {}
        for place, (step, seconds) in enumerate(steps):
            self._left.setdefault(step, deque()).append((place, seconds))

    def __len__(self) -> int:
        return len(self._left)

    @property
    def first(self) -> Step | None:
        """The first of these steps; None: there is none."""
        if not self._left:
            return None
        (_, seconds), step = min((places[0], step) for step, places in self._left.items())
        return step, seconds

    def takes(self, step: str) -> bool:
        """Remove a step; returns whether it was there."""
        places = self._left.get(step)
        if places is None:
            return False
        places.popleft()
        if not places:
            del self._left[step]
        return True


def _parted(number: int, ahead: int, one: Step, other: Step) -> Parted:
    before, after = (other, one) if ahead else (one, other)
    return Parted(number, *before, *after)


def _turns(events: Iterable[Event]) -> Iterator[list[Step]]:
    """The events of each moment as phrases, with the seconds of executing time before it."""
    start, ended, at = None, None, 0.0
    turn: list[Step] = []
    for event in events:
        if turn and event.at != at:
            yield turn
            turn = []
        at = event.at
        if isinstance(event, ev.RunStarted) and start is None:
            start = at
        if isinstance(event, ev.RunRecovered):
            start = None if start is None else start + event.shift
            ended = None if ended is None else ended + event.shift
        if isinstance(event, ev.RunEnded):
            ended = event.at
        if isinstance(event, ev.RunReopened) and start is not None and ended is not None:
            start += max(0.0, event.at - ended)
        if not isinstance(event, _SILENT):
            turn.append((_step(event), at - (at if start is None else start)))
    if turn:
        yield turn


def _step(event: Event) -> str:
    if what := told(event):
        return f"{_name(event)}: {what}"
    words = [_name(event)]
    task = getattr(event, "task_id", "")
    words += [f"“{one_line(task, 80)}”"] if task else []
    device = getattr(event, "device_id", "")
    words += [f"on {one_line(device, 80)}"] if device else []
    attempt = getattr(event, "attempt", 0)
    words += [f"attempt {attempt}"] if attempt > 1 else []
    result = getattr(event, "result", None)
    code = getattr(result, "exit_code", None)
    words += [f"with exit {code}"] if code else []
    state = getattr(event, "state", "")
    words += [str(state)] if state else []
    return " ".join(words)


def _name(event: Event) -> str:
    """The event's name as words: `TaskStarted` is `task started`."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in type(event).__name__).strip()
