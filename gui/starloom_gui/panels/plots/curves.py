"""The curves of one run: their names, styles and values, updated from facts and log. No Qt here.

What attempts did is read from the facts, which know all of them at any moment; what only events tell (who was ready,
which limit held, which device was away) is folded from the log. Curves that were kept up equal curves made anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from starloom import events as ev
from starloom.scheduling.fold.fleet import FLEET_EVENTS, apply_fleet
from starloom_gui.panels.plots.attempts import DONE, FAILED, attempts_of, some_attempts
from starloom_gui.panels.plots.standing import LimitHistory, Standing, unlimited
from starloom_gui.panels.plots.steps import Gap, Steps
from starloom_gui.text.words import translate
from starloom_gui.viewmodel.absences import Absences
from starloom_gui.viewmodel.event_words import event_text
from starloom_gui.viewmodel.flags import Flag, flag_of, planted, taken_up_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from starloom.events import Event
    from starloom.scheduling.state.attempts import Attempt
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.gateway.event_log import Log
    from starloom_gui.panels.plots.attempts import Attempts
    from starloom_gui.panels.plots.steps import Floats
    from starloom_gui.viewmodel.roles import Clock, Facts

WINDOW: Final = 60.0
"""Seconds over which throughput is counted."""
_AT_ONCE: Final = 20_000
"""Events of the log that are read at most before the window has its turn again."""
DEVICE: Final = "device:"


class Plot(StrEnum):
    """The plots: curves of one plot share an axis."""

    RUNNING = "running"
    STANDING = "standing"
    THROUGHPUT = "throughput"
    LATENCY = "latency"
    DEVICES = "devices"
    FAILURES = "failures"


@dataclass(frozen=True, slots=True)
class Series:
    """The definition of one curve.

    Attributes:
        key: its name for programs; those of devices begin with `DEVICE`.
        plot: where it is drawn.
        name: its name for people.
        style: how its line looks: a place in `look.STYLES`.
    """

    key: str
    plot: Plot
    name: str
    style: int


class RunCurves:
    """All curves of one run.

    Attributes:
        flags: what somebody has done to it, oldest first.

    Args:
        facts: gives the facts of the run.
        clock: gives the moment they are of, in seconds on the engine's clock.
        log: the event log up to that moment.
        most_of: gives how many tasks a fleet runs at once; None: any number.
        fleet: gives the facts of the fleet.
    """

    def __init__(
        self,
        facts: Facts,
        clock: Clock,
        log: Log,
        most_of: Callable[[FleetFacts], int | None],
        fleet: Callable[[], FleetFacts],
    ) -> None:
        self._facts, self._clock, self._log = facts, clock, log
        self._most_of, self._fleet = most_of, fleet
        self._run: RunFacts | None = None
        self._sessions = 0
        self._steps: dict[str, Steps] = {}
        self._is_begun = False
        self._begun: list[int] = []
        self._ended: list[int] = []
        self._begin_log(None)

    # ---- what there is

    @property
    def run(self) -> RunFacts | None:
        """The facts that were read; None: there is no run, or it has not started."""
        return self._run if self._run is not None and self._run.run_started_at is not None else None

    @property
    def has_started(self) -> bool:
        """Whether the run has started, whatever of it was read."""
        run = self._facts()
        return run is not None and run.run_started_at is not None

    @property
    def has_ended(self) -> bool:
        """Whether the run has ended, whatever of it was read."""
        run = self._facts()
        return run is not None and run.state.has_ended

    @property
    def begin(self) -> float:
        """When the run started; 0 before that."""
        return (self.run.run_started_at or 0.0) if self.run is not None else 0.0

    def now(self) -> float:
        """The last moment of the curves: the present, or the end of the run."""
        run = self.run
        if run is not None and run.state.has_ended and run.run_ended_at is not None:
            return run.run_ended_at
        return self._clock()

    def series(self) -> tuple[Series, ...]:
        """All curves there are now, in the order of their plots."""
        one = Series
        fixed = (
            one("running", Plot.RUNNING, translate("Plots", "Running"), 0),
            one("limit", Plot.RUNNING, translate("Plots", "Limit"), 1),
            one("ready", Plot.STANDING, translate("Plots", "Ready"), 0),
            one("waiting", Plot.STANDING, translate("Plots", "Waiting"), 2),
            one("done", Plot.THROUGHPUT, translate("Plots", "Done"), 0),
            one("failed", Plot.THROUGHPUT, translate("Plots", "Failed"), 3),
            one("latency", Plot.LATENCY, translate("Plots", "Last start"), 0),
        )
        ids = [key.removeprefix(DEVICE) for key in self._steps if key.startswith(DEVICE)]
        devices = (one(DEVICE + id, Plot.DEVICES, id, at) for at, id in enumerate(sorted(ids)))
        return (
            *fixed,
            *devices,
            one("failures", Plot.FAILURES, translate("Plots", "Failures"), 0),
            one("retries", Plot.FAILURES, translate("Plots", "Retries"), 2),
        )

    def steps(self, key: str) -> Steps:
        """The values of a curve; empty: there are none yet."""
        if key == "ready":
            return self._standing.ready
        if key == "waiting":
            return self._standing.waiting
        return self._limit.steps if key == "limit" else self._steps.get(key) or Steps()

    def gaps(self, key: str) -> list[Gap]:
        """The gaps in which a curve has no value, oldest first."""
        if key == "limit":
            return [*self._unknown(self._limit.steps), *unlimited(self._limit.steps, self.now())]
        if key in ("ready", "waiting"):
            return [*self._unknown(self._standing.ready), *self._unheard]
        if key.startswith(DEVICE):
            word = translate("Plots", "away")
            away = self._absences.of.get(key.removeprefix(DEVICE), ())
            return [Gap(one.start, min(one.end, self.now()), word) for one in away if one.start < self.now()]
        return []

    def _unknown(self, steps: Steps) -> list[Gap]:
        """The gap before the log begins."""
        first = float(steps.times[0]) if len(steps) else self.now()
        return [Gap(self.begin, first, translate("Plots", "not kept"))] if first > self.begin else []

    # ---- keeping up

    def read(self, numbers: Iterable[int] | None = None) -> bool:
        """Read what has happened; returns whether all is read, else it has to be called again.

        Args:
            numbers: of the tasks that may have changed; None: any may have.
        """
        run = self._facts()
        if run is None:
            self._run, self._steps = None, {}
            return True
        if numbers is None or run is not self._run or len(run.sessions) != self._sessions:
            self._run, self._sessions = run, len(run.sessions)
            self._read_all(run)
        else:
            self._read_some(run, numbers)
        if not self._is_begun and run.run_started_at is not None:
            self._is_begun = True
            for steps in self._steps.values():
                self._begin_count(steps)
        is_all = self._read_log(run)
        if run.run_started_at is not None:  # what limits held before the run began is nothing of the run's
            for steps in (self._limit.steps, self._standing.ready, self._standing.waiting):
                steps.begin_at(self.begin)
        return is_all

    def _read_all(self, run: RunFacts) -> None:
        found = attempts_of(run)
        self._steps, self._is_begun = {name: Steps(adds=name != "latency") for name in _FIXED}, False
        self._begun = np.bincount(found.number).tolist()
        self._ended = np.bincount(found.number[np.isfinite(found.ended)]).tolist()
        self._draw(found, found)

    def _read_some(self, run: RunFacts, numbers: Iterable[int]) -> None:
        begun: list[tuple[int, int, Attempt]] = []
        ended: list[tuple[int, int, Attempt]] = []
        for counts in (self._begun, self._ended):
            counts += [0] * (len(run.status) - len(counts))
        for number in numbers:
            attempts = run.attempts(number)
            over = len(attempts) - (bool(attempts) and attempts[-1].ended is None)
            before, over_before = self._begun[number], self._ended[number]
            begun += [(number, nth, attempts[nth]) for nth in range(before, len(attempts))]
            ended += [(number, nth, attempts[nth]) for nth in range(over_before, over)]
            self._begun[number], self._ended[number] = len(attempts), over
        if begun or ended:
            self._draw(some_attempts(begun), some_attempts(ended))

    def _draw(self, begun: Attempts, ended: Attempts) -> None:
        """Add attempts to the curves: those that have begun, and those that have ended."""
        steps = self._steps
        over = np.isfinite(ended.ended)
        ends, kinds = ended.ended[over], ended.kind[over]
        _count_up(steps["running"], begun.started)
        _count_up(steps["running"], ends, -1.0)
        for key, kind in (("done", DONE), ("failed", FAILED)):
            of_kind = ends[kinds == kind]
            _count_up(steps[key], of_kind)
            _count_up(steps[key], of_kind + WINDOW, -1.0)
        _count_up(steps["failures"], ends[kinds == FAILED])
        _count_up(steps["retries"], begun.started[begun.nth > 0])
        waited = np.maximum(begun.started - begun.ready, 0.0)
        order = np.lexsort((waited, begun.started))  # of those that start together the slowest is shown
        times = begun.started[order]
        steps["latency"].add(times, _at_least(steps["latency"], times, waited[order]))
        for place, device in enumerate(begun.devices):
            _count_up(self._of_device(device), begun.started[begun.device == place])
        for place, device in enumerate(ended.devices):
            _count_up(self._of_device(device), ends[ended.device[over] == place], -1.0)
        self._steps.pop(DEVICE, None)

    def _of_device(self, device: str) -> Steps:
        known = self._steps.get(DEVICE + device)
        if known is None:
            known = self._steps[DEVICE + device] = Steps()
            if self._is_begun:
                self._begin_count(known)
        return known

    def _begin_count(self, steps: Steps) -> None:
        """A count is none from the start of the run on, not only from the first time it changes."""
        if steps.adds:
            steps.add(np.array([self.begin]), np.zeros(1))

    # ---- from the log

    def _begin_log(self, run: RunFacts | None) -> None:
        self._serial, self._lost = self._log.serial, self._log.lost
        self._place = self._log.end if self._lost else 0  # nobody knows where in the log what was lost is missing
        self._standing = Standing(run.run_id if run is not None else "")
        self._limit, self._absences = LimitHistory(self._most_of), Absences(event_text)
        self._known_fleet: FleetFacts | None = None
        self._own_limit: int | None = None
        self._unheard: list[Gap] = []
        self.flags: list[Flag] = []
        self._log_of = run.run_id if run is not None else ""

    def _read_log(self, run: RunFacts) -> bool:
        log = self._log
        if self._serial != log.serial or self._log_of != run.run_id:
            self._begin_log(run)
        if self._place == 0:
            self._known_fleet = log.opening()
        self._note_lost(run)
        begin = max(self._place, log.begin)
        end = min(log.end, begin + _AT_ONCE)
        for _, event in log.between(begin, end):
            if event.run_id == run.run_id and type(event) not in FLEET_EVENTS:
                self._take(event, run)
            elif type(event) in FLEET_EVENTS and event.run_id in ("", run.run_id):
                self._take_fleet(event, run)
        self._place = end
        is_all = end == log.end
        if is_all:
            self._standing.settle(run, self.now())
            self._limit.note(self._fleet(), run.limit, max(self.now(), self._last_limit()))
            self._check_fleet()
        return is_all

    def _check_fleet(self) -> None:
        """Go on from the present fleet where the one that is known from the log is another one."""
        known, fleet = self._known_fleet, self._fleet()
        if known is None or self._most_of(known) != self._most_of(fleet):
            self._known_fleet = fleet.copy()

    def _note_lost(self, run: RunFacts) -> None:
        """Continue from the present facts, as events were lost and the ready tasks since are unknown."""
        begin = max(self._place, self._log.begin)
        if self._log.lost == self._lost and begin == self._place:
            return
        self._lost = self._log.lost
        if self._place:
            since = float(self._standing.ready.times[-1]) if len(self._standing.ready) else self.begin
            heard = self._log.get(begin).at if begin < self._log.end else self.now()
            self._unheard.append(Gap(since, max(heard, since), translate("Plots", "not heard")))
            self._standing.forget(run)
            self._known_fleet = None
        self._place = begin

    def _take(self, event: Event, run: RunFacts) -> None:
        self._standing.take(event, run)
        self._flag(event)
        if isinstance(event, ev.RunCreated):
            self._own_limit = event.limits.max_concurrency
        elif isinstance(event, ev.RunLimitSet):
            self._own_limit = event.max_concurrency
        elif isinstance(event, ev.RunReopened):
            self._known_fleet = self._log.fleet_at(event) or self._known_fleet
        elif not isinstance(event, ev.RunStarted):
            return
        self._note_limit(event.at)

    def _take_fleet(self, event: Event, run: RunFacts) -> None:
        since = -np.inf if event.run_id else taken_up_at(run)
        self._absences.take(event, max(event.at, since))
        if self.run is not None and event.at >= max(self.begin, since):
            self._flag(event)
        if isinstance(event, ev.FleetOpened) and self._known_fleet is not None and self._known_fleet.devices:
            self._known_fleet = None  # of a server that was started again: which devices it has comes with its state
        if self._known_fleet is None:
            return
        try:
            apply_fleet(self._known_fleet, event)
        except (KeyError, AssertionError):  # of a device that joined before the log begins
            self._known_fleet, self._limit = None, LimitHistory(self._most_of)
            return
        if event.at >= since:
            self._note_limit(event.at)  # else nobody ran the run then: its devices came before it was taken up

    def _flag(self, event: Event) -> None:
        flag = flag_of(event, lambda one: event_text(one, self.run, self._log.limits_before(one)))
        if flag is not None:
            planted(self.flags, flag)

    def _note_limit(self, at: float) -> None:
        if self._known_fleet is not None:
            self._limit.note(self._known_fleet, self._own_limit, max(at, self._last_limit()))

    def _last_limit(self) -> float:
        steps = self._limit.steps
        return float(steps.times[-1]) if len(steps) else -np.inf


def _at_least(known: Steps, times: Floats, values: Floats) -> Floats:
    """The values, or greater ones that are known of the same moments, as of starts that were read before.

    Args:
        known: a curve of values.
        times: (N,) seconds on the engine's clock.
        values: (N,) one for each time.
    """
    if not len(known):
        return values
    place = np.minimum(np.searchsorted(known.times, times), len(known) - 1)
    return np.where(known.times[place] == times, np.maximum(values, known.values[place]), values)


_FIXED: Final = ("running", "done", "failed", "latency", "failures", "retries")


def _count_up(steps: Steps, times: Floats, by: float = 1.0) -> None:
    steps.add(times, np.full(len(times), by))
