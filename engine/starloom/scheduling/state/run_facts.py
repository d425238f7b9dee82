"""Facts about one run. Read them freely; only `scheduling.fold.apply` changes them.

Tasks are numbers here (their place in the graph); whatever each task has is a list indexed by that number (the statuses
are bytes, so that all tasks of one status are found fast), and what only few tasks have is a dict.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from starloom.constellation.graph import Graph
from starloom.model.plan import NO_LIMITS, Limits
from starloom.model.status import DependencyKind, Join, RunState, Severity, TaskStatus
from starloom.scheduling.state.attempts import Attempt
from starloom.scheduling.state.codes import (
    CANCELLED,
    COMPLETED,
    FAILED,
    PENDING,
    REMOVED,
    RUNNING,
    SKIPPED,
    STATUS_OF,
    WAITING,
)
from starloom.scheduling.state.cycle_facts import CycleFacts
from starloom.scheduling.state.plain_facts import plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.model.device import DeviceSpec
    from starloom.model.note import Note
    from starloom.model.result import Result
    from starloom.scheduling.state.attempts import LateEnd
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.gate_facts import GateFacts
    from starloom.scheduling.state.question_facts import QuestionFacts

UNANSWERED: Final = 0
YES: Final = 1
NO: Final = 2

NOT_YET: Final = 0
READY: Final = 1
DOOMED: Final = 2

_ONE_EACH: Final = ("tries", "ready_at", "started_at", "ended_at", "slot_of", "device_of", "results", "unmet")
"""The lists in which each task has its place."""


@dataclass(slots=True, eq=False, repr=False)
class RunFacts:
    """The facts of one run; see the module's docstring for how they are laid out.

    Attributes:
        status: a code of `scheduling.state.codes` per task.
        unmet, no: how many parents have not said yes; how many said no, where any did.
        tries, spent: how many attempts there were; how many don't count against the retries, because of a reset.
        ready_at: when it became ready, moved on by the time the run stood still.
        first_ready: when those became ready whose `ready_at` lies later because the run was paused.
        started_at, ended_at, device_of, slot_of: of the last attempt; a marked task ended when it was marked.
        results, priority: of the last attempt that ended; the base priority.
        history, changed_work: the attempts before the last one; how many there were when its work last changed.
        backoff: when a failed task is due again; also of tasks that were removed or wait for a parent meanwhile.
        stopping, reasons: why a running task was told to stop; why one was skipped or cancelled, as a sentence.
        skipped_because: the parent that made it so; only such tasks are revived.
        verdicts, unevaluated: the answers of conditions, by (parent, child); why some could not be evaluated, a no.
        touched, overwritten: the last changes of fields and edges, and those of others before; see `last_changes`.
        sessions: when each program that ran it took it up: on the engine's clock, and in seconds since 1970.
        fetching: the running tasks whose work has ended, at `ended_at`, and which hold no slot any more.
        overdue: the seconds that running tasks were expected to take which are overdue.
        promoted: tasks that started by their age while one of higher base priority was still ready.
        others: the slots that other runs hold per device, as this run's stream has told.
        cycles: agents and what they are asked; None: there never was one, and no fence was set.
        open, frozen_at: how many tasks have not ended; since when aging stands still, None while the run executes.
        gates: how each gate that was ever asked stands.
        questions, answered_by: those of running tasks that wait for a person, and who answered the others, by number.
        awaiting, awaited: since when running tasks wait for answers; for how long the last attempt of each did before.
        breakpoints: tasks that stop where they would start; after how many starts they did so last.
        placement, overdue_factor: see `RunCreated`.
        is_paused, until: whether it was paused and not resumed, also after its end; what it goes on for, None: all.
        simulated: tasks that say what to run, and whose last attempt went to a device that only simulates it.
        untimed, heard_at, ordered_at, late_ends, overhead: what was found out later about attempts: see `late_facts`.
        paused_spans: from when to when it was paused, and has gone on since: `ready_at` leaves these times out.
        idle_s, idle: seconds between its ends and its reopenings; from when to when, where that was kept.
        devices, rules, notes, agents: of the plan; the last are terms only: who has a part in the run is in `cycles`.
    """

    run_id: str
    fleet: FleetFacts
    seq: int = 0
    revision: int = 0
    open: int = 0
    running: int = 0
    any_joins: int = 0
    name: str = ""
    description: str = ""
    limits: Limits = NO_LIMITS
    metadata: dict[str, Any] = field(default_factory=dict)
    limit: int | None = None
    placement: str | None = None
    state: RunState = RunState.CREATED
    hold_open: bool = False
    cancel_requested: bool = False
    is_paused: bool = False
    aborted_by: str | None = None
    stalled: tuple[str, ...] = ()
    wall_time: float = 0.0
    created_at: float = 0.0
    idle_s: float = 0.0
    devices: tuple[DeviceSpec, ...] = ()
    rules: tuple[Any, ...] = ()
    agents: tuple[Any, ...] = ()
    notes: tuple[Note, ...] = ()
    sessions: list[tuple[float, float]] = field(default_factory=list)
    idle: list[tuple[float, float]] = field(default_factory=list)
    paused_spans: list[tuple[float, float]] = field(default_factory=list)
    cycles: CycleFacts | None = None
    run_started_at: float | None = None
    run_ended_at: float | None = None
    frozen_at: float | None = None
    overdue_factor: float | None = None
    graph: Graph = field(default_factory=Graph)
    status: bytearray = field(default_factory=bytearray)
    unmet: list[int] = field(default_factory=list)
    no: dict[int, int] = field(default_factory=dict)
    tries: list[int] = field(default_factory=list)
    spent: dict[int, int] = field(default_factory=dict)
    ready_at: list[float] = field(default_factory=list)
    first_ready: dict[int, float] = field(default_factory=dict)
    started_at: list[float] = field(default_factory=list)
    ended_at: list[float] = field(default_factory=list)
    device_of: list[str | None] = field(default_factory=list)
    slot_of: list[int] = field(default_factory=list)
    results: list[Result | None] = field(default_factory=list)
    priority: bytearray = field(default_factory=bytearray)
    history: dict[int, list[Attempt]] = field(default_factory=dict)
    changed_work: dict[int, int] = field(default_factory=dict)
    held: set[int] = field(default_factory=set)
    pins: dict[int, str] = field(default_factory=dict)
    gates: dict[int, GateFacts] = field(default_factory=dict)
    questions: dict[int, QuestionFacts] = field(default_factory=dict)
    answered_by: dict[int, str] = field(default_factory=dict)
    awaiting: dict[int, float] = field(default_factory=dict)
    awaited: dict[int, float] = field(default_factory=dict)
    breakpoints: dict[int, int] = field(default_factory=dict)
    until: frozenset[int] | None = None
    backoff: dict[int, float] = field(default_factory=dict)
    stopping: dict[int, str] = field(default_factory=dict)
    reasons: dict[int, str] = field(default_factory=dict)
    skipped_because: dict[int, int] = field(default_factory=dict)
    verdicts: dict[tuple[int, int], bool] = field(default_factory=dict)
    unevaluated: dict[tuple[int, int], str] = field(default_factory=dict)
    touched: dict[tuple[Any, ...], tuple[int, str]] = field(default_factory=dict)
    overwritten: dict[tuple[Any, ...], tuple[int, str]] = field(default_factory=dict)
    others: dict[str, int] = field(default_factory=dict)
    promoted: set[int] = field(default_factory=set)
    overdue: dict[int, float] = field(default_factory=dict)
    fetching: set[int] = field(default_factory=set)
    simulated: set[int] = field(default_factory=set)
    untimed: dict[int, tuple[int, ...]] = field(default_factory=dict)
    heard_at: dict[int, dict[int, float]] = field(default_factory=dict)
    ordered_at: dict[int, dict[int, float]] = field(default_factory=dict)
    late_ends: dict[int, tuple[LateEnd, ...]] = field(default_factory=dict)
    overhead: dict[int, float] = field(default_factory=dict)
    grouped: bool = False
    """Whether any task ever counted against a group."""
    steered: bool = False
    """Whether any task ever was a gate, had a breakpoint or was bypassed, or the run had a goal."""
    plain: bool = True
    """Every edge is plain success and every task joins all: an end is answered without looking at the edges."""

    # ---- reading one task

    def number(self, task_id: str) -> int | None:
        """The number of a present task."""
        return self.graph.place.get(task_id)

    def status_of(self, number: int) -> TaskStatus:
        """The status of a present task."""
        return STATUS_OF[self.status[number]]

    def pin_of(self, number: int) -> str | None:
        """The only device it may run on: by a pin command, else by its fields."""
        pin = self.pins.get(number)
        if pin is not None:
            return pin
        task = self.graph.tasks[number]
        return task.pin if task is not None else None

    def idle_within(self, since: float, until: float) -> float:
        """The seconds of a stretch of its clock that lie between an end of the run and its reopening."""
        return sum(max(0.0, min(until, again) - max(since, ended)) for ended, again in self.idle)

    def pauses(self, number: int) -> bool:
        """Whether only its backoff keeps it from being ready."""
        return number in self.backoff and self.status[number] == PENDING

    def starts(self, number: int) -> int:
        """The number of its starts, or openings of a gate."""
        return self.tries[number] + (self.gates[number].attempt if number in self.gates else 0)

    def is_stopped(self, number: int) -> bool:
        """Whether it is held because of its breakpoint."""
        return number in self.held and self.breakpoints.get(number) == self.starts(number)

    def has_bypassed(self, number: int) -> bool:
        """Whether a task has completed without running, as it says itself."""
        task = self.graph.tasks[number]
        return task is not None and task.is_bypassed and self.status[number] == COMPLETED

    def gate_due(self, number: int) -> float | None:
        """When the countdown of an open gate ends, on the engine's clock; None: it has none, or is not open."""
        gate, task = self.gates.get(number), self.graph.tasks[number]
        if gate is None or not gate.is_open or task is None or task.gate is None or task.gate.after is None:
            return None
        return gate.at + task.gate.after

    def answer(self, parent: int, child: int) -> int:
        """The verdict of the edge: UNANSWERED, YES or NO."""
        code = self.status[parent]
        if code < COMPLETED:
            return UNANSWERED
        special = self.graph.special.get((parent, child))
        kind = special.kind if special is not None else DependencyKind.SUCCESS
        if kind is DependencyKind.ALWAYS:
            return YES
        if code == COMPLETED:
            verdict = kind is DependencyKind.SUCCESS
        elif code == FAILED:
            verdict = kind is DependencyKind.FAILURE or (kind is DependencyKind.SUCCESS and self.is_warning(parent))
        else:
            return NO
        if kind is DependencyKind.CONDITION:
            known = self.verdicts.get((parent, child))
            return UNANSWERED if known is None else YES if known else NO
        return YES if verdict else NO

    def severity_of(self, number: int) -> Severity:
        """The severity of a present task's failure; of one that has not failed, that of most failures."""
        task = self.graph.tasks[number]
        return Severity.ERROR if task is None else task.severity_of(self.results[number])

    def is_warning(self, number: int) -> bool:
        """Whether the failure of a task is only a warning."""
        return self.severity_of(number) is Severity.WARNING

    def warnings(self) -> int:
        """The number of tasks that failed with only a warning."""
        return sum(map(self.is_warning, self.with_status(FAILED)))

    def standing(self, child: int) -> int:
        """Whether the dependencies of a waiting task let it start: NOT_YET, READY or DOOMED."""
        if not self.any_joins or not self.joins_any(child):
            return DOOMED if self.no.get(child) else NOT_YET if self.unmet[child] else READY
        total = len(self.graph.parents[child])
        if self.unmet[child] < total or not total:
            return READY
        return DOOMED if self.no.get(child, 0) == total else NOT_YET

    def joins_any(self, number: int) -> bool:
        """Whether one yes among its dependencies is enough."""
        task = self.graph.tasks[number]
        return task is not None and task.join is Join.ANY

    def attempts(self, number: int) -> list[Attempt]:
        """All attempts, oldest first."""
        past = self.history.get(number, [])
        return [*past, self.last_attempt(number)] if self.has_last_attempt(number) else list(past)

    def has_last_attempt(self, number: int) -> bool:
        """Whether the arrays hold an attempt that is not in the history yet."""
        return self.device_of[number] is not None

    def last_attempt(self, number: int) -> Attempt:
        """The attempt in the arrays; there must be one."""
        device = self.device_of[number]
        assert device is not None
        is_running = self.status[number] == RUNNING
        return Attempt(
            self.tries[number],
            device,
            self.slot_of[number],
            self.first_ready.get(number, self.ready_at[number]),
            self.started_at[number],
            None if is_running else self.ended_at[number],
            self.status_of(number).value,
            None if is_running else self.results[number],
            self.awaited.get(number, 0.0),
        )

    # ---- reading the run

    def counts(self) -> dict[str, int]:
        """The number of tasks with each status, and `removed`; they add up to `submitted`."""
        status = self.status
        return {
            "submitted": len(status),
            "waiting": status.count(WAITING),
            "queued": status.count(PENDING),
            "running": status.count(RUNNING),
            "completed": status.count(COMPLETED),
            "failed": status.count(FAILED),
            "cancelled": status.count(CANCELLED),
            "skipped": status.count(SKIPPED),
            "removed": status.count(REMOVED),
        }

    def with_status(self, code: int) -> list[int]:
        """The numbers of all tasks with this code."""
        found: list[int] = []
        at = self.status.find(code)
        while at >= 0:
            found.append(at)
            at = self.status.find(code, at + 1)
        return found

    def final_state(self) -> RunState:
        """The state of the run if it ended now."""
        if self.aborted_by is not None:
            return RunState.FAILED
        if self.cancel_requested:
            return RunState.CANCELLED
        failed = [n for n in self.with_status(FAILED) if not self.is_warning(n)]
        if not failed:
            return RunState.COMPLETED
        return RunState.PARTIALLY_FAILED if COMPLETED in self.status else RunState.FAILED

    # ---- copies

    def copy(self, fleet: FleetFacts) -> RunFacts:
        """An equal, independent run on a fleet of its own."""
        twin = RunFacts.__new__(RunFacts)
        for name in RunFacts.__slots__:
            value = getattr(self, name)
            if isinstance(value, bytearray | list | dict | set):
                value = value.copy()
            setattr(twin, name, value)
        twin.fleet, twin.graph = fleet, self.graph.copy()
        twin.history = {number: list(past) for number, past in self.history.items()}
        twin.cycles = None if self.cycles is None else self.cycles.copy()
        return twin

    def canonical(self) -> dict[str, Any]:
        """Its facts as plain values: equal for equal runs; of removed tasks, only that they were removed."""
        values = {name: plain(getattr(self, name)) for name in RunFacts.__slots__ if name not in {"fleet", "graph"}}
        values["graph"] = self.graph.canonical_bytes().decode()
        present = sorted(self.graph.place.values())
        for name in _ONE_EACH:
            of_all = getattr(self, name)
            values[name] = {number: plain(of_all[number]) for number in present}
        return values


def groups_of(run: RunFacts, number: int) -> Iterable[str]:
    """The groups a task counts against."""
    task = run.graph.tasks[number]
    return task.groups if task is not None else ()


def cycles_of(run: RunFacts) -> CycleFacts:
    """The facts about a run's agents; before it had any, those with the plan's terms."""
    return CycleFacts(modification_timeout=run.fleet.modification_timeout) if run.cycles is None else run.cycles
