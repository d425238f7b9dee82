"""What a run comes to: its state, counts, makespan, figures of its graph, and how its devices were used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from starloom.constellation.metrics import GraphStatistics, statistics
from starloom.model.status import RunState
from starloom.scheduling.codes import COMPLETED, FAILED, RUNNING
from starloom.scheduling.counters import Counters, run_counters

if TYPE_CHECKING:
    from starloom.scheduling.run_facts import RunFacts


class TaskCounts(msgspec.Struct, frozen=True):
    """How many tasks there are, and how many ended in which way."""

    total: int
    completed: int
    failed: int
    cancelled: int
    skipped: int


class DeviceUse(msgspec.Struct, frozen=True):
    """How much a run used a device.

    Attributes:
        slots: None: as many as were asked for.
        busy_s: seconds of all its attempts together.
        utilization: busy seconds over slots times makespan, 0 to 1; None without a number of slots or a makespan.
    """

    id: str
    slots: int | None
    busy_s: float
    utilization: float | None


class RunSummary(msgspec.Struct, frozen=True):
    """What a run comes to by now.

    Attributes:
        makespan_s: seconds from the start to the end, or to now while it goes on.
    """

    run_id: str
    name: str
    state: RunState
    tasks: TaskCounts
    makespan_s: float
    statistics: GraphStatistics
    devices: tuple[DeviceUse, ...]
    scheduler: Counters

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values, as `starloom run --json` prints them."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


def summarize(run: RunFacts, now: float) -> RunSummary:
    """Fold the facts of a run into its summary.

    Args:
        run: the facts.
        now: the engine's time in seconds, for a run that goes on.
    """
    counts = run.counts()
    started = run.created_at if run.run_started_at is None else run.run_started_at
    makespan = max(0.0, (now if run.run_ended_at is None else run.run_ended_at) - started)
    return RunSummary(
        run_id=run.run_id,
        name=run.name,
        state=run.state,
        tasks=TaskCounts(
            total=counts["submitted"] - counts["removed"],
            completed=counts["completed"],
            failed=counts["failed"],
            cancelled=counts["cancelled"],
            skipped=counts["skipped"],
        ),
        makespan_s=makespan,
        statistics=statistics(run.graph, lambda number: _duration(run, number)),
        devices=_devices(run, now, makespan),
        scheduler=run_counters(run),
    )


def _duration(run: RunFacts, number: int) -> float:
    """Seconds of the last attempt; without one what was expected, so that a waiting graph has a length too."""
    if run.status[number] in {COMPLETED, FAILED} and run.has_last_attempt(number):
        return run.ended_at[number] - run.started_at[number]
    task = run.graph.tasks[number]
    if run.state.has_ended or task is None:
        return 0.0
    return task.expected_duration or 0.0


def _devices(run: RunFacts, now: float, makespan: float) -> tuple[DeviceUse, ...]:
    busy: dict[str, float] = dict.fromkeys(run.fleet.devices, 0.0)
    for number, device in enumerate(run.device_of):
        if device is not None:
            end = now if run.status[number] == RUNNING else run.ended_at[number]
            busy[device] = busy.get(device, 0.0) + end - run.started_at[number]
    for past in run.history.values():
        for attempt in past:
            busy[attempt.device_id] = busy.get(attempt.device_id, 0.0) + (attempt.ended or now) - attempt.started
    uses = []
    for id, seconds in busy.items():
        known = run.fleet.devices.get(id)
        slots = None if known is None else known.slots
        share = seconds / (slots * makespan) if slots and makespan > 0 else None
        uses.append(DeviceUse(id, slots, seconds, share))
    return tuple(uses)
