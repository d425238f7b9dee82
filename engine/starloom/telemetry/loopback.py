"""A very small HTTP server: GET only, loopback only, one request a connection, on our own event loop.

No thread, no timer but that of a connection that is open. Whatever a client does, it holds one of a few connections for
a few seconds and some kilobytes at most.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starloom.errors import SettingsError

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter
    from collections.abc import Mapping

_log = logging.getLogger(__name__)
HOST: Final = "127.0.0.1"
_OUR_NAMES: Final = frozenset({HOST, "localhost"})
_LONGEST_HEAD: Final = 8_192
"""Bytes a request may have."""
_PATIENCE: Final = 5.0
"""Seconds a connection may last, from its first byte to the last of the answer."""
_MOST: Final = 8
"""Connections at once."""


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request: the path without its query, and header fields by lower-case name."""

    path: str
    fields: Mapping[str, str]

    def accepts(self, kind: str) -> bool:
        """Whether it lists this media type literally as accepted."""
        offered = (part.partition(";")[0].strip().lower() for part in self.fields.get("accept", "").split(","))
        return kind in offered


@dataclass(frozen=True, slots=True)
class Response:
    """One HTTP response."""

    body: bytes
    content_type: str = "text/plain; charset=utf-8"
    status: HTTPStatus = HTTPStatus.OK
    fields: Mapping[str, str] = field(default_factory=dict)

    def encoded(self) -> bytes:
        """The bytes of the response."""
        fields = {
            "Content-Type": self.content_type,
            "Content-Length": str(len(self.body)),
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "Connection": "close",
            **self.fields,
        }
        lines = [f"HTTP/1.1 {self.status.value} {self.status.phrase}", *(f"{k}: {v}" for k, v in fields.items())]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + self.body


Answer = Callable[[Request], Awaitable[Response]]


class BadRequest(Exception):  # noqa: N818 - it never leaves this module
    """The request is refused; holds the response."""

    def __init__(self, status: HTTPStatus, sentence: str, **fields: str) -> None:
        self.response = Response(f"{sentence}\n".encode(), status=status, fields=fields)
        super().__init__(sentence)


class LoopbackServer:
    """Answers GET requests at 127.0.0.1 from `open` until `close`.

    Args:
        answer: called with each request that is one.
        port: where; 0: at any port that is free.
    """

    def __init__(self, answer: Answer, port: int) -> None:
        self._answer = answer
        self._wanted = port
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Listen.

        Raises:
            SettingsError: the port cannot be had.
        """
        try:
            self._server = await asyncio.start_server(self._connected, HOST, self._wanted, limit=_LONGEST_HEAD)
        except (OSError, OverflowError) as error:
            in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
            reason = "something else listens there" if in_use else str(error)
            raise SettingsError(
                f"The metrics cannot be served at port {self._wanted} of {HOST}: {reason}. "
                "Name another port; 0 takes any that is free."
            ) from None

    @property
    def port(self) -> int:
        """The port; must be open."""
        assert self._server is not None
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def close(self) -> None:
        """Stop listening and close all connections; returns when they are closed. Closing twice is no error."""
        server, self._server = self._server, None
        if server is None:
            return
        server.close()
        tasks = list(self._connections)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await server.wait_closed()

    # ---- one connection

    def _connected(self, reader: StreamReader, writer: StreamWriter) -> None:
        # Not a coroutine itself: one that asyncio starts is complained about when it is cancelled.
        if self._server is None or len(self._connections) >= _MOST:
            writer.transport.abort()
            return
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer), name="starloom metrics request")
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Answer one request; a client that is gone, or takes too long, gets nothing."""
        try:
            async with asyncio.timeout(_PATIENCE):
                writer.write((await self._response(reader)).encoded())
                writer.close()
                await writer.wait_closed()
        except (OSError, EOFError, TimeoutError):
            pass
        finally:
            writer.transport.abort()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _response(self, reader: StreamReader) -> Response:
        try:
            request = await _read_request(reader)
        except BadRequest as refused:
            return refused.response
        try:
            return await self._answer(request)
        except Exception:  # noqa: BLE001 - who asks must not be left waiting because of a defect here; it is reported
            _log.exception("a request for metrics could not be answered")
            return Response(b"This could not be answered; the log says why.\n", status=HTTPStatus.INTERNAL_SERVER_ERROR)


async def _read_request(reader: StreamReader) -> Request:
    """The request a client sends.

    Raises:
        BadRequest: it is none, or not one we answer.
        EOFError: the client has gone.
    """
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError:
        raise BadRequest(
            HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, f"A request may have {_LONGEST_HEAD} bytes."
        ) from None
    first, *lines = head.decode("latin-1").split("\r\n")
    request = _request_of(first.split(" "), [line for line in lines if line])
    host = request.fields.get("host", HOST).rpartition(":")
    if (host[0] or host[2]).lower() not in _OUR_NAMES:
        # A page of another site whose name was made to lead here must not read along.
        raise BadRequest(HTTPStatus.FORBIDDEN, f"This is {HOST}, and answers to no other name.")
    return request


def _request_of(words: list[str], lines: list[str]) -> Request:
    if len(words) != 3 or not words[2].startswith("HTTP/1.") or not words[1].startswith("/"):
        raise BadRequest(HTTPStatus.BAD_REQUEST, "This is no HTTP request; write `GET /metrics HTTP/1.1`.")
    if words[0] != "GET":
        raise BadRequest(HTTPStatus.METHOD_NOT_ALLOWED, "There is only GET here.", Allow="GET")
    fields: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip():
            raise BadRequest(HTTPStatus.BAD_REQUEST, "A header field is not `Name: value`.")
        fields[name.lower()] = value.strip()
    return Request(words[1].partition("?")[0], fields)
