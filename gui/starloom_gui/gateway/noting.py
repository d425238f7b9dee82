"""What each kind of event leaves in the notes. As little as possible: this runs for every event there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom_gui.gateway.changes import FLEET, Changes, Notes

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.run_facts import RunFacts


def _task(notes: Notes, event: Any) -> None:
    notes.changed.add(event.task_id)


def _started(notes: Notes, event: Any) -> None:
    notes.changed.add(event.task_id)
    notes.load = True


def _ended(notes: Notes, event: Any) -> None:
    notes.spread.add(event.task_id)
    notes.load = True


def _asked(notes: Notes, event: Any) -> None:
    """Somebody is waited for, or no longer: the run says so, too."""
    notes.changed.add(event.task_id)
    notes.run = True


def _answered(notes: Notes, event: ev.ConditionEvaluated) -> None:
    notes.changed.add(event.child)


def _tasks(notes: Notes, event: Any) -> None:
    notes.changed.update(event.task_ids)


def _edited(notes: Notes, event: ev.ConstellationModified) -> None:
    notes.edits.append(event)


def _run(notes: Notes, _event: ev.Event) -> None:
    notes.run = True


def _everything(notes: Notes, _event: ev.Event) -> None:
    notes.everything = True


def _load(notes: Notes, _event: ev.Event) -> None:
    notes.load = True


def _nothing(_notes: Notes, _event: ev.Event) -> None:
    """Only a row in the log."""


def _device(notes: Notes, event: Any) -> None:
    notes.devices.add(event.device_id)


def _limits(notes: Notes, _event: ev.Event) -> None:
    notes.limits = True


OF_A_RUN: Final[dict[type[ev.Event], Callable[[Notes, Any], None]]] = {
    ev.TaskReady: _task,
    ev.TaskStarted: _started,
    ev.TaskStopping: _task,
    ev.TaskStuck: _task,
    ev.TaskWarned: _task,
    ev.TaskOverdue: _task,
    ev.AttemptReattached: _task,
    ev.AttemptBegan: _task,
    ev.AttemptTimed: _ended,
    ev.AttemptWorkEnded: _ended,
    ev.AttemptEndedLate: _task,
    ev.TaskInterrupted: _ended,
    ev.TaskCompleted: _ended,
    ev.TaskRetryScheduled: _ended,
    ev.TaskFailed: _ended,
    ev.TaskCancelled: _ended,
    ev.TaskSkipped: _ended,
    ev.TaskMarked: _ended,
    ev.TaskReset: _ended,
    ev.ConditionEvaluated: _answered,
    ev.GateOpened: _asked,
    ev.GateAnswered: _asked,
    ev.BreakpointReached: _asked,
    ev.BreakpointsSet: _tasks,
    ev.RunUntilSet: _run,
    ev.RunStepped: _nothing,
    ev.TasksHeld: _tasks,
    ev.TasksReleased: _tasks,
    ev.TasksPrioritised: _tasks,
    ev.TasksPinned: _tasks,
    ev.ConstellationModified: _edited,
    ev.EditRejected: _nothing,
    ev.RunCreated: _everything,
    ev.TasksDeclared: _everything,
    ev.RunRecovered: _everything,
    ev.Snapshot: _everything,
    ev.RunReadied: _run,
    ev.RunStarted: _run,
    ev.RunPaused: _run,
    ev.RunResumed: _run,
    ev.RunCancelRequested: _run,
    ev.RunHeldOpen: _run,
    ev.RunLimitSet: _run,
    ev.RunStalled: _run,
    ev.RunEnded: _run,
    ev.RunReopened: _run,
    ev.AgentAttached: _run,
    ev.AgentPaused: _run,
    ev.AgentTrusted: _run,
    ev.AgentResumed: _run,
    ev.AgentDetached: _run,
    ev.FenceSet: _run,
    ev.EditCycleOpened: _run,
    ev.AgentAnswered: _run,
    ev.ProposalSettled: _run,
    ev.ProposalStaged: _run,
    ev.EditCycleClosed: _run,
    ev.ApprovalAnswered: _run,
    ev.FleetLoad: _load,
    ev.FleetSnapshot: _nothing,
}
"""The fleet's own events are repeated in every run's stream; there they are passed over."""

OF_THE_FLEET: Final[dict[type[ev.Event], Callable[[Notes, Any], None]]] = {
    ev.FleetOpened: _everything,
    ev.DeviceAdded: _device,
    ev.DeviceRemoved: _device,
    ev.DeviceConnecting: _device,
    ev.DeviceConnected: _device,
    ev.DeviceLost: _device,
    ev.DeviceFaulted: _device,
    ev.DeviceActionsChanged: _device,
    ev.BreakerOpened: _device,
    ev.BreakerHalfOpened: _device,
    ev.BreakerClosed: _device,
    ev.DeviceDrained: _device,
    ev.DeviceResumed: _device,
    ev.DeviceDisabled: _device,
    ev.DeviceEnabled: _device,
    ev.DeviceSlotsSet: _device,
    ev.LimitsChanged: _limits,
}

UNLOGGED: Final = frozenset({ev.Snapshot, ev.FleetSnapshot, ev.FleetLoad, ev.TasksDeclared, ev.RunReadied})
"""What nobody wants to read as a row."""


def changes_of(notes: Notes, run_id: str, facts: RunFacts | None) -> Changes:
    """What the notes come to, with the numbers of tasks instead of their ids."""
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
