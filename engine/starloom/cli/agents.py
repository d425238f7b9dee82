"""`starloom run --agent`: creating agents from their specs, and asking people at the prompt."""

from __future__ import annotations

import asyncio
import re
import shlex
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom import events as ev
from starloom.agents.llm import LlmAgent
from starloom.agents.python import PythonAgent
from starloom.agents.rules import RuleAgent
from starloom.cli.edit_words import edit_words
from starloom.cli.gates import Gatekeeper
from starloom.cli.interrupted import InterruptedPrompts
from starloom.cli.lines import Lines
from starloom.cli.questions import QuestionPrompts
from starloom.cli.screen import plain
from starloom.constellation.edits import ALL_KINDS
from starloom.devices.llm.key import OPENAI
from starloom.errors import CommandRefused, SettingsError, nearest
from starloom.formats.agent_terms import TermsReader, on_conflict_of, scope_of
from starloom.formats.rules import read_rules
from starloom.model.agent_terms import AgentTerms
from starloom.model.status import Fence

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.agents.base import Agent
    from starloom.cli.screen import Screen
    from starloom.model.plan import Plan
    from starloom.orchestration.orchestrator import Orchestrator
    from starloom.orchestration.run import Run
    from starloom.scheduling.state.cycle_facts import Approval

APPROVALS: Final = ("ask", "auto")
_YES: Final = frozenset({"y", "yes"})
_NO: Final = frozenset({"n", "no"})
_MOST_EDITS: Final = 50
_RANGE: Final = re.compile(r"([0-9]{1,6})(?:-([0-9]{1,6}))?")
_MOST_NOTES: Final = 300
_FORMS: Final = "write rules, python:module:function or llm:model@url"
_ON: Final = ("task", "status", "when")
_TERMS: Final = (*_ON, "scope", "on_conflict")
_TERMS_FORM: Final = (
    "task=build-* status=failed when='attempts > 1' scope=descendants on_conflict=replace, or some of these"
)


class AgentGiven(NamedTuple):
    """An agent that `--agent` names, and the terms it gives."""

    agent: Agent
    terms: AgentTerms


def make_agents(written: Sequence[str], plan: Plan) -> tuple[AgentGiven, ...]:
    """The agents named by `--agent`, in that order.

    Raises:
        StarloomError: one cannot be made; the sentence says which and why.
    """
    agents = tuple(_agent_given(text, plan) for text in written)
    names = [one.agent.name for one in agents]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise SettingsError(f"--agent: {twice} is given twice; an agent has a part in a run once.")
    return agents


def _agent_given(text: str, plan: Plan) -> AgentGiven:
    """An agent and what stands behind its name: `rules task=build-* status=failed scope=descendants`."""
    try:
        name, *words = shlex.split(text) or [text]
    except ValueError as error:
        raise SettingsError(f"--agent {text}: {error}; close the quotes.") from None
    said = dict(word.partition("=")[::2] for word in words)
    unknown = next((key for key in said if key not in _TERMS), None)
    if unknown is not None or any("=" not in word for word in words):
        raise SettingsError(f"--agent {text}: after the agent, write {_TERMS_FORM}.")
    on = {key: said[key] if key == "when" else said[key].split(",") for key in _ON if key in said}
    reader = TermsReader("agent")
    filters = (reader.end_filter(on, "--agent"),) if on else ()
    reader.finish()
    scope = scope_of(said["scope"]) if "scope" in said else None
    on_conflict = on_conflict_of(said["on_conflict"]) if "on_conflict" in said else None
    return AgentGiven(_agent(name, plan), AgentTerms(filters, scope, on_conflict))


def _agent(text: str, plan: Plan) -> Agent:
    kind, _, rest = text.partition(":")
    if text == "rules":
        if not plan.rules:
            raise SettingsError("--agent rules: the plan declares none; write them under rules, or leave this out.")
        return RuleAgent(read_rules(plan.rules))
    if kind == "python":
        return PythonAgent(rest)
    if made := language_model(text, plan.description or plan.name):
        return made
    raise SettingsError(f"--agent: there is no agent {text!r}; {_FORMS}.")


