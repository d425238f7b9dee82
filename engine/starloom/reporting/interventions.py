"""Interventions from events: who changed a run while it went on, and why; and changes of devices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from starloom import events as ev
from starloom.model.quantities import format_duration
from starloom.reporting.edit_words import changes_words, name_words, task_of
from starloom.reporting.report import Intervention
from starloom.reporting.text import count, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

ENGINE: Final = "engine"
MOST_TASKS: Final = 20


def told(event: ev.Event) -> str:
    """The change of an event as a phrase; empty: it is no intervention."""
    tell = _TELLERS.get(type(event))
    made = tell(event) if tell is not None else None
    return made.what if made is not None else ""


class Collector:
    """Collects the interventions of one run from its events.

    Args:
        called: gives an event with tasks called what people call them; without it they are called by their ids.

    Attributes:
        found: so far, times as the events gave them.
        notes: what was done to each device.
    """

    def __init__(self, called: Callable[[ev.Event], ev.Event] = lambda event: event) -> None:
        self._called = called
        self.found: list[Intervention] = []
        self.notes: dict[str, list[str]] = {}
        self._staged: dict[int, str] = {}
        """What waits for approval, and of whom, by its number."""
        self._many = 0
        self._cancelled: tuple[float, str] | None = None
        self._gate: tuple[float, str] | None = None
        self._session = 0.0, 0.0
        self._away: set[str] = set()
        """The devices that are lost, of which that is said already."""

    def see(self, event: ev.Event) -> None:
        """Record one event."""
        if type(event) is ev.RunCreated or type(event) is ev.RunRecovered:
            self._session = event.at, event.wall_time
        if type(event) is ev.RunRecovered and event.shift:
            self.found = [replace(one, at=one.at + event.shift) for one in self.found]
        is_still_away = self._is_still_away(event)
        tell = None if is_still_away else _TELLERS.get(type(event))
        if isinstance(event, ev.DeviceAdded) and REMOVED in self.notes.get(event.device_id, ()):
            tell = _of_device("added again")  # that it joins at first is no intervention
        if tell is None:
            return
        named = self._called(event)
        made, by_ids = tell(named), tell(event)
        is_known = self._is_part_of_a_cancelled_run(event) or self._is_what_a_gate_came_to(event)
        if made is None or by_ids is None or is_known:
            return
        at, wall = self._session
        made = replace(made, tasks=by_ids.tasks, wall=wall + event.at - at)
        if type(named) is ev.ProposalStaged:
            self._staged[named.approval] = f"of {name_words(named.agent)}: {changes_words(named.edits)}"
        elif type(event) is ev.ApprovalAnswered and event.approval in self._staged:
            left_out = f" without {len(event.left_out)} of them" if event.left_out else ""
            what = f"{event.how} approval {event.approval}, {self._staged[event.approval]}{left_out}"
            made = replace(made, what=what)
        device = getattr(event, "device_id", None)
        if device and not hasattr(event, "task_ids") and not hasattr(event, "task_id"):
            self.notes.setdefault(device, []).append(_without(device, made.what))
        self._add(made)

    def _is_part_of_a_cancelled_run(self, event: ev.Event) -> bool:
        key = event.at, getattr(event, "origin", "")
        if type(event) is ev.RunCancelRequested:
            self._cancelled = key
            return False
        return type(event) in {ev.TaskCancelled, ev.TaskStopping} and key == self._cancelled

    def _is_what_a_gate_came_to(self, event: ev.Event) -> bool:
        """Whether a task is marked by the answer to its gate, which is recorded already."""
        if isinstance(event, ev.GateAnswered):
            self._gate = event.at, event.task_id
        return isinstance(event, ev.TaskMarked) and (event.at, event.task_id) == self._gate

    def _is_still_away(self, event: ev.Event) -> bool:
        """Whether a device was not reached again, which is recorded already."""
        if isinstance(event, ev.DeviceConnected | ev.DeviceAdded | ev.DeviceRemoved):
            self._away.discard(event.device_id)
        if not isinstance(event, ev.DeviceLost):
            return False
        is_known = event.device_id in self._away
        self._away.add(event.device_id)
        return is_known

    def _add(self, made: Intervention) -> None:
        """Add an intervention; events of one command on many tasks count as one."""
        last = self.found[-1] if self.found else None
        same = last is not None and (last.at, last.kind, last.who, last.why) == (made.at, made.kind, made.who, made.why)
        if last is None or not same or made.kind not in _ONE_EACH:
            self._many = 1
            self.found.append(made)
            return
        self._many += 1
        verb = _ONE_EACH[made.kind]
        ids = (*last.tasks, *made.tasks)[:MOST_TASKS]
        self.found[-1] = replace(last, what=f"{verb} {count(self._many, 'task')}", tasks=ids)


LOST: Final = "lost"  # is noted of a device that does not answer any more
REMOVED: Final = "removed"  # is noted of a device that has left the fleet
_STOPPED_BY: Final = {
    "cancelled": "cancelled",
    "skipped": "skipped",
    "rerun": "reran",
    "replaced": "replaced",
}
"""What whoever stopped an attempt has done to its task, by the cause; a timeout nobody asked for."""
_ONE_EACH: Final = {
    "TaskCancelled": "cancelled",
    "TaskStopping": "stopped",
    "TaskSkipped": "skipped",
    "TaskMarked": "marked",
    "TaskReset": "reran",
}


def _made(
    event: Any, what: str, *, who: str = "", tasks: Iterable[str] = (), why: str = "", **more: Any
) -> Intervention:
    who = one_line(who or getattr(event, "origin", "") or ENGINE, 100)
    return Intervention(event.at, type(event).__name__, who, what, one_line(why), tuple(tasks)[:MOST_TASKS], **more)


def _of_task(verb: str) -> Callable[[Any], Intervention | None]:
    def tell(event: Any) -> Intervention | None:
        if not event.origin or event.origin == ENGINE:
            return None
        return _made(
            event, f"{verb} {name_words(event.task_id)}", tasks=(event.task_id,), why=getattr(event, "reason", "")
        )

    return tell


def _stopped(event: ev.TaskStopping) -> Intervention | None:
    """The intervention that stopped a running task, if the engine did not; later outcomes follow from it."""
    verb = _STOPPED_BY.get(event.cause)
    return None if verb is None or not event.origin or event.origin == ENGINE else _of_task(verb)(event)


def _of_run(what: str) -> Callable[[Any], Intervention]:
    return lambda event: _made(event, what, why=getattr(event, "reason", ""))


def _of_tasks(verb: str) -> Callable[[Any], Intervention]:
    return lambda event: _made(event, f"{verb} {_names(event.task_ids)}", tasks=event.task_ids, why=event.reason)


def _of_device(verb: str) -> Callable[[Any], Intervention]:
    return lambda event: _made(event, f"{verb} {name_words(event.device_id)}", why=getattr(event, "reason", ""))


def _of_agent(verb: str) -> Callable[[Any], Intervention]:
    return lambda event: _made(event, f"{verb} agent {name_words(event.agent)}", why=getattr(event, "reason", ""))


def _trusted(event: ev.AgentTrusted) -> Intervention:
    asks = ", ".join(event.asks) or "none"
    return _made(event, f"changed what waits for approval, of the edits of agent {name_words(event.agent)}, to {asks}")


def _approval(event: ev.ApprovalAnswered) -> Intervention:
    is_nobody = event.how in {"expired", "cancelled"}
    return _made(event, f"{event.how} approval {event.approval}", why=event.note, refused=is_nobody)


def _staged(event: ev.ProposalStaged) -> Intervention:
    what = f"proposed for approval {event.approval}: {changes_words(event.edits)}"
    tasks = dict.fromkeys(task_of(change) for change in event.edits)
    return _made(event, what, who=event.agent, tasks=tasks, why=event.reason, proposed=True)


def _answered(event: ev.AgentAnswered) -> Intervention | None:
    """The intervention of an agent's answer that failed or came late; other events report the rest."""
    if event.error:
        what = f"could not answer edit cycle {event.cycle}: {one_line(event.error)}"
        return _made(event, what, who=event.agent, refused=True)
    if event.is_late and event.count:
        return _made(event, f"answered edit cycle {event.cycle} late", who=event.agent, proposed=True)
    return None


