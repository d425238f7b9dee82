"""The script of what people did to a run: the commands and edits of its stream, each with its time.

A moment is told by what had ended or begun by then, so that a faster or slower run meets it, too; see `formats.script`.
What agents did is theirs: they are attached anew. What was refused changed nothing and is not told.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from msgspec import UNSET

from starloom import events as ev
from starloom.constellation.edits import EditBatch
from starloom.reporting.text import count
from starloom.scheduling import commands as c
from starloom.scheduling.fold.stream_check import checked_fold
from starloom.scheduling.scripts import Script, ScriptEntry, tasks_of
from starloom.scheduling.state import stops
from starloom.scheduling.state.codes import RUNNING, is_terminal
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts

_NOBODY: Final = frozenset({"", "engine", "plan", "settings"})
_ENDS: Final = (ev.TaskCompleted, ev.TaskFailed, ev.TaskCancelled, ev.TaskSkipped, ev.TaskMarked)
_ABOUT_AGENTS: Final = (
    *(ev.AgentAttached, ev.AgentPaused, ev.AgentResumed, ev.AgentDetached, ev.AgentTrusted),
    *(ev.FenceSet, ev.ApprovalAnswered),
)
_LEFT_OUT: Final[Mapping[type[ev.Event], tuple[str, str]]] = {
    **dict.fromkeys(_ABOUT_AGENTS, ("command", "about agents")),
    **dict.fromkeys((ev.DeviceRemoved, ev.BreakerClosed), ("command", "about devices")),
    **dict.fromkeys((ev.ReservationMade, ev.ReservationEnded), ("command", "about reservations")),
    ev.QuestionAnswered: ("answer", "to questions of tasks"),
}
"""What is no entry of a script, and what it is about, for the sentence that says so."""
_SOONEST: Final = 0.001
"""Seconds after the start of the run; an entry without any would be done before."""


def scripted(run_id: str, events: Iterable[ev.Event]) -> Script:
    """The script of a run; deterministic.

    Args:
        run_id: whose stream it is.
        events: the stream from its first event on.
    """
    folded = FoldedRun(run_id)
    watch = _Watch(folded.run)
    checked_fold(folded, watch.seen(events))
    return Script(
        entries=tuple(made.entry() for made in watch.found),
        name=folded.run.name,
        run_id=run_id,
        left_out=tuple(watch.left_out()),
    )


@dataclass(slots=True)
class _Made:
    """An entry while the events of its turn go by: one command about many tasks gives an event for each of them."""

    at: float
    by: str
    kind: str
    build: Callable[[list[str]], c.Command]
    why: str = ""
    tasks: list[str] = field(default_factory=list)
    after: dict[str, None] = field(default_factory=dict)
    started: dict[str, None] = field(default_factory=dict)
    wait: float = 0.0
    has_begun: bool = True
    is_first: bool = False
    """Whether the run had begun by then, and whether it is the first of those of which that is true."""
    behind: frozenset[int] = frozenset()
    """Of a rerun: the tasks behind the one it began with."""

    def entry(self) -> ScriptEntry:
        """The entry as it is written in the script."""
        command = self.build(self.tasks)
        after, started = tuple(self.after), tuple(self.started)
        wait = max(self.wait, _SOONEST) if self.is_first and not after and not started else self.wait
        return ScriptEntry(command=command, after=after, started=started, wait=wait, by=self.by, why=self.why)


class _Watch:
    """Sees the events on their way into the fold: the facts are those before each of them.

    Attributes:
        found: the entries so far.
    """

    def __init__(self, run: RunFacts) -> None:
        self._run = run
        self.found: list[_Made] = []
        self._agents: set[str] = set()
        self._left: dict[tuple[str, str], int] = {}
        self._ended: tuple[str, float] | None = None
        """Which task ended last, and when, since the entry before."""
        self._before = 0.0
        """When the entry before was done, or the run began."""
        self._cancelled: tuple[float, str] | None = None
        self._gate: tuple[float, str] | None = None

    def seen(self, events: Iterable[ev.Event]) -> Iterator[ev.Event]:
        """Record each event and yield it."""
        for event in events:
            self._see(event)
            yield event

    def left_out(self) -> Iterator[str]:
        """The sentences about what the script omits."""
        for (what, whose), number in self._left.items():
            hint = " Attach the agents anew." if "agents" in whose else ""
            yield f"{count(number, what)} {whose} left out.{hint}"

    def _see(self, event: Any) -> None:
        if isinstance(event, ev.RunStarted):
            self._before = event.at
        elif isinstance(event, ev.RunRecovered):
            self._before += event.shift
            if self._ended is not None:
                self._ended = self._ended[0], self._ended[1] + event.shift
        elif isinstance(event, ev.AgentAttached):
            self._agents.add(event.agent)
        if self._is_of_a_person(event):
            self._take(event)
        if isinstance(event, _ENDS) and getattr(event, "because", None) is None:  # else it only follows from an end
            self._ended = event.task_id, event.at

    def _is_of_a_person(self, event: Any) -> bool:
        origin = getattr(event, "origin", "")
        if origin in _NOBODY or getattr(event, "because", None) is not None:
            return False
        if origin in self._agents:
            if isinstance(event, ev.ConstellationModified):
                self._leave_out("edit", "by agents")
            return False
        return True

    def _leave_out(self, what: str, whose: str) -> None:
        self._left[what, whose] = self._left.get((what, whose), 0) + 1

    def _take(self, event: Any) -> None:
        if (left_out := _LEFT_OUT.get(type(event))) is not None:
            self._leave_out(*left_out)
        elif isinstance(event, ev.RunCancelRequested):
            self._cancelled = event.at, event.origin
        elif isinstance(event, ev.GateAnswered):
            self._gate = event.at, event.task_id
        if self._is_part_of_another(event):
            return
        if isinstance(event, ev.LimitsChanged):
            limits = _limits(self._run.fleet, event)
            if limits is not None:
                self._add(event, "limits", (), _command(limits))
            else:
                self._leave_out("command", "about the order of the queue")
            return
        tell = _TELLERS.get(type(event))
        told = tell(event) if tell is not None else None
        if told is not None:
            self._add(event, *told)

    def _is_part_of_another(self, event: Any) -> bool:
        """Whether it follows from an earlier command: the run's cancelling, or a gate's answer."""
        if isinstance(event, ev.TaskCancelled | ev.TaskStopping):
            return (event.at, event.origin) == self._cancelled
        return isinstance(event, ev.TaskMarked | ev.TaskSkipped) and (event.at, event.task_id) == self._gate

    # ---- making entries

    def _add(self, event: Any, kind: str, ids: Iterable[str], build: Callable[[list[str]], c.Command]) -> None:
        why = _why(event)
        last = self.found[-1] if self.found else None
        if kind == "fields of a retry":
            if last is not None and last.kind == "retry" and (last.at, last.by) == (event.at, event.origin):
                last.build = build
                return
            kind = "edit"
        is_same = last is not None and kind.partition(" ")[0] in _ONE_EACH and self._is_one(last, kind, event, why)
        if last is None or not is_same:
            last = _Made(event.at, event.origin, kind, build, why)
            self._time(last)
            self.found.append(last)
            self._before, self._ended = event.at, None
            if kind == "rerun":
                graph = self._run.graph
                last.behind = frozenset(graph.descendants(graph.place[event.task_id]))
        elif kind == "rerun" and isinstance(event, ev.TaskStopping):
            last.build = _rerun(cancel_running=True)
        last.tasks.extend(ids)
        for task_id in ids if kind != "edit" else tasks_of(build([])):
            self._wait_for(last, task_id)

    def _is_one(self, last: _Made, kind: str, event: Any, why: str) -> bool:
        """Whether an event is of the same command as the one before it."""
        if (last.at, last.by, last.kind, last.why) != (event.at, event.origin, kind, why):
            return False
        if kind != "rerun":
            return True
        return self._run.graph.place.get(event.task_id) in last.behind

    def _time(self, made: _Made) -> None:
        """Set the trigger: the task that ended last since the entry before, or else that entry or the start."""
        since = self._before
        if self._ended is not None:
            task_id, since = self._ended
            made.after[task_id] = None
        made.has_begun = self._run.run_started_at is not None
        made.is_first = made.has_begun and not any(one.has_begun for one in self.found)
        if made.has_begun:
            made.wait = round(max(0.0, made.at - since), 3)

    def _wait_for(self, made: _Made, task_id: str) -> None:
        """Delay the entry until the task has the state it had then, as the command needs that."""
        run = self._run
        number = run.graph.place.get(task_id)
        if number is None:
            return
        if stops.is_open(run, number) or run.status[number] == RUNNING:
            begun = run.gates[number].at if stops.is_open(run, number) else run.started_at[number]
            if task_id not in made.started:
                made.started[task_id] = None
                made.wait = min(made.wait, round(max(0.0, made.at - begun), 3))
        elif is_terminal(run.status[number]):
            made.after[task_id] = None


def _why(event: Any) -> str:
    """The reason that was given; the engine's own words for none are none."""
    reason = getattr(event, "reason", "")
    own = {f"cancelled by {event.origin}", f"skipped by {event.origin}", "retry with other fields"}
    return "" if reason in own else reason


