"""Made-up runs: one that looks like the mock-up of the first sight, and one of as many bars as one likes."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from tests.driver import task

from starloom import events as ev
from starloom.foresight.estimates import Estimate, EstimateSource
from starloom.foresight.projection import Certainty, ProjectedStep, Projection, TaskForecast
from starloom.model.result import ErrorInfo, Result
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts

BEGIN: Final = datetime(2026, 11, 20, 14, 18, tzinfo=UTC).timestamp()
NOW: Final = 216.0
FLEET: Final = {"local": 4, "build-1": 4, "lab-a": 1, "lab-b": 1, "lab-c": 1}


class Stream:
    """A run made of events that are written by hand, so that every bar is where one wants it."""

    def __init__(
        self, run_id: str, names: list[str], fleet: dict[str, int | None], name: str = "Run 12", *, started: bool = True
    ) -> None:
        self.view = FoldedRun(run_id)
        self.seq = 0
        for device, slots in fleet.items():
            self.say(ev.DeviceAdded, 0.0, device_id=device, kind="local", slots=slots, connected=True)
        self.say(ev.RunCreated, 0.0, name=name, wall_time=BEGIN)
        self.say(ev.TasksDeclared, 0.0, tasks=tuple(task(id) for id in names))
        self.say(ev.RunReadied, 0.0)
        if started:
            self.say(ev.RunStarted, 0.0)

    @property
    def run(self) -> RunFacts:
        return self.view.run

    def say(self, event: type[Any], at: float, /, **fields: Any) -> None:
        self.seq += 1
        fold(self.view, [event(self.seq, at, self.view.run.run_id, **fields)])

    def attempt(
        self,
        name: str,
        lane: tuple[str, int],
        times: tuple[float, float, float | None],
        how: str = "completed",
        attempt: int = 1,
        retry_at: float = 0.0,
    ) -> int:
        """One attempt: ready, started and ended (None: it runs); the number of the task."""
        ready, start, end = times
        self.say(ev.TaskReady, ready, task_id=name)
        self.say(ev.TaskStarted, start, task_id=name, attempt=attempt, device_id=lane[0], slot=lane[1])
        if end is not None:
            self._end(name, end, how, attempt, retry_at)
        return self.run.graph.place[name]

    def _end(self, name: str, end: float, how: str, attempt: int, retry_at: float) -> None:
        wrong = Result(error=ErrorInfo(code="exit_code", message="It exited with 1."))
        match how:
            case "failed":
                self.say(ev.TaskFailed, end, task_id=name, attempt=attempt, result=wrong)
            case "retry":
                self.say(ev.TaskRetryScheduled, end, task_id=name, attempt=attempt, result=wrong, retry_at=retry_at)
            case "cancelled":
                self.say(ev.TaskCancelled, end, task_id=name, attempt=attempt, reason="by you")
            case "skipped":
                self.say(ev.TaskSkipped, end, task_id=name, reason="by you")
            case _:
                self.say(ev.TaskCompleted, end, task_id=name, attempt=attempt)


def _at(x: float) -> float:
    """The time of a pixel of the mock-up."""
    return (x - 147) * 60 / 67.4


_DONE: Final = (
    ("sources", "local", 0, 147, 147, 158), ("licences", "local", 0, 167, 167, 186), ("os", "local", 0, 150, 192, 233),
    ("configure", "local", 0, 239, 239, 262), ("sign", "local", 0, 266, 280, 309),
    ("toolchain", "local", 1, 147, 147, 164), ("lint", "local", 1, 167, 167, 188), ("hal", "local", 1, 150, 194, 244),
    ("link r5", "local", 1, 250, 250, 271), ("style", "local", 2, 147, 147, 154), ("net", "local", 2, 157, 164, 190),
    ("docs", "local", 2, 197, 197, 248), ("link m4", "local", 2, 273, 273, 291),
    ("unit usb", "local", 2, 294, 299, 370), ("rules", "local", 3, 162, 162, 177),
    ("compile net", "build-1", 0, 192, 192, 252), ("unit hal", "build-1", 0, 257, 257, 325),
    ("compile os", "build-1", 1, 192, 192, 246), ("unit net", "build-1", 1, 255, 255, 336),
    ("compile usb", "build-1", 2, 194, 194, 240), ("flash lab-a", "lab-a", 0, 268, 268, 314),
)  # fmt: skip
_RUNNING: Final = (
    ("size diff", "local", 1, 367, 367), ("fuzz ui", "build-1", 2, 248, 248), ("bisect", "build-1", 3, 297, 297),
    ("soak lab-a", "lab-a", 0, 318, 318), ("flash lab-b", "lab-b", 0, 272, 315),
)  # fmt: skip
_COMING: Final = (
    ("coverage", "local", 443, 517, False), ("merge cov", "local", 522, 545, False),
    ("collect", "local", 978, 1033, True), ("report", "local", 1039, 1085, True),
    ("notify", "local", 1040, 1045, False),
    ("soak lab-b", "lab-b", 412, 577, False), ("flash lab-c", "lab-c", 403, 449, True),
    ("soak lab-c", "lab-c", 455, 972, True),
)  # fmt: skip
_RESTS: Final = {"size diff": 415, "fuzz ui": 442, "bisect": 483, "soak lab-a": 516, "flash lab-b": 406}


def first_sight() -> RunFacts:
    """The run of the mock-up, 3:36 after its start."""
    coming = [row[0] for row in _COMING]
    names = [row[0] for row in (*_DONE, *_RUNNING)] + ["compile ble", *coming]
    stream = Stream("r12", names, dict(FLEET))
    for name, device, slot, ready, start, end in _DONE:
        stream.attempt(name, (device, slot), (_at(ready), _at(start), _at(end)))
    first = (_at(194), _at(194), _at(220))
    stream.attempt("compile ble", ("build-1", 3), first, "retry", retry_at=_at(225))
    stream.attempt("compile ble", ("build-1", 3), (_at(240), _at(241), _at(267)), "failed", attempt=2)
    stream.attempt("flash lab-c", ("lab-c", 0), (_at(275), _at(315), _at(350)), "retry", retry_at=_at(403))
    for name, device, slot, ready, start in _RUNNING:  # last, as slots that are taken stay taken
        stream.attempt(name, (device, slot), (_at(ready), _at(start), None))
    return stream.run


def nightly() -> RunFacts:
    """Another run on the same fleet."""
    stream = Stream("r44", ["soak"], dict(FLEET), name="nightly 44")
    stream.attempt("soak", ("local", 3), (_at(214), _at(214), _at(343)))
    return stream.run


def foreseen(run: RunFacts) -> Projection:
    """What the mock-up foresees."""
    sure = Estimate(10.0, EstimateSource.DECLARED)
    tasks = {
        name: TaskForecast(name, _at(start), _at(end), device, sure, 0.0 if critical else 12.0)
        for name, device, start, end, critical in _COMING
    }
    for name, end in _RESTS.items():
        number = run.graph.place[name]
        tasks[name] = TaskForecast(name, run.started_at[number], _at(end), run.device_of[number], sure, 30.0)
    path = tuple(
        ProjectedStep(name, run.run_id, device, _at(start), _at(end), "slot")  # type: ignore[arg-type]
        for name, device, start, end, critical in _COMING
        if critical
    )
    return projection(run, tasks, path, _at(1090))


def projection(
    run: RunFacts, tasks: dict[str, TaskForecast], path: tuple[ProjectedStep, ...] = (), end: float | None = None
) -> Projection:
    """A projection of these tasks."""
    return Projection(
        run_id=run.run_id,
        at=NOW,
        certainty=Certainty.EXPECTED if end is not None else Certainty.UNKNOWN,
        end=end,
        p50=end,
        p90=end,
        samples=1,
        tasks=tasks,
        devices={},
        path=path,
        skipped=(),
        failing=(),
        unestimated=0,
        unforeseen=0,
        remarks=(),
    )


def many(count: int, *, lanes: int = 64, per_second: float = 1000.0, seed: int = 1) -> RunFacts:
    """A run of so many ended attempts, one in a hundred failed; so many end a second."""
    chance = random.Random(seed)
    names = [f"task {number}" for number in range(count)]
    stream = Stream("big", names, {f"node-{at}": 8 for at in range(lanes // 8)})
    free = [0.0] * lanes
    run = stream.run
    for number in range(count):
        lane = number % lanes
        took = chance.uniform(0.5, 1.5) * lanes / per_second
        start, free[lane] = free[lane], free[lane] + took
        put(run, number, lane, start, free[lane], failed=chance.random() < 0.01)
    return run


def put(run: RunFacts, number: int, lane: int, start: float, end: float, *, failed: bool = False) -> None:
    """Have an attempt in the facts without the way of events, which would take a minute for 100,000."""
    run.status[number] = 4 if failed else 3
    run.tries[number] = 1
    run.ready_at[number] = start
    run.started_at[number], run.ended_at[number] = start, end
    run.device_of[number], run.slot_of[number] = f"node-{lane // 8}", lane % 8
