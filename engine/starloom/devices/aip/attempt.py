"""One attempt with an agent behind a UFO server: its connection is its own, and closing it cancels it alone."""

from __future__ import annotations

import asyncio
import contextlib
import re
import uuid
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from starloom.devices.aip.link import LinkBroken, NotSent, NotUnderstood, closed
from starloom.devices.aip.messages import last_result
from starloom.devices.ended import failed, result_of
from starloom.devices.excerpts import one_line
from starloom.devices.prompting import too_large, value_of
from starloom.errors import DeviceError
from starloom.model.activity_lines import MARK
from starloom.model.json_values import MAX_NESTING, is_too_deep
from starloom.model.result import MAX_VALUE_BYTES, ErrorCode, ErrorInfo, Outcome, OutcomeStatus

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starloom.devices.aip.link import AipLink
    from starloom.devices.aip.messages import ServerMessage
    from starloom.devices.base import TaskContext
    from starloom.devices.output import Output
    from starloom.model.task import Task

_AFTER_CLOSING: Final = 0.2
"""Seconds in which what came before a connection was closed is still read."""
_MAY_WORK: Final = "The agent may still work: the protocol does not tell whether it has stopped."


class _End(NamedTuple):
    """How the conversation ended: with the server's last message about the task, or with an error."""

    told: ServerMessage | None = None
    error: ErrorInfo | None = None
    by_device: bool = False
    is_lost: bool = False


