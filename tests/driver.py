"""A driver of a scheduler for tests: it takes commands and outcomes, and checks all invariants after every turn.

After each turn the invariants hold, the fold of each run's stream equals the live facts, and a scheduler restored from
all events has equal facts and holds the invariants too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from starloom import events as ev
from starloom.constellation.edits import EditBatch
from starloom.errors import CommandRefused, EditRefused, Problem
from starloom.model.dependency import Dependency
from starloom.model.plan import Limits, Plan
from starloom.model.result import ErrorInfo, Outcome, OutcomeStatus, Result
from starloom.model.status import DependencyKind
from starloom.model.task import Task
from starloom.scheduling import commands, stimuli
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.fold.stream_check import StreamCheck
from starloom.scheduling.read.why import Reason, why
from starloom.scheduling.restore import restore
from starloom.scheduling.scheduler import Scheduler
from starloom.scheduling.state.codes import PENDING
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.testing import invariants, stop_invariants
from starloom.testing.cycle_invariants import check_event

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from starloom.constellation.edits import Edit
    from starloom.scheduling.decide.editing import EditReceipt
    from starloom.scheduling.instructions import StartTask, StopTask
    from starloom.scheduling.state.attempts import Attempt
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.turn import Turn

RUN = "r"


def task(id: str, **fields: Any) -> Task:
    """A task that calls a handler, unless the fields give another action."""
    actions = {"command", "shell", "python", "call", "prompt", "simulate", "gate"}
    action: dict[str, Any] = {} if actions & set(fields) else {"call": "noop"}
    return Task(id=id, **action, **fields)


def edge(parent: str, child: str, kind: str = "success", condition: str | None = None) -> Dependency:
    """A dependency; with a condition it is of the kind `condition`."""
    kind = "condition" if condition else kind
    return Dependency(parent=parent, child=child, kind=DependencyKind(kind), condition=condition)


def plan(tasks: Iterable[str | Task], edges: Iterable[str | Dependency] = (), limits: Limits | None = None) -> Plan:
    """A plan from ids or tasks and edges such as `"a>b"` or `"a>b>always"`."""
    return Plan(
        tasks=tuple(task(one) if isinstance(one, str) else one for one in tasks),
        dependencies=tuple(edge(*one.split(">")) if isinstance(one, str) else one for one in edges),
        limits=limits or Limits(),
    )


class Driver:
    """One scheduler with its clock, its events, and the attempts it has ordered.

    Attributes:
        checked: whether everything is checked after each turn.
        now: seconds on its clock.
        events: all events so far, of all streams.
        turns: what each call of `handle` gave.
        ordered: the attempts that were started and have not ended, by (run, task).
        stops: the attempts that were told to stop, in order.
    """

    def __init__(self, *, slots: int | None = None, devices: Iterable[str] = ("d",), checked: bool = True) -> None:
        self.scheduler = Scheduler()
        self.now = 0.0
        self.checked = checked
        self.events: list[ev.Event] = []
        self.turns: list[Turn] = []
        self.ordered: dict[tuple[str, str], StartTask] = {}
        self.stops: list[StopTask] = []
        self._views: dict[str, FoldedRun] = {}
        self._checks: dict[str, StreamCheck] = {}
        for device in devices:
            self.add_device(device, slots=slots)

    # ---- a turn

    def turn(self, *stimuli: Any) -> Turn:
        """Let the scheduler handle these, carry out what it orders, and check everything."""
        turn = self.scheduler.handle(stimuli, self.now)
        self.turns.append(turn)
        self.events.extend(turn.events)
        for start in turn.starts:
            key = (start.run_id, start.task_id)
            assert key not in self.ordered, f"{key} was started twice at once"
            self.ordered[key] = start
        if turn.rest is not None:
            self.stops.extend(turn.rest.stops)
        if self.checked:
            invariants.check_turn(self.scheduler, turn)
            self.check(turn.events)
        return turn

    def check(self, fresh: Sequence[ev.Event] | None = None) -> None:
        """Check the invariants, the fold (of the `fresh` events onto what was folded so far) and a restored twin."""
        invariants.check(self.scheduler)
        if fresh is None:
            self._views.clear()
            self._checks.clear()
        live = {run_id: index.run.canonical() for run_id, index in self.scheduler.runs.items()}
        self._check_fold(self.events if fresh is None else fresh, live)
        twin = restore(self.journal())
        invariants.check(twin)
        assert_same(twin.fleet.snapshot(), self.scheduler.fleet.snapshot(), "the restored fleet")
        for run_id, facts in live.items():
            assert_same(twin.runs[run_id].run.canonical(), facts, f"the restored run {run_id!r}")

    def _check_fold(self, events: Iterable[ev.Event], live: Mapping[str, dict[str, Any]]) -> None:
        for event in events:
            if event.run_id:
                view = self._views.setdefault(event.run_id, FoldedRun(event.run_id))
                assert event.seq == view.run.seq + 1, f"{event} follows number {view.run.seq} of its stream"
                check_event(view.run, event)
                stop_invariants.check_event(view.run, event)
                self._checks.setdefault(event.run_id, StreamCheck(view)).fold([as_journalled(event)])
        for run_id, view in self._views.items():
            run = self.run(run_id)
            assert_same(view.run.canonical(), live[run_id], f"the fold of {run_id!r}")
            if not run.state.has_ended:  # an ended run is told no more of the fleet
                assert_same(
                    fleet_picture(view), fleet_picture(FoldedRun.of(run)), f"the fleet as folded from {run_id!r}"
                )

    def journal(self) -> list[ev.Event]:
        """All events as they would come back from a journal."""
        return [as_journalled(event) for event in self.events]

    # ---- what happens

    def do(self, command: commands.Command) -> Any:
        """Carry out one command; returns its answer.

        Raises:
            CommandRefused: it was refused.
        """
        rest = self.turn(command).rest
        assert rest is not None
        answer = rest.replies[-1][1]
        if isinstance(answer, CommandRefused):
            raise answer
        return answer

    def add_device(self, id: str, *, slots: int | None = None, **fields: Any) -> None:
        """Add a connected device."""
        values: dict[str, Any] = {"kind": "local", "connected": True, "origin": ""} | fields
        values["capabilities"] = frozenset(values.get("capabilities", ()))
        self.do(commands.AddDevice(device_id=id, slots=slots, **values))

    def create(self, plan: Plan, run_id: str = RUN, **fields: Any) -> RunFacts:
        """Make a run of a plan and start it."""
        run: RunFacts = self.do(commands.CreateRun(run_id=run_id, plan=plan, **fields))
        return run

    def ended(self, task: str, run_id: str = RUN, **fields: Any) -> stimuli.AttemptEnded:
        """The stimulus that the running attempt of a task is over; see `end`."""
        start = self.ordered.pop((run_id, task))
        return stimuli.AttemptEnded(run_id, task, start.attempt, outcome(**fields))

    def end(self, task: str, run_id: str = RUN, **fields: Any) -> Turn:
        """End the running attempt of a task: completed, or `ok=False`, `stopped=True`, `lost=True`, `faulted=True`."""
        return self.turn(self.ended(task, run_id, **fields))

    def fail(self, task: str, run_id: str = RUN) -> Turn:
        """Let the running attempt of a task fail."""
        return self.end(task, run_id, ok=False)

    def end_all(self, run_id: str = RUN) -> None:
        """Complete running attempts until none of the run is left."""
        while running := [name for run, name in self.ordered if run == run_id]:
            for name in running:
                self.end(name, run_id)

    def advance(self, seconds: float) -> Turn:
        """Let time pass."""
        self.now += seconds
        return self.turn(stimuli.TimePassed())

    def edit(self, *edits: Edit, run_id: str = RUN, **fields: Any) -> EditReceipt:
        """Apply a batch of edits."""
        receipt: EditReceipt = self.apply(EditBatch(edits=edits, **fields), run_id)
        return receipt

    def apply(self, batch: EditBatch, run_id: str = RUN) -> EditReceipt:
        """Apply a batch as it is, such as a receipt's inverse."""
        receipt: EditReceipt = self.do(commands.EditConstellation(run_id=run_id, batch=batch))
        return receipt

    def ask(self, kind: type[Any], *task_ids: str, run_id: str = RUN, **fields: Any) -> Any:
        """Carry out a command about some tasks, or about the run if none is named."""
        named = {"task_ids": task_ids} if task_ids else {}
        return self.do(kind(run_id=run_id, **named, **fields))

    def restart(self) -> None:
        """Continue with a scheduler restored from the events, as after a crash."""
        self.scheduler = restore(self.journal())

    def inherit(self, stream: Sequence[ev.Event]) -> None:
        """Add the stream of a run to be resumed to the events, as if it had been read from its journal."""
        self.events.extend(stream)
        view = self._views.setdefault(stream[0].run_id, FoldedRun(stream[0].run_id))
        fold(view, stream)

    def take_fleet(self, other: Driver) -> None:
        """Open the fleet of another program, from its journal."""
        self.events = [event for event in other.journal() if not event.run_id]
        self.scheduler = restore(self.events)

    # ---- what is

    def run(self, run_id: str = RUN) -> RunFacts:
        """The live facts of a run."""
        return self.scheduler.run(run_id)

    def status(self, task: str, run_id: str = RUN) -> str:
        """The status of a task, as a word."""
        run = self.run(run_id)
        return run.status_of(run.graph.place[task]).value

    def statuses(self, run_id: str = RUN) -> dict[str, str]:
        """The status of every present task."""
        return {task: self.status(task, run_id) for task in self.run(run_id).graph.place}

    def attempts(self, task: str, run_id: str = RUN) -> list[Attempt]:
        """All attempts of a task, oldest first."""
        run = self.run(run_id)
        return run.attempts(run.graph.place[task])

    def why(self, task: str, run_id: str = RUN) -> tuple[Reason, ...]:
        """The reasons why a task does not run."""
        index = self.scheduler.runs[run_id]
        return why(self.scheduler, index, index.run.graph.place[task])

    def started(self, run_id: str = RUN) -> list[str]:
        """The tasks of all attempts so far, in the order of their starts."""
        return [event.task_id for event in self.of(ev.TaskStarted) if event.run_id == run_id]

    def of(self, *kinds: type[Any]) -> list[Any]:
        """All events of these kinds."""
        return [event for event in self.events if isinstance(event, kinds)]

    def begun(self) -> int:
        """How often it was a task's turn: it started, asked or was bypassed."""
        bypassed = len([mark for mark in self.of(ev.TaskMarked) if mark.bypassed])
        return len(self.of(ev.TaskStarted, ev.GateOpened)) + bypassed

    def steering(self, run_id: str = RUN) -> dict[str, tuple[int, str | None, bool]]:
        """The priority and pin of each task that has not started, and whether it pauses before a retry."""
        run = self.run(run_id)
        return {
            name: (run.priority[number], run.pin_of(number), run.pauses(number))
            for name, number in run.graph.place.items()
            if run.status[number] <= PENDING
        }

    def differing(self, before: Mapping[str, Any], run_id: str = RUN) -> list[str]:
        """The tasks that had not started before and have not now, and are steered otherwise than `steering` told."""
        now = self.steering(run_id)
        return [name for name in now if name in before and now[name] != before[name]]

    def graph_bytes(self, run_id: str = RUN) -> bytes:
        """The canonical bytes of a run's graph."""
        return self.run(run_id).graph.canonical_bytes()