def _given_up(event: ev.EditCycleClosed) -> Intervention | None:
    whys = {"timed_out": "its time was over", "interrupted": "the program that asked had ended"}
    if event.how not in whys or not event.late:
        return None
    late = ", ".join(map(name_words, event.late[:MOST_TASKS]))
    return _made(event, f"went on after edit cycle {event.cycle} without the answer of {late}", why=whys[event.how])


def _gate(event: ev.GateAnswered) -> Intervention:
    how = {"proceeded": "went on by itself", "skipped": "was skipped", "aborted": "ended the run"}.get(event.how)
    return _made(event, f"gate {name_words(event.task_id)}: {how or event.how}", tasks=(event.task_id,), why=event.note)


def _question(event: ev.QuestionAnswered) -> Intervention:
    what = f"answered question {event.number} of {name_words(event.task_id)}: {'' if event.allowed else 'rejected '}"
    return _made(event, f"{what}{one_line(event.option)}".rstrip(" :"), tasks=(event.task_id,), why=event.note)


def _fence(event: ev.FenceSet) -> Intervention | None:
    fence = event.fence or "by default"
    return None if event.origin == "plan" else _made(event, f"set the fence of edit cycles: {fence}")


def _breakpoints(event: ev.BreakpointsSet) -> Intervention:
    verb = "set a breakpoint on" if event.is_set else "cleared the breakpoint of"
    return _made(event, f"{verb} {_names(event.task_ids)}", tasks=event.task_ids)


