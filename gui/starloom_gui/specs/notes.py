"""What an event leaves to be told to views. As little as possible: this runs for every event there is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starloom import events as ev


@dataclass(slots=True)
class Notes:
    """The changes of one run, or of the fleet, that were noted between two frames.

    Attributes:
        changed: the ids of tasks that events were about.
        spread: those among them whose children hear of it: they have an end now, or none any more.
    """

    everything: bool = False
    changed: set[str] = field(default_factory=set)
    spread: set[str] = field(default_factory=set)
    edits: list[ev.ConstellationModified] = field(default_factory=list)
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


def task(notes: Notes, event: Any) -> None:
    """Its task is painted anew."""
    notes.changed.add(event.task_id)


def started(notes: Notes, event: Any) -> None:
    """Its task is painted anew, and whoever shows slots."""
    notes.changed.add(event.task_id)
    notes.load = True


def ended(notes: Notes, event: Any) -> None:
    """Its task and the children of it are painted anew, and whoever shows slots."""
    notes.spread.add(event.task_id)
    notes.load = True


def asked(notes: Notes, event: Any) -> None:
    """Somebody is waited for, or no longer: the run says so, too."""
    notes.changed.add(event.task_id)
    notes.run = True


def answered(notes: Notes, event: ev.ConditionEvaluated) -> None:
    """The task behind the condition is painted anew."""
    notes.changed.add(event.child)


def tasks(notes: Notes, event: Any) -> None:
    """All its tasks are painted anew."""
    notes.changed.update(event.task_ids)


def edited(notes: Notes, event: ev.ConstellationModified) -> None:
    """Whoever shows the graph reads what was edited."""
    notes.edits.append(event)


def run(notes: Notes, _event: ev.Event) -> None:
    """Whoever shows the run's own state reads it."""
    notes.run = True


def everything(notes: Notes, _event: ev.Event) -> None:
    """Everybody reads everything."""
    notes.everything = True


def load(notes: Notes, _event: ev.Event) -> None:
    """Whoever shows slots reads them."""
    notes.load = True


def nothing(_notes: Notes, _event: ev.Event) -> None:
    """Only a row in the log."""


def device(notes: Notes, event: Any) -> None:
    """Its device is painted anew."""
    notes.devices.add(event.device_id)


def limits(notes: Notes, _event: ev.Event) -> None:
    """Whoever shows the fleet's limits reads them."""
    notes.limits = True
