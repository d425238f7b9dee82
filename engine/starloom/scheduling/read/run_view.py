"""Read-only views of a run and its tasks, without the arrays that hold the facts of tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.scheduling.state.codes import CODE_OF, PENDING, REMOVED, RUNNING, STATUS_OF
from starloom.scheduling.state.late_facts import is_timed, late_end
from starloom.scheduling.state.run_facts import UNANSWERED
from starloom.scheduling.state.stops import open_gates

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from starloom.constellation.graph import Graph
    from starloom.model.result import Result
    from starloom.model.status import RunState, TaskStatus
    from starloom.model.task import Task
    from starloom.scheduling.state.attempts import Attempt, LateEnd
    from starloom.scheduling.state.cycle_facts import CycleFacts
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.gate_facts import GateFacts
    from starloom.scheduling.state.run_facts import RunFacts

_STATUS: Final = (*STATUS_OF, None)  # by the codes of `scheduling.state.codes`


class RunView:
    """A read-only view of a run, computed from its facts on each access.

    Args:
        facts: of the run.

    Attributes:
        facts: for functions of the engine that go through all of them, as those that foresee or summarise.
    """

    __slots__ = ("facts",)

    def __init__(self, facts: RunFacts) -> None:
        self.facts = facts

    @property
    def run_id(self) -> str:
        """Its id; of a plan, its key."""
        return self.facts.run_id

    @property
    def name(self) -> str:
        """Its name for people."""
        return self.facts.name

    @property
    def graph(self) -> Graph:
        """Its tasks and dependencies, to be read only."""
        return self.facts.graph

    @property
    def revision(self) -> int:
        """The number of edits of its graph."""
        return self.facts.revision

    @property
    def state(self) -> RunState:
        """Its state."""
        return self.facts.state

    @property
    def started_at(self) -> float | None:
        """When it started, in seconds on the engine's clock; None: it has not."""
        return self.facts.run_started_at

    @property
    def ended_at(self) -> float | None:
        """When it ended, in seconds on the engine's clock; None: it has not."""
        return self.facts.run_ended_at

    @property
    def stalled(self) -> tuple[str, ...]:
        """The reasons why no task of it can start, as sentences; empty: one can."""
        return self.facts.stalled

    @property
    def open(self) -> int:
        """The number of its tasks that have not ended."""
        return self.facts.open

    @property
    def running(self) -> int:
        """The number of its tasks that hold a slot."""
        return self.facts.running

    @property
    def is_overdue(self) -> bool:
        """Whether any of its tasks runs far longer than was expected."""
        return bool(self.facts.overdue)

    @property
    def until(self) -> frozenset[int] | None:
        """The numbers of the tasks of its goal; None: it runs all."""
        return self.facts.until

    @property
    def fleet(self) -> FleetFacts:
        """The devices and limits of all runs, to be read only."""
        return self.facts.fleet

    @property
    def limit(self) -> int | None:
        """The number of its tasks that may run at once; None: unlimited."""
        return self.facts.limit

    @property
    def placement(self) -> str | None:
        """The strategy that chooses its devices; None: that of the fleet."""
        return self.facts.placement

    @property
    def cycles(self) -> CycleFacts | None:
        """The facts of its agents and edit cycles; None: it never had an agent, and no fence was set."""
        return self.facts.cycles

    def wall(self, at: float, *, is_end: bool = False) -> float:
        """Seconds since 1970 at a moment on the engine's clock, by the program that ran the run then.

        Args:
            at: that moment.
            is_end: whether something ended then, which at the very begin of a session was in that before.
        """
        since, wall = self.facts.created_at, self.facts.wall_time
        for begun, wall_then in self.facts.sessions:
            if begun < at or (begun == at and not is_end):
                since, wall = begun, wall_then
        return wall + at - since

    def number(self, task_id: str) -> int | None:
        """The number of a present task; None: there is no such task."""
        return self.facts.number(task_id)

    def task(self, number: int) -> TaskView:
        """One of its tasks by its number, present or removed."""
        return TaskView(self.facts, number)

    def tasks(self, numbers: Iterable[int]) -> Iterator[TaskView]:
        """The tasks with these numbers, present or removed."""
        return (TaskView(self.facts, number) for number in numbers)

    def has(self, number: int) -> bool:
        """Whether it has a present task of this number; staged tasks do not count."""
        return number < len(self.facts.status) and self.graph.tasks[number] is not None

    def with_status(self, status: TaskStatus) -> list[TaskView]:
        """Its tasks of this status, by number."""
        return [TaskView(self.facts, number) for number in self.facts.with_status(CODE_OF[status])]

    def count(self, status: TaskStatus) -> int:
        """The number of its tasks with this status."""
        return self.facts.status.count(CODE_OF[status])

    def open_gates(self) -> list[tuple[TaskView, GateFacts]]:
        """Its open gates, in the order in which they were opened."""
        return [(TaskView(self.facts, number), self.facts.gates[number]) for number in open_gates(self.facts)]

    def devices_used(self) -> set[str]:
        """The ids of the devices on which the last attempt of any task runs or ran."""
        return {device for device in self.facts.device_of if device}

    def statuses(self) -> set[TaskStatus]:
        """The statuses that its present tasks have."""
        return {STATUS_OF[code] for code in set(self.facts.status) if code != REMOVED}

    def counts(self) -> dict[str, int]:
        """The number of tasks with each status, and `removed`; they add up to `submitted`."""
        return self.facts.counts()


