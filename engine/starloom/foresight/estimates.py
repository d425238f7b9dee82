"""Estimates of durations: what a task declares, else the mean of earlier ones of its name or kind, else none.

Only runs of the same plan tell: what another plan calls by the same name is other work. Seconds are those of a device
of speed 1, observed ones too.
"""

from __future__ import annotations

import math
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Self

import msgspec

from starloom.foresight.overhead import NO_OVERHEAD, Overhead, overhead_of
from starloom.foresight.spread import (
    KIND_SPREAD,
    KNOWN,
    NAME_SPREAD,
    SHORTEST,
    UNTRIED,
    Spread,
    of_durations,
    of_ratios,
    relative_squares,
    usual_spread,
)
from starloom.model.likeness import (
    NO_DURATIONS,
    UNNAMED,
    Key,
    ObservedDurations,
    all_of,
    key_from_plain,
    keys_of,
    overhead_key,
)
from starloom.pauses import Pause, no_pause, with_pauses
from starloom.scheduling.state.awaiting import awaited, worked
from starloom.scheduling.state.codes import COMPLETED, RUNNING
from starloom.scheduling.state.late_facts import is_timed, overhead

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from starloom.model.task import Task
    from starloom.scheduling.state.run_facts import RunFacts

_FEW: Final = 3
"""So many ratios of one kind are told apart from all the others."""
_TELLING: Final = 5
"""So many tasks of one kind tell how far the next one may lie from them; fewer are an example or two."""
_LEAST_OVER: Final = 1.0
"""Seconds; by less than that nothing has outrun its estimate, however little it scatters."""


class EstimateSource(StrEnum):
    """The source of an estimate."""

    DECLARED = "declared"
    """The task says so itself."""
    NAME = "name"
    """The mean of earlier completed tasks of the same plan, name and command."""
    KIND = "kind"
    """The mean of earlier completed tasks of the same plan that do the same kind of thing."""
    NONE = "none"
    """Nobody knows."""


class Estimate(msgspec.Struct, frozen=True, gc=False):
    """The expected duration of a task.

    Attributes:
        seconds: on a device of speed 1; None: nobody knows.
        source: where that comes from.
        samples: how many earlier tasks say so; of a declared estimate, how many tell how good such estimates are.
        spread: how far the durations scatter, those of earlier tasks or the ratios to what was declared.
    """

    seconds: float | None = None
    source: EstimateSource = EstimateSource.NONE
    samples: int = 0
    spread: Spread = KNOWN

    @property
    def deviation(self) -> float | None:
        """The standard deviation in seconds; None: unknown."""
        if self.seconds is None:
            return None
        return self.seconds * math.sqrt(math.expm1(min(self.spread.sigma, 5.0) ** 2))

    def is_outrun(self, passed: float) -> bool:
        """Whether an attempt has run longer by more than such attempts scatter; nothing outruns what is unknown.

        Args:
            passed: seconds for which it has run, at speed 1.
        """
        return self.seconds is not None and passed - self.seconds > max(_LEAST_OVER, self.deviation or 0.0)

    @property
    def is_guess(self) -> bool:
        """Whether only a few others that run the same program tell it, for other arguments: it may well be longer."""
        return self.source is EstimateSource.KIND and self.samples < _TELLING

    @property
    def is_ratio(self) -> bool:
        """Whether the spread is that of a ratio to `seconds`."""
        return self.source is EstimateSource.DECLARED


UNKNOWN: Final = Estimate()


class _Observed:
    """Earlier durations of one name or kind in seconds, or logarithms of their ratios to what was declared."""

    __slots__ = ("ended", "estimate", "unfinished")

    def __init__(self) -> None:
        self.ended: list[float] = []
        self.unfinished: list[float] = []
        """Those of attempts that run, so far."""
        self.estimate: Estimate | None = None

    @property
    def has_scatter(self) -> bool:
        """Whether there is more than one."""
        return len(self.ended) > 1


