"""One streamed answer of a model: chat completions as server-sent events, read in bounded memory.

Imported when a model is asked, see `endpoint`.
"""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final

import msgspec
from openai import APIConnectionError, APIStatusError, APITimeoutError, Timeout

from starloom.decodable import decodable
from starloom.devices.llm.failures import AnswerFailed, refusal_of
from starloom.devices.llm.unreachable import cause_of, unreachable
from starloom.devices.unreached import connection_reason
from starloom.model.result import MAX_VALUE_BYTES

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from openai import AsyncOpenAI

    from starloom.devices.llm.key import Endpoint

_LONGEST_LINE: Final = 8 * MAX_VALUE_BYTES
"""Bytes of one event; a value has less, also where each of its characters is escaped."""
_FIELDS: Final = (b"event:", b"id:", b"retry:", b":")
"""How lines of an event stream begin besides those with data."""
_DONE: Final = b"[DONE]"


class _Delta(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    delta: _Delta | None = None
    finish_reason: str | None = None


class Usage(msgspec.Struct):
    """What an endpoint says that an answer has used; `cost`, which few tell, is in US dollars."""

    total_tokens: int = 0
    cost: float | None = None


class _Chunk(msgspec.Struct):
    choices: list[_Choice] | None = None
    usage: Usage | None = None
    error: Any = None


class ModelAnswer:
    """One answer, as it arrives.

    Attributes:
        usage: what it has used, as far as the endpoint has said that.
    """

    def __init__(self, endpoint: Endpoint, tell: Callable[[str], None]) -> None:
        self.usage = Usage()
        self._endpoint = endpoint
        self._model, self._url = endpoint.model, endpoint.url
        self._tell = tell
        self._parts: list[str] = []
        self._size = 0
        self._refusal = ""
        self._reason = ""

    @property
    def text(self) -> str | None:
        """All of it so far; None: it is more than a value may be."""
        return "".join(self._parts) if self._size <= MAX_VALUE_BYTES else None

    async def stream(self, client: AsyncOpenAI, messages: Sequence[Any]) -> None:
        """Ask, and take the answer to its end.

        Args:
            client: of the endpoint; its connection is closed however this ends.
            messages: the conversation so far.

        Raises:
            RateLimited: it is to be asked later.
            AnswerFailed: it could not be asked, or did not answer to the end.
        """
        try:
            asking = client.chat.completions.with_streaming_response.create(
                model=self._model, messages=messages, stream=True, stream_options={"include_usage": True}
            )
            async with asking as response:
                await self._take_all(response.iter_bytes())  # type: ignore[arg-type]  # a generator, says its code
        except (AnswerFailed, MemoryError):
            raise
        except APIStatusError as error:
            raise refusal_of(
                error.status_code, error.response.headers, error.body, error.message, self._endpoint
            ) from None
        except APITimeoutError as error:
            if _made_no_connection(error):
                raise self._unreachable(error, client) from None
            raise AnswerFailed(
                f"The model {self._model} at {self._url} was silent for too long; ask it by hand, or give it a longer "
                "`silence`."
            ) from None
        except APIConnectionError as error:
            raise self._unreachable(error, client) from None
        except Exception as error:  # noqa: BLE001 - the errors of the client's transport, which is a library of its own
            if "Timeout" in type(error).__name__:
                raise AnswerFailed(
                    f"The model {self._model} at {self._url} fell silent in the middle; ask it by hand, or give it a "
                    "longer `silence`."
                ) from None
            why = connection_reason(cause_of(error))
            raise AnswerFailed(
                f"The model {self._model} at {self._url} broke off in the middle: {self._endpoint.legible(why)}."
            ) from None

    def _unreachable(self, error: APIConnectionError, client: AsyncOpenAI) -> AnswerFailed:
        seconds = client.timeout.connect if isinstance(client.timeout, Timeout) else None
        return AnswerFailed(unreachable(error, self._endpoint, seconds or 0.0), has_begun=False)

    async def _take_all(self, pieces: AsyncGenerator[bytes]) -> None:
        lines = _Lines()
        # Closed here: else that would be left to the loop, some time after the failure has been told.
        async with aclosing(pieces):
            async for piece in pieces:
                if any(self._is_end(line) for line in lines.feed(piece)):
                    break
            else:
                if not self._is_end(bytes(lines.rest)) and not self._reason:
                    raise AnswerFailed(
                        f"The model {self._model} at {self._url} broke off in the middle: the connection was closed."
                    )
        if self._refusal:
            raise AnswerFailed(f"The model refuses to do this task: {self._endpoint.legible(self._refusal)}.")
        if why := _WHY.get(self._reason):
            raise AnswerFailed(why)

    def _is_end(self, line: bytes) -> bool:
        """Take a line; returns whether it says that the answer is complete."""
        if line.startswith(b"data:"):
            data = line.removeprefix(b"data:").strip()
            if data == _DONE:
                return True
            if data:
                self._take(data)
        elif line and not line.startswith(_FIELDS):
            raise AnswerFailed(
                f"The model {self._model} at {self._url} answers with no stream of chat completions, but with "
                f"{self._quoted(line)}."
            )
        return False

    def _take(self, data: bytes) -> None:
        try:
            chunk = msgspec.json.decode(data, type=decodable(_Chunk))
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            raise AnswerFailed(
                f"The model {self._model} at {self._url} sends something that is no chat completion: "
                f"{self._quoted(data)}."
            ) from None
        if chunk.error is not None:
            raise refusal_of(0, {}, chunk.error, "", self._endpoint)
        self.usage = chunk.usage or self.usage
        for choice in chunk.choices or ():
            self._reason = choice.finish_reason or self._reason
            delta = choice.delta or _Delta()
            self._refusal += (delta.refusal or "")[:MAX_VALUE_BYTES]
            if delta.content:
                self._size += len(delta.content)
                if self._size > MAX_VALUE_BYTES:
                    return
                self._parts.append(delta.content)
                self._tell(delta.content)

    def _quoted(self, data: bytes) -> str:
        return repr(self._endpoint.legible(data[:200].decode(errors="replace")))


def _made_no_connection(error: APITimeoutError) -> bool:
    """Whether the time passed while the connection was made, so that the prompt was not sent."""
    return type(error.__cause__).__name__ == "ConnectTimeout"


class _Lines:
    """The lines of a stream that comes in pieces.

    Attributes:
        rest: what has come of a line without an end.
    """

    def __init__(self) -> None:
        self.rest = bytearray()

    def feed(self, piece: bytes) -> list[bytes]:
        """Add a piece; returns the lines that it ends."""
        self.rest += piece
        whole: list[bytes] = []
        if b"\n" in piece:
            *ended, self.rest = self.rest.split(b"\n")
            whole = [bytes(line.rstrip(b"\r")) for line in ended]
        if len(self.rest) > _LONGEST_LINE:
            raise AnswerFailed(f"The model sends a line of more than {_LONGEST_LINE // 2**20} MiB; it was given up.")
        return whole


_WHY: Final = {
    "length": "The model stopped in the middle, as it had used up all the tokens it may use; ask for less.",
    "content_filter": "The model's endpoint has cut the answer off by its content filter; word the prompt otherwise.",
    "tool_calls": "The model wants to use tools, and is given none here; ask it to answer in words.",
}
