"""The device that is an agent of UFO: a program on some machine, reached through the server that it is connected to."""

from __future__ import annotations

import asyncio
import uuid
from typing import TYPE_CHECKING, Any, ClassVar, Final

import msgspec
from typing_extensions import override

from starloom.decodable import decodable
from starloom.devices.acting import simulate
from starloom.devices.aip.address import ServerAddress
from starloom.devices.aip.attempt import AipAttempt
from starloom.devices.aip.link import AipLink, closed
from starloom.devices.aip.messages import DeviceInfo
from starloom.devices.aip.request import request_text
from starloom.devices.base import OUTPUT_TAIL_BYTES, Device, TaskContext
from starloom.devices.ended import failed
from starloom.devices.materials import MaterialMissing, materials
from starloom.devices.output import Output
from starloom.devices.prompting import not_a_prompt
from starloom.errors import DeviceError
from starloom.model.frozen import EMPTY
from starloom.model.quantities import parse_duration
from starloom.model.result import ErrorCode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.model.result import Outcome
    from starloom.model.task import Task

_MISSED: Final = 3
"""Heartbeats without an answer after which the agent is lost."""
_SHARE: Final = 0.9
"""The part of a heartbeat's interval in which it has to be answered."""
_INFO_PATIENCE: Final = 5.0
"""Seconds for which the description of an agent is waited for: not every server has one."""