class Estimates:
    """The estimates that the facts of some runs allow; the facts are read once, when this is made.

    Args:
        runs: what has happened so far; earlier attempts count too.
        now: seconds on the engine's clock, to know how long things have been running.
        pause: see `pauses.Pause`.
        beside: what others tell, whose facts are not there.
    """

    def __init__(
        self,
        runs: Iterable[RunFacts],
        now: float = 0.0,
        pause: Pause = no_pause,
        beside: ObservedDurations = NO_DURATIONS,
    ) -> None:
        self._observed: dict[Key, _Observed] = {}
        self._ratios: dict[Key, _Observed] = {}
        self._overheads: dict[Key, Overhead] = {}
        for where, told in ((self._observed, beside.observed), (self._ratios, beside.ratios)):
            for plain, seen in told:
                where.setdefault(key_from_plain(plain), _Observed()).ended.extend(seen)
        known = tuple(runs)
        for run in known:
            for task, seconds in with_pauses(_completed(run), pause, 64):
                self._observe(task, run, seconds, has_ended=True)
            for device_id, seconds in with_pauses(_overheads(run), pause, 64):
                self._observe_overhead(device_id, run, seconds)
        for run in known:
            for task, seconds in self._running(run, now):
                self._observe(task, run, seconds, has_ended=False)
        for observed in (*self._observed.values(), *self._ratios.values()):
            observed.ended.sort()  # so that sums do not depend on the order in which runs are read
            observed.unfinished.sort()
        self._usual = self._usual_of_names()

    def durations(self, runs: Iterable[str]) -> ObservedDurations:
        """What was observed of attempts that have ended.

        Args:
            runs: the ids of the runs that these estimates are made of.
        """
        observed, ratios = (
            [(key, one.ended) for key, one in where.items() if one.ended] for where in (self._observed, self._ratios)
        )
        return ObservedDurations(list(runs), observed, ratios)

    @classmethod
    def none(cls) -> Self:
        """The estimates without any earlier runs."""
        return cls(())

    def _observe(self, task: Task, run: RunFacts, seconds: float, *, has_ended: bool) -> None:
        keys = keys_of(task, run.name, run.run_id)
        for key in keys:
            _note(self._observed, key, seconds, has_ended=has_ended)
        if task.estimate:
            ratio = math.log(max(seconds, SHORTEST) / max(task.estimate, SHORTEST))
            for key in (keys[1], all_of(run.name, run.run_id)):
                _note(self._ratios, key, ratio, has_ended=has_ended)

    def _observe_overhead(self, device_id: str, run: RunFacts, seconds: float) -> None:
        _note(self._observed, overhead_key(device_id), seconds, has_ended=True)
        if not run.state.has_ended:
            _note(self._observed, overhead_key(device_id, run.run_id), seconds, has_ended=True)

    def _running(self, run: RunFacts, now: float) -> Iterator[tuple[Task, float]]:
        """Task and seconds at speed 1 so far of the work of each attempt that runs."""
        for number in run.with_status(RUNNING):
            task, device = run.graph.tasks[number], run.device_of[number]
            if task is not None and device is not None and number not in run.simulated:
                elapsed = max(0.0, now - run.started_at[number] - awaited(run, number, now))
                worked_for = self.overhead(device, run).rest(overhead(run, number), elapsed)[1]
                yield task, worked_for * run.fleet.devices[device].speed

    def _usual_of_names(self) -> dict[object, float]:
        """The usual scatter of durations of equal names, by plan."""
        often: dict[object, list[list[float]]] = {}
        for key, seen in self._observed.items():
            if key[0] == "name" and key[1] != UNNAMED and seen.has_scatter:
                often.setdefault(key[1], []).append(seen.ended)
        return {
            plan: usual_spread(math.fsum(map(relative_squares, all_seen)), sum(len(few) - 1 for few in all_seen))
            for plan, all_seen in often.items()
        }

    def of(self, task: Task, run: RunFacts) -> Estimate:
        """The estimate of a task of a run.

        Args:
            task: its own fields go before what was seen.
            run: whose other attempts are looked at first.
        """
        simulated = None if task.simulate is None else task.simulate.duration
        if task.estimate is not None and task.estimate != simulated:
            return self._of_declared(task, run, task.estimate)
        if simulated is not None:
            return Estimate(simulated, EstimateSource.DECLARED)
        for key in keys_of(task, run.name, run.run_id):
            observed = self._observed.get(key)
            if observed is not None and observed.ended:
                return observed.estimate or self._mean(key, observed)
        return _of_countdown(task)

    def overhead(self, device_id: str, run: RunFacts) -> Overhead:
        """The overhead of attempts on a device, as the run itself tells, else all runs together.

        Args:
            device_id: where; a few attempts there have to have ended.
            run: whose attempts are looked at first, as its devices are as busy as they are now.
        """
        for key, least in ((overhead_key(device_id, run.run_id), _TELLING), (overhead_key(device_id), _FEW)):
            if len(self._observed[key].ended if key in self._observed else ()) >= least:
                if key not in self._overheads:
                    self._overheads[key] = overhead_of(self._observed[key].ended)
                return self._overheads[key]
        return NO_OVERHEAD

    def of_open_gate(self, task: Task, run: RunFacts, elapsed: float) -> Estimate:
        """The estimate of a gate that is open: what is declared until that is over, then its countdown.

        How long people took before says nothing of when the one who is asked now answers.

        Args:
            task: the gate.
            run: whose gate it is.
            elapsed: seconds for which it has been open.
        """
        estimate = self.of(task, run)
        is_declared = estimate.source is EstimateSource.DECLARED
        return estimate if is_declared and elapsed < (estimate.seconds or 0.0) else _of_countdown(task)

    def _mean(self, key: Key, observed: _Observed) -> Estimate:
        count, source = len(observed.ended), EstimateSource(str(key[0]))
        usual = self._usual.get(key[1], NAME_SPREAD) if source is EstimateSource.NAME else KIND_SPREAD
        spread = of_durations(observed.ended, observed.unfinished, usual)
        observed.estimate = Estimate(sum(observed.ended) / count, source, count, spread)
        return observed.estimate

    def _of_declared(self, task: Task, run: RunFacts, seconds: float) -> Estimate:
        ratios = self._ratios.get(keys_of(task, run.name, run.run_id)[1])
        if ratios is None or len(ratios.ended) < _FEW:
            ratios = self._ratios.get(all_of(run.name, run.run_id))
        if ratios is None:
            return Estimate(seconds, EstimateSource.DECLARED, 0, UNTRIED)
        if ratios.estimate is None:
            spread = of_ratios(ratios.ended, ratios.unfinished)
            ratios.estimate = Estimate(None, EstimateSource.DECLARED, len(ratios.ended), spread)
        return Estimate(seconds, EstimateSource.DECLARED, ratios.estimate.samples, ratios.estimate.spread)