def language_model(text: str, goal: str = "") -> LlmAgent | None:
    """The agent for `llm:model` or `llm:model@url`; None: the text names another kind.

    Raises:
        AgentError: no model is named, or the address cannot be one.
    """
    kind, _, rest = text.partition(":")
    if kind != "llm":
        return None
    model, at, url = rest.partition("@")
    return LlmAgent(model, url if at else OPENAI, goal=goal)


def approval_of(text: str) -> bool:
    """Whether each proposal needs approval.

    Raises:
        SettingsError: the text says neither.
    """
    if text not in APPROVALS:
        raise SettingsError(f"--approve: there is no {text!r}; use {' or '.join(APPROVALS)}.")
    return text == "ask"


def fence_of(text: str | None) -> Fence | None:
    """The fence of the options; None: the default.

    Raises:
        SettingsError: there is no such fence.
    """
    if text is None or text in list(Fence):
        return None if text is None else Fence(text)
    near = nearest(text, map(str, Fence))
    hint = f"did you mean {near!r}?" if near else f"use {', '.join(Fence)}."
    raise SettingsError(f"--fence: there is no {text!r}; {hint}")


def chosen_of(line: str, count: int) -> frozenset[int] | None:
    """The edits that a line at the prompt chooses, by their positions from 0.

    Args:
        line: yes, no, or numbers from 1 and ranges of them, between blanks or commas.
        count: how many there are.

    Returns:
        Their positions, or None: it is none of that, or names an edit that is not there.
    """
    words = line.strip().lower().replace(",", " ").split()
    if len(words) == 1 and words[0] in _YES | _NO:
        return frozenset(range(count) if words[0] in _YES else ())
    chosen: set[int] = set()
    for word in words:
        found = _RANGE.fullmatch(word)
        if found is None:
            return None
        first, last = int(found[1]), int(found[2] or found[1])
        if not 1 <= first <= last <= count:
            return None
        chosen.update(range(first - 1, last))
    return frozenset(chosen) if chosen else None