class AipDevice(Device):
    """An agent of a UFO server. One connection asks for signs of life; each attempt has one of its own.

    Attributes:
        address: of the server.
        target: what the server calls the agent.
        metadata: what is noted about the device, for people.
        start_timeout: seconds in which the server has to answer.
        tail_bytes: how much of the end of its output a result keeps.
    """

    kind: ClassVar[str] = "aip"
    asks_when_interrupted: ClassVar[bool] = True
    actions: frozenset[str] | None = frozenset({"prompt", "simulate"})

    def __init__(
        self,
        id: str,
        *,
        url: str,
        slots: int | None = None,
        capabilities: frozenset[str] = frozenset(),
        speed: float = 1.0,
        target: str | None = None,
        token: str | None = None,
        plaintext: bool = False,
        start_timeout: float | str = 30.0,
        heartbeat_interval: float | str = 30.0,
        metadata: Mapping[str, Any] = EMPTY,
        tail_bytes: int = OUTPUT_TAIL_BYTES,
    ) -> None:
        super().__init__(id, slots=1 if slots is None else slots, capabilities=capabilities, speed=speed)
        self.address = ServerAddress(id, url, token, plaintext=plaintext)
        self.target = target or id
        self.metadata = metadata
        self.start_timeout = _seconds(id, "start_timeout", start_timeout)
        self._interval = self.heartbeat_interval = _seconds(id, "heartbeat_interval", heartbeat_interval)
        self.tail_bytes = tail_bytes
        self._plaintext = plaintext
        self._declared = self.capabilities
        self._control: AipLink | None = None
        self._info: DeviceInfo | None = None
        self._unanswered = 0

    @override
    async def connect(self) -> None:
        """Register with the server, and ask it about the agent.

        Raises:
            DeviceError: the server cannot be reached, lets us not in, or has no such agent now.
        """
        await self.disconnect()
        control = await self._open(f"starloom-{uuid.uuid4().hex}")
        try:
            self._info = await self._ask_info(control, _INFO_PATIENCE)
        except BaseException:
            await closed(control)
            raise
        self._control, self._unanswered = control, 0
        self.capabilities = self._declared | (self._info.capabilities if self._info else frozenset())

    async def _open(self, client_id: str, ping_every: float | None = None) -> AipLink:
        token = await self.address.secret()
        return await AipLink.open(self.address, token, self.target, client_id, self.start_timeout, ping_every)

    async def _ask_info(self, control: AipLink, patience: float) -> DeviceInfo | None:
        """The description of the agent; None: the server has none.

        Raises:
            DeviceError: the connection is gone.
        """
        request_id = uuid.uuid4().hex
        await control.send("device_info_request", request_id=request_id)
        try:
            async with asyncio.timeout(patience):
                while True:
                    told = await control.receive()
                    if told.type == "error" or (told.type == "device_info_response" and told.response_id == request_id):
                        break
        except TimeoutError:
            return None
        found = told.result if isinstance(told.result, dict) else {}
        if told.type != "device_info_response" or "error" in found:
            return None
        return msgspec.convert(found, decodable(DeviceInfo))

    @override
    async def disconnect(self) -> None:
        control, self._control = self._control, None
        if control is not None:
            await closed(control)

    @override
    async def ping(self) -> None:
        """Send a heartbeat, and return once it is answered.

        Raises:
            DeviceError: the connection or the agent is gone, or several heartbeats in a row were not answered.
            TimeoutError: this one was not answered.
        """
        control = self._control
        if control is None:
            raise DeviceError(f"Device {self.id!r} is not connected; connect it first.")
        await control.send("heartbeat")
        try:
            async with asyncio.timeout(self._interval * _SHARE):
                while (await control.receive()).type != "heartbeat":
                    pass
                # The server answers though the agent has left it.
                if self._info is not None and await self._ask_info(control, self._interval) is None:
                    raise DeviceError(f"The UFO server says that its agent {self.target!r} is not there any more.")
        except TimeoutError:
            self._unanswered += 1
            if self._unanswered >= _MISSED:
                raise DeviceError(self._why_silent()) from None
            raise
        self._unanswered = 0

    def _why_silent(self) -> str:
        """Why the agent counts as lost; empty: it answers, as far as is known."""
        control = self._control
        if control is None or not control.is_open:
            return "The connection to the agent's server is gone."
        if self._unanswered < _MISSED:
            return ""
        ago = asyncio.get_running_loop().time() - control.heard
        return f"The agent's server answers no heartbeats; it was last heard {ago:.0f} s ago."

    @property
    @override
    def about(self) -> str:
        noted = self.metadata.get("description")
        facts = (self._info.about if self._info else "", noted if isinstance(noted, str) else "")
        return " · ".join(fact for fact in facts if fact)

    @override
    async def run(self, task: Task, context: TaskContext) -> Outcome:
        """Run one attempt; cancelled, close its connection and return the status `stopped`."""
        if task.simulate is not None:
            return await simulate(self, task, context)
        if task.prompt is None:
            return not_a_prompt(self, task)
        if self._control is None:
            message = f"Device {self.id!r} is not connected; connect it first."
            return failed(ErrorCode.START_FAILED, message, by_device=True)
        try:
            request = request_text(task.prompt, task.tips, await asyncio.to_thread(materials, context))
        except MaterialMissing as error:
            return failed(ErrorCode.UNRESOLVED_INPUT, str(error))
        output = Output.of(context, self.tail_bytes)
        attempt = AipAttempt(task, request, output, context, self._why_silent)
        return await attempt.run(lambda client_id: self._open(client_id, self._interval))

    @override
    def describe(self) -> Mapping[str, Any]:
        """The base's description with the options; of the token, where it is kept."""
        return {
            **super().describe(),
            "capabilities": sorted(self._declared),
            "url": self.address.url,
            "target": self.target,
            "token": self.address.token,
            "plaintext": self._plaintext,
            "start_timeout": self.start_timeout,
            "heartbeat_interval": self._interval,
            "metadata": dict(self.metadata),
            "tail_bytes": self.tail_bytes,
        }


def _seconds(id: str, option: str, value: float | str) -> float:
    try:
        seconds = parse_duration(value)
    except ValueError as error:
        raise DeviceError(f"Device {id!r}: {option}: {error}.") from error
    if not seconds > 0:
        raise DeviceError(f"Device {id!r}: {option} cannot be {value!r}; give it more than 0 seconds.")
    return seconds