class AipAttempt:
    """One attempt. `run` is awaited once.

    Args:
        task: what is done.
        request: its text as the agent is given it.
        output: of the attempt.
        context: of the attempt.
        why_silent: why the device counts as lost already; empty: it does not.
    """

    def __init__(
        self, task: Task, request: str, output: Output, context: TaskContext, why_silent: Callable[[], str]
    ) -> None:
        self._task = task
        self._request = request
        self._output = output
        self._context = context
        self._why_silent = why_silent
        self._session_id = uuid.uuid4().hex
        self._link: AipLink | None = None
        self._was_sent = False
        self._was_taken = False

    async def run(self, open_link: Callable[[str], Awaitable[AipLink]]) -> Outcome:
        """Have the agent do the task; cancelled, close its connection, and return that it was stopped.

        Args:
            open_link: opens a connection under a new name.
        """
        try:
            end = await self._converse(open_link)
        except asyncio.CancelledError:
            end = None
        if self._link is not None:
            with contextlib.suppress(asyncio.CancelledError):  # told to stop again: it is closed all the same
                await closed(self._link)
            if end is None and await self._has_ended_meanwhile(self._link):
                self._was_sent = False
        try:
            outcome = self._stopped() if end is None else await self._outcome(end)
        except asyncio.CancelledError:  # while its result was checked, so that the task has ended
            self._was_sent = False
            outcome = self._stopped()
        return outcome if self._link is None else self._link.masks.outcome(outcome)

    # ---- the conversation

    async def _converse(self, open_link: Callable[[str], Awaitable[AipLink]]) -> _End:
        try:
            self._link = link = await open_link(f"starloom-{self._session_id}")
            self._was_sent = True
            await link.send(
                "task",
                status="continue",
                session_id=self._session_id,
                task_name=_task_name(self._task.id, self._context.attempt),
                request=self._request,
            )
            while True:
                told = await link.receive()
                if (end := self._take(told, link)) is not None:
                    return end
        except NotSent as error:
            self._was_sent = False
            said = f"The agent did not begin. {error}"
            return _End(error=ErrorInfo(code=ErrorCode.UNRESOLVED_INPUT, message=said))
        except NotUnderstood as error:
            return _End(error=ErrorInfo(code=ErrorCode.AGENT, message=f"The agent's server broke off. {error}"))
        except LinkBroken as error:
            if not self._was_sent:
                return self._not_begun(str(error))
            message = f"{error} {_MAY_WORK}"
            return _End(error=ErrorInfo(code=ErrorCode.DEVICE_LOST, message=message), is_lost=True)
        except DeviceError as error:
            return self._not_begun(str(error))

    def _take(self, told: ServerMessage, link: AipLink) -> _End | None:
        """Take in a message; the end of the conversation, if it is that."""
        if isinstance(told.messages, list):
            for line in told.messages:
                self._say(link.masks.mask(line if isinstance(line, str) else _json(line)))
        if told.type == "error":
            if not self._was_taken:
                return self._not_begun(f"The server did not take the task: {link.masks.mask(told.words)}.")
            said = f"The agent's server reports an error: {link.masks.mask(told.words)}."
            return _End(error=ErrorInfo(code=ErrorCode.AGENT, message=said))
        if told.type == "heartbeat" and told.session_id == self._session_id and not self._was_taken:
            self._was_taken = True
            self._say(f"{MARK}takes the task")
        if told.type != "task_end":
            return None
        if told.session_id in {None, self._session_id}:
            return _End(told=told)
        said = f"The agent's server ended another task ({one_line(_json(told.session_id))}) than it was given."
        return _End(error=ErrorInfo(code=ErrorCode.AGENT, message=said))

    def _not_begun(self, why: str) -> _End:
        error = ErrorInfo(code=ErrorCode.START_FAILED, message=f"The agent did not begin. {why}")
        return _End(error=error, by_device=True)

    async def _has_ended_meanwhile(self, link: AipLink) -> bool:
        """Whether the server had told the end of the task before the connection was closed."""
        try:
            async with asyncio.timeout(_AFTER_CLOSING):
                while True:
                    told = await link.receive()
                    if told.type == "task_end" and told.session_id in {None, self._session_id}:
                        return True
        except (DeviceError, TimeoutError, asyncio.CancelledError):
            return False

    def _say(self, text: str) -> None:
        self._output.feed("stdout", f"{text}\n".encode("utf-8", "replace"))

    # ---- its outcome

    def _stopped(self) -> Outcome:
        self._output.close()
        if self._was_sent and (why := self._why_silent()):
            return self._lost(ErrorInfo(code=ErrorCode.DEVICE_LOST, message=f"{why} {_MAY_WORK}"))
        error = None
        if self._was_sent:
            said = f"Its connection was closed, by which its server cancels it. {_MAY_WORK}"
            error = ErrorInfo(code=ErrorCode.NOT_STOPPED, message=said)
        return Outcome(OutcomeStatus.STOPPED, result_of(None, None, self._output, error, self._context))

    def _lost(self, error: ErrorInfo) -> Outcome:
        return Outcome(OutcomeStatus.LOST, result_of(None, None, self._output, error, self._context))

    async def _outcome(self, end: _End) -> Outcome:
        value, error = (None, end.error) if end.told is None else await self._value(end.told)
        self._output.close()
        if end.is_lost and error is not None:
            return self._lost(error)
        if not self._was_sent and error is not None:
            return failed(ErrorCode(error.code), error.message, by_device=end.by_device)
        status = OutcomeStatus.COMPLETED if error is None else OutcomeStatus.FAILED
        return Outcome(status, result_of(value, None, self._output, error, self._context), end.by_device)

    async def _value(self, told: ServerMessage) -> tuple[Any, ErrorInfo | None]:
        """The value of a task that has ended, and why it has failed."""
        result = last_result(told.result)
        text = result if isinstance(result, str) else _json(result) if result not in (None, [], {}) else ""
        if text:
            self._say(text)
        if told.status != "completed":
            return None, ErrorInfo(code=ErrorCode.AGENT, message=_why_failed(told, text))
        if is_too_deep(result):
            said = f"The result is nested more than {MAX_NESTING} levels deep. Flatten it, or write it to a file."
            return None, ErrorInfo(code=ErrorCode.RESULT_NOT_JSON, message=said)
        if len(text.encode("utf-8", "replace")) > MAX_VALUE_BYTES:
            return None, too_large()
        if self._task.expects is None and not isinstance(result, str):
            return result, None
        return await value_of(text, self._task.expects)


def _why_failed(told: ServerMessage, text: str) -> str:
    if told.status != "failed":
        return f"The agent's server ended the task in a way that is not known here: {one_line(_json(told.status))}."
    why = told.words if told.error else one_line(text, 300) or told.words
    return f"The agent gave the task up: {why.rstrip('.')}."


def _task_name(task_id: str, attempt: int) -> str:
    """The name of the task for the server, which makes a folder of that name for its logs."""
    return f"starloom-{re.sub(r'[^A-Za-z0-9_-]+', '-', task_id)[:60]}-{attempt}"


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
