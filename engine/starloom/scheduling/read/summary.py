"""The summary of a run: state, counts, makespan, figures of its graph, and the use of its devices."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec
from typing_extensions import override

from starloom.constellation.metrics import GraphStatistics, statistics
from starloom.model.status import RunState
from starloom.scheduling.read.counters import Counters, run_counters
from starloom.scheduling.read.critical_path import CriticalPath, critical_path
from starloom.scheduling.read.durations import durations
from starloom.scheduling.state.codes import RUNNING

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.state.run_facts import RunFacts


class TaskCounts(msgspec.Struct, frozen=True):
    """Counts of tasks: all, and by outcome."""

    total: int
    completed: int
    failed: int
    cancelled: int
    skipped: int


class DeviceUse(msgspec.Struct, frozen=True):
    """The use of a device by a run.

    Attributes:
        slots: None: as many as were asked for.
        busy_s: seconds of all its attempts together.
        utilization: busy seconds over slots times the seconds for which the run went on, 0 to 1; None without a number
            of slots, or if there are no seconds.
    """

    id: str
    slots: int | None
    busy_s: float
    utilization: float | None


class EndedRun(msgspec.Struct, frozen=True, gc=False):
    """The summary of a run that was released from memory; see `RunSummary` and `retention`.

    Attributes:
        simulated: how many of its completed tasks were only simulated.
    """

    run_id: str
    name: str
    state: RunState
    makespan_s: float
    tasks: TaskCounts
    scheduler: Counters
    simulated: int = 0


class RunStatistics(GraphStatistics, frozen=True, kw_only=True):
    """The figures of a run's graph, by the last attempt of each task, and its critical path.

    The longest chain is as if there had always been a free slot; more devices than the parallelism cannot help.

    Attributes:
        critical_path_length: seconds of the attempts on the critical path; see `scheduling.read.critical_path`.
        critical_path_tasks: their tasks, first to last.
    """

    critical_path_length: float
    critical_path_tasks: tuple[str, ...]


def elapsed(run: RunFacts, now: float) -> float | None:
    """Seconds for which a run has gone on by now, without those between an end and its reopening; None: not started.

    Args:
        run: its facts.
        now: seconds on the engine's clock.
    """
    if run.run_started_at is None:
        return None
    return max(0.0, (now if run.run_ended_at is None else run.run_ended_at) - run.run_started_at - run.idle_s)


def moment_of(run: RunFacts, wall_time: float) -> float:
    """A moment on the clock of the engine that has a run, given in seconds since 1970; not before its last event."""
    at, wall = run.sessions[-1] if run.sessions else (run.created_at or 0.0, run.wall_time)
    return at + wall_time - wall


def gone_on_at(run: RunFacts, moment: float) -> float:
    """Seconds for which a started run had gone on at a moment, without those between an end and its reopening.

    Args:
        run: its facts.
        moment: seconds on the engine's clock; before the start the figure is negative.
    """
    assert run.run_started_at is not None, "what never started has not gone on"
    return moment - run.run_started_at - run.idle_within(run.run_started_at, moment)


class RunSummary:
    """The present summary of a run, computed from its facts.

    State, counts and makespan are taken when it is made; the figures that walk the whole graph are computed from the
    facts when they are first asked for.

    Args:
        run: read later, too: when a figure is asked for first.
        now: seconds on the engine's clock.

    Attributes:
        makespan_s: seconds from the start to the end, or to now while it goes on.
    """

    def __init__(self, run: RunFacts, now: float) -> None:
        counts = run.counts()
        started = run.created_at if run.run_started_at is None else run.run_started_at
        self._read: Callable[[], RunFacts] = lambda: run
        self._now = now
        self.run_id = run.run_id
        self.name = run.name
        self.state: RunState = run.state
        self.makespan_s = max(0.0, (now if run.run_ended_at is None else run.run_ended_at) - started)
        self.tasks = TaskCounts(
            total=counts["submitted"] - counts["removed"],
            completed=counts["completed"],
            failed=counts["failed"],
            cancelled=counts["cancelled"],
            skipped=counts["skipped"],
        )

    @classmethod
    def kept(cls, ended: EndedRun, read: Callable[[], RunFacts]) -> RunSummary:
        """The summary to keep of a run that is released from memory.

        Args:
            ended: what is kept of it.
            read: gives its facts; asked for the figures that are not kept.
        """
        summary = cls.__new__(cls)
        summary._read, summary._now = read, 0.0  # nothing runs any more
        for name in EndedRun.__struct_fields__:
            setattr(summary, name, getattr(ended, name))
        return summary

    @cached_property
    def _run(self) -> RunFacts:
        return self._read()

    @override
    def __repr__(self) -> str:
        counts = self.tasks
        return (
            f"<RunSummary {self.run_id} {self.state}: {counts.completed} of {counts.total} tasks completed, "
            f"{counts.failed} failed, {counts.cancelled} cancelled, {counts.skipped} skipped, {self.makespan_s:.2f} s>"
        )

    @cached_property
    def statistics(self) -> RunStatistics:
        """Longest path, width, critical path, parallelism."""
        run = self._run
        graph = statistics(run.graph, durations(run))
        path = self.critical_path
        return RunStatistics(
            **msgspec.structs.asdict(graph),
            critical_path_length=path.seconds,
            critical_path_tasks=tuple(run.graph.ids[number] for number in path.numbers),
        )

    @cached_property
    def critical_path(self) -> CriticalPath:
        """The critical path of the run."""
        run = self._run
        return critical_path(run, self._now if run.run_ended_at is None else run.run_ended_at)

    @cached_property
    def devices(self) -> tuple[DeviceUse, ...]:
        """The use of each device by this run."""
        return _devices(self._run, self._now, self.makespan_s - self._run.idle_s)

    @cached_property
    def scheduler(self) -> Counters:
        """The counters of this run."""
        return run_counters(self._run)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values, as `starloom run --json` prints them."""
        names = ("run_id", "name", "state", "tasks", "makespan_s", "statistics", "devices", "scheduler")
        plain: dict[str, Any] = msgspec.to_builtins({name: getattr(self, name) for name in names})
        return plain


def _devices(run: RunFacts, now: float, gone_on: float) -> tuple[DeviceUse, ...]:
    busy: dict[str, float] = dict.fromkeys(run.fleet.devices, 0.0)
    for number, device in enumerate(run.device_of):
        if device is not None:
            end = now if run.status[number] == RUNNING else run.ended_at[number]
            busy[device] = busy.get(device, 0.0) + end - run.started_at[number]
    for past in run.history.values():
        for attempt in past:
            end = now if attempt.ended is None else attempt.ended
            busy[attempt.device_id] = busy.get(attempt.device_id, 0.0) + end - attempt.started
    return tuple(_use(run, device, seconds, gone_on) for device, seconds in busy.items())


def _use(run: RunFacts, device: str, seconds: float, gone_on: float) -> DeviceUse:
    known = run.fleet.devices.get(device)
    slots = None if known is None else known.offered  # with those that are kept for tasks of earlier programs
    return DeviceUse(device, slots, seconds, seconds / (slots * gone_on) if slots and gone_on > 0 else None)
