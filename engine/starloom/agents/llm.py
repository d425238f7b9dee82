"""The agent that asks a language model, at any endpoint that speaks OpenAI's wire format; and plans from a request.

The model changes nothing by itself: it has the seven tools of `edit_tools`, each of which is judged like a person's
edit. What it may cost is bounded in every direction: edits and rounds a run, tokens a run, requests and seconds a
question.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from starloom.agents.allowance import Allowance, Caps
from starloom.agents.base import Proposal
from starloom.agents.edit_tools import EditTools
from starloom.agents.llm_prompt import CREATING, EDITING, about_end, about_request
from starloom.constellation.edits import EditBatch
from starloom.constellation.graph import Graph
from starloom.constellation.transaction import Rules, perform, rehearse
from starloom.devices.llm.key import OPENAI, check_url, find_key
from starloom.errors import AgentError
from starloom.model.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from starloom.agents.base import AgentView, FinishedTask
    from starloom.constellation.edits import Edit
    from starloom.model.device import DeviceSpec

CREATION: Final = ""
"""The conversation of `create_plan`, which belongs to no run."""
_LONGEST_SAID: Final = 4_000
_LONGEST_NAME: Final = 60
_PROBE: Final = 10.0
"""Seconds that trying an endpoint may take."""
_FREE: Final = Rules(lambda _number: None, lambda *_: None)
_MISSING: Final = "The agent llm needs the extra 'agent': pip install 'starloom[agent]'."


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmLimits:
    """The limits of a model's cost.

    Attributes:
        rounds: questions in a run that it answers with edits.
        edits: edits in a run, and in a plan it makes.
        tokens: tokens in a run, or for a plan, in both directions.
        requests: requests for one question.
        retries: how often in a row a tool may refuse what it does.
        seconds: for one question.
        said: how many sayings of a conversation are kept.
    """

    rounds: int = 100
    edits: int = 500
    tokens: int = 500_000
    requests: int = 20
    retries: int = 3
    seconds: float = 120.0
    said: int = 200


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a conversation: its author (`starloom` or `model`) and its text, cut where it is very long."""

    who: str
    text: str


