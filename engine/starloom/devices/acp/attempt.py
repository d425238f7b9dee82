"""One attempt with an agent: a process is started, talked with, and ended; how it went becomes the outcome."""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from msgspec.structs import replace as structs_replace

from starloom.devices.acp.conversation import Conversation, SessionRefused, Terms
from starloom.devices.acp.peer import PeerFailed, RequestRefused
from starloom.devices.ended import not_stopped, result_of
from starloom.devices.excerpts import one_line
from starloom.devices.prompting import value_of
from starloom.errors import DeviceError
from starloom.model.result import AgentUsage, ErrorCode, ErrorInfo, Outcome, OutcomeStatus

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starloom.devices.acp.transcript import Transcript
    from starloom.devices.base import TaskContext
    from starloom.devices.output import Output
    from starloom.devices.process import OnOutput

GOODBYE: Final = 2.0
"""Seconds in which an agent may stop, or end, by itself before it is ended."""
_HALF_CLOSED: Final = 1.0
"""Seconds in which an agent that has closed one end of the connection may end by itself."""
_WHY_CLOSED: Final = (
    "It closed its input or its output and did not end, so nothing more can be said to it or heard from it."
)
_LONGEST_WORDS: Final = 300
_MAY_WORK: Final = "The agent may still work there; it is ended as soon as its machine is reached again."


class AgentProcess(Protocol):
    """A process with an agent, here or on another machine.

    Each method that waits raises a `DeviceError` when nobody can say any more what becomes of it.
    """

    def write(self, data: bytes) -> None:
        """Send bytes to its standard input; never waits. When it has ended they are lost."""

    def close_input(self) -> None:
        """Say that nothing more will come."""

    async def exited(self) -> int | None:
        """The exit code once it has exited and its output was read; None: nobody knows it. May be cancelled."""

    async def end(self, grace: float) -> tuple[int, ...]:
        """End it with all it has started; the ids of the processes that cannot be ended.

        Args:
            grace: seconds between asking and killing; to be cancelled ends them.
        """


class _End(NamedTuple):
    """How the conversation went: a reason to stop, or why there is none."""

    reason: str = ""
    error: ErrorInfo | None = None
    by_device: bool = False
    code: int | None = None