def _reached(event: ev.BreakpointReached) -> Intervention:
    return _made(event, f"stopped {name_words(event.task_id)} at its breakpoint", tasks=(event.task_id,))


def _until(event: ev.RunUntilSet) -> Intervention:
    what = f"ran until {_names(event.task_ids)}" if event.task_ids else "let the run go on for everything"
    return _made(event, what, tasks=event.task_ids)


def _names(ids: Sequence[str]) -> str:
    return count(len(ids), "task") if len(ids) > 3 else ", ".join(map(name_words, ids))


def _prioritised(event: ev.TasksPrioritised) -> Intervention:
    return _made(
        event, f"priority of {_names(event.task_ids)}: {event.priority}", tasks=event.task_ids, why=event.reason
    )


def _pinned(event: ev.TasksPinned) -> Intervention:
    where = "unpinned" if event.device_id is None else f"pinned to {name_words(event.device_id)}:"
    return _made(event, f"{where} {_names(event.task_ids)}", tasks=event.task_ids, why=event.reason)


def _marked(event: ev.TaskMarked) -> Intervention | None:
    what = f"marked {name_words(event.task_id)} {event.status}"
    return None if event.bypassed else _made(event, what, tasks=(event.task_id,))


def _reset(event: ev.TaskReset) -> Intervention | None:
    return None if event.cause == "revived" or event.because is not None else _of_task("reran")(event)


def _limit(event: ev.RunLimitSet) -> Intervention:
    most = event.max_concurrency
    return _made(event, "no limit of tasks at once" if most is None else f"at most {count(most, 'task')} at once")


def _without(device: str, what: str) -> str:
    """The description of an action on a device without its name: `drained`, `3 slots`."""
    return what.removesuffix(f" {one_line(device, 80)}").removesuffix(" for")


def _limits(event: Any) -> Intervention | None:
    return None if event.origin in {"", ENGINE, "settings", "plan"} else _made(event, "changed the limits of the fleet")


def _slots(event: ev.DeviceSlotsSet) -> Intervention:
    slots = "any number of slots" if event.slots is None else count(event.slots, "slot")
    return _made(event, f"{slots} for {name_words(event.device_id)}")


def _reserved(event: ev.ReservationMade) -> Intervention | None:
    if _is_of_another_run(event):
        return None
    length = format_duration(round(event.until - event.at))
    return _made(event, f"reserved {_target(event)} for {length}", why=event.reason)


def _reservation_ended(event: ev.ReservationEnded) -> Intervention | None:
    if _is_of_another_run(event):
        return None
    whose = f"the reservation of {_target(event)} by {name_words(event.holder)}"
    what = {"broken": f"broke {whose}", "released": f"released {_target(event)}"}.get(event.how)
    return _made(event, what or f"ended {whose}: its time was over", why=event.reason)


def _is_of_another_run(event: ev.ReservationMade | ev.ReservationEnded) -> bool:
    return bool(event.run_id and event.reserved_run and event.reserved_run != event.run_id)


def _target(event: ev.ReservationMade | ev.ReservationEnded) -> str:
    if event.device_id:
        return name_words(event.device_id)
    if not event.reserved_run:
        return "the fleet"
    return "the run" if event.reserved_run == event.run_id else f"the run {name_words(event.reserved_run)}"


def _reattached(event: ev.AttemptReattached) -> Intervention:
    where = f" on {name_words(event.device_id)}"
    return _made(event, f"found attempt {event.attempt} of {name_words(event.task_id)} alive{where}: it goes on")


