"""The checked fold of an untrusted stream: each event is checked against the facts before it, then applied.

Whatever a forged or damaged stream says, an `ImpossibleEvent` names the first event that no scheduler can have decided,
and nothing of it, or of what follows, has become a fact. It costs little: the three kinds of which a long stream mostly
consists are compared in the loop itself; `stream_rules` has the rules of all others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NoReturn

from starloom import events as ev
from starloom.constellation.topological_order import CycleError
from starloom.constellation.transaction import Refused
from starloom.errors import StarloomError
from starloom.scheduling.fold.apply import apply
from starloom.scheduling.fold.fleet import FLEET_EVENTS, apply_fleet
from starloom.scheduling.fold.number_rules import LAST_WALL, LONGEST
from starloom.scheduling.fold.stream_rules import RULES, odd_number
from starloom.scheduling.fold.tasks import apply_completed, apply_ready, apply_started
from starloom.scheduling.state.codes import PENDING, RUNNING, WAITING
from starloom.scheduling.state.device_facts import MOST_SLOTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.scheduling.state.folded_run import FoldedRun

_BROKEN: Final = (
    *(LookupError, ValueError, TypeError, AttributeError, AssertionError, ArithmeticError, RecursionError),
    *(CycleError, Refused),
)
"""What applying an event raises that does not fit the facts."""
_ROUNDING: Final = 1e-6
"""Seconds, and the share of a time, by which sums of floats may miss each other."""


class ImpossibleEvent(StarloomError):  # noqa: N818 - it says what is the matter
    """An event of a stream that no scheduler can have decided.

    Attributes:
        number: of the event in its stream.
        why: what is wrong with it, as a half sentence.
    """

    def __init__(self, event: ev.Event, why: str) -> None:
        self.number, self.why = event.seq, why
        super().__init__(f"Event {event.seq} ({type(event).__name__}) cannot have happened: {why}.")


class StreamCheck:
    """Folds a stream, or a part of one, into a `FoldedRun`, and rejects events that do not fit the facts before them.

    Args:
        folded: what the events before made; it changes.
        at: the time of the last of them, in seconds on the engine's clock; None: there was none.

    Attributes:
        folded: as the events so far have made it.
    """

    def __init__(self, folded: FoldedRun, at: float | None = None) -> None:
        self.folded = folded
        self._at = at

    def fold(self, events: Iterable[ev.Event]) -> FoldedRun:  # noqa: C901 - what is compared for the hot three stands here
        """Apply these events, each after it was checked.

        Raises:
            ImpossibleEvent: one of them cannot have happened; the run is as it was before it.
        """
        folded = self.folded
        run, devices = folded.run, folded.run.fleet.devices
        place, status, unmet, tries = run.graph.place, run.status, run.unmet, run.tries
        ready, started, completed = ev.TaskReady, ev.TaskStarted, ev.TaskCompleted
        event: Any
        for event in events:
            kind = type(event)
            if event.at != self._at:
                self._pass_time(event)
            try:
                if kind is ready:
                    number = place[event.task_id]
                    if status[number] != WAITING or unmet[number]:
                        self._ask(event)
                    apply_ready(run, event, number)
                elif kind is completed:
                    number = place[event.task_id]
                    if status[number] != RUNNING or tries[number] != event.attempt:
                        self._ask(event)
                    apply_completed(run, event, number)
                elif kind is started:
                    number, device, slot = place[event.task_id], devices[event.device_id], event.slot
                    if (
                        status[number] != PENDING
                        or event.attempt != tries[number] + 1
                        or not 0 <= slot < (MOST_SLOTS if device.slots is None else device.slots)
                        or run.frozen_at is not None
                        or number in run.held
                    ):
                        self._ask(event)
                    apply_started(run, event, number, device)
                else:
                    self._ask(event)
                    if kind in FLEET_EVENTS:
                        apply_fleet(folded.fleet, event)
                    apply(run, event)
                    devices, place, unmet = run.fleet.devices, run.graph.place, run.unmet  # it may have made others
            except _BROKEN as error:
                _refuse(event, error)
        return folded

    def _ask(self, event: ev.Event) -> None:
        """Check an event by the rule of its kind."""
        rule = RULES.get(type(event))
        if rule is None:
            raise ImpossibleEvent(event, "no journal holds events of its kind")
        try:
            why = odd_number(event) or rule(self.folded, event)
        except ImpossibleEvent:
            raise
        except (StarloomError, *_BROKEN) as error:
            _refuse(event, error)
        if why:
            raise ImpossibleEvent(event, why)

    def _pass_time(self, event: ev.Event) -> None:
        """An event is of another time than the one before: it has to be a later one that a calendar has a date for."""
        at, last = event.at, self._at
        if not -LONGEST <= at <= LONGEST:
            raise ImpossibleEvent(event, f"it is of the time {at}")
        if last is not None:
            if type(event) is ev.RunRecovered:
                last += event.shift
            elif type(event) is ev.FleetOpened:
                last = at
            if not at >= last - _ROUNDING * max(1.0, abs(last), abs(at)):
                raise ImpossibleEvent(event, f"it is of the time {at}, and the one before of {last}")
        sessions = self.folded.run.sessions
        if sessions and type(event) is not ev.RunRecovered and sessions[-1][1] + at - sessions[-1][0] > LAST_WALL:
            raise ImpossibleEvent(event, "it is of a year that no calendar has")
        self._at = at


def _refuse(event: ev.Event, error: BaseException) -> NoReturn:
    if isinstance(error, KeyError):
        why = f"there is no {error.args[0]!r}" if error.args else "it names what is not there"
    else:
        text = str(error).splitlines()
        why = (text[0] if text else type(error).__name__).rstrip(".")[:300]
    raise ImpossibleEvent(event, why) from None


def checked_fold(folded: FoldedRun, events: Iterable[ev.Event], at: float | None = None) -> FoldedRun:
    """Apply a run's stream, or a part of it, as `fold` does, with each event checked; see `StreamCheck`."""
    return StreamCheck(folded, at).fold(events)