class AcpAttempt:
    """One attempt. `run` is awaited once.

    Args:
        terms: what the conversation is about.
        transcript: tells what the agent says.
        output: of the attempt.
        context: of the attempt.
        grace: seconds between asking an agent to end and killing it.
    """

    def __init__(
        self, terms: Terms, transcript: Transcript, output: Output, context: TaskContext, grace: float
    ) -> None:
        self._expects = terms.expects
        self._transcript = transcript
        self._output = output
        self._context = context
        self._grace = grace
        self._process: AgentProcess | None = None
        self._conversation = Conversation(terms, transcript, self._write)
        self._cancels = 0
        self._last_words = ""
        self._closing: asyncio.TimerHandle | None = None

    async def run(self, start: Callable[[OnOutput], Awaitable[AgentProcess]]) -> Outcome:
        """Start the agent, see the conversation through, and end the agent; never cancelled.

        Args:
            start: starts the process, which tells what it prints to what it is given.

        Raises:
            StartFailed, DeviceError: it cannot be started.
        """
        self._process = process = await start(self._heard)
        holding = asyncio.ensure_future(self._conversation.hold())
        exiting = asyncio.ensure_future(process.exited())
        end, lost, unseen = _End(), "", ""
        survivors: tuple[int, ...] = ()
        try:
            end = await self._see_through(holding, exiting)
        except DeviceError as error:
            lost = str(error)
        try:
            survivors = await self._ended(process, exiting)
        except DeviceError as error:
            unseen = str(error)
        await self._let_go(holding, exiting)
        if self._closing is not None:
            self._closing.cancel()
        await self._conversation.peer.close()
        self._transcript.close()
        if lost or (unseen and end.reason != "end_turn"):
            return self._with_usage(self._lost(lost, unseen))
        if unseen:
            self._context.warn(f"{unseen} {_MAY_WORK}")
        try:
            outcome = await self._outcome(end, survivors)
        except asyncio.CancelledError:  # while its message was checked
            self._cancels += 1
            outcome = await self._outcome(end, survivors)
        return self._with_usage(outcome)

    def _with_usage(self, outcome: Outcome) -> Outcome:
        cost, held = self._transcript.cost, self._conversation
        told = (
            (round(cost.amount, 6), one_line(cost.currency, 10)) if cost and math.isfinite(cost.amount) else (0.0, "")
        )
        usage = AgentUsage(held.tokens, *told, held.by_policy)
        if usage == AgentUsage():
            return outcome
        return structs_replace(outcome, result=structs_replace(outcome.result, usage=usage))

    def _write(self, data: bytes) -> None:
        if self._process is not None:
            self._process.write(data)

    def _heard(self, stream: str, data: bytes) -> None:
        if stream == "stdout":
            if data:
                self._conversation.peer.heard(data)
            elif self._closing is None:
                # If its process is ending, that is the better reason, and is seen within this time.
                fail = self._conversation.peer.fail
                self._closing = asyncio.get_running_loop().call_later(_HALF_CLOSED, fail, _WHY_CLOSED)
            return
        self._output.feed("stderr", data)
        words = data.decode(errors="replace").strip()
        self._last_words = words.rpartition("\n")[2] or self._last_words

    # ---- the conversation

    async def _see_through(self, holding: asyncio.Future[str], exiting: asyncio.Future[int | None]) -> _End:
        """How the conversation ended; cancelled, it is asked to end, and given a moment for it."""
        try:
            await asyncio.wait((holding, exiting), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self._cancels += 1
            self._conversation.cancel()
            await self._within(GOODBYE, holding, exiting)
        code, exited = None, ""
        if exiting.cancelled():  # so were we while it started, and where that takes time nobody else is told
            self._cancels += 1
            return _End("cancelled")
        if exiting.done():
            code = exiting.result()  # a DeviceError is the caller's
            # What it has answered counts; what it has not, it never will.
            exited = self._how_it_exited(code)
            self._conversation.peer.fail(exited)
            await self._within(GOODBYE, holding)
        if not holding.done():
            return _End("cancelled")
        return self._end_of(holding, code, exited)

    async def _within(self, seconds: float, *futures: asyncio.Future[Any]) -> None:
        """Return when one of these is done, or the time is over, or we are cancelled again."""
        try:
            await asyncio.wait(futures, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self._cancels += 1

    async def _let_go(self, *futures: asyncio.Future[Any]) -> None:
        """Cancel these, and return when they are done, however often we are cancelled."""
        for one in futures:
            one.cancel()
        while not all(one.done() for one in futures):
            await self._within(GOODBYE, *(one for one in futures if not one.done()))
        for one in futures:
            if not one.cancelled():
                one.exception()  # it was told, or nobody is left to be told

    def _end_of(self, holding: asyncio.Future[str], code: int | None, exited: str) -> _End:
        """How a conversation ended that is over.

        Args:
            holding: it.
            code: the exit code of the agent's process; None: it has not ended, or nobody knows it.
            exited: how that process ended, as a sentence; empty: it has not.
        """
        has_begun = self._conversation.has_begun
        by_device = not has_begun
        fault = ErrorCode.AGENT if has_begun else ErrorCode.START_FAILED
        try:
            return _End(holding.result())
        except SessionRefused as error:
            said = f"The agent did not begin. {error}"
        except RequestRefused as error:
            said = f"The agent gave the task up: {str(error).rstrip('.')}."
        except PeerFailed as error:
            if str(error) == exited:
                said, fault = exited, ErrorCode.AGENT_ENDED if has_begun else fault
            else:
                said = f"The agent broke off{'' if has_begun else ' before it began'}. {error}"
        except asyncio.CancelledError:
            return _End("cancelled")
        return _End(error=ErrorInfo(code=fault, message=said), by_device=by_device, code=code)

    def _how_it_exited(self, code: int | None) -> str:
        how = (
            "ended" if code is None else f"ended with exit code {code}" if code >= 0 else f"was killed (signal {-code})"
        )
        before = "answered" if self._conversation.has_begun else "began"
        words = f" Its last words: {one_line(self._last_words, _LONGEST_WORDS)}" if self._last_words else ""
        return f"The agent's process {how} before it {before}.{words}"

    # ---- its end

    async def _ended(self, process: AgentProcess, exiting: asyncio.Future[int | None]) -> tuple[int, ...]:
        """End the process: it is seen to have ended, or what is left of it is told."""
        process.close_input()
        if not exiting.done() and not self._cancels:
            await self._within(GOODBYE, exiting)
        if not exiting.done():
            await self._let_go(exiting)
        return await process.end(self._grace if self._cancels < 2 else 0.0)  # told twice, there is no time left

    def _lost(self, lost: str, unseen: str) -> Outcome:
        """The outcome of a conversation that broke off.

        Args:
            lost: why it did; empty: it was over.
            unseen: why nobody has seen the agent end; empty: it has ended.
        """
        if self._cancels and not unseen:
            return Outcome(OutcomeStatus.STOPPED, result_of(None, None, self._output, None, self._context))
        said = " ".join(text for text in (lost, unseen, _MAY_WORK if unseen else "It was ended there.") if text)
        error = ErrorInfo(code=ErrorCode.DEVICE_LOST, message=said)
        return Outcome(OutcomeStatus.LOST, result_of(None, None, self._output, error, self._context))

    async def _outcome(self, end: _End, survivors: tuple[int, ...]) -> Outcome:
        left = not_stopped(survivors)
        if self._cancels:
            return Outcome(OutcomeStatus.STOPPED, result_of(None, end.code, self._output, left, self._context))
        value, error = (None, end.error) if end.error is not None else await self._value(end.reason)
        error = error or left
        if error is left and left is not None:
            value = None
        status = OutcomeStatus.COMPLETED if error is None else OutcomeStatus.FAILED
        return Outcome(status, result_of(value, end.code, self._output, error, self._context), end.by_device)

    async def _value(self, reason: str) -> tuple[Any, ErrorInfo | None]:
        """The value of a conversation that stopped for this reason, and why it is a failure."""
        message = self._transcript.last_message
        if reason != "end_turn":
            return None, ErrorInfo(code=ErrorCode.AGENT, message=_WHY.get(reason) or _unknown(reason))
        return await value_of(message, self._expects)


_WHY: Final = {
    "max_tokens": "The agent stopped in the middle, as it had used up all the tokens it may use; give it less.",
    "max_turn_requests": "The agent stopped in the middle, as it had asked its model as often as it may; give it less.",
    "refusal": "The agent refuses to do this task.",
    "cancelled": "The agent says that it was told to stop, and nobody here has told it.",
}


def _unknown(reason: str) -> str:
    return f"The agent stopped for a reason that is not known here: {one_line(reason)}."
