"""An endpoint on loopback that streams chat completions, well or badly, as its scripts say."""

from __future__ import annotations

import asyncio
import json
import threading
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

    Script = bytes | Callable[["Talk"], Awaitable[None]]


def response(status: int, body: bytes, content_type: str = "application/json", **headers: str) -> bytes:
    """A whole response."""
    more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    head = f"HTTP/1.1 {status} x\r\ncontent-type: {content_type}\r\ncontent-length: {len(body)}\r\n{more}\r\n"
    return head.encode() + body


def failing(status: int, message: str = "no", code: str | None = None, **headers: str) -> bytes:
    """What an endpoint says that does not want to."""
    return response(status, json.dumps({"error": {"message": message, "code": code}}).encode(), **headers)


def models_of(*names: str) -> bytes:
    """The list of the models that an endpoint has."""
    listed = [{"id": name, "object": "model", "created": 0, "owned_by": "x"} for name in names]
    return response(200, json.dumps({"object": "list", "data": listed}).encode())


BEGIN = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"


def event(**chunk: Any) -> bytes:
    return f"data: {json.dumps(chunk)}\n\n".encode()


def piece(text: str) -> bytes:
    return event(choices=[{"index": 0, "delta": {"content": text}}])


def end(reason: str = "stop", **usage: Any) -> bytes:
    said = event(choices=[{"index": 0, "delta": {}, "finish_reason": reason}])
    return said + (event(choices=[], usage=usage) if usage else b"") + b"data: [DONE]\n\n"


def answer(*texts: str, **usage: Any) -> bytes:
    """A whole answer, in pieces."""
    return BEGIN + b"".join(map(piece, texts)) + end(**usage)


class Talk:
    """One request for an answer.

    Attributes:
        request: as JSON.
        key: that came with it.
        closed: set when whoever asks has gone.
    """

    def __init__(self, request: dict[str, Any], key: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter):
        self.request, self.key = request, key
        self.closed = asyncio.Event()
        self._reader, self._writer = reader, writer

    @property
    def prompt(self) -> str:
        said = self.request["messages"][-1]["content"]
        return said if isinstance(said, str) else said[0]["text"]

    @property
    def is_left(self) -> bool:
        """Whether whoever asked has gone, as far as is seen here."""
        return self._reader.at_eof()

    async def say(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    async def wait(self) -> None:
        """Say nothing more until whoever asks has gone."""
        with suppress(ConnectionError):
            await self._reader.read()
        self.closed.set()

    def end(self) -> None:
        """Say that nothing more will come, and go on listening."""
        self._writer.write_eof()

    def reset(self) -> None:
        """Break the connection off."""
        self._writer.transport.abort()


class ChatServer:
    """Acts its scripts, one a request, the last one again and again."""

    def __init__(self, *scripts: Script, models: bytes | None = None) -> None:
        self.url = ""
        self.talks: list[Talk] = []
        self.heard = asyncio.Event()
        self._scripts = list(scripts)
        self._models = models or models_of("m")

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Those of the last request."""
        found: list[dict[str, Any]] = self.talks[-1].request["messages"]
        return found

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := (await reader.readuntil(b"\r\n\r\n")).decode():
                headers = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if line)
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                if head.startswith("GET"):
                    writer.write(self._models)
                    continue
                talk = Talk(json.loads(body), headers["authorization"].removeprefix("bearer "), reader, writer)
                self.talks.append(talk)
                self.heard.set()
                script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
                if not isinstance(script, bytes):
                    await script(talk)
                    return
                await talk.say(script)
                if script.startswith(BEGIN) or not script.startswith(b"HTTP"):
                    return
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # whoever asked has gone, or the test is over; asyncio's streams take a cancelled task for a fault
        finally:
            writer.close()


@asynccontextmanager
async def chat_server(*scripts: Script, models: bytes | None = None) -> AsyncIterator[ChatServer]:
    """A running endpoint; it and all its connections are gone afterwards."""
    made = ChatServer(*scripts, models=models)
    serving: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        serving.add(task)
        await made.serve(reader, writer)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    made.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield made
    finally:
        server.close()
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
        await server.wait_closed()


async def acting(talk: Talk) -> None:
    """Do what the prompt says: fail, wait, or answer it."""
    if talk.prompt == "fail":
        await talk.say(failing(400, "this is meant to fail"))
    elif talk.prompt == "wait":
        await talk.say(BEGIN + piece("waiting\n"))
        await talk.wait()
    else:
        await talk.say(answer(f"{talk.prompt}\n", total_tokens=7))


class InThread:
    """An endpoint beside the loops of tests, with its address and what it was asked, while it is there.

    Args:
        script: what it does.
    """

    url = ""
    talks: list[Talk]

    def __init__(self, script: Script = acting) -> None:
        self._script = script

    @contextmanager
    def stands(self) -> Iterator[None]:
        started, over = threading.Event(), asyncio.Event()
        loop = asyncio.new_event_loop()

        async def serve() -> None:
            async with chat_server(self._script) as there:
                self.url, self.talks = there.url, there.talks
                started.set()
                await over.wait()

        thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
        thread.start()
        try:
            assert started.wait(10)
            yield
        finally:
            loop.call_soon_threadsafe(over.set)
            thread.join()
            loop.close()