class LlmAgent:
    """Asks a language model. Holds no connection between two questions."""

    def __init__(
        self,
        model: str,
        url: str = OPENAI,
        *,
        name: str = "",
        goal: str = "",
        limits: LlmLimits | None = None,
        key: Callable[[str], str] = find_key,
    ) -> None:
        """An agent made of a model.

        Args:
            model: as the endpoint calls it.
            url: where the endpoint is, e.g. `http://127.0.0.1:11434/v1`.
            name: what the agent is called in events; empty: `llm:` and the model.
            goal: what the runs are for, in words, so that it knows what to change them towards.
            limits: what it may cost.
            key: finds the key for an endpoint; called in a thread before each question.

        Raises:
            AgentError: the address cannot be one, or no model is named.
        """
        if not model:
            raise AgentError("no model is named; write llm:model@url, e.g. llm:qwen3@http://127.0.0.1:11434/v1.")
        self.name = name or f"llm:{model}"
        self._model = model
        self._url = check_url(url)
        self._goal = goal
        self._limits = limits or LlmLimits()
        self._key = key
        self._allowance = Allowance(Caps(rounds=self._limits.rounds, edits=self._limits.edits))
        self._tokens: dict[str, int] = {}
        self._said: dict[str, deque[Said]] = {}

    def conversation(self, run_id: str = CREATION) -> tuple[Said, ...]:
        """The last messages about a run, oldest first; without a run, about plans."""
        return tuple(self._said.get(run_id, ()))

    def tokens(self, run_id: str = CREATION) -> int:
        """The number of tokens a run has cost."""
        return self._tokens.get(run_id, 0)

    async def propose(self, view: AgentView, finished: Sequence[FinishedTask]) -> Proposal | None:
        """Ask the model for edits, as tasks have ended.

        Raises:
            AgentError: it could not be asked, did not come to an answer in time, or has used up what it may cost.
        """
        if self._allowance.is_used_up(view.run_id):
            return None
        if self.tokens(view.run_id) >= self._limits.tokens:
            what = f"it has used {self.tokens(view.run_id):,} tokens; {self._limits.tokens:,} are allowed in a run"
            self._allowance.end(view.run_id, what)
        edit_tools = EditTools(
            view.problems,
            self._limits.edits,
            [task_id for task_id in view.task_ids if view.may_change(task_id)],
            [task.id for task in view if task.prompt is not None],
        )
        asked = ", ".join(f"{one.id} {one.status}" for one in finished)
        question = await asyncio.to_thread(about_end, view, finished, self._goal)  # of a large run it takes a while
        reason = await self._ask(view.run_id, asked, EDITING, question, edit_tools)
        if not edit_tools.edits:
            return None
        self._allowance.spend(view.run_id, len(edit_tools.edits))
        return Proposal(edits=tuple(edit_tools.edits), reason=reason[:1_000])

    async def probe(self) -> bool:
        """Try whether the endpoint can be asked; True: it lists the model, False: it lists models, but not this one.

        An endpoint that cannot list any passes, if it answers at all: not all of them can. No tokens are spent.

        Raises:
            AgentError: it cannot be reached, or does not take the key.
        """
        wire = await asyncio.to_thread(_wire)
        endpoint = wire.Endpoint(self._model, self._url, await asyncio.to_thread(self._key, self._url))
        listed = await wire.listed_models(endpoint, min(_PROBE, self._limits.seconds))
        return listed is None or self._model in listed

    async def create_plan(self, request: str, devices: Iterable[DeviceSpec] = ()) -> Plan:
        """A plan for a request in words, to be looked at before anything of it runs.

        Args:
            request: what is to be done.
            devices: the devices it may use; they become those of the plan.

        Raises:
            AgentError: the model could not be asked, or made no plan.
        """
        known = tuple(devices)
        edit_tools = EditTools(_problems_of_new, self._limits.edits)
        await self._ask(CREATION, request, CREATING, about_request(request, known), edit_tools)
        graph = _built(edit_tools.edits)
        if not len(graph):
            raise AgentError(f"the model {self._model} has planned no task; say in more detail what is to be done.")
        return Plan(
            name=" ".join(request.split())[:_LONGEST_NAME] or "plan",
            description=request,
            tasks=tuple(task for _, task in graph.present()),
            dependencies=tuple(graph.dependencies()),
            devices=known,
        )

    # ---- asking

    async def _ask(self, run_id: str, about: str, instructions: str, question: str, edit_tools: EditTools) -> str:
        wire = await asyncio.to_thread(_wire)  # the first time it takes as long as a second
        spent = wire.Spent()
        self._keep(run_id, "starloom", about)
        limits = self._limits
        left = limits.tokens - (self.tokens(run_id) if run_id != CREATION else 0)
        bounds = wire.Bounds(limits.requests, left, limits.retries, limits.seconds)
        try:
            async with asyncio.timeout(limits.seconds):
                endpoint = wire.Endpoint(self._model, self._url, await asyncio.to_thread(self._key, self._url))
                reason: str = await wire.ask(endpoint, instructions, question, edit_tools, bounds, spent)
        except TimeoutError:
            raise AgentError(f"the model {self._model} has not answered within {limits.seconds:g} s.") from None
        finally:
            self._tokens[run_id] = self.tokens(run_id) + spent.tokens
            for who, text in spent.said():
                self._keep(run_id, who, text)
        return reason

    def _keep(self, run_id: str, who: str, text: str) -> None:
        short = text if len(text) <= _LONGEST_SAID else f"{text[:_LONGEST_SAID]}…"
        self._said.setdefault(run_id, deque(maxlen=self._limits.said)).append(Said(who, short))


def _wire() -> Any:
    try:
        from starloom.agents import llm_wire
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in {"openai", "pydantic_ai"}:
            raise
        raise AgentError(_MISSING) from None
    return llm_wire


def _problems_of_new(edits: Sequence[Edit]) -> Any:
    return rehearse(Graph(), EditBatch(edits=tuple(edits)), _FREE).problems


def _built(edits: Sequence[Edit]) -> Graph:
    graph = Graph()
    for edit in edits:
        perform(graph, edit)
    return graph
