"""Undoing commands: the inverses of holds, breakpoints, pins, priorities, skips, limits and device commands.

What nothing takes back says why.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from msgspec import UNSET, structs

from starloom.constellation.edits import UpdateTask
from starloom.model.quantities import parse_priority
from starloom.model.status import TaskStatus
from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import RunView, TaskView
from starloom.scheduling.reservation_commands import Reserve
from starloom.scheduling.state.removals import removals
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.engine_words import said
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts


@dataclass(frozen=True, slots=True)
class Steering:
    """Commands that are sent together, with the state that they presuppose.

    Attributes:
        commands: in order.
        kind: of what the user did or takes back; decides what is read of a task.
        expects: what is read of each task or device, by id, unless somebody else has steered it meanwhile; of the run
            itself under no id, of the fleet by the names of its limits, of reservations by what is reserved.
        expires: when a reservation that is made again is to end, on the engine's clock; None: none is.
        since: the number in the event log of what came after the commands that these take back; None: nobody knows.
    """

    commands: tuple[c.Command, ...]
    kind: type[c.Command]
    expects: Mapping[Any, Any]
    expires: float | None = None
    since: int | None = None

    def at(self, now: float) -> tuple[c.Command, ...]:
        """The commands as they are given at a time: what is reserved again ends when it was to, not as long after."""
        if self.expires is None:
            return self.commands
        left = self.expires - now
        return tuple(structs.replace(one, seconds=left) if isinstance(one, Reserve) else one for one in self.commands)


_READ: Final[dict[type[c.Command], Callable[[TaskView], Any]]] = {
    c.HoldTasks: lambda task: task.is_held,
    c.ReleaseTasks: lambda task: task.is_held,
    c.SetPriority: lambda task: task.priority,
    c.PinTasks: lambda task: task.steered_to,
    c.SetBreakpoints: lambda task: task.has_breakpoint,
    c.ClearBreakpoints: lambda task: task.has_breakpoint,
    c.SkipTasks: lambda task: task.status is TaskStatus.SKIPPED,
}
"""What each command that can be taken back changes of a task."""
_READ_DEVICE: Final[dict[type[c.Command], Callable[[DeviceFacts], Any]]] = {
    c.DrainDevice: lambda device: device.draining,
    c.ResumeDevice: lambda device: device.draining,
    c.EnableDevice: lambda device: device.enabled,
    c.DisableDevice: lambda device: device.enabled,
    c.SetSlots: lambda device: device.offered,
}
"""Likewise of a device."""
OF_FLEET: Final = frozenset({*_READ_DEVICE, c.SetLimits})
"""Those of them that are about devices and the limits of all runs."""
_RUN: Final = ""
"""Stands for the run itself, where tasks are told by their ids."""
_OPPOSITE: Final[dict[type[c.Command], type[c.Command]]] = {
    c.HoldTasks: c.ReleaseTasks,
    c.ReleaseTasks: c.HoldTasks,
    c.SetBreakpoints: c.ClearBreakpoints,
    c.ClearBreakpoints: c.SetBreakpoints,
    c.SkipTasks: c.RetryTasks,
    c.DrainDevice: c.ResumeDevice,
    c.ResumeDevice: c.DrainDevice,
    c.EnableDevice: c.DisableDevice,
    c.DisableDevice: c.EnableDevice,
}
_OFF: Final = frozenset({c.ReleaseTasks, c.ClearBreakpoints, c.ResumeDevice, c.DisableDevice})
"""Those after which what is read is not so any more."""
_GIVEN: Final[dict[type[c.Command], str]] = {
    c.SetPriority: "priority",
    c.PinTasks: "device_id",
    c.SetSlots: "slots",
    c.SetRunLimit: "max_concurrency",
}
"""The field of the command that says what it is to be."""


def tasks_of(command: c.Command) -> tuple[str, ...]:
    """The ids of the tasks that a command steers; empty: it is about something else."""
    if isinstance(command, c.TasksCommand | c.RunUntil):
        return command.task_ids
    return (command.task_id,) if isinstance(command, c.RerunFrom | c.AnswerGate) else ()


def edits_saying(command: c.Command, run: RunFacts) -> tuple[UpdateTask, ...]:
    """The edits that say what a command does, so that it can be staged; empty: only a command can say it."""
    graph = run.graph
    if isinstance(command, c.SetBreakpoints | c.ClearBreakpoints):
        known = [id for id in command.task_ids if id in graph]
        if any(not TaskView(run, graph.place[id]).is_to_start for id in known):
            return ()  # it is about their next start
        return tuple(UpdateTask(id, breakpoint=isinstance(command, c.SetBreakpoints)) for id in known)
    if isinstance(command, c.SetPriority):
        return tuple(UpdateTask(id, priority=command.priority) for id in command.task_ids)
    if isinstance(command, c.PinTasks):
        planned = {id: graph.task(id).device for id in command.task_ids if id in graph}  # for what is unpinned
        return tuple(UpdateTask(id, device=command.device_id or planned.get(id)) for id in command.task_ids)
    return ()


def given_limits(command: c.SetLimits) -> dict[str, Any]:
    """The limits that a command changes, by the names of its fields."""
    given = {name: getattr(command, name) for name in command.__struct_fields__ if name not in {"origin", "id"}}
    return {name: value for name, value in given.items() if value is not UNSET}


def both_ways(run: RunFacts, fleet: FleetFacts | None, command: c.Command) -> tuple[Steering, Steering] | None:
    """The commands that undo and redo a command; to be read before it is given.

    Returns:
        None: nothing takes it back, or it would change nothing.
    """
    if lasting(run, fleet, command):
        return None
    if isinstance(command, c.SetLimits):
        return _limits_both_ways(fleet, command) if fleet is not None else None
    kind, wanted = type(command), _wanted(command)
    changed = {id: value for id, value in _now(run, fleet, kind, _ids(command)).items() if value != wanted}
    if not changed:
        return None
    back = tuple(_back(command, ids, value) for value, ids in _alike(changed))
    forth = structs.replace(command, **_about(command, tuple(changed)))
    return Steering(back, kind, dict.fromkeys(changed, wanted)), Steering((forth,), kind, changed)


def commands_of(run: RunFacts | None, steering: Steering, now: float) -> tuple[c.Command, ...]:
    """The commands that are sent now: where a breakpoint is taken back, a task that has stopped there is released, too.

    Args:
        run: as it is now.
        steering: what is taken back, or done again.
        now: on the engine's clock, in seconds.
    """
    if run is None or steering.kind is not c.SetBreakpoints:
        return steering.at(now)
    cleared = (each for each in steering.commands if isinstance(each, c.ClearBreakpoints))
    known = (id for each in cleared for id in each.task_ids if id in run.graph.place)
    stopped = tuple(id for id in known if run.is_stopped(run.graph.place[id]))
    released = (c.ReleaseTasks(run_id=run.run_id, task_ids=stopped),) if stopped else ()
    return (*steering.commands, *released)


def _ids(command: c.Command) -> tuple[str, ...]:
    if isinstance(command, c.SetRunLimit):
        return (_RUN,)
    return (command.device_id,) if isinstance(command, c.DeviceCommand) else tasks_of(command)


def _now(run: RunFacts, fleet: FleetFacts | None, kind: type[c.Command], ids: Iterable[str]) -> dict[str, Any]:
    """The present values that commands of a kind change, by id of the task, device or run, if it exists."""
    if kind is c.SetRunLimit:
        return {_RUN: run.limit}
    if kind in _READ_DEVICE:
        devices = fleet.devices if fleet is not None else {}
        return {id: _READ_DEVICE[kind](devices[id]) for id in ids if id in devices}
    return {id: _READ[kind](TaskView(run, run.graph.place[id])) for id in ids if id in run.graph.place}


def _about(command: c.Command, ids: tuple[str, ...]) -> dict[str, Any]:
    """The fields that say what a command is about, for its device, its run or some of its tasks."""
    if isinstance(command, c.DeviceCommand):
        return {"device_id": command.device_id}
    assert isinstance(command, c.RunCommand), "only these can be taken back"
    return {"run_id": command.run_id} | ({"task_ids": ids} if isinstance(command, c.TasksCommand) else {})


def _limits_both_ways(fleet: FleetFacts, command: c.SetLimits) -> tuple[Steering, Steering] | None:
    wanted = given_limits(command)
    before = _limits(fleet, wanted)
    if before == wanted:
        return None
    return Steering((c.SetLimits(**before),), c.SetLimits, wanted), Steering((command,), c.SetLimits, before)


def _limits(fleet: FleetFacts, named: Mapping[str, Any]) -> dict[str, Any]:
    """The limits of the fleet that are named, as `SetLimits` takes them."""
    return {
        name: {group: fleet.groups.get(group) for group in value} if name == "groups" else getattr(fleet, name)
        for name, value in named.items()
    }


def lasting(run: RunFacts, fleet: FleetFacts | None, command: c.Command) -> str:
    """The reason why a command cannot be undone, to be shown before it is sent; empty: it can."""
    if isinstance(command, c.SkipTasks):
        skipped = RunView(run).tasks(run.graph.place[id] for id in command.task_ids if id in run.graph.place)
        if any(task.attempt or not task.is_to_start for task in skipped):
            return translate("Editing", "what was skipped had started")
        return ""
    if isinstance(command, c.SetSlots) and fleet is not None:
        device = fleet.devices.get(command.device_id)
        if device is not None and device.offered is None:
            return translate("Editing", "the device had no limit of slots")
    reasons: dict[type[c.Command], str] = {
        c.CancelTasks: translate("Editing", "what was cancelled cannot go on"),
        c.RetryTasks: translate("Editing", "a new attempt has been asked for"),
        c.MarkTasks: translate("Editing", "what depends on it may have started"),
        c.RerunFrom: translate("Editing", "earlier results were given up"),
        c.RunUntil: translate("Editing", "tasks may have started because of it"),
        c.AnswerGate: translate("Editing", "what depends on it may have started"),
        c.CancelRun: translate("Editing", "what was cancelled cannot go on"),
        c.RemoveDevice: translate("Editing", "it has left the fleet, and can only be added again"),
    }
    return reasons.get(type(command), "")


def overtaken(run: RunFacts, fleet: FleetFacts | None, steering: Steering) -> Verdict:
    """Whether tasks, run and fleet are still as the commands left them; else which one is not."""
    by_hand = translate("Editing", "Change it by hand if that is not what you want.")
    if steering.kind is c.SetLimits:
        if fleet is not None and _limits(fleet, steering.expects) == steering.expects:
            return Verdict(True)
        return Verdict(False, translate("Editing", "This limit has been changed otherwise since."), by_hand)
    now = _now(run, fleet, steering.kind, steering.expects)
    for id, value in steering.expects.items():
        if id not in now:
            removal = removals(run).get(id)
            gone = removal.sentence(id) if removal is not None else ""
            return Verdict(False, said(gone) or fill(translate("Editing", "“%1” is not there any more."), id))
        if now[id] != value and id == _RUN:
            reason = translate("Editing", "The limit of this run has been changed otherwise since.")
            return Verdict(False, reason, by_hand)
        if now[id] != value:
            reason = fill(translate("Editing", "“%1” has been steered otherwise since."), id)
            return Verdict(False, reason, translate("Editing", "Steer it by hand if that is not what you want."))
    return Verdict(True)


def _wanted(command: c.Command) -> Any:
    kind = type(command)
    if isinstance(command, c.SetPriority):
        try:
            return parse_priority(command.priority)
        except ValueError:  # the engine will refuse it and say why
            return None
    return getattr(command, _GIVEN[kind]) if kind in _GIVEN else kind not in _OFF


def _back(command: c.Command, ids: tuple[str, ...], value: Any) -> c.Command:
    kind, about = type(command), _about(command, ids)
    return kind(**about, **{_GIVEN[kind]: value}) if kind in _GIVEN else _OPPOSITE[kind](**about)


def _alike(values: Mapping[str, Any]) -> list[tuple[Any, tuple[str, ...]]]:
    """The ids that have the same value, by value."""
    found: dict[Any, list[str]] = {}
    for id, value in values.items():
        found.setdefault(value, []).append(id)
    return [(value, tuple(ids)) for value, ids in found.items()]
