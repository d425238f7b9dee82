"""The device that is a language model: without tools, it answers prompts at an endpoint of OpenAI's wire format."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar, Final
from urllib.parse import urlsplit

from typing_extensions import override

from starloom.devices.acting import simulate
from starloom.devices.base import OUTPUT_TAIL_BYTES, Device, TaskContext
from starloom.devices.ended import failed
from starloom.devices.llm.attempt import LlmAttempt
from starloom.devices.llm.key import NO_KEY, OPENAI, check_url, find_key, is_private
from starloom.devices.llm.rate_limit import RateLimit
from starloom.devices.materials import MaterialMissing, materials
from starloom.devices.prompting import not_a_prompt
from starloom.errors import AgentError, DeviceError, nearest
from starloom.model.quantities import parse_duration
from starloom.model.result import ErrorCode

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from openai import AsyncOpenAI

    from starloom.devices.llm.key import Endpoint
    from starloom.model.result import Outcome
    from starloom.model.task import Task

_PROBE: Final = 10.0
"""Seconds that looking for the model may take."""
_MOST_SHOWN: Final = 10
_MOST_RETRIES: Final = 10


class LlmDevice(Device):
    """A language model: each attempt is a conversation of its own.

    Attributes:
        model: as its endpoint calls it.
        url: where the endpoint is, e.g. `http://127.0.0.1:11434/v1`.
        system: what the model is told before each prompt.
        retries: how often it is told what is wrong with an answer that does not hold what its task expects.
        silence: seconds after which an endpoint that says nothing is given up.
        plaintext: whether prompts and key may travel to another computer so that others can read them.
        tail_bytes: how much of the end of its output a result keeps.
    """

    kind: ClassVar[str] = "llm"
    asks_when_interrupted: ClassVar[bool] = True
    actions: frozenset[str] | None = frozenset({"prompt", "simulate"})

    def __init__(
        self,
        id: str,
        *,
        model: str,
        url: str = OPENAI,
        slots: int | None = None,
        capabilities: frozenset[str] = frozenset(),
        speed: float = 1.0,
        system: str = "",
        retries: int = 2,
        silence: float | str = 300.0,
        plaintext: bool = False,
        tail_bytes: int = OUTPUT_TAIL_BYTES,
    ) -> None:
        super().__init__(id, slots=1 if slots is None else slots, capabilities=capabilities, speed=speed)
        _check_texts(id, model=model, url=url, system=system)
        if not model:
            raise DeviceError(f"Device {id!r} needs a model; name one, as its endpoint calls it.")
        _check_retries(id, retries)
        try:
            check_url(url)
            self.silence = parse_duration(silence)
        except (AgentError, ValueError) as error:
            raise DeviceError(f"Device {id!r}: {str(error).rstrip('.')}.") from error
        if not self.silence > 0:
            raise DeviceError(f"Device {id!r}: silence cannot be {silence!r}; give it more than 0 seconds.")
        if plaintext is not True and not is_private(url):
            raise DeviceError(
                f"Device {id!r}: what is sent to {url} can be read on its way; use an https address, or say "
                "`plaintext: true` if that is meant."
            )
        self.model, self.url, self.system = model, url, system
        self.retries, self.plaintext, self.tail_bytes = retries, plaintext, tail_bytes
        self._limit = RateLimit(lambda seconds, reason: self.on_held(seconds, reason))
        self._client: AsyncOpenAI | None = None

    @override
    async def connect(self) -> None:
        """Check that the endpoint answers, takes the key and has the model. No tokens are spent.

        Raises:
            DeviceError: it does not; the sentence says why.
        """
        wire = await asyncio.to_thread(_wire, self.id)
        try:
            endpoint = await self._endpoint(wire)
            listed = await wire.listed_models(endpoint, min(_PROBE, self.silence))
        except AgentError as error:
            raise DeviceError(f"Device {self.id!r}: {error}") from error
        if listed and self.model not in listed:
            raise DeviceError(
                f"Device {self.id!r}: there is no model {self.model!r} at {self.url}.{_others(self.model, listed)}"
            )
        if self._client is None:
            # Making one reads the certificates of the system.
            self._client = await asyncio.to_thread(wire.client_of, endpoint, self.silence)

    @override
    async def disconnect(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    @override
    def hurry(self) -> None:
        self._limit.hurry()

    @override
    async def run(self, task: Task, context: TaskContext) -> Outcome:
        """Run one attempt; cancelled, close its connection and return the status `stopped`."""
        if task.simulate is not None:
            return await simulate(self, task, context)
        if task.prompt is None:
            return not_a_prompt(self, task)
        if self._client is None:
            message = f"Device {self.id!r} is not connected; connect it first."
            return failed(ErrorCode.START_FAILED, message, by_device=True)
        attempt = LlmAttempt(task, context, self._limit, self.tail_bytes)
        try:
            found = await asyncio.to_thread(materials, context)
            endpoint = await self._endpoint(_wire(self.id))
            if endpoint.key != NO_KEY:
                context.masks.add((endpoint.key,))  # some endpoints repeat what they were sent
            return await attempt.run(
                self._client.with_options(api_key=endpoint.key), endpoint, self.system, found, self.retries
            )
        except MaterialMissing as error:
            return failed(ErrorCode.UNRESOLVED_INPUT, str(error))
        except asyncio.CancelledError:
            return attempt.stopped()

    @property
    @override
    def about(self) -> str:
        return f"{self.model} · {urlsplit(self.url).hostname}"

    @override
    def describe(self) -> Mapping[str, Any]:
        """The base's description with the options."""
        return {
            **super().describe(),
            "model": self.model,
            "url": self.url,
            "system": self.system,
            "retries": self.retries,
            "silence": self.silence,
            "plaintext": self.plaintext,
            "tail_bytes": self.tail_bytes,
        }

    async def _endpoint(self, wire: Any) -> Endpoint:
        key = await asyncio.to_thread(find_key, self.url, plaintext=self.plaintext)
        endpoint: Endpoint = wire.Endpoint(self.model, self.url, key)
        return endpoint


def _wire(id: str) -> Any:
    try:
        from starloom.devices.llm import endpoint
    except ImportError as error:
        if (error.name or "").partition(".")[0] != "openai":
            raise
        raise DeviceError(
            f"Device {id!r} is a language model, which needs the package 'openai', and it is not installed here. "
            "Install it with: pip install 'starloom[agent]'."
        ) from error
    return endpoint


def _check_retries(id: str, retries: object) -> None:
    if isinstance(retries, bool) or not isinstance(retries, int) or not 0 <= retries <= _MOST_RETRIES:
        raise DeviceError(
            f"Device {id!r}: retries cannot be {retries!r}; give it a whole number from 0 to {_MOST_RETRIES}."
        )


def _check_texts(id: str, **texts: object) -> None:
    for name, text in texts.items():
        if not isinstance(text, str):
            raise DeviceError(f"Device {id!r}: {name} cannot be {text!r}; give it a text.")


def _others(model: str, listed: Collection[str]) -> str:
    if near := nearest(model, listed):
        return f" Did you mean {near!r}?"
    more = f" and {len(listed) - _MOST_SHOWN} more" if len(listed) > _MOST_SHOWN else ""
    return f" There are {', '.join(sorted(listed)[:_MOST_SHOWN])}{more}."
