"""Facts about a run's agents and edit cycles: who is asked, who has answered, what waits for approval.

Part of the facts of a run (`RunFacts.cycles`); changed by `fold.cycles` alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import msgspec
from msgspec.structs import replace

from starloom.constellation.edits import Edit
from starloom.model.agent_terms import EditScope, EndFilter, OnConflict
from starloom.model.status import Fence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MODIFICATION_TIMEOUT = 600.0
"""Seconds, as the seeds have it."""


class AgentFacts(msgspec.Struct):
    """An agent attached to a run.

    Attributes:
        asks: the kinds of edits that wait for approval.
        on: it is asked about ends that are in one of these; none: about all.
        scope: what it may change; None: everything.
        on_conflict: what becomes of its edits of tasks that have started; None: it has not said.
        since: when it was attached.
        paused: whether it is not asked at present.
        late: the cycle it still owes an answer to that nobody waits for; 0: none.
        next: the tasks that have ended since it was last asked.
        asked: those it was last asked about.
        rounds: how often it was asked.
        proposed: edits it has proposed.
        accepted, refused: its proposals that were applied, and that were not.
        lates, timeouts, errors: how often it answered late, was no longer waited for, and could not answer.
    """

    name: str
    asks: tuple[str, ...] = ()
    since: float = 0.0
    paused: bool = False
    late: int = 0
    next: list[int] = []
    rounds: int = 0
    proposed: int = 0
    accepted: int = 0
    refused: int = 0
    lates: int = 0
    timeouts: int = 0
    errors: int = 0
    on: tuple[EndFilter, ...] = ()
    scope: EditScope | None = None
    asked: tuple[int, ...] = ()
    on_conflict: OnConflict | None = None

    @property
    def is_due(self) -> bool:
        """Whether the agent is asked as soon as no cycle is open."""
        return bool(self.next) and not self.late


class Proposed(msgspec.Struct, frozen=True):
    """The answer of an agent with its edits.

    Attributes:
        asks: the kinds of edits that wait for approval, as it was when the agent answered: detaching it lifts nothing.
        scope: what the agent might change then.
        ends: the numbers of the tasks that it was asked about.
        on_conflict: what becomes of its edits of tasks that have started; None: the whole proposal is refused.
    """

    agent: str
    edits: tuple[Edit, ...]
    reason: str = ""
    base_revision: int | None = None
    asks: tuple[str, ...] = ()
    scope: EditScope | None = None
    ends: tuple[int, ...] = ()
    on_conflict: OnConflict | None = None


class Cycle(msgspec.Struct, frozen=True):
    """An edit cycle: a batch of ended tasks that agents are being asked about.

    Attributes:
        tasks: the numbers of all tasks of it.
        agents: who was asked, in order of attachment.
        waiting: who of them has not answered.
        answers: proposals whose turn has not come, as an agent that was attached earlier has not answered.
    """

    number: int
    at: float
    tasks: tuple[int, ...]
    agents: tuple[str, ...]
    waiting: tuple[str, ...]
    answers: tuple[Proposed, ...] = ()


class Approval(msgspec.Struct, frozen=True):
    """A proposal that waits for a person.

    Attributes:
        tasks: the batch it answers to; none if the answer came late.
        at: since when it waits.
    """

    number: int
    cycle: int
    at: float
    tasks: tuple[int, ...]
    proposed: Proposed


class Deferral(msgspec.Struct, frozen=True):
    """Edits of an agent that wait, as tasks that they are about have started.

    Attributes:
        cycle: the one they were an answer to.
        at: since when they wait.
        tasks: the numbers of these tasks; none of them starts before it is settled.
        proposed: what waits; `on_conflict` says for what.
    """

    number: int
    cycle: int
    at: float
    tasks: tuple[int, ...]
    proposed: Proposed


class CycleFacts(msgspec.Struct):
    """The facts about the agents of a run and their edit cycles.

    Attributes:
        fence: as it was set; None: it never was.
        agents: by name, in order of attachment.
        cycle: what they are being asked; None: nothing.
        approvals: what waits for a person, by number.
        cycles: the number of the last cycle.
        staged: the number of the last approval.
        deferrals: edits that wait for tasks to be stopped or to run again, by number.
        deferred: the number of the last of these.
        handed, answered, timed_out: how many ended tasks were handed over, answered to, and given up.
    """

    fence: Fence | None = None
    modification_timeout: float = MODIFICATION_TIMEOUT
    approval_timeout: float | None = None
    agents: dict[str, AgentFacts] = {}
    cycle: Cycle | None = None
    approvals: dict[int, Approval] = {}
    cycles: int = 0
    staged: int = 0
    handed: int = 0
    answered: int = 0
    timed_out: int = 0
    deferrals: dict[int, Deferral] = {}
    deferred: int = 0

    def on_conflict_of(self, agent: AgentFacts) -> OnConflict | None:
        """What becomes of edits that an agent proposes now of tasks that have started; None: all are refused."""
        return (agent.on_conflict or OnConflict.DROP) if self.fence is Fence.OPTIMISTIC else None

    def proposed(self, agent: AgentFacts, edits: tuple[Edit, ...], reason: str, base_revision: int | None) -> Proposed:
        """An answer that an agent gives now, with its terms."""
        bounds = {"scope": agent.scope, "ends": agent.asked, "on_conflict": self.on_conflict_of(agent)}
        return Proposed(agent.name, edits, reason, base_revision, agent.asks, **bounds)  # type: ignore[arg-type]

    @property
    def fence_in_force(self) -> Fence:
        """The fence as set; else `scope` if there is one, of an agent or of what waits for approval, or `global`."""
        if self.fence is not None:
            return self.fence
        is_scoped = any(agent.scope is not None for agent in self.agents.values())
        return Fence.SCOPE if is_scoped or any(scope is not None for scope, _ in self.claims) else Fence.GLOBAL

    @property
    def claims(self) -> Iterator[tuple[EditScope | None, Sequence[int]]]:
        """What may still be changed: the scope of each open question, answer and approval, and the ends it is about."""
        for approval in self.approvals.values():
            if approval.tasks:
                yield approval.proposed.scope, approval.proposed.ends
        if self.cycle is not None:
            for name in self.cycle.waiting:
                yield self.agents[name].scope, self.agents[name].asked
            for answer in self.cycle.answers:
                yield answer.scope, answer.ends
        for agent in self.agents.values():
            if agent.is_due:
                yield agent.scope, agent.next

    @property
    def is_open(self) -> bool:
        """Whether an agent or an approval is waited for: one that is asked, or is asked next.

        The run does not end meanwhile.
        """
        return bool(self.approvals) or self.has_pending

    @property
    def has_pending(self) -> bool:
        """Whether `pending` is not empty, and so the fence is closed; a late answer does not close it."""
        if self.cycle is not None or any(agent.is_due for agent in self.agents.values()):
            return True
        return any(approval.tasks for approval in self.approvals.values())

    @property
    def pending(self) -> dict[int, None]:
        """The numbers of the tasks of all open cycles and approvals, in the order in which they ended."""
        tasks: dict[int, None] = {}
        for approval in self.approvals.values():
            tasks |= dict.fromkeys(approval.tasks)
        if self.cycle is not None:
            tasks |= dict.fromkeys(self.cycle.tasks)
        for agent in self.agents.values():
            if agent.is_due:
                tasks |= dict.fromkeys(agent.next)
        return tasks

    @property
    def due(self) -> float | None:
        """The deadline of the open cycle; None: none is open."""
        return None if self.cycle is None else self.cycle.at + self.modification_timeout

    def approval_due(self, number: int) -> float | None:
        """The next deadline of an approval; None: approvals have none, or there is no open one with tasks."""
        approval = self.approvals.get(number)
        return None if approval is None or self.approval_timeout is None else approval.at + self.approval_timeout

    def copy(self) -> Self:
        """Equal facts; changing one does not change the other."""
        agents = {name: replace(agent, next=list(agent.next)) for name, agent in self.agents.items()}
        return replace(self, agents=agents, approvals=dict(self.approvals), deferrals=dict(self.deferrals))
