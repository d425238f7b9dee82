"""Attempts of a schedule."""

from __future__ import annotations

import msgspec

from starloom.foresight.estimates import Estimate
from starloom.foresight.overhead import NO_OVERHEAD, Overhead
from starloom.model.task import Task
from starloom.scheduling.state.run_facts import RunFacts


class Node(msgspec.Struct, gc=False):
    """One attempt that runs now or is foreseen to, or one asking of a gate.

    Of thousands the collector need not know: they hold no cycles.

    Attributes:
        run: the facts of its run, as they are when everything foreseen has happened.
        number: the task's number in its run.
        seconds: on that device, from its start; of one that runs already, from now on.
        elapsed: seconds its work has run already.
        overhead: for how long such attempts hold their slots besides their work.
        held: how many of `seconds` are that, and not work.
        ready: when it could have started if there had been a place.
        before: the attempts that had to end before it was ready, by their place in `Schedule.nodes`.
        lag: seconds from their last end until it was ready, as a pause before a retry.
        most: seconds its work can take at most, because of its timeout; from now on.
        fills: whether its device is full once it has started: whoever held its slot before must not end later.
        is_endless: whether nobody can tell when it ends: it has no estimate, or has outrun it.
    """

    run: RunFacts
    number: int
    task: Task
    device_id: str
    slot: int
    estimate: Estimate
    speed: float
    most: float
    overhead: Overhead = NO_OVERHEAD
    held: float = 0.0
    elapsed: float = 0.0
    seconds: float = 0.0
    start: float = 0.0
    end: float = 0.0
    ready: float = 0.0
    lag: float = 0.0
    fills: bool = False
    is_endless: bool = False
    before: tuple[int, ...] = ()

    def take(self, work: float) -> None:
        """Set how long it takes from now on, or from its start, by the seconds of its work.

        Args:
            work: seconds on its device, of which its timeout allows `most`.
        """
        self.seconds = min(work, max(0.0, self.most)) + self.held

    @property
    def ordered(self) -> float:
        """The time at which it takes its slot: as it starts."""
        return self.start

    @property
    def heard(self) -> float:
        """The time at which its end is noticed: as it ends."""
        return self.end

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups whose limits hold for it."""
        return self.task.groups
