"""Leftovers of ended attempts in a Dask cluster: attempts that may still run, and results."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from starloom.devices.dask import client as dask_client
from starloom.devices.dask import worker_side
from starloom.devices.dask.orders import read_outcome
from starloom.devices.dask.record import note_unended, remove_record
from starloom.errors import DeviceError
from starloom.model.result import OutcomeStatus

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping
    from pathlib import Path
    from typing import Any

    from distributed import Future


_AT_ONCE: Final = 200
"""Attempts that the cluster is told to forget in one message."""
_GATHER_SECONDS: Final = 0.1
"""How long those that have ended wait for others, as each batch costs messages, and an answer of the scheduler."""
_FIRST_PAUSE: Final = 0.02
"""Seconds in which the scheduler has mostly been told."""
_LONGEST_PAUSE: Final = 1.0
_PATIENCE: Final = 5.0
"""Seconds in which the cluster has to have forgotten an attempt; then the next program sees to it."""
_HAS_ENDED: Final = frozenset({"memory", "erred"})
_log = logging.getLogger(__name__)


class Lost(NamedTuple):
    """A lost attempt that may still run."""

    device_id: str
    kept: Path | None
    """Where its record is; None: there is none, as its run has no journal."""
    tell_end: Callable[[int | None], None]
    """Told its exit code once it has ended; None: it was ended, or nobody knows."""


class Cluster(Protocol):
    """The protocol of the link to a cluster, as leftovers need it; unanswered requests raise DeviceError."""

    @property
    def is_up(self) -> bool:
        """Whether the connection stands."""

    async def ask_all(self, function: Callable[..., Any], *args: Any) -> Mapping[str, Any]:
        """The results of a function called in each worker, by address."""

    def release(self, order_ids: Iterable[str]) -> None:
        """Release attempts in the cluster."""

    async def known(self, order_ids: Iterable[str]) -> dict[str, str]:
        """The states, in Dask's words, of the attempts that the scheduler knows, by their orders."""

    def future_of(self, order_id: str) -> Future[Any]:
        """Dask's future of an attempt that the cluster knows."""

    async def answered(self, asked: Awaitable[Any]) -> Any:
        """The cluster's answer to a request."""


class DaskLeftovers:
    """The leftovers of one cluster. What this program cannot clean up stays recorded for the next one."""

    def __init__(self, link: Cluster) -> None:
        self._link = link
        self._lost: dict[str, Lost] = {}
        self._uncleared: dict[str, Path] = {}
        self._released: dict[str, Path | None] = {}
        self._seeing: asyncio.Task[None] | None = None
        self._dropped: list[Future[Any]] = []
        self._dropping: asyncio.TimerHandle | None = None

    def drop(self, future: Future[Any]) -> None:
        """Release the result of an attempt that has ended.

        The cluster is told so together with others: told at once, the next order to the same worker would wait behind
        that for as long as Dask gathers messages.
        """
        self._dropped.append(future)
        if self._dropping is None:
            self._dropping = asyncio.get_running_loop().call_later(_GATHER_SECONDS, self._drop)

    def _drop(self) -> None:
        self._dropping = None
        dropped, self._dropped = self._dropped, []
        dask_client.release(dropped)

    def abandon(self, order_id: str, lost: Lost, where: str, why: str) -> None:
        """End what is left of a lost attempt as soon as there is a connection.

        Args:
            order_id: of its order.
            lost: what is to be known for that.
            where: where it may still run, as people say it.
            why: it counts as lost, as a sentence.
        """
        self._lost[order_id] = lost
        if lost.kept is not None:
            note_unended(lost.kept, where, why)
        self._see_soon()

    def give_up(self, order_id: str, kept: Path, where: str, why: str) -> None:
        """End what may still run of an earlier program's attempt with the next connection."""
        note_unended(kept, where, why)
        self._uncleared[order_id] = kept

    def unended(self, device_id: str) -> int:
        """The number of attempts of a device that count as lost and may still run."""
        return sum(lost.device_id == device_id for lost in self._lost.values())

    def release(self, order_id: str, kept: Path | None) -> None:
        """Release an attempt whose end is committed, and then remove its record here, if it has one."""
        if order_id not in self._lost:
            self._released[order_id] = kept
            self._see_soon()

    async def clear(self, order_id: str, kept: Path) -> None:
        """End what may still run of an earlier program's abandoned attempt, and release it.

        What cannot be ended stays on record, and is tried again with the next connection.
        """
        if order_id in self._released or order_id in self._lost:
            return
        self._uncleared[order_id] = kept
        if self._link.is_up:
            with contextlib.suppress(DeviceError):
                await self._clear()

    async def end(self) -> None:
        """End the abandoned attempts over a new connection.

        Raises:
            DeviceError: the cluster does not answer.
        """
        await self._end_lost()
        await self._clear()
        self._see_soon()

    async def _end_lost(self) -> None:
        while self._lost:
            order_id, lost = next(iter(self._lost.items()))
            code = await self._end(order_id)
            if self._lost.pop(order_id, None) is not None:
                lost.tell_end(code)
                self.release(order_id, lost.kept)

    async def _clear(self) -> None:
        while self._uncleared:
            order_id, kept = next(iter(self._uncleared.items()))
            state = (await self._link.known((order_id,))).get(order_id)
            if state is not None and state not in _HAS_ENDED:
                await self._link.ask_all(worker_side.settle, order_id)
            if self._uncleared.pop(order_id, None) is not None:
                self.release(order_id, kept)

    async def _end(self, order_id: str) -> int | None:
        """End an attempt; its exit code if it had ended by itself."""
        answers = await self._link.ask_all(worker_side.settle, order_id)
        if not any(answers.values()) or not await self._link.known((order_id,)):
            return None
        future = self._link.future_of(order_id)
        try:
            outcome = read_outcome(await self._link.answered(future))
        finally:
            future.release()
        return None if outcome.status is OutcomeStatus.STOPPED else outcome.result.exit_code

    # ---- while the link is up

    def _see_soon(self) -> None:
        if self._seeing is None and self._link.is_up and (self._lost or self._released):
            self._seeing = asyncio.ensure_future(self._see())

    async def _see(self) -> None:
        try:
            while (self._lost or self._released) and self._link.is_up:
                await asyncio.sleep(_GATHER_SECONDS)
                await self._end_lost()
                await self._forget(dict(list(self._released.items())[:_AT_ONCE]))
        except DeviceError as error:
            _log.debug("what came of attempts is left in the cluster: %s", error)
        finally:
            self._seeing = None

    async def _forget(self, released: Mapping[str, Path | None]) -> None:
        """Let the cluster forget attempts, whose records are removed once it has."""
        if not released:
            return
        loop = asyncio.get_running_loop()
        deadline, pause = loop.time() + _PATIENCE, _FIRST_PAUSE
        self._link.release(released)
        await asyncio.sleep(pause)
        while (known := await self._link.known(released)) and loop.time() < deadline:
            pause = min(2 * pause, _LONGEST_PAUSE)
            await asyncio.sleep(pause)
        for order_id, kept in released.items():
            del self._released[order_id]
            if order_id not in known and kept is not None:
                remove_record(kept)

    async def close(self) -> None:
        """Stop cleaning up; running releases get some time if the connection stands."""
        if self._dropping is not None:
            self._dropping.cancel()
            self._drop()
        if self._seeing is None:
            return
        if self._link.is_up:
            await asyncio.wait((self._seeing,), timeout=_PATIENCE)
        if self._seeing is not None:
            self._seeing.cancel()
            await asyncio.gather(self._seeing, return_exceptions=True)
