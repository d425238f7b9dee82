"""The changes since a view was last notified: numbers and flags; values are read from the facts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from starloom.constellation import edits as ed

if TYPE_CHECKING:
    from starloom.events import ConstellationModified
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.specs.notes import Notes

FLEET: Final = ""
"""In place of a run's id, as in events: the changes are the fleet's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """The changes in a run, or in the fleet. A view may always reload everything instead.

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
        """Both changes as one, for a view that has not been notified of the first yet."""
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


def changes_of(notes: Notes, run_id: str, facts: RunFacts | None) -> Changes:
    """The changes that collected events come to.

    Args:
        notes: what the events of a frame have changed.
        run_id: the run they are about; empty: the fleet.
        facts: of the run; None: it is not in memory, or the notes are the fleet's.
    """
    if notes.everything or (facts is None and run_id != FLEET):
        return Changes(run_id=run_id, everything=True, log=notes.log)
    return Changes(
        run_id=run_id,
        tasks=_numbers(notes, facts) if facts is not None else frozenset(),
        edits=tuple(notes.edits),
        run=notes.run,
        devices=frozenset(notes.devices),
        load=notes.load,
        limits=notes.limits,
        log=notes.log,
        second=notes.second,
    )


def _numbers(notes: Notes, facts: RunFacts) -> frozenset[int]:
    """The tasks that events were about, and the children of those whose end they wait for: "2 of 5 parents"."""
    place, children = facts.graph.place, facts.graph.children
    numbers = {place[name] for name in notes.changed if name in place}
    for name in notes.spread:
        number = place.get(name)
        if number is not None:
            numbers.add(number)
            numbers.update(children[number])
    for batch in notes.edits:
        numbers.update(place[name] for change in batch.changes for name in _named(change) if name in place)
    return frozenset(numbers)


def _named(change: ed.Edit) -> tuple[str, ...]:
    """The tasks whose fields or parents an edit changed."""
    if isinstance(change, ed.AddTask):
        return (change.task.id,)
    if isinstance(change, ed.AddDependency | ed.UpdateDependency):
        return (change.dependency.child,)
    return (change.child,) if isinstance(change, ed.RemoveDependency) else (change.task_id,)
