"""Commands on the agents of a run, and the approval of their edits. A part of `Run`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET, UnsetType

from starloom.formats.agent_terms import on_conflict_of, scope_of
from starloom.model.agent_terms import AgentTerms, EditScope, EndFilter
from starloom.scheduling import commands as c

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from starloom.agents.base import Agent
    from starloom.model.agent_terms import OnConflict
    from starloom.model.status import Fence
    from starloom.orchestration.pump import Pump
    from starloom.orchestration.synchronizer import Synchronizer
    from starloom.scheduling.decide.editing import EditReceipt
    from starloom.scheduling.state.cycle_facts import AgentFacts, Approval


class RunAgents:
    """The agents of one run. Commands raise `CommandRefused`, with code, reason and hint, and then change nothing.

    Args:
        run_id: the run's id.
        origin: in whose name commands are given.
        pump: of the engine.
        synchronizer: of the engine, which knows the agents themselves.
    """

    def __init__(self, run_id: str, origin: str, pump: Pump, synchronizer: Synchronizer) -> None:
        self._run_id = run_id
        self._origin = origin
        self._pump = pump
        self._synchronizer = synchronizer

    @property
    def agents(self) -> Mapping[str, AgentFacts]:
        """The agents attached to it by name, in order of attachment, and what became of their answers."""
        cycles = self._pump.facts(self._run_id).cycles
        return dict(cycles.agents) if cycles is not None else {}

    def agent(self, name: str) -> Agent | None:
        """The agent itself that this program has attached under a name, e.g. to read a model's conversation.

        It stays known once it is detached, until any other is attached. None: none of that name is known.
        """
        return self._synchronizer.agent(self._run_id, name)

    @property
    def approvals(self) -> tuple[Approval, ...]:
        """The agents' edits that wait for a person, oldest first."""
        cycles = self._pump.facts(self._run_id).cycles
        return tuple(cycles.approvals.values()) if cycles is not None else ()

    async def attach(
        self,
        agent: Agent,
        *,
        asks: Collection[str] = (),
        on: EndFilter | Iterable[EndFilter] = (),
        scope: EditScope | str | None = None,
        on_conflict: OnConflict | str | None = None,
    ) -> None:
        """Attach an agent, which is asked whenever tasks have completed, or failed for good; its edits are applied.

        Args:
            agent: whoever made it ends what it holds on to, after the run.
            asks: the kinds of its edits that wait for a person's approval, of `constellation.edits.ALL_KINDS`.
            on: it is asked about ends that are in one of these; none: as the plan or the agent itself has it, else all.
            scope: the tasks that it may remove, change or give a dependency, as a value or in words such as
                `descendants` or `tasks:build-*,deploy`; None: likewise, else everything.
            on_conflict: what becomes of its edits of tasks that have started, behind the fence `optimistic`: `drop`,
                `replace` or `next_attempt`; None: likewise, else `drop`.

        Raises:
            CommandRefused: an agent of its name is attached, or there is no such kind of edit.
            SettingsError: the words are no scope, or nothing that can become of edits.
        """
        terms = AgentTerms(
            (on,) if isinstance(on, EndFilter) else tuple(on),
            scope_of(scope) if isinstance(scope, str) else scope,
            None if on_conflict is None else on_conflict_of(on_conflict),
        )
        await self._synchronizer.attach(self._run_id, agent, asks, self._origin, terms)

    async def detach(self, agent: str, reason: str = "") -> None:
        """Detach an agent from the run; its open question is dropped.

        Args:
            agent: its name.
            reason: why, for whoever reads of it.

        Raises:
            CommandRefused: no such agent is attached.
        """
        await self._pump.ask(c.DetachAgent(run_id=self._run_id, agent=agent, origin=self._origin, reason=reason))

    async def pause_agent(self, agent: str) -> None:
        """Pause an agent; its open question is dropped."""
        await self._pump.ask(c.PauseAgent(run_id=self._run_id, agent=agent, origin=self._origin))

    async def resume_agent(self, agent: str) -> None:
        """Resume a paused agent, which is asked about tasks that end from now on."""
        await self._pump.ask(c.ResumeAgent(run_id=self._run_id, agent=agent, origin=self._origin))

    async def trust_agent(self, agent: str, asks: Collection[str]) -> None:
        """Change which kinds of an agent's edits wait for a person's approval; what waits already still does.

        Args:
            agent: its name.
            asks: the kinds of edits that wait, of `constellation.edits.ALL_KINDS`; none: all are applied at once.

        Raises:
            CommandRefused: no such agent is attached, or there is no such kind of edit.
        """
        await self._pump.ask(c.TrustAgent(run_id=self._run_id, agent=agent, asks=tuple(asks), origin=self._origin))

    async def set_fence(
        self,
        fence: Fence | str | UnsetType | None = UNSET,
        *,
        modification_timeout: float | UnsetType = UNSET,
        approval_timeout: float | UnsetType | None = UNSET,
    ) -> None:
        """Change the fence and the timeouts of agents and people; arguments that are not given leave their setting.

        Args:
            fence: which tasks wait while agents are asked; None: as it is by default.
            modification_timeout: seconds for which an agent's answer is waited for.
            approval_timeout: seconds for which a person's answer is waited for; None: for ever.
        """
        await self._pump.ask(
            c.SetFence(
                run_id=self._run_id,
                fence=fence,
                modification_timeout=modification_timeout,
                approval_timeout=approval_timeout,
                origin=self._origin,
            )
        )

    async def answer_approval(
        self, approval: int, *, accept: bool, note: str = "", without: Iterable[int] = ()
    ) -> EditReceipt | None:
        """Apply an agent's edits that wait under this number, or drop them; returns what applying them came to.

        Args:
            approval: its number.
            accept: whether they are applied.
            note: why, for whoever reads of it.
            without: the positions, from 0, of edits that are dropped though the others are applied.

        Raises:
            EditRefused: they do not fit, or not any more; they still wait, and can be rejected.
            CommandRefused: no such approval is open, or nothing of it would be applied.
        """
        answer = c.AnswerApproval(
            run_id=self._run_id,
            approval=approval,
            accept=accept,
            note=note,
            without=tuple(without),
            origin=self._origin,
        )
        receipt: EditReceipt | None = await self._pump.ask(answer)
        return receipt
