"""The synchronizer: asks agents when the scheduler orders it, and tells it what they answer. Decides nothing.

All agents of a cycle are asked at once, each in an asyncio task of its own; a slow one delays neither the others nor
the loop. What the fence keeps back, in which order answers are applied and how long anybody is waited for, the
scheduler decides from its facts alone.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, Final

from starloom.agents.base import AgentView, FinishedTask, Proposal
from starloom.constellation.edits import EditBatch
from starloom.errors import CommandRefused
from starloom.events import ApprovalAnswered, EditCycleClosed, RunEnded
from starloom.formats.agent_terms import read_agents
from starloom.model.agent_terms import NO_TERMS, AgentTerms
from starloom.model.result import EMPTY_RESULT
from starloom.scheduling import commands as c
from starloom.scheduling.decide.checking import check
from starloom.scheduling.instructions import AskAgent, WithdrawQuestion
from starloom.scheduling.read.counters import modifications, run_counters

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from starloom.agents.base import Agent
    from starloom.events import Event
    from starloom.orchestration.bus import EventBus
    from starloom.orchestration.pump import Pump
    from starloom.scheduling.state.cycle_facts import CycleFacts
    from starloom.scheduling.state.run_facts import RunFacts

_log = logging.getLogger(__name__)
_LONGEST_GOODBYE: Final = 10.0
"""Seconds an agent gets to notice that its answer is of no use any more, before the engine ends without it."""
_Key = tuple[str, str]
"""A run, and the name of an agent of it."""


class Synchronizer:
    """The agents of all runs, and the questions they are thinking about."""

    def __init__(self, pump: Pump, events: EventBus) -> None:
        self._pump = pump
        self._events = events
        self._agents: dict[_Key, Agent] = {}
        self._attaching: set[_Key] = set()
        self._calls: dict[_Key, asyncio.Task[None]] = {}
        self._given_up: set[asyncio.Task[None]] = set()
        """Calls that were cancelled and have not ended yet: one may have a child process to end."""
        self._is_closed = False

    # ---- attaching

    async def attach(
        self, run_id: str, agent: Agent, asks: Collection[str], origin: str, given: AgentTerms = NO_TERMS
    ) -> None:
        """Attach an agent to a run, which is asked about tasks that end from now on.

        Args:
            run_id: the run.
            agent: asked under its own name.
            asks: the kinds of its edits that wait for a person's approval.
            origin: in whose name.
            given: its terms; what they leave open is as the run's plan has it, else as the agent itself has it.

        Raises:
            CommandRefused: it is no agent, its name is taken, or `asks` or its terms make no sense.
        """
        if not callable(getattr(agent, "propose", None)) or not hasattr(agent, "name"):
            hint = "Give it a name, and a method propose as starloom.agents.base.Agent has it."
            raise CommandRefused("not_an_agent", f"{shortened(agent)} is no agent.", hint)
        terms = self._terms(run_id, agent, given)
        given_terms: Any = {name: getattr(terms, name) for name in terms.__struct_fields__}
        command = c.AttachAgent(run_id=run_id, agent=agent.name, asks=tuple(asks), origin=origin, **given_terms)
        check(command)
        key = run_id, agent.name
        self._let_detached_go()
        before = self._agents.get(key)
        self._agents[key] = agent  # the first question may come in the very turn that attaches it
        self._attaching.add(key)
        try:
            await self._pump.ask(command)
        except BaseException:
            if before is None:
                self._agents.pop(key, None)
            else:
                self._agents[key] = before
            raise
        finally:
            self._attaching.discard(key)

    def bring(self, run_id: str, agents: Iterable[Agent]) -> tuple[str, ...]:
        """Have these agents asked in the places of those that an earlier program attached; returns their names."""
        brought = {agent.name: agent for agent in agents}
        self._agents |= {(run_id, name): agent for name, agent in brought.items()}
        return tuple(brought)

    def _terms(self, run_id: str, agent: Agent, given: AgentTerms) -> AgentTerms:
        """What holds of an agent, as far as anybody says: who attaches it, the plan, or the agent."""
        run = self._pump.scheduler.runs.get(run_id)
        said = (given, read_agents(run.run.agents).get(agent.name) if run else None, getattr(agent, "terms", None))
        known = [terms for terms in said if isinstance(terms, AgentTerms)]
        scope = next((terms.scope for terms in known if terms.scope is not None), None)
        on_conflict = next((terms.on_conflict for terms in known if terms.on_conflict is not None), None)
        return AgentTerms(next((terms.on for terms in known if terms.on), ()), scope, on_conflict)

    def _let_detached_go(self) -> None:
        """Drop agents that are detached from their runs; those of ended runs are kept, as these may be reopened."""
        runs = self._pump.scheduler.runs
        for key in self._agents.keys() - self._attaching:
            run_id, name = key
            cycles = runs[run_id].run.cycles if run_id in runs else None
            if cycles is None or name not in cycles.agents:
                del self._agents[key]

    def forget(self, run_id: str) -> None:
        """Forget the agents of an ended run that was released from memory."""
        for key in [key for key in self._agents if key[0] == run_id]:
            del self._agents[key]

    def agent(self, run_id: str, name: str) -> Agent | None:
        """The last agent that was attached to the run under this name; None: there was none, or it was dropped."""
        return self._agents.get((run_id, name))

    # ---- what the scheduler orders

    def carry_out(self, orders: Sequence[AskAgent | WithdrawQuestion]) -> None:
        """Ask, or stop asking; called by the pump once the turn is committed."""
        for order in orders:
            key = order.run_id, order.agent
            call = self._calls.pop(key, None)
            if call is not None:
                self._given_up.add(call)
                call.add_done_callback(self._given_up.discard)
                call.cancel()
            if isinstance(order, AskAgent):
                self._ask(order, key)

    def _ask(self, order: AskAgent, key: _Key) -> None:
        if self._is_closed:  # what is stopped only now may still end, but nobody would end the call
            return
        agent = self._agents.get(key)
        if agent is None:
            self._answer(order, error="no such agent is part of this program")
            return
        run = self._pump.scheduler.run(order.run_id)
        finished = [_finished(run, task_id) for task_id in order.task_ids]
        call = asyncio.get_running_loop().create_task(
            self._call(agent, order, AgentView(run, order.agent), finished), name=f"starloom agent {order.agent}"
        )
        self._calls[key] = call
        call.add_done_callback(lambda done: self._forget(key, done))

    def _forget(self, key: _Key, call: asyncio.Task[None]) -> None:
        if self._calls.get(key) is call:
            del self._calls[key]

    async def _call(self, agent: Agent, order: AskAgent, view: AgentView, finished: list[FinishedTask]) -> None:
        """Ask an agent, and report exactly one answer, unless the question is withdrawn."""
        try:
            proposal = await agent.propose(view, finished)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            self._answer(order, error="it was cancelled by its own doing")
        except Exception as error:  # noqa: BLE001 - the border to agents: it is reported as an event
            self._answer(order, error=f"{type(error).__name__}: {error}")
        else:
            self._answer_with(order, proposal)

    def _answer_with(self, order: AskAgent, proposal: object) -> None:
        if proposal is None:
            self._answer(order)
        elif isinstance(proposal, Proposal):
            batch = EditBatch(
                edits=proposal.edits, base_revision=proposal.base_revision, origin=order.agent, reason=proposal.reason
            )
            self._answer(order, batch)
        else:
            self._answer(order, error=f"it answered {shortened(proposal)}, which is no Proposal")

    def _answer(self, order: AskAgent, batch: EditBatch | None = None, error: str = "") -> None:
        """Post the answer to the scheduler, so that it outlives a commit that fails."""
        said: dict[str, Any] = {"run_id": order.run_id, "agent": order.agent, "cycle": order.cycle}
        command = c.AnswerEditCycle(**said, proposal=batch, error=_sayable(error), origin=order.agent)
        try:
            check(command)
        except CommandRefused as refusal:
            command = c.AnswerEditCycle(**said, error=f"its answer cannot be read: {refusal}", origin=order.agent)
        self._pump.post(command)

    async def close(self) -> None:
        """Stop asking agents and cancel open questions; returns when they have stopped, or will not."""
        self._is_closed = True
        calls = {*self._calls.values(), *self._given_up}
        for call in calls:
            call.cancel()
        if calls:
            _, deaf = await asyncio.wait(calls, timeout=_LONGEST_GOODBYE)
            for call in deaf:
                _log.warning("%s does not stop thinking; it is left behind", call.get_name())

    # ---- the seeds' names

    def _facts(self, run_id: str | None) -> Iterator[tuple[RunFacts, CycleFacts]]:
        """The facts of one run, or of all live runs, with agents attached now or before."""
        scheduler = self._pump.scheduler
        for index in scheduler.watched.values() if run_id is None else [scheduler.runs[run_id]]:
            if index.run.cycles is not None:
                yield index.run, index.run.cycles

    def has_pending_modifications(self, run_id: str | None = None) -> bool:
        """Whether an edit cycle or an approval is open: in one run, or, without an id, in any that lives."""
        return any(cycles.is_open for _, cycles in self._facts(run_id))

    def get_pending_task_ids(self, run_id: str | None = None) -> list[str]:
        """The tasks that have ended and whose cycles or approvals are open, in the order in which they ended."""
        return [run.graph.ids[number] for run, cycles in self._facts(run_id) for number in cycles.pending]

    def get_statistics(self, run_id: str | None = None) -> dict[str, int]:
        """The numbers of ended tasks that were given to agents, answered, and given up by timeout.

        Args:
            run_id: in which run; None: in all that this engine has had, ended ones too.
        """
        scheduler = self._pump.scheduler
        if run_id is None:
            return modifications(scheduler)
        ended = self._pump.ended_runs.get(run_id)
        counted = run_counters(scheduler.runs[run_id].run) if ended is None else ended.scheduler
        return {name: getattr(counted, name) for name in modifications(scheduler)}

    async def wait_for_pending_modifications(self, timeout: float | None = None, run_id: str | None = None) -> bool:  # noqa: ASYNC109 - the seeds' signature
        """Return True once no edit cycle and no approval is open; False if that takes more than `timeout` seconds.

        Unlike in the seeds nothing is given up by that: the fence has a timeout of its own.

        Args:
            timeout: seconds; None: as long as it takes.
            run_id: one run; None: all of them.
        """
        news = asyncio.Event()

        def note(_event: Event) -> None:
            news.set()

        with suppress(TimeoutError), self._events.subscribe(note, EditCycleClosed, ApprovalAnswered, RunEnded):
            async with asyncio.timeout(timeout):
                while self.has_pending_modifications(run_id):
                    news.clear()
                    await news.wait()
        return not self.has_pending_modifications(run_id)

    async def set_modification_timeout(self, seconds: float, run_id: str | None = None) -> None:
        """For how long agents are waited for from now on, and also those who think already.

        Args:
            seconds: from handing a batch over.
            run_id: in which run; None: in all that live and in those to come, but for those whose plan says it.

        Raises:
            CommandRefused: that is no time.
        """
        known = [run.run_id for run, _ in self._facts(None)] if run_id is None else [run_id]
        if run_id is None:
            await self._pump.ask(c.SetLimits(modification_timeout=seconds))
        for id in known:
            await self._pump.ask(c.SetFence(run_id=id, modification_timeout=seconds))


def _finished(run: RunFacts, task_id: str) -> FinishedTask:
    number = run.graph.place[task_id]
    return FinishedTask(
        task=run.graph.task(task_id),
        status=run.status_of(number),
        result=run.results[number] or EMPTY_RESULT,
        attempts=run.tries[number],
    )


def _sayable(text: str) -> str:
    """The text without what cannot be written down, and no longer than anybody reads."""
    return text[:2000].encode(errors="replace").decode()