# ---- what each event tells: the kind of command, the tasks it names, and the command once all of them are known

_Told = tuple[str, tuple[str, ...], "Callable[[list[str]], c.Command]"]


def _command(made: c.Command) -> Callable[[list[str]], c.Command]:
    return lambda _: made


def _of_tasks(kind: str, command: type[c.TasksCommand], **fields: Any) -> Callable[[Any], _Told]:
    build = lambda ids: command(run_id="", task_ids=tuple(ids), **fields)  # noqa: E731 - one of many like it
    return lambda event: (kind, _ids(event), build)


def _ids(event: Any) -> tuple[str, ...]:
    return (event.task_id,) if hasattr(event, "task_id") else tuple(event.task_ids)


def _of_run(command: type[c.RunCommand]) -> Callable[[Any], _Told]:
    return lambda _: ("run", (), _command(command(run_id="")))


def _of_device(command: type[c.DeviceCommand]) -> Callable[[Any], _Told]:
    return lambda event: ("device", (), _command(command(device_id=event.device_id)))


def _rerun(*, cancel_running: bool) -> Callable[[list[str]], c.Command]:
    return lambda ids: c.RerunFrom(run_id="", task_id=ids[0], cancel_running=cancel_running)


def _reset(event: ev.TaskReset) -> _Told | None:
    if event.cause == "retry":
        return _of_tasks("retry", c.RetryTasks)(event)
    return ("rerun", (event.task_id,), _rerun(cancel_running=False)) if event.cause == "rerun" else None


