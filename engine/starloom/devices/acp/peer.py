"""The other end of a JSON-RPC connection over a process's standard streams: one message a line.

What an agent prints before its first message is not ours to judge, as launchers greet there; after it each line has to
be a message, or the connection has failed: nobody knows what was lost, and the answer we wait for may have been it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

import msgspec

from starloom.decodable import decodable
from starloom.devices.excerpts import one_line, quoted
from starloom.errors import StarloomError

_log = logging.getLogger(__name__)
LONGEST_LINE: Final = 16 * 1024 * 1024
"""Bytes that one message may take."""
METHOD_NOT_FOUND: Final = -32601
AUTH_REQUIRED: Final = -32000
_INVALID_PARAMS: Final = -32602
_INTERNAL: Final = -32603
_CANCELLED: Final = -32800
_MOST_OPEN: Final = 1000
"""Requests of an agent that may wait for an answer at once."""
_T = TypeVar("_T")


class PeerFailed(StarloomError):  # noqa: N818 - becomes an outcome
    """The connection cannot go on; the sentence says why."""


class RequestRefused(StarloomError):  # noqa: N818 - either end may say so
    """A request was answered with an error.

    Attributes:
        code: the number of the error.
    """

    def __init__(self, code: int, message: str) -> None:
        self.code = code
        super().__init__(message)


class _Error(msgspec.Struct):
    code: int = 0
    message: str = ""
    data: Any = None


class _Message(msgspec.Struct):
    id: int | str | None = None
    method: str | None = None
    params: msgspec.Raw = msgspec.Raw(b"null")
    result: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    error: _Error | None = None


Answerer = Callable[[str, msgspec.Raw], Awaitable[Any]]
"""Answers a request of the other end: (method, parameters) → result; raises `RequestRefused` or a validation error."""


class Peer:
    """The other end.

    Args:
        write: sends bytes there; never waits.
        noted: told of each notification: method and parameters.
        answer: answers its requests, each in a task of its own.
        stray: told of each line that comes before the first message and is none.

    Attributes:
        has_spoken: whether a message has come.
    """

    def __init__(
        self,
        write: Callable[[bytes], None],
        noted: Callable[[str, msgspec.Raw], None],
        answer: Answerer,
        stray: Callable[[bytes], None],
    ) -> None:
        self.has_spoken = False
        self._failure: PeerFailed | None = None
        self._write = write
        self._noted = noted
        self._answer = answer
        self._stray = stray
        self._pieces: list[bytes] = []
        self._held = 0
        self._numbers = 0
        self._asked: dict[int, tuple[str, asyncio.Future[msgspec.Raw]]] = {}
        self._answering: dict[int | str, asyncio.Task[Any]] = {}

    # ---- what we say

    async def request(self, method: str, params: Any, kind: type[_T]) -> _T:
        """Send a request and return its result.

        Raises:
            RequestRefused: it was answered with an error.
            PeerFailed: the connection cannot go on, or the answer is not what it has to be.
        """
        if self._failure is not None:
            raise self._failure
        self._numbers += 1
        number, asked = self._numbers, asyncio.get_running_loop().create_future()
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        self._asked[number] = method, asked
        result = await asked
        try:
            return msgspec.json.decode(result, type=decodable(kind))
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise PeerFailed(f"Its answer to {method} is not one: {error}.") from error

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        try:
            data = encoded(message)
        except UnicodeEncodeError as error:
            raise PeerFailed(
                f"What it has to be told is no text: it holds half a character ({error.reason})."
            ) from error
        if len(data) > LONGEST_LINE:
            raise PeerFailed(
                f"What it has to be told takes {len(data)} bytes, more than the {LONGEST_LINE} of a message."
            )
        self._write(data)

    # ---- what we hear

    def heard(self, data: bytes) -> None:
        """Read what the other end has printed."""
        *lines, rest = data.split(b"\n")
        for line in lines:
            if not self._hold(line):
                return
            whole = b"".join(self._pieces)
            self._pieces, self._held = [], 0
            self._read(whole)
        self._hold(rest)

    def _hold(self, piece: bytes) -> bool:
        """Keep a piece of a line; returns whether the connection can go on."""
        self._pieces.append(piece)
        self._held += len(piece)
        if self._held > LONGEST_LINE:
            self._pieces.clear()
            self.fail(f"It printed a line of more than {LONGEST_LINE // 2**20} MiB, which no message may have.")
        return self._failure is None

    def _read(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            message = msgspec.json.decode(line, type=decodable(_Message))
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            if self.has_spoken:
                self.fail(f"It printed a line that is no message of the protocol ({error}): {quoted(line)}.")
            else:
                self._stray(line)
            return
        self.has_spoken = True
        if message.method is None:
            self._take_answer(message)
        elif message.id is not None:
            self._take_request(message.id, message.method, message.params)
        elif message.method == "$/cancel_request":
            self._withdraw(message.params)
        else:
            self._noted(message.method, message.params)

    def _take_answer(self, message: _Message) -> None:
        known = self._asked.pop(message.id, None) if isinstance(message.id, int) else None
        if known is None:
            said = f": {one_line(message.error.message)}" if message.error is not None else ""
            self.fail(f"It answered a request that nobody has made (id {message.id!r}){said}.")
            return
        method, asked = known
        if asked.done():
            return
        if message.error is not None:
            asked.set_exception(RequestRefused(message.error.code, _said(message.error)))
        elif message.result is msgspec.UNSET:
            self.fail(f"Its answer to {method} has neither a result nor an error.")
        else:
            asked.set_result(message.result)

    def _take_request(self, id: int | str, method: str, params: msgspec.Raw) -> None:
        if id in self._answering or len(self._answering) >= _MOST_OPEN:
            why = "that id is in use" if id in self._answering else f"{_MOST_OPEN} requests wait already"
            self._refuse(id, _INTERNAL, f"Not asked: {why}.")
            return
        # Raw values look into the line they came in; it is not kept for as long as somebody may think.
        params = msgspec.Raw(bytes(params))
        answering = asyncio.get_running_loop().create_task(self._answer_one(method, params))
        self._answering[id] = answering
        answering.add_done_callback(lambda done: self._answered(id, done))

    async def _answer_one(self, method: str, params: msgspec.Raw) -> Any:
        try:
            return await self._answer(method, params)
        except msgspec.ValidationError as error:
            raise RequestRefused(_INVALID_PARAMS, f"The parameters of {method} cannot be used: {error}.") from error

    def _answered(self, id: int | str, done: asyncio.Task[Any]) -> None:
        # Not in the task itself: one that is withdrawn before its first step does nothing.
        del self._answering[id]
        error = None if done.cancelled() else done.exception()
        if done.cancelled():
            self._refuse(id, _CANCELLED, "The request was withdrawn.")
        elif isinstance(error, RequestRefused):
            self._refuse(id, error.code, str(error))
        elif error is not None:
            _log.error("a request of an agent could not be answered", exc_info=error)
            self._refuse(id, _INTERNAL, "It could not be answered.")
        else:
            self._write(encoded({"jsonrpc": "2.0", "id": id, "result": done.result()}))

    def _refuse(self, id: int | str, code: int, message: str) -> None:
        self._write(encoded({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}))

    def _withdraw(self, params: msgspec.Raw) -> None:
        try:
            id = msgspec.json.decode(params, type=decodable(dict[str, Any])).get("requestId")
        except msgspec.MsgspecError:
            return
        if isinstance(id, int | str) and (answering := self._answering.get(id)) is not None:
            answering.cancel()

    # ---- its end

    def fail(self, why: str) -> None:
        """End the connection: requests that are not answered yet, and all later ones, fail with this sentence."""
        if self._failure is None:
            self._failure = PeerFailed(why)
            for _, asked in self._asked.values():
                if not asked.done():
                    asked.set_exception(PeerFailed(why))

    async def close(self) -> None:
        """Withdraw the requests of the other end that are not answered yet."""
        answering = list(self._answering.values())
        for one in answering:
            one.cancel()
        await asyncio.gather(*answering, return_exceptions=True)


def encoded(message: Any) -> bytes:
    """The message as a line."""
    return msgspec.json.encode(message) + b"\n"


def _said(error: _Error) -> str:
    more = error.data.get("details") if isinstance(error.data, dict) else error.data
    told = one_line(error.message or f"error {error.code}", 300)
    return f"{told}: {one_line(more, 300)}" if isinstance(more, str) and more else told
