"""The protocol of agents, which read results as they come in and propose how to change the constellation.

An agent only proposes. Its edits are validated against the run as it is when the answer arrives, like a person's; what
it was shown may be older than that. How agents are asked, waited for and given up is the synchronizer's affair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from starloom.constellation.edits import EditBatch
from starloom.constellation.transaction import Rules, rehearse
from starloom.model.agent_terms import OnConflict, ScopeKind
from starloom.model.status import TaskStatus
from starloom.scheduling.state import scopes
from starloom.scheduling.state.codes import RUNNING, STATUS_OF
from starloom.scheduling.state.edit_conflicts import sort_edits
from starloom.scheduling.state.edit_rules import why_frozen, within

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from starloom.constellation.edits import Edit
    from starloom.constellation.graph import Graph
    from starloom.errors import Problem
    from starloom.model.dependency import Dependency
    from starloom.model.result import Result
    from starloom.model.status import Severity
    from starloom.model.task import Task
    from starloom.scheduling.state.run_facts import RunFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedTask:
    """A task of the batch an agent is asked about: it completed, or failed for good.

    Attributes:
        task: its fields.
        status: `completed` or `failed`.
        result: what its last attempt left behind.
        attempts: how many there were.
    """

    task: Task
    status: TaskStatus
    result: Result
    attempts: int

    @property
    def id(self) -> str:
        """The task's id."""
        return self.task.id

    @property
    def severity(self) -> Severity | None:
        """The severity of its failure for the run; None: it has not failed."""
        return self.task.severity_of(self.result) if self.status is TaskStatus.FAILED else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """The edits an agent proposes: all are applied or, if one does not fit, none.

    Attributes:
        edits: in the order in which they are to be done.
        reason: why, for people.
        base_revision: `AgentView.revision`, if a change that others made since then to the same field or edge is to
            refuse the whole proposal; None: only what the run is by then matters.
    """

    edits: tuple[Edit, ...]
    reason: str = ""
    base_revision: int | None = None


class Agent(Protocol):
    """Proposes changes to a run as its tasks end.

    An agent may also have `terms`, an `AgentTerms` that says which ends it is asked about and which tasks it may change
    where neither who attaches it nor the plan does.

    Whoever made an agent ends what it holds on to, after the run. One agent may be attached to several runs, and is
    then asked about each; about one run it is asked one batch at a time.
    """

    @property
    def name(self) -> str:
        """Its name in events: the origin of its edits, unique among the agents of a run."""

    async def propose(self, view: AgentView, finished: Sequence[FinishedTask]) -> Proposal | None:
        """Answer to a batch of ended tasks.

        It is cancelled when its answer is of no use any more: the run has ended, or the agent was detached. What it
        raises is reported, and counts as None. An answer that comes after the run's `modification_timeout` is
        validated like any other, but what it wants to change may have started by then.
        Where the fence lets everything start, that is so with every answer; see `AgentView.on_conflict`.

        Args:
            view: the run as it was when the batch was handed over; it does not change.
            finished: the batch, in the order in which the tasks ended; at least one.

        Returns:
            What to change; None: nothing.
        """


