"""One question to a language model over the OpenAI wire format, with the seven tools; needs the extra `agent`.

Imported by `llm` when a question is asked, as it takes half a second and is not always installed.
"""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any, NamedTuple

import openai  # noqa: F401 - first: if it is missing, pydantic_ai does not say so in a way that can be read
from pydantic_ai import Agent, ModelRetry, Tool, UsageLimits, capture_run_messages
from pydantic_ai.exceptions import (
    AgentRunError,
    ModelHTTPError,
    UnexpectedModelBehavior,
    UsageLimitExceeded,
    UserError,
)
from pydantic_ai.messages import ModelResponse, RetryPromptPart, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.usage import RunUsage

from starloom.agents.edit_tools import TOOLS, Rejected
from starloom.devices.llm.endpoint import Endpoint, client_of, listed_models
from starloom.errors import AgentError

__all__ = ["Bounds", "Endpoint", "Spent", "ask", "listed_models"]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pydantic_ai.messages import ModelMessage, ModelRequestPart, ModelResponsePart

    from starloom.agents.edit_tools import EditTools


class Bounds(NamedTuple):
    """The limits of one question: requests, tokens, corrections in a row, and seconds for one request."""

    requests: int
    tokens: int
    retries: int
    seconds: float


class Spent:
    """The cost of a question, failed ones included, with its conversation."""

    def __init__(self) -> None:
        self.usage = RunUsage()
        self.messages: Sequence[ModelMessage] = ()

    @property
    def tokens(self) -> int:
        """Tokens in both directions, as the endpoint counts them."""
        return self.usage.total_tokens

    def said(self) -> Iterator[tuple[str, str]]:
        """The messages by author, `model` or `starloom` answering a tool; the question itself is left out."""
        for message in self.messages:
            who = "model" if isinstance(message, ModelResponse) else "starloom"
            for part in message.parts:
                text = _said(part)
                if text:
                    yield who, text


async def ask(
    endpoint: Endpoint, instructions: str, question: str, edit_tools: EditTools, bounds: Bounds, spent: Spent
) -> str:
    """Ask a model for edits by its tools; returns its text about them.

    Args:
        endpoint: whom to ask.
        instructions: its part.
        question: about what.
        edit_tools: what it is given; its edits are there afterwards.
        bounds: how much that may cost.
        spent: is told what it has cost, whatever becomes of it.

    Raises:
        AgentError: it could not be asked, or did not come to an answer.
    """
    async with client_of(endpoint, bounds.seconds, retries=2) as client:
        agent = _agent(
            OpenAIChatModel(endpoint.model, provider=OpenAIProvider(openai_client=client)), edit_tools, bounds
        )
        limits = UsageLimits(request_limit=bounds.requests, total_tokens_limit=bounds.tokens)
        with capture_run_messages() as messages:
            spent.messages = messages
            try:
                result = await agent.run(
                    question, instructions=instructions, usage_limits=limits, usage=spent.usage, infer_name=False
                )
            except (AgentRunError, UserError) as error:
                raise AgentError(_sentence(error, endpoint)) from error
        return result.output


def _agent(model: OpenAIChatModel, edit_tools: EditTools, bounds: Bounds) -> Agent[object, str]:
    tools: list[Tool[object]] = [Tool(_tool(tool, edit_tools), takes_ctx=False, sequential=True) for tool in TOOLS]
    agent = Agent(model, tools=tools, retries=bounds.retries)

    @agent.output_validator
    def read(text: str) -> str:
        try:
            return edit_tools.take_text(text)
        except Rejected as refusal:
            raise ModelRetry(str(refusal)) from None

    return agent


def _tool(tool: Callable[..., str], edit_tools: EditTools) -> Callable[..., Any]:
    """A tool whose refusals are sent to the model; a coroutine, as a plain function would run in a thread."""
    bound = getattr(edit_tools, tool.__name__)

    @functools.wraps(bound)
    async def call(**arguments: Any) -> str:
        try:
            said: str = bound(**arguments)
        except Rejected as refusal:
            raise ModelRetry(str(refusal)) from None
        return said

    return call


def _said(part: ModelRequestPart | ModelResponsePart) -> str:
    match part:
        case TextPart():
            return part.content
        case ToolCallPart():
            arguments = part.args if isinstance(part.args, str) else json.dumps(part.args, ensure_ascii=False)
            return f"{part.tool_name} {arguments}"
        case ToolReturnPart():
            return str(part.content)
        case RetryPromptPart():
            return part.content if isinstance(part.content, str) else part.model_response()
        case _:
            return ""


def _sentence(error: AgentRunError | UserError, endpoint: Endpoint) -> str:
    who = f"the model {endpoint.model} at {endpoint.url}"
    told = endpoint.legible(str(error))
    if isinstance(error, ModelHTTPError):
        what = "is asked too often just now" if error.status_code == 429 else f"answers with {error.status_code}"
        return f"{who} {what}: {told}."
    if isinstance(error, UsageLimitExceeded):
        return f"{who} has come to no end within its limits: {told}."
    if isinstance(error, UnexpectedModelBehavior):
        return f"{who} has given no answer that can be used: {told}."
    return f"{who} cannot be asked: {told}."
