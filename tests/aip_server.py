"""A server of UFO's Agent Interaction Protocol with scripted agents, also such as do what they must not.

Written from the source of UFO's own server (ufo/server/ws/handler.py): who registers, what is checked, in which order
it answers, and that the tasks of a connection are cancelled when it closes. Its agents do what the request says.
"""

from __future__ import annotations

import asyncio
import contextlib
import http
import json
import logging
import threading
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

if TYPE_CHECKING:
    from types import TracebackType

    from websockets.asyncio.server import Server, ServerConnection
    from websockets.http11 import Request, Response

INFO = {
    "device_id": "dev",
    "platform": "linux",
    "os_version": "6.1",
    "cpu_count": 8,
    "memory_total_gb": 15.52,
    "hostname": "box",
    "ip_address": "10.0.0.7",
    "supported_features": ["shell", "browser"],
    "platform_type": "computer",
    "schema_version": "1.0",
    "custom_metadata": {},
    "tags": ["office"],
}


SLOW = 0.3
"""Seconds that an agent takes which is to be slow."""
_QUIET = logging.getLogger("a server of the tests")
_QUIET.disabled = True


class UfoServer:
    """The server, on a thread of its own; a context in which it listens.

    Attributes:
        port: where it listens.
        heard: what its clients have said.
        cancelled: the requests of tasks that were cancelled, as their connection closed.
        ended: the requests of tasks of which an end was told, or would have been, had the connection stood.
        agents: the agents that are connected to it.
        manner: what it does wrong: `deaf` to heartbeats, `uninformed`, `newer`, `mute` or `policy` at
            registration.

    Args:
        token: that its clients must have.
        agents: see above.
        manner: see above.
        status: what it answers where the token is wrong; UFO's own answers 403.
        port: where it listens; 0: anywhere.
    """

    def __init__(
        self, *, token: str = "", agents: tuple[str, ...] = ("dev",), manner: str = "", status: int = 403, port: int = 0
    ) -> None:
        self.port = port
        self.heard: list[dict[str, Any]] = []
        self.cancelled: list[str] = []
        self.ended: list[str] = []
        self.agents = set(agents)
        self.manner = manner
        self._token = token
        self._status = status
        self._clients: dict[str, ServerConnection] = {}
        self._sessions: dict[str, dict[str, asyncio.Task[None]]] = {}
        self._background: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._is_up = threading.Event()
        self._over: asyncio.Event | None = None
        self._thread = threading.Thread(target=lambda: self._loop.run_until_complete(self._serve()))

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The messages of a type that have come so far."""
        return [one for one in self.heard if one["type"] == kind]

    def cut(self) -> None:
        """Cut all connections, as when the machine is gone."""
        for one in list(self._clients.values()):
            self._loop.call_soon_threadsafe(one.transport.abort)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._is_up.wait(30)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop listening and cut all connections; a second time, do nothing."""
        if self._loop.is_closed():
            return
        assert self._over is not None
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(30)
        self._loop.close()

    async def _serve(self) -> None:
        self._over = asyncio.Event()
        listening: Server = await serve(
            self._client,
            "127.0.0.1",
            self.port,
            process_request=self._admit,
            ping_interval=None,
            max_size=2**25,
            close_timeout=1,
            logger=_QUIET,
        )
        self.port = listening.sockets[0].getsockname()[1]
        self._is_up.set()
        await self._over.wait()
        for one in self._clients.values():
            one.transport.abort()
        listening.close()
        await listening.wait_closed()
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        given = parse_qs(urlsplit(request.path).query).get("token", [""])[0]
        if given == self._token:
            return None
        return connection.respond(http.HTTPStatus(self._status), "Invalid or missing token")

    # ---- a client, as ufo/server/ws/handler.py has it

    async def _client(self, socket: ServerConnection) -> None:
        client_id = ""
        try:
            first = json.loads(await socket.recv())
            self.heard.append(first)
            if self.manner == "policy":  # as ufo/server/app.py closes one whose token is wrong, once it is open
                await socket.close(1008, "Invalid or missing token")
                return
            why = self._why_not(first)
            if why:
                await self._say(socket, "error", status="error", error=why)
                return
            client_id = first["client_id"]
            self._clients[client_id] = socket
            if self.manner == "mute":
                await socket.wait_closed()
            kind = "welcome" if self.manner == "newer" else "heartbeat"
            await self._say(socket, kind, protocol={"version": 9}, timestamp="now")
            async for text in socket:
                told = json.loads(text)
                self.heard.append(told)
                self._start(self._handle(socket, first, told))
        except ConnectionClosed:
            pass
        finally:
            self._clients.pop(client_id, None)
            for request, task in self._sessions.pop(client_id, {}).items():
                if task.cancel():
                    self.cancelled.append(request)

    def _why_not(self, first: dict[str, Any]) -> str:
        if first["type"] != "register" or not first.get("client_id"):
            return "First message must be a registration message"
        if first["client_id"] in self._clients:
            return f"client_id {first['client_id']!r} is already registered; duplicate registrations are not allowed"
        if first["client_type"] == "constellation" and first["target_id"] not in self.agents:
            return f"Target device {first['target_id']!r} is not connected"
        return ""

    def _start(self, work: Any) -> asyncio.Task[None]:
        task = self._loop.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task

    async def _handle(self, socket: ServerConnection, first: dict[str, Any], told: dict[str, Any]) -> None:
        if told["client_id"] != first["client_id"] or told["client_type"] != first["client_type"]:
            await self._say(
                socket, "error", status="error", error="client_type does not match the registered connection"
            )
        elif told["type"] == "heartbeat" and self.manner != "deaf":
            await self._say(socket, "heartbeat")
        elif told["type"] == "device_info_request" and self.manner != "uninformed":
            found = INFO if told["target_id"] in self.agents else {"error": "Device not found"}
            await self._say(socket, "device_info_response", result=found, response_id=told["request_id"])
        elif told["type"] == "task":
            await self._take(socket, first["client_id"], told)

    async def _take(self, socket: ServerConnection, client_id: str, task: dict[str, Any]) -> None:
        request, session = task["request"], task["session_id"]
        if request == "refuse":
            await self._say(socket, "error", status="error", error="session_id is owned by another client")
            return
        running = self._start(self._work(socket, request, session))
        self._sessions.setdefault(client_id, {})[request] = running
        await self._say(socket, "heartbeat", session_id=session)

    @staticmethod
    async def _say(socket: ServerConnection, kind: str, **fields: Any) -> None:
        with contextlib.suppress(ConnectionClosed):
            await socket.send(json.dumps({"type": kind, "status": "ok", **fields}))

    # ---- an agent

    async def _work(self, socket: ServerConnection, request: str, session: str) -> None:
        async def end(status: str = "completed", result: Any = None, error: Any = None, of: str = session) -> None:
            self.ended.append(request)
            await self._say(socket, "task_end", status=status, result=result, error=error, session_id=of)

        word = request.partition("\n")[0]
        await asyncio.sleep(0)  # the task is acknowledged first
        if word == "wait":
            await self._say(socket, "command", status="continue", messages=["waiting"], actions=[{"tool_name": "x"}])
            await asyncio.Event().wait()
        elif word.startswith("slow "):
            await asyncio.sleep(SLOW)
            await end(result=request)
        elif word == "fail":
            await end("failed", {"failure": "session ended with an error"}, "it is meant to fail")
        elif word == "fail without a reason":
            await end("failed", {"failure": "session ended with an error"})
        elif word == "rounds":
            await end(result=[{"request": "r", "result": "first"}, {"request": "r", "result": "last"}])
        elif word.startswith("say "):
            await end(result=json.loads(request.removeprefix("say ")))
        elif word in _FAULTS:
            await _FAULTS[word](socket, end)
        else:
            await end(result=request)