class AgentPrompts:
    """The prompts of a run on the command line: prints what agents do, and asks what waits for a person.

    Args:
        run: which one.
        screen: where to ask.
        lines: where the answers come from; None: the standard input.
        gates: how gates are answered, one of `WAYS`.
        left: called when something is to wait, as nobody answers.
    """

    def __init__(
        self,
        run: Run,
        screen: Screen,
        lines: Lines | None = None,
        *,
        gates: str = "ask",
        left: Callable[[], None] = lambda: None,
    ) -> None:
        self._run = run
        self._screen = screen
        self._lines = lines or Lines()
        self._gates = Gatekeeper(run, screen, self._lines, gates)
        rejects = gates == "reject"
        self._questions = QuestionPrompts(run, screen, self._lines, rejects=rejects)
        self._interrupted = InterruptedPrompts(run, screen, self._lines, rejects=rejects, left=left)
        self._news = asyncio.Event()
        self._notes = 0
        self._nobody = False

    async def begin(
        self,
        orchestrator: Orchestrator,
        agents: Sequence[AgentGiven],
        *,
        asks: bool,
        fence: Fence | None,
        patience: float | None = None,
    ) -> None:
        """Attach the agents; the run has not started.

        Args:
            orchestrator: whose run.
            agents: in the order in which they commit, with their terms.
            asks: whether a person approves of each of their edits.
            fence: what waits while they think; None: as the run has it.
            patience: seconds they are waited for; None: likewise.
        """
        orchestrator.events.subscribe(self._tell, ev.AgentAnswered, ev.EditRejected, ev.ConstellationModified)
        orchestrator.events.subscribe(lambda _: self._news.set(), ev.ProposalStaged)
        self._gates.begin(orchestrator, self._news)
        self._questions.begin(orchestrator, self._news)
        self._interrupted.begin(orchestrator, self._news)
        if fence is not None:
            await self._run.set_fence(fence)
        if patience is not None:
            await self._run.set_fence(modification_timeout=patience)
        for agent, terms in agents:
            asked = ALL_KINDS if asks else ()
            on, scope, on_conflict = terms.on, terms.scope, terms.on_conflict
            await self._run.attach(agent, asks=asked, on=on, scope=scope, on_conflict=on_conflict)
        if self._run.approvals:  # of a run that goes on
            self._news.set()

    def leave_to(self, answers: Callable[[str], bool]) -> None:
        """Do not ask about gates and breakpoints of tasks that something else answers."""
        self._gates.leaves = answers

    def look(self) -> None:
        """Check for new questions."""
        self._news.set()

    async def keep_asking(self) -> None:
        """Ask about each proposal, gate, question and interrupted task, until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            for approval in self._run.approvals:
                if approval in self._run.approvals:  # while another one was answered it may have become void
                    await self._ask(approval)
            await self._gates.answer_all()
            await self._questions.answer_all()
            await self._interrupted.answer_all()

    @property
    def asks(self) -> bool:
        """Whether a person is being asked, so that the run may continue although no task runs."""
        run, others = self._run, self._gates.stopped() or self._interrupted.asks
        return bool(run.approvals or run.gates or run.questions or others)

    @property
    def left(self) -> list[str]:
        """The interrupted tasks about which nobody answers."""
        return self._interrupted.waiting()

    async def _ask(self, approval: Approval) -> None:
        self._show(approval)
        count = len(approval.proposed.edits)
        while approval in self._run.approvals:
            chosen = await self._choice(count)
            without = tuple(set(range(count)) - chosen) if chosen else ()
            note = "nobody answers at the prompt" if self._nobody else ""
            try:
                await self._run.answer_approval(approval.number, accept=bool(chosen), note=note, without=without)
            except CommandRefused as refusal:
                self._screen.error(plain(f"That cannot be done: {refusal}"))
                if len(chosen) == count and approval in self._run.approvals:
                    await self._run.answer_approval(approval.number, accept=False, note=str(refusal)[:500])

    def _show(self, approval: Approval) -> None:
        proposed = approval.proposed
        why = f": {proposed.reason}" if proposed.reason else ""
        count = f"{len(proposed.edits)} edit{'' if len(proposed.edits) == 1 else 's'}"
        self._screen.ask(plain(f"The agent {proposed.agent} proposes {count}{why}"))
        for number, edit in enumerate(proposed.edits[:_MOST_EDITS], 1):
            self._screen.ask(f"  {number:>2}  {edit_words(edit, self._run.facts.graph)}")
        if len(proposed.edits) > _MOST_EDITS:
            self._screen.ask(f"  and {len(proposed.edits) - _MOST_EDITS} more")

    async def _choice(self, count: int) -> frozenset[int]:
        """The positions from 0 of the edits to apply; none: the proposal is rejected."""
        some = ", or which ones, as in 1 3-5" if count > 1 else ""
        while not self._nobody:
            self._screen.ask(f"Apply all of them? y or n{some}")
            line = await self._lines.next()
            if line is None:
                self._nobody = True
                self._screen.error("Nobody answers: this and all later proposals are rejected. See --approve auto.")
            elif (chosen := chosen_of(line, count)) is not None:
                return chosen
        return frozenset()

    # ---- telling

    def _tell(self, event: ev.AgentAnswered | ev.EditRejected | ev.ConstellationModified) -> None:
        text = self._told(event)
        if not text or self._notes > _MOST_NOTES:
            return
        self._notes += 1
        self._screen.note(plain(text), "yellow" if not isinstance(event, ev.ConstellationModified) else "")

    def _told(self, event: ev.AgentAnswered | ev.EditRejected | ev.ConstellationModified) -> str:
        if isinstance(event, ev.AgentAnswered):
            return f"The agent {event.agent} could not answer: {event.error}" if event.error else ""
        if event.origin not in self._run.agents:
            return ""
        if isinstance(event, ev.EditRejected):
            return f"What the agent {event.origin} proposes is refused: {event.problems[0].message}"
        why = f": {event.reason}" if event.reason else ""
        return f"edited    revision {event.revision} by {event.origin}{why}"