class TaskView:
    """A read-only view of one task of a run, computed from the run's facts on each access.

    It costs an object of two words and keeps nothing. Where tens of thousands of tasks are painted or sorted at once,
    the arrays of `RunFacts` are read instead.

    Args:
        run: the facts of its run.
        number: its place in the graph; of a task that is present or was removed.
    """

    __slots__ = ("_run", "number")

    def __init__(self, run: RunFacts, number: int) -> None:
        self._run = run
        self.number = number

    @property
    def run(self) -> RunView:
        """The run it is of."""
        return RunView(self._run)

    @property
    def id(self) -> str:
        """Its id, also after its removal."""
        return self._run.graph.ids[self.number]

    @property
    def fields(self) -> Task | None:
        """The task as the plan has it; None: it was removed."""
        return self._run.graph.tasks[self.number]

    @property
    def title(self) -> str:
        """Its name, also after its removal; its id when it has none."""
        return self._run.graph.names.title(self.number)

    @property
    def parents(self) -> Sequence[int]:
        """The numbers of the tasks it depends on."""
        return self._run.graph.parents[self.number]

    @property
    def children(self) -> Sequence[int]:
        """The numbers of the tasks that depend on it."""
        return self._run.graph.children[self.number]

    @property
    def groups(self) -> Sequence[str]:
        """The groups it counts against."""
        task = self.fields
        return () if task is None else task.groups

    @property
    def status(self) -> TaskStatus | None:
        """Its status; None: it was removed."""
        return _STATUS[self._run.status[self.number]]

    @property
    def is_to_start(self) -> bool:
        """Whether it is present and waits or is ready."""
        return self._run.status[self.number] <= PENDING

    @property
    def is_running(self) -> bool:
        """Whether an attempt of it runs."""
        return self._run.status[self.number] == RUNNING

    @property
    def has_ended(self) -> bool:
        """Whether it has ended; one that was removed has not."""
        status = self.status
        return status is not None and status.is_terminal

    @property
    def is_warning(self) -> bool:
        """Whether its failure is only a warning, or would be for most failures."""
        return self._run.is_warning(self.number)

    @property
    def reason(self) -> str:
        """The reason why it was skipped or cancelled, as a sentence; empty: it was not, or has no reason of its own."""
        return self._run.reasons.get(self.number, "")

    @property
    def skipped_because(self) -> TaskView | None:
        """The parent because of which it was skipped; None: none."""
        number = self._run.skipped_because.get(self.number)
        return None if number is None else TaskView(self._run, number)

    @property
    def result(self) -> Result | None:
        """The result of the last attempt that ended; None: none did."""
        return self._run.results[self.number]

    @property
    def gate(self) -> GateFacts | None:
        """Its facts as a gate; None: it was never opened."""
        return self._run.gates.get(self.number)

    @property
    def gate_due(self) -> float | None:
        """When the countdown of its open gate ends, on the engine's clock; None: it has none, or is not open."""
        return self._run.gate_due(self.number)

    @property
    def answered(self) -> int:
        """The number of its dependencies with the verdict yes."""
        return len(self.parents) - self._run.unmet[self.number]

    @property
    def unanswered(self) -> list[TaskView]:
        """Its parents whose dependencies have no verdict yet, by number."""
        run = self._run
        return [TaskView(run, one) for one in sorted(self.parents) if run.answer(one, self.number) == UNANSWERED]

    @property
    def ready_at(self) -> float:
        """When it became ready, shifted by the time the run was paused; seconds on the engine's clock."""
        return self._run.ready_at[self.number]

    @property
    def is_held(self) -> bool:
        """Whether it is held, by a command or by its breakpoint."""
        return self.number in self._run.held

    @property
    def has_breakpoint(self) -> bool:
        """Whether it stops where it would start."""
        return self.number in self._run.breakpoints

    @property
    def is_stopped(self) -> bool:
        """Whether it is held because of its breakpoint."""
        return self._run.is_stopped(self.number)

    @property
    def backs_off(self) -> bool:
        """Whether only the backoff before its next attempt keeps it from being ready."""
        return self._run.pauses(self.number)

    @property
    def retry_at(self) -> float | None:
        """When its next attempt is due, in seconds on the engine's clock; None: it is in no backoff."""
        return self._run.backoff.get(self.number)

    @property
    def priority(self) -> int:
        """Its base priority, 0 to 100."""
        return self._run.priority[self.number]

    @property
    def pin(self) -> str | None:
        """The only device it may run on: by a pin command, else by its fields."""
        return self._run.pin_of(self.number)

    @property
    def steered_to(self) -> str | None:
        """The device of a pin command; None: only its fields say where it may run."""
        return self._run.pins.get(self.number)

    @property
    def attempt(self) -> int:
        """The number of its last attempt; 0: there was none."""
        return self._run.tries[self.number]

    @property
    def attempts(self) -> list[Attempt]:
        """All attempts, oldest first."""
        return self._run.attempts(self.number)

    @property
    def has_last_attempt(self) -> bool:
        """Whether `device`, `started_at` and `ended_at` are of an attempt: not before the first, nor between two."""
        return self._run.has_last_attempt(self.number)

    @property
    def device(self) -> str | None:
        """The device of its last attempt; None: it has none."""
        return self._run.device_of[self.number]

    @property
    def started_at(self) -> float:
        """When its last attempt started, in seconds on the engine's clock."""
        return self._run.started_at[self.number]

    @property
    def ended_at(self) -> float:
        """When its last attempt ended or it was marked, on the engine's clock; meaningless while an attempt runs."""
        return self._run.ended_at[self.number]

    def is_timed(self, attempt: int) -> bool:
        """Whether the duration of its last ended attempt is known."""
        return is_timed(self._run, self.number, attempt)

    def late_end(self, attempt: int) -> LateEnd | None:
        """The end of a lost attempt of it; None: unknown."""
        return late_end(self._run, self.number, attempt)

    @property
    def is_stopping(self) -> bool:
        """Whether it runs and was told to stop."""
        return self.number in self._run.stopping

    @property
    def overdue(self) -> float | None:
        """The expected seconds of its attempt, once it is overdue; None: it is not."""
        return self._run.overdue.get(self.number)

    @property
    def waits_since(self) -> float | None:
        """Since when its attempt waits for a person's answer, on the engine's clock; None: it does not."""
        return self._run.awaiting.get(self.number)

    def ran_for(self, now: float) -> float:
        """Seconds of its last attempt, up to now while it runs; 0: it has none."""
        if self.device is None:
            return 0.0
        return max(0.0, (now if self.is_running else self.ended_at) - self.started_at)

    def verdict(self, parent: TaskView) -> bool | None:
        """The verdict of its dependency on a parent; None: there is none, or the parent has not ended."""
        return self._run.verdicts.get((parent.number, self.number))
