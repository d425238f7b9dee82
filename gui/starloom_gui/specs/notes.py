"""The changes that an event notes for views. As little work as possible: this runs for every event."""

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
        spread: those among them whose children may have changed, too, as the task has ended or was reset.
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
    """Note its task."""
    notes.changed.add(event.task_id)


def started(notes: Notes, event: Any) -> None:
    """Note its task, and the load of slots."""
    notes.changed.add(event.task_id)
    notes.load = True


def ended(notes: Notes, event: Any) -> None:
    """Note its task and that task's children, and the load of slots."""
    notes.spread.add(event.task_id)
    notes.load = True


def asked(notes: Notes, event: Any) -> None:
    """Note its task, and the run, which shows that it waits for a person."""
    notes.changed.add(event.task_id)
    notes.run = True


def answered(notes: Notes, event: ev.ConditionEvaluated) -> None:
    """Note the task behind the condition."""
    notes.changed.add(event.child)


def tasks(notes: Notes, event: Any) -> None:
    """Note all its tasks."""
    notes.changed.update(event.task_ids)


def edited(notes: Notes, event: ev.ConstellationModified) -> None:
    """Note the edit for views of the graph."""
    notes.edits.append(event)


def run(notes: Notes, _event: ev.Event) -> None:
    """Note the state of the run."""
    notes.run = True


def everything(notes: Notes, _event: ev.Event) -> None:
    """Note that everything has changed."""
    notes.everything = True


def load(notes: Notes, _event: ev.Event) -> None:
    """Note the load of slots."""
    notes.load = True


def nothing(_notes: Notes, _event: ev.Event) -> None:
    """Note nothing; the event is only a row in the log."""


def device(notes: Notes, event: Any) -> None:
    """Note its device."""
    notes.devices.add(event.device_id)


def limits(notes: Notes, _event: ev.Event) -> None:
    """Note the limits of the fleet."""
    notes.limits = True
