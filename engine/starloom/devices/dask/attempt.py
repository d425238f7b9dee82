"""One attempt on a worker: submitted as a Dask task, followed to its end, ended there when it has to stop."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from starloom.devices.dask import worker_side
from starloom.devices.dask.link import ANSWER_SECONDS
from starloom.devices.dask.orders import OUTCOME, Sealed, key_of, read_outcome
from starloom.errors import DeviceError
from starloom.model.result import ErrorCode, ErrorInfo, Outcome, OutcomeStatus, Result

if TYPE_CHECKING:
    from collections.abc import Awaitable, Mapping

    from distributed import Future

    from starloom.devices.dask.link import Link
    from starloom.devices.output import Output

_STOP_SECONDS: Final = 60.0
"""How long the end of an attempt's processes may take there; its grace period is much shorter."""


class Place(NamedTuple):
    """Where a device's attempts run at present.

    Attributes:
        address: the worker's process.
        resource: what this process alone offers, and only to this connection: an attempt that asks for it can neither
            run anywhere else nor begin once more after the process was lost.
        lost: done when the process is no more.
    """

    address: str
    resource: str
    lost: asyncio.Future[None]


class Attempt:
    """One attempt. `live` is to be awaited once, to its end."""

    def __init__(self, link: Link, place: Place, order_id: str, output: Output, *, kept: bool = False) -> None:
        """An attempt, of which nothing has begun by this.

        Args:
            link: to its cluster.
            place: where it runs.
            order_id: of its order.
            output: where what it prints is told.
            kept: whether it goes on if this program dies.
        """
        self._link = link
        self._place = place
        self._order_id = order_id
        self._output = output
        self._kept = kept
        self._told = ""
        self._early: list[Mapping[str, str]] | None = None
        self._stopping: list[asyncio.Task[None]] = []
        self._not_begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def stop(self) -> None:
        """Have it end; a second time, at once."""
        self._stopping.append(asyncio.ensure_future(self._stop()))

    async def live(self, order: bytes) -> Outcome:
        """How it ended, once ordered: on the worker, or with the worker."""
        return await self._listening(self._ordered(order))

    async def go_on(self) -> Outcome:
        """How it ended that an earlier program has ordered; what it has printed is told from the beginning."""
        return await self._listening(self._taken_up())

    async def recovered(self) -> Outcome:
        """How it ended, which the cluster knows already; what it has printed is told from the beginning.

        Raises:
            DeviceError: nobody can say now.
        """
        future = self._link.future_of(self._order_id)
        try:
            await self._read_output()
            outcome: Outcome = await self._link.answered(self._outcome(future))
        finally:
            future.release()
        _ = self._link.client  # if it has broken, it is lost for us alone
        return outcome

    async def _listening(self, living: Awaitable[Outcome]) -> Outcome:
        self._link.listen(self._order_id, self._hear)
        try:
            return await living
        except DeviceError as error:
            return _lost(str(error))
        finally:
            self._link.ignore(self._order_id)

    def _hear(self, said: Mapping[str, str]) -> None:
        if self._early is not None:
            self._early.append(said)
        elif OUTCOME in said:
            self._told = said[OUTCOME]
        else:
            self._output.feed("stderr" if said["stream"] == "stderr" else "stdout", said["text"].encode())

    async def _ordered(self, order: bytes) -> Outcome:
        future = self._link.client.submit(
            worker_side.carry_out,
            Sealed(order),
            key=key_of(self._order_id),
            resources={self._place.resource: 1},
            pure=False,
            retries=0,
        )
        if self._kept:
            self._link.keep(self._order_id)
        return await self._followed(future)

    async def _taken_up(self) -> Outcome:
        self._early = []  # what is told now comes after what was printed before, but may arrive sooner
        future = self._link.future_of(self._order_id)
        try:
            await self._read_output()
        finally:
            early, self._early = self._early, None
        for said in early:
            self._hear(said)
        return await self._followed(future)

    async def _read_output(self) -> None:
        """Tell what it has printed so far, and have the worker tell the rest as it is printed."""
        offset, is_all = 0, False
        while not is_all:
            read = await self._link.ask(
                self._place.address, worker_side.catch_up, self._order_id, self._link.topic, offset
            )
            offset, is_all = read["offset"], read["is_all"]
            for stream, text in read["pieces"]:
                self._output.feed(stream, text.encode())
            self._output.trouble = self._output.trouble or read["trouble"]

    async def _followed(self, future: Future[Any]) -> Outcome:
        following = asyncio.ensure_future(self._outcome(future))
        try:
            await asyncio.wait((following, self._place.lost, self._not_begun), return_when=asyncio.FIRST_COMPLETED)
            return self._verdict(following)
        finally:
            if self._kept and not self._link.is_up:
                self._link.abandon(self._order_id)
            await self._forget(future, following)

    def _verdict(self, following: asyncio.Task[Outcome]) -> Outcome:
        if following.done():
            return following.result()
        if self._told:  # it had ended before its worker did
            return read_outcome(self._told)
        if self._not_begun.done():
            return Outcome(OutcomeStatus.STOPPED)
        return _lost(f"The Dask worker at {self._place.address} went away.")

    async def _forget(self, future: Future[Any], following: asyncio.Task[Outcome]) -> None:
        """See that the scheduler never gives it to a worker again, and that nothing of us is left."""
        if not following.done():
            with contextlib.suppress(OSError, TimeoutError, DeviceError):
                async with asyncio.timeout(ANSWER_SECONDS):
                    await future.cancel(force=True)
        # Dask may be fetching what came of it, and complains if nobody waits for that any more. From a worker that is
        # gone it fetches nothing, however long it tries, and whoever lost the attempt is to hear of it now.
        if future.done() and not following.done() and not self._place.lost.done():
            await asyncio.wait((following,), timeout=ANSWER_SECONDS)
        following.cancel()
        for stopping in self._stopping:
            stopping.cancel()
        if self._stopping or not following.done():
            await asyncio.gather(following, *self._stopping, return_exceptions=True)
        future.release()

    async def _stop(self) -> None:
        with contextlib.suppress(DeviceError):  # who does not answer is lost, and says so elsewhere
            asked = self._link.ask(self._place.address, worker_side.stop, self._order_id, patience=_STOP_SECONDS)
            if not await asked and not self._not_begun.done():
                self._not_begun.set_result(None)

    async def _outcome(self, future: Future[Any]) -> Outcome:
        try:
            await future.exception()  # returns at its end, however it ended
            # To await it has Dask ask the scheduler to ask the worker, which takes longer than a short command.
            data = self._told if self._told and future.status == "finished" else await future
        except asyncio.CancelledError:
            if future.cancelled():
                return _lost("The connection to the Dask scheduler broke.")
            raise
        except Exception as error:  # noqa: BLE001 - whatever Dask raises for a task that could not be carried out
            if type(error).__name__ in ("KilledWorker", "FutureCancelledError"):
                return _lost(f"Dask gave the attempt up: {type(error).__name__}: {error}")
            message = f"The Dask worker could not make the attempt: {type(error).__name__}: {error}"
            return Outcome(
                OutcomeStatus.FAILED, Result(error=ErrorInfo(code=ErrorCode.EXCEPTION, message=_line(message)))
            )
        return read_outcome(data)


def _lost(message: str) -> Outcome:
    return Outcome(OutcomeStatus.LOST, Result(error=ErrorInfo(code=ErrorCode.DEVICE_LOST, message=_line(message))))


def _line(text: str) -> str:
    return " ".join(text.split())
