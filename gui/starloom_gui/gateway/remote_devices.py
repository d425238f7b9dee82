"""The devices of an engine in another program: what facts do not tell of them is asked for every other second."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import msgspec

from starloom.decodable import decodable
from starloom.errors import CommandRefused, StarloomError
from starloom.model.device import DeviceSpec
from starloom.scheduling.commands import RemoveDevice
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

    from starloom.devices.base import Device, Metrics
    from starloom.orchestration.channel import Progress
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.server.client import EngineClient
    from starloom.server.messages import DeviceReport, EngineReport

_EVERY: Final = 2.0
"""Seconds between two questions."""
PATIENCE: Final = 6.0
"""Seconds without an answer after which what is shown is said to be old."""
_log = logging.getLogger(__name__)


class RemoteDevices:
    """The devices of an engine in another program: see `EngineDevices`.

    Args:
        client: asks it.
        facts: gives the facts of its fleet.
        check: raises `CommandRefused` while nothing can be changed.
        settled: returns once these have what was done.
        tell: is called with how far an attempt has come, once it has told of something else than before.
        answered: is called each time the engine answers.
        silent: is called as long as it does not, with since when, in seconds on the loop's clock.

    Attributes:
        halted: why the engine has halted, as far as it has told; empty: it has not.
    """

    def __init__(
        self,
        client: EngineClient,
        facts: Callable[[], FleetFacts],
        check: Callable[[], object],
        settled: Callable[[], Awaitable[None]],
        tell: Callable[[Progress], object] = lambda _: None,
        answered: Callable[[], object] = lambda: None,
        silent: Callable[[float], object] = lambda _: None,
    ) -> None:
        self._client, self._facts, self._check, self._settled = client, facts, check, settled
        self._told: dict[str, DeviceReport] = {}
        self._tell, self._answered, self._silent = tell, answered, silent
        self._progress: tuple[Progress, ...] = ()
        self._specs: tuple[str, tuple[DeviceSpec, ...]] = ("[]", ())
        """As they are told, and read."""
        self.halted = ""
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Ask, and go on to.

        Raises:
            StarloomError: it does not answer.
        """
        self._take(await self._client.report())
        self._task = asyncio.get_running_loop().create_task(self._ask_on(), name="console: devices elsewhere")

    async def close(self) -> None:
        """Ask no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _ask_on(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_EVERY)
            asking = asyncio.ensure_future(self._client.report())
            try:
                since = loop.time()
                while not (await asyncio.wait((asking,), timeout=PATIENCE))[0]:
                    self._silent(since)
                    since = loop.time()
                with suppress(StarloomError):  # the connection is lost, as others say
                    self._take(await asking)
                    self._answered()
            finally:
                asking.cancel()

    def _take(self, report: EngineReport) -> None:
        self.halted = report.halted
        self._told = {device.device_id: device for device in report.devices}
        if report.specs != self._specs[0]:
            self._specs = report.specs, msgspec.json.decode(report.specs, type=decodable(tuple[DeviceSpec, ...]))
        for progress in set(report.progress).difference(self._progress):
            self._tell(progress)
        self._progress = report.progress

    # ---- what is known

    @property
    def specs(self) -> Sequence[DeviceSpec]:
        """What they are made from, but for those whose options are secrets: these are not told."""
        return self._specs[1]

    def has(self, device_id: str) -> bool:
        """Whether there is a device of this id."""
        return device_id in self._facts().devices

    def heard(self, device_id: str) -> float | None:
        """When a device last gave a sign of life, on the engine's clock; None: it is not asked for any."""
        told = self._told.get(device_id)
        return None if told is None else told.heard

    def is_late(self, device_id: str) -> bool:
        """Whether a device has missed a sign of life, though it is not given up yet."""
        told = self._told.get(device_id)
        return told is not None and told.is_late

    def about(self, device_id: str) -> str:
        """What a device has told of its machine; empty: nothing."""
        told = self._told.get(device_id)
        return "" if told is None else told.about

    def refusal(self, device_id: str) -> None:
        """None: what would mend it is on the other side, and only the sentence is told."""

    def unended(self, device_id: str) -> int:
        """The number of attempts that count as ended but may still run there, as the device could not end them."""
        told = self._told.get(device_id)
        return 0 if told is None else told.unended

    async def loads(self) -> Mapping[str, Metrics | None]:
        """Measure all devices; None in the place of one that does not tell, or where nobody answers."""
        try:
            self._take(await self._client.report(measures=True))
        except StarloomError as error:
            _log.debug("nobody says how loaded the devices are: %s", error)
            return dict.fromkeys(self._told)
        return {device_id: told.load for device_id, told in self._told.items()}

    # ---- changes

    async def add_all(self, devices: Iterable[Device], *, origin: str = "") -> None:  # noqa: ARG002 - the client's name
        """Add devices to the fleet, made there of their specs.

        Raises:
            StarloomError: it cannot be done.
        """
        self._check()
        devices = tuple(devices)
        for device in devices:
            if device.spec is None:
                reason = translate("RemoteEngine", "%1 was made by a program, and cannot be made elsewhere.")
                raise CommandRefused("no_spec", fill(reason, device.id), "")
        await self._client.add_devices([device.spec for device in devices if device.spec is not None])
        await self._settled()

    async def remove(self, device_id: str) -> None:
        """Remove an unused device, or a group.

        Raises:
            StarloomError: it cannot be done.
        """
        self._check()
        await self._client.command("", RemoveDevice(device_id=device_id))
        await self._settled()