def _of_countdown(task: Task) -> Estimate:
    after = None if task.gate is None else task.gate.after
    return UNKNOWN if after is None else Estimate(after, EstimateSource.DECLARED)


def _note(where: dict[Key, _Observed], key: Key, value: float, *, has_ended: bool) -> None:
    observed = where.get(key)
    if observed is None:
        observed = where[key] = _Observed()
    (observed.ended if has_ended else observed.unfinished).append(value)


def _completed(run: RunFacts) -> Iterator[tuple[Task, float]]:
    """Task and seconds at speed 1 of each attempt that completed, if the task is still there.

    Attempts of which nobody knows how long they took are left out, and those that simulated devices took of tasks that
    say what to run. So are gates: how long a person took says nothing of when the next one answers, and would make a
    bound that an end comes before.
    """
    speeds: Mapping[str, float] = {device.id: device.speed for device in run.fleet.devices.values()}
    acting = {device.id for device in run.fleet.devices.values() if device.kind == "simulated"}
    tasks = run.graph.tasks
    for number in run.with_status(COMPLETED):
        task, device = tasks[number], run.device_of[number]
        if number in run.simulated:
            continue
        if task is not None and device is not None and is_timed(run, number, run.tries[number]):
            yield task, worked(run, number) * speeds.get(device, 1.0)
    for number, attempts in run.history.items():
        task = tasks[number]
        for attempt in attempts if task is not None else ():
            if attempt.device_id in acting and task is not None and task.simulate is None:
                continue
            if attempt.status == "completed" and attempt.ended is not None and is_timed(run, number, attempt.number):
                assert task is not None
                yield (
                    task,
                    max(0.0, attempt.ended - attempt.started - attempt.awaited) * speeds.get(attempt.device_id, 1.0),
                )


def _overheads(run: RunFacts) -> Iterator[tuple[str, float]]:
    """Device and seconds of the overhead of each attempt that completed last, if any of the run's was measured.

    One of which nothing was measured had none that could be noticed.
    """
    for number in run.with_status(COMPLETED) if run.overhead else ():
        task, device = run.graph.tasks[number], run.device_of[number]
        if (
            task is not None
            and device is not None
            and task.simulate is None
            and number not in run.simulated
            and is_timed(run, number, run.tries[number])
        ):
            yield device, overhead(run, number)
