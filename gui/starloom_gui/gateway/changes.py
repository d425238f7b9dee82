"""What has changed since a view was last told: numbers and flags; the values are read from the facts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from starloom.events import ConstellationModified

FLEET: Final = ""
"""In place of a run's id, as in events: the changes are the fleet's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What has changed in a run, or in the fleet. A view that does not know better may always read everything anew.

    Attributes:
        run_id: the run; `FLEET` for devices and limits.
        everything: whatever was known is to be read anew; the rest need not be looked at.
        tasks: the numbers of tasks whose facts, or whose parents' facts, are others now.
        edits: the batches of edits that were applied, oldest first; each says which tasks, and whose idea it was.
        run: the run's own state, its limit or its end.
        devices: the ids of devices that came, went or changed.
        load: slots were taken or freed.
        limits: the fleet's limits.
        log: there are new rows in the event log.
        second: another second has passed while something runs or waits.
    """

    run_id: str
    everything: bool = False
    tasks: frozenset[int] = frozenset()
    edits: tuple[ConstellationModified, ...] = ()
    run: bool = False
    devices: frozenset[str] = frozenset()
    load: bool = False
    limits: bool = False
    log: bool = False
    second: bool = False

    def with_later(self, later: Changes) -> Changes:
        """Both as one, as for a view that has not been told the first by the time of the second."""
        if self.everything or later.everything:
            return Changes(run_id=self.run_id, everything=True, log=True)
        return Changes(
            run_id=self.run_id,
            tasks=self.tasks | later.tasks,
            edits=self.edits + later.edits,
            run=self.run or later.run,
            devices=self.devices | later.devices,
            load=self.load or later.load,
            limits=self.limits or later.limits,
            log=self.log or later.log,
            second=self.second or later.second,
        )

    def parts(self, most: int) -> list[Changes]:
        """The same in pieces of at most so many tasks; what else there is goes with the first."""
        if len(self.tasks) <= most:
            return [self]
        numbers = sorted(self.tasks)
        first, *others = (frozenset(numbers[at : at + most]) for at in range(0, len(numbers), most))
        return [replace(self, tasks=first), *(Changes(run_id=self.run_id, tasks=part) for part in others)]


@dataclass(slots=True)
class Notes:
    """What is noted of one run, or of the fleet, between two frames.

    Attributes:
        changed: the ids of tasks that events were about.
        spread: those among them whose children hear of it: they have an end now, or none any more.
    """

    everything: bool = False
    changed: set[str] = field(default_factory=set)
    spread: set[str] = field(default_factory=set)
    edits: list[ConstellationModified] = field(default_factory=list)
    run: bool = False
    devices: set[str] = field(default_factory=set)
    load: bool = False
    limits: bool = False
    log: bool = False
    second: bool = False

    def __bool__(self) -> bool:
        return bool(
            self.everything
            or self.changed
            or self.spread
            or self.edits
            or self.run
            or self.devices
            or self.load
            or self.limits
            or self.log
            or self.second
        )