class AgentView:
    """A run as it was at one moment; read-only, and cheap to make: nothing is computed before it is asked for.

    Attributes:
        run_id: which run.
        name: the run's name, for people.
        revision: how many edit batches its graph had taken.
        scope: what the agent that is asked may change; None: everything.
        on_conflict: what becomes of its edits of tasks that have started; None: its whole proposal is refused.

    Args:
        run: is copied.
        agent: the name of the agent it is made for, whose scope it shows; empty: for nobody in particular.
    """

    __slots__ = (
        *("_below", "_ends", "_graph", "_reasons", "_results", "_status", "_tries"),
        *("name", "on_conflict", "revision", "run_id", "scope"),
    )

    def __init__(self, run: RunFacts, agent: str = "") -> None:
        self.run_id = run.run_id
        self.name = run.name
        self.revision = run.revision
        self._graph: Graph = run.graph.copy()
        self._status = bytes(run.status)
        self._results = list(run.results)
        self._tries = list(run.tries)
        self._reasons = dict(run.reasons)
        asked = run.cycles.agents.get(agent) if run.cycles is not None else None
        self.scope = asked.scope if asked is not None else None
        self.on_conflict = run.cycles.on_conflict_of(asked) if asked is not None and run.cycles is not None else None
        self._ends = asked.asked if asked is not None else ()
        self._below: set[int] | None = None

    # ---- tasks

    def __len__(self) -> int:
        """The number of tasks."""
        return len(self._graph)

    def __contains__(self, task_id: object) -> bool:
        return task_id in self._graph

    def __iter__(self) -> Iterator[Task]:
        """The fields of each task, by place in line."""
        return (task for _, task in self._graph.present())

    @property
    def task_ids(self) -> tuple[str, ...]:
        """The ids of all tasks, by place in line."""
        return tuple(task.id for task in self)

    def task(self, task_id: str) -> Task:
        """The fields of a task.

        Raises:
            KeyError: there is none of this id; so say all readings of one task.
        """
        return self._graph.task(task_id)

    def status(self, task_id: str) -> TaskStatus:
        """The status of a task."""
        return STATUS_OF[self._status[self._graph.place[task_id]]]

    def result(self, task_id: str) -> Result | None:
        """The result of a task's last attempt that ended; None: there was none."""
        return self._results[self._graph.place[task_id]]

    def attempts(self, task_id: str) -> int:
        """The number of a task's attempts."""
        return self._tries[self._graph.place[task_id]]

    def reason(self, task_id: str) -> str:
        """The reason why a task was skipped or cancelled, as a sentence; empty for any other task."""
        return self._reasons.get(self._graph.place[task_id], "")

    def may_change(self, task_id: str) -> bool:
        """Whether a task may be edited, given dependencies and removed: it has not started, and is in the scope.

        Also one that runs, if that can be replaced, or get new values of its fields for its next attempt.
        """
        number = self._graph.place[task_id]
        takes_running = self.on_conflict in {OnConflict.REPLACE, OnConflict.NEXT_ATTEMPT}
        return self._status[number] < RUNNING + takes_running and self._is_in_scope(number)

    def _is_in_scope(self, number: int) -> bool:
        if self.scope is None or self.scope.kind is not ScopeKind.DESCENDANTS:
            return scopes.holds(self._graph, self.scope, (), number)
        if self._below is None:
            self._below = scopes.cone(self._graph, self._ends)
        return number in self._below

    def problems(self, edits: Sequence[Edit]) -> tuple[Problem, ...]:
        """The problems for which these edits, as one batch, would be refused or left out had nothing changed since.

        By the rules that hold for everybody's edits, so that an agent can mend a proposal before it makes it.
        """
        batch = EditBatch(edits=tuple(edits))
        rules = Rules(lambda number: why_frozen(self._status[number]), lambda *_: None)
        if self.scope is not None:
            rules = within(rules, self._graph, edits, self.scope, self._ends)
        if self.on_conflict is None:
            return rehearse(self._graph, batch, rules).problems
        parts = sort_edits(self._graph, batch, rules, self._status, self.on_conflict)
        return parts.problems or parts.why

    # ---- dependencies

    def parents(self, task_id: str) -> tuple[Dependency, ...]:
        """The dependencies of a task on its parents, by place in line."""
        graph, number = self._graph, self._graph.place[task_id]
        return tuple(graph.dependency(parent, number) for parent in sorted(graph.parents[number]))

    def children(self, task_id: str) -> tuple[Dependency, ...]:
        """The dependencies of a task's children on it, by place in line."""
        graph, number = self._graph, self._graph.place[task_id]
        return tuple(graph.dependency(number, child) for child in sorted(graph.children[number]))

    def descendants(self, task_id: str) -> tuple[str, ...]:
        """The ids of a task's descendants, each after its own parents."""
        graph = self._graph
        return tuple(graph.ids[number] for number in graph.descendants(graph.place[task_id]))

    def dependencies(self) -> Iterator[Dependency]:
        """All dependencies."""
        return self._graph.dependencies()