async def _abort(socket: ServerConnection, _end: Any) -> None:
    socket.transport.abort()


async def _half_close(socket: ServerConnection, _end: Any) -> None:
    socket.transport.write_eof()
    await asyncio.Event().wait()


async def _hang(socket: ServerConnection, _end: Any) -> None:
    socket.transport.pause_reading()
    await asyncio.Event().wait()


_FAULTS = {
    "die": _abort,
    "close": lambda socket, _: socket.close(1011, "internal error"),
    "half": _half_close,
    "hang": _hang,
    "garbage": lambda socket, _: socket.send("}{ no message"),
    "a list": lambda socket, _: socket.send("[1]"),
    "deep": lambda socket, _: socket.send('{"type":"task_end","result":' + "[" * 100_000),
    "large": lambda _, end: end(result="x" * 10 * 2**20),
    "huge": lambda socket, _: socket.send("x" * 17 * 2**20),
    "latin-1": lambda socket, _: socket.send('{"type":"täsk"}'.encode("latin-1"), text=True),
    "utf-16": lambda socket, _: socket.send('{"type":"task_end"}'.encode("utf-16")),
    "another session": lambda _, end: end(of="somebody else's"),
    "another status": lambda _, end: end("postponed"),
    "an error": lambda socket, _: socket.send('{"type":"error","status":"error","error":"out of memory"}'),
}