def _ended_late(event: ev.AttemptEndedLate) -> Intervention:
    code = event.exit_code
    how = "was ended once its device was back" if code is None else f"ended late with exit {code}"
    which = f"attempt {event.attempt} of {name_words(event.task_id)} on {name_words(event.device_id)}"
    return _made(event, f"noted that {which}, given up as lost, {how}: nothing follows from that")


def _rejected(event: ev.EditRejected) -> Intervention:
    problems = one_line(" ".join(str(getattr(problem, "message", problem)) for problem in event.problems[:3]))
    why = "" if event.reason in problems else event.reason
    return _made(event, f"was refused an edit: {problems}", why=why, refused=True)


def _left_out(event: ev.EditsLeftOut) -> Intervention:
    problems = " ".join(problem.message for problem in event.problems[:3])
    what = f"came too late with {changes_words(event.edits)}: {one_line(problems)}"
    return _made(event, what, who=event.agent, tasks=dict.fromkeys(map(task_of, event.edits)), refused=True)


def _deferred(event: ev.EditsDeferred) -> Intervention:
    until = "once it is stopped" if event.on_conflict == "replace" else "for the next attempt"
    what = f"proposed {until}: {changes_words(event.edits)}"
    return _made(event, what, who=event.agent, tasks=event.task_ids, why=event.reason, proposed=True)


def _modified(event: ev.ConstellationModified) -> Intervention:
    tasks = dict.fromkeys(task_of(change) for change in event.changes)
    return _made(event, changes_words(event.changes), tasks=tasks, why=event.reason, revision=event.revision)


_TELLERS: Final[dict[type[ev.Event], Callable[[Any], Intervention | None]]] = {
    ev.RunPaused: _of_run("paused the run"),
    ev.RunResumed: _of_run("let the run go on"),
    ev.RunCancelRequested: _of_run("cancelled the run"),
    ev.RunReopened: _of_run("reopened the run"),
    ev.RunHeldOpen: lambda event: _made(event, "held the run open" if event.hold_open else "let the run end"),
    ev.RunLimitSet: _limit,
    ev.RunRecovered: _of_run("went on with the run in another program"),
    ev.AttemptReattached: _reattached,
    ev.AttemptEndedLate: _ended_late,
    ev.TaskCancelled: _of_task("cancelled"),
    ev.TaskStopping: _stopped,
    ev.TaskSkipped: lambda event: None if event.because is not None else _of_task("skipped")(event),
    ev.TaskMarked: _marked,
    ev.TaskReset: _reset,
    ev.TasksHeld: _of_tasks("held"),
    ev.TasksReleased: _of_tasks("released"),
    ev.TasksPrioritised: _prioritised,
    ev.TasksPinned: _pinned,
    ev.ConstellationModified: _modified,
    ev.EditRejected: _rejected,
    ev.EditsLeftOut: _left_out,
    ev.EditsDeferred: _deferred,
    ev.AgentAttached: _of_agent("attached"),
    ev.AgentPaused: _of_agent("paused"),
    ev.AgentTrusted: _trusted,
    ev.AgentResumed: _of_agent("resumed"),
    ev.AgentDetached: _of_agent("detached"),
    ev.FenceSet: _fence,
    ev.AgentAnswered: _answered,
    ev.ProposalStaged: _staged,
    ev.GateAnswered: _gate,
    ev.QuestionAnswered: _question,
    ev.BreakpointsSet: _breakpoints,
    ev.BreakpointReached: _reached,
    ev.RunUntilSet: _until,
    ev.RunStepped: lambda event: _made(event, f"stepped: {name_words(event.task_id)}", tasks=(event.task_id,)),
    ev.ApprovalAnswered: _approval,
    ev.EditCycleClosed: _given_up,
    ev.DeviceDrained: _of_device("drained"),
    ev.DeviceResumed: _of_device("resumed"),
    ev.DeviceDisabled: _of_device("disabled"),
    ev.DeviceEnabled: _of_device("enabled"),
    ev.DeviceRemoved: _of_device(REMOVED),
    ev.DeviceLost: _of_device(LOST),
    ev.BreakerOpened: _of_device("suspended"),
    ev.BreakerHalfOpened: lambda event: _of_device("tried again")(event) if event.origin else None,
    ev.BreakerClosed: lambda event: _of_device("tried again")(event) if event.origin else None,
    ev.DeviceSlotsSet: _slots,
    ev.LimitsChanged: _limits,
    ev.ReservationMade: _reserved,
    ev.ReservationEnded: _reservation_ended,
}
