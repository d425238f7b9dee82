"""A link that is bad by a plan: at times it is cut off, silent, slow to answer or narrow, and calm in between."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from tests.proxies import Proxy
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Iterator

_PIECE: Final = 4096
_RATES: Final = (8_000.0, 30_000.0, 100_000.0)
_LONG_CALM: Final = 0.15
_KINDS: Final = {"cut": 4, "outage": 3, "long outage": 1, "silence": 3, "delay": 4, "throttle": 4}


class Trouble(NamedTuple):
    """What is wrong with a link for a while.

    Attributes:
        kind: `cut`: each connection is ended, others can be made at once; `outage`: nobody gets through; `silence`:
            connections stand, and nothing passes; `delay`: each piece takes so many seconds; `throttle`: so many bytes
            a second pass.
        after: seconds of calm before it.
        seconds: how long it lasts.
        measure: of delay or throttle.
    """

    kind: str
    after: float
    seconds: float
    measure: float = 0.0


def troubles(seed: int, name: str, minutes: float) -> Iterator[Trouble]:
    """The troubles of a link, one after another; in short soaks they come and go sooner."""
    dice = Random(f"{seed} {name}")
    scale = min(1.0, max(0.3, minutes / 20))
    while True:
        kind = dice.choices(list(_KINDS), list(_KINDS.values()))[0]
        calm = 120.0 if dice.random() < _LONG_CALM else 35.0
        after = 5.0 + dice.expovariate(1 / (calm * scale))
        seconds = {
            "cut": 0.0,
            "outage": dice.uniform(2, 20),
            "long outage": dice.uniform(45, 90),
            "silence": dice.uniform(3, 40),
        }.get(kind, dice.uniform(5, 40))
        measure = dice.uniform(0.05, 1.0) if kind == "delay" else dice.choice(_RATES)
        yield Trouble(kind.removeprefix("long "), after, seconds * scale, measure)


class BadLink(Proxy):
    """A proxy that troubles come over, and that hears what passes.

    Attributes:
        counts: how many troubles of each kind there were.
        longest: seconds of the longest stretch for which nothing passed, or nobody got through.
        told: whether anything passed that must not be told in clear.
    """

    def __init__(self, server: int, secret: bytes) -> None:
        super().__init__(server)
        self.counts: Counter[str] = Counter()
        self.longest = 0.0
        self.told = False
        self._secret = secret
        self._now: Trouble | None = None
        self._calm = asyncio.Event()
        self._calm.set()

    async def live(self, plan: Iterator[Trouble]) -> None:
        """Have the troubles come, until this is cancelled."""
        try:
            for trouble in plan:
                await asyncio.sleep(trouble.after)
                await self._come(trouble)
        finally:
            self._go()

    async def _come(self, trouble: Trouble) -> None:
        began = time.monotonic()
        self.counts[trouble.kind] += 1
        self._now = trouble
        if trouble.kind in {"outage", "silence"}:
            self._calm.clear()
        if trouble.kind in {"cut", "outage"}:
            await self.cut(standing=False)
        await asyncio.sleep(trouble.seconds)
        self._go()
        if trouble.kind in {"outage", "silence"}:
            self.longest = max(self.longest, time.monotonic() - began)

    def _go(self) -> None:
        self._now = None
        self._calm.set()

    @override
    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._now is not None and self._now.kind == "outage":
            writer.transport.abort()
            return
        await super()._accept(reader, writer)

    @override
    async def _up(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, task: asyncio.Task[None]) -> None:
        await self._through(reader, writer)

    @override
    async def _down(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, task: asyncio.Task[None]) -> None:
        await self._through(reader, writer)

    async def _through(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One way, in pieces, the delay of each counted from when it was read, so that it costs no throughput."""
        before = b""
        due: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(64)
        writing = asyncio.ensure_future(self._written(due, writer))
        try:
            while data := await reader.read(_PIECE):
                self.told = self.told or self._secret in before + data
                before = data[-len(self._secret) :]
                now = self._now
                late = now.measure if now is not None and now.kind == "delay" else 0.0
                await due.put((time.monotonic() + late, data))
            await due.put((0.0, b""))
            await writing
        finally:
            writing.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await writing

    async def _written(self, due: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter) -> None:
        while True:
            at, data = await due.get()
            if not data:
                return
            await asyncio.sleep(max(0.0, at - time.monotonic()))
            await self._calm.wait()
            now = self._now
            if now is not None and now.kind == "throttle":
                async with self._turn:
                    await asyncio.sleep(len(data) / now.measure)
            writer.write(data)
            await writer.drain()