def _stopping(event: ev.TaskStopping) -> _Told | None:
    if event.cause == "rerun":
        return "rerun", (event.task_id,), _rerun(cancel_running=True)
    return _of_tasks("cancel", c.CancelTasks)(event) if event.cause == "cancelled" else None


def _modified(event: ev.ConstellationModified) -> _Told:
    if event.reason == "retry with other fields":
        fields: Mapping[str, Any] = getattr(event.changes[0], "fields", {})
        return "fields of a retry", (), lambda ids: c.RetryTasks(run_id="", task_ids=tuple(ids), fields=fields)
    return "edit", (), _command(c.EditConstellation(run_id="", batch=EditBatch(edits=event.changes)))


def _marked(event: ev.TaskMarked) -> _Told | None:
    if event.bypassed:
        return None  # as its field says, whoever runs the plan again
    build = _of_tasks(f"mark {event.status} {event.result.value!r}", c.MarkTasks)
    kind, ids, _ = build(event)
    status, value = event.status, event.result.value
    return kind, ids, lambda ids: c.MarkTasks(run_id="", task_ids=tuple(ids), status=status, value=value)


def _answered(event: ev.GateAnswered) -> _Told | None:
    if event.how not in {"approved", "rejected"}:
        return None
    approve = event.how == "approved"
    command = c.AnswerGate(run_id="", task_id=event.task_id, approve=approve, note=event.note)
    return "gate", (event.task_id,), _command(command)


def _limits(fleet: FleetFacts, event: ev.LimitsChanged) -> c.SetLimits | None:
    """The changed limits that a script can set; None: there are none."""
    groups: dict[str, int | None] = {name: None for name in fleet.groups if name not in event.groups}
    groups |= {name: most for name, most in event.groups.items() if fleet.groups.get(name) != most}
    is_other = event.max_concurrency != fleet.max_concurrency
    if not groups and not is_other:
        return None
    return c.SetLimits(max_concurrency=event.max_concurrency if is_other else UNSET, groups=groups or UNSET)


_TELLERS: Final[dict[type[ev.Event], Callable[[Any], _Told | None]]] = {
    ev.RunPaused: _of_run(c.PauseRun),
    ev.RunResumed: _of_run(c.ResumeRun),
    ev.RunCancelRequested: _of_run(c.CancelRun),
    ev.RunHeldOpen: lambda event: ("run", (), _command(c.HoldRunOpen(run_id="", hold_open=event.hold_open))),
    ev.RunLimitSet: lambda event: (
        "run",
        (),
        _command(c.SetRunLimit(run_id="", max_concurrency=event.max_concurrency)),
    ),
    ev.TaskCancelled: _of_tasks("cancel", c.CancelTasks),
    ev.TaskStopping: _stopping,
    ev.TaskSkipped: _of_tasks("skip", c.SkipTasks),
    ev.TaskMarked: _marked,
    ev.TaskReset: _reset,
    ev.TasksHeld: _of_tasks("hold", c.HoldTasks),
    ev.TasksReleased: _of_tasks("release", c.ReleaseTasks),
    ev.TasksPrioritised: lambda event: _of_tasks("priority", c.SetPriority, priority=event.priority)(event),
    ev.TasksPinned: lambda event: _of_tasks("pin", c.PinTasks, device_id=event.device_id)(event),
    ev.ConstellationModified: _modified,
    ev.GateAnswered: _answered,
    ev.BreakpointsSet: lambda event: _of_tasks("breakpoints", c.SetBreakpoints if event.is_set else c.ClearBreakpoints)(
        event
    ),
    ev.RunUntilSet: lambda event: ("until", (), _command(c.RunUntil(run_id="", task_ids=event.task_ids))),
    ev.RunStepped: lambda event: ("step", (event.task_id,), _command(c.StepRun(run_id="", task_id=event.task_id))),
    ev.DeviceDrained: _of_device(c.DrainDevice),
    ev.DeviceResumed: _of_device(c.ResumeDevice),
    ev.DeviceDisabled: _of_device(c.DisableDevice),
    ev.DeviceEnabled: _of_device(c.EnableDevice),
    ev.DeviceSlotsSet: lambda event: (
        None
        if event.slots is None
        else ("device", (), _command(c.SetSlots(device_id=event.device_id, slots=event.slots)))
    ),
}
_ONE_EACH: Final = frozenset({"cancel", "skip", "mark", "retry", "rerun"})
"""Commands that give an event for each of their tasks."""
