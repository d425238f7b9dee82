"""One attempt with a model: a prompt, its answer, and what is wrong with that, until it holds what is expected."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from starloom.devices.ended import result_of
from starloom.devices.llm.failures import AnswerFailed, RateLimited
from starloom.devices.materials import as_text
from starloom.devices.output import Output
from starloom.devices.prompting import value_of
from starloom.model.activity_lines import MARK
from starloom.model.expected import JsonSchema
from starloom.model.result import AgentUsage, ErrorCode, ErrorInfo, Outcome, OutcomeStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from openai import AsyncOpenAI

    from starloom.devices.base import TaskContext
    from starloom.devices.llm.chat import ModelAnswer
    from starloom.devices.llm.key import Endpoint
    from starloom.devices.llm.rate_limit import RateLimit
    from starloom.devices.materials import Material
    from starloom.model.task import Task

_CURRENCY: Final = "USD"
"""Of costs, as those who tell any, such as OpenRouter, mean dollars."""
_CAN_BE_MENDED: Final = frozenset({ErrorCode.RESULT_NOT_JSON, ErrorCode.RESULT_MISFIT})


class LlmAttempt:
    """One attempt. `run` is awaited once.

    Args:
        task: what is done.
        context: of the attempt.
        limit: of the device, for all its slots.
        tail_bytes: how much of the end of the output the result keeps.
    """

    def __init__(self, task: Task, context: TaskContext, limit: RateLimit, tail_bytes: int) -> None:
        self._task = task
        self._context = context
        self._limit = limit
        self._output = Output.of(context, tail_bytes)
        self._ends_line = True
        self._answers: list[ModelAnswer] = []

    async def run(
        self, client: AsyncOpenAI, endpoint: Endpoint, system: str, found: Sequence[Material], retries: int
    ) -> Outcome:
        """Have the model answer, and again where its answer does not hold what is expected.

        Args:
            client: of the endpoint.
            endpoint: with the key.
            system: what the model is told before the prompt.
            found: what the parents have left.
            retries: how often it is told what is wrong.
        """
        messages = _messages(self._task, system, found)
        value, error, by_device = None, None, False
        try:
            for left in range(retries, -1, -1):
                text = await self._ask(client, endpoint, messages)
                value, error = await value_of(text, self._task.expects)
                if error is None or error.code not in _CAN_BE_MENDED or not left:
                    break
                self._line(error.message)
                messages += [{"role": "assistant", "content": text}, {"role": "user", "content": _correction(error)}]
        except AnswerFailed as failure:
            code = ErrorCode.AGENT if failure.has_begun else ErrorCode.START_FAILED
            error, by_device = ErrorInfo(code=code, message=str(failure)), not failure.has_begun
        status = OutcomeStatus.COMPLETED if error is None else OutcomeStatus.FAILED
        return replace(self._outcome(status, value, error), device_failed=by_device)

    def stopped(self) -> Outcome:
        """The outcome of an attempt that was told to stop."""
        return self._outcome(OutcomeStatus.STOPPED)

    async def _ask(self, client: AsyncOpenAI, endpoint: Endpoint, messages: Sequence[Any]) -> str | None:
        from starloom.devices.llm.chat import ModelAnswer  # needs the client's library

        while True:
            is_trial = await self._limit.passed()
            answer = ModelAnswer(endpoint, self._say)
            self._answers.append(answer)
            try:
                await answer.stream(client, messages)
            except RateLimited as limited:
                self._line(f"{self._limit.hold(limited.seconds, is_trial=is_trial)}: {limited}")
                continue
            self._limit.works(is_trial=is_trial)
            return answer.text

    def _outcome(self, status: OutcomeStatus, value: Any = None, error: ErrorInfo | None = None) -> Outcome:
        if not self._ends_line:
            self._say("\n")
        self._output.close()
        result = result_of(value, None, self._output, error, self._context)
        return Outcome(status, replace(result, usage=self._usage()))

    def _usage(self) -> AgentUsage | None:
        said = [answer.usage for answer in self._answers]
        tokens = sum(max(0, one.total_tokens) for one in said)
        costs = [one.cost for one in said if one.cost is not None and math.isfinite(one.cost)]
        usage = AgentUsage(tokens, round(sum(costs), 6), _CURRENCY if costs else "")
        return None if usage == AgentUsage() else usage

    def _line(self, text: str) -> None:
        """Tell a line that is not the model's."""
        self._say(f"{'' if self._ends_line else chr(10)}{MARK}{text}\n")

    def _say(self, text: str) -> None:
        self._ends_line = text.endswith("\n")
        self._output.feed("stdout", text.encode("utf-8", "replace"))


def _messages(task: Task, system: str, found: Sequence[Material]) -> list[dict[str, Any]]:
    """The conversation as it begins.

    Raises:
        MaterialMissing: what the parents have left is no text, or too long.
    """
    if isinstance(task.expects, JsonSchema):
        system = f"{system}\n\nEnd your answer with JSON that fits this JSON Schema:\n{task.expects.text}".strip()
    elif task.expects is not None:
        system = f"{system}\n\nEnd your answer with JSON.".strip()
    first = [{"role": "system", "content": system}] if system else []
    if not found:
        return [*first, {"role": "user", "content": task.prompt}]
    parts = [{"type": "text", "text": text} for text in (task.prompt, f"\n\n{as_text(found)}") if text]
    return [*first, {"role": "user", "content": parts}]


def _correction(error: ErrorInfo) -> str:
    return f"{error.message} Answer again, completely, and end with the JSON."
