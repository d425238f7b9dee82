"""An endpoint on loopback that speaks OpenAI's wire format and answers what it was told to, well or badly."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

Answer = tuple[int, dict[str, str], bytes] | None
"""Status, headers and body; None: never answers."""


def completion(content: str | None, *calls: tuple[str, Any], tokens: int = 15) -> Answer:
    """What a model says, and the tools it uses: the name of each, and its arguments."""
    used = [
        {
            "id": f"call-{number}",
            "type": "function",
            "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
        }
        for number, (name, given) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": content} | ({"tool_calls": used} if used else {})
    choice = {"index": 0, "finish_reason": "tool_calls" if used else "stop", "message": message}
    usage = {"prompt_tokens": tokens - 5, "completion_tokens": 5, "total_tokens": tokens}
    value = {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}
    return 200, {"content-type": "application/json"}, json.dumps(value).encode()


def models(*names: str) -> Answer:
    """The list of the models that an endpoint has."""
    listed = [{"id": name, "object": "model", "created": 0, "owned_by": "x"} for name in names]
    body = json.dumps({"object": "list", "data": listed}).encode()
    return 200, {"content-type": "application/json"}, body


def failing(status: int, text: str = "no", **headers: str) -> Answer:
    """What an endpoint says that does not want to, or cannot."""
    body = json.dumps({"error": {"message": text, "type": "x", "code": None}}).encode()
    return status, {"content-type": "application/json", **headers}, body


class Endpoint:
    """Answers with the next of its answers; the last one again and again.

    Attributes:
        url: where it is.
        asked: what came in, as JSON.
        keys: the keys it was sent.
        heard: set with each request.
    """

    def __init__(self, *answers: Answer | Callable[[dict[str, Any]], Answer]) -> None:
        self.url = ""
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.heard = asyncio.Event()
        self._answers = list(answers)

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Those of the last request."""
        found: list[dict[str, Any]] = self.asked[-1]["messages"]
        return found

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                headers = dict(_headers(head))
                self.keys.append(headers["authorization"].removeprefix("Bearer "))
                length = int(headers.get("content-length", 0))  # asking for the models has no body
                self.asked.append(json.loads(await reader.readexactly(length) or b"{}"))
                self.heard.set()
                await self._answer(writer, reader)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # whoever asked has gone, or the test is over; asyncio's streams take a cancelled task for a fault
        finally:
            writer.close()

    async def _answer(self, writer: asyncio.StreamWriter, reader: asyncio.StreamReader) -> None:
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if callable(answer):
            answer = answer(self.asked[-1])
        if answer is None:
            await reader.read()  # until whoever asks has gone
            return
        status, headers, body = answer
        lines = [f"HTTP/1.1 {status} x", f"content-length: {len(body)}", *(f"{k}: {v}" for k, v in headers.items())]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        await writer.drain()


def _headers(head: bytes) -> Iterator[tuple[str, str]]:
    for line in head.decode().split("\r\n")[1:]:
        name, colon, value = line.partition(":")
        if colon:
            yield name.lower(), value.strip()


@asynccontextmanager
async def endpoint(*answers: Answer | Callable[[dict[str, Any]], Answer]) -> AsyncIterator[Endpoint]:
    """A running endpoint; it and all its connections are gone afterwards."""
    made = Endpoint(*answers)
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