def refused(driver: Driver, *edits: Edit, **fields: Any) -> tuple[Problem, ...]:
    """The problems of a batch that must be refused."""
    with pytest.raises(EditRefused) as refusal:
        driver.edit(*edits, **fields)
    return refusal.value.problems


def codes(problems: Iterable[Problem]) -> list[str]:
    """The codes of problems."""
    return [problem.code for problem in problems]


def outcome(
    *,
    ok: bool = True,
    value: Any = None,
    stopped: bool = False,
    lost: bool = False,
    faulted: bool = False,
    **fields: Any,
) -> Outcome:
    """An outcome of an attempt; `faulted`: its device could not begin it."""
    if stopped or lost:
        return Outcome(OutcomeStatus.STOPPED if stopped else OutcomeStatus.LOST)
    if faulted:
        error = ErrorInfo(code="start_failed", message="There is not enough memory.")
        return Outcome(OutcomeStatus.FAILED, Result(error=error), device_failed=True)
    if ok:
        return Outcome(OutcomeStatus.COMPLETED, Result(value=value, **fields))
    error = ErrorInfo(code="exit_code", message="It exited with 1.")
    return Outcome(OutcomeStatus.FAILED, Result(error=error, **({"exit_code": 1} | fields)))


def as_journalled(event: ev.Event) -> ev.Event:
    """The event without the fields that are never journalled."""
    return msgspec.structs.replace(event, index=None) if isinstance(event, ev.TasksDeclared) else event


def fleet_picture(view: FoldedRun) -> dict[str, Any]:
    """The fleet of a view as plain values."""
    fleet = view.fleet
    return {
        "devices": [device.canonical() for device in fleet.devices.values()],
        "limits": fleet.snapshot()["limits"],
        "reservations": fleet.snapshot()["reservations"],
        "running": fleet.running,
        "others": fleet.others,
        "groups": {group: used for group, used in fleet.group_used.items() if used},
    }


def assert_same(one: Mapping[str, Any], other: Mapping[str, Any], what: str) -> None:
    """Compare plain values and name only what differs."""
    differing = {name: (one.get(name), other.get(name)) for name in {*one, *other} if one.get(name) != other.get(name)}
    assert not differing, f"{what} differs from the live state in {differing}"
