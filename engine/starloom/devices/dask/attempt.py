"""One attempt on a worker: submitted as a Dask task, followed to its end, ended there when it is stopped."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec.structs import replace

from starloom.devices.dask import worker_side
from starloom.devices.dask.link import ANSWER_SECONDS
from starloom.devices.dask.orders import Sealed, key_of, read_outcome
from starloom.devices.dask.worker_reports import WorkerReports
from starloom.errors import DeviceError
from starloom.model.result import ErrorCode, ErrorInfo, Outcome, OutcomeStatus, Result

if TYPE_CHECKING:
    from collections.abc import Callable

    from distributed import Client, Future

    from starloom.devices.base import TaskContext
    from starloom.devices.dask.link import DaskLink
    from starloom.devices.output import Output

_STOP_SECONDS: Final = 60.0
"""How long the end of an attempt's processes may take there; its grace period is much shorter."""
_PATIENCE: Final = 5.0
"""Seconds for which an attempt that is to stop waits for a link that is down."""
_BROKE: Final = "The connection to the Dask scheduler broke."


class DaskPlace(NamedTuple):
    """The worker process on which a device's attempts run at present.

    Attributes:
        address: the worker's process.
        resource: what this process alone offers, and only to this connection: an attempt that asks for it can neither
            run anywhere else nor begin once more after the process was lost.
        lost: done when the process is no more, or the link was let go.
        threads: how many attempts it runs at once; more wait there.
    """

    address: str
    resource: str
    lost: asyncio.Future[None]
    threads: int = 1


class DaskAttempt:
    """One attempt. Exactly one of `live`, `go_on` and `recovered` is awaited, once.

    One that is kept goes on while the link is down, and is heard again when it is up.

    Attributes:
        is_kept: whether it is.
        may_run: whether it counts as lost and may still run, as the cluster could not be told to end it.
    """

    def __init__(
        self,
        link: DaskLink,
        place: DaskPlace,
        order_id: str,
        output: Output,
        context: TaskContext,
        *,
        kept: bool = False,
        has_timeout: bool = False,
        waits: bool = False,
    ) -> None:
        """An attempt, of which nothing has begun by this.

        Args:
            link: to its cluster.
            place: where it runs.
            order_id: of its order.
            output: where what it prints is told.
            context: told when it begins, if it waits there before.
            kept: whether it goes on without the link.
            has_timeout: whether it has one, which is not to run while it waits.
            waits: whether it does, as the threads of its place are busy.
        """
        self.may_run = False
        self._link = link
        self._place = place
        self._order_id = order_id
        self.is_kept = kept
        self._reports = WorkerReports(
            link, place.address, order_id, output, context, kept=kept, has_timeout=has_timeout, waits=waits
        )
        self._write: Callable[[], bytes] | None = None
        self._stopping: list[asyncio.Task[None]] = []
        self._not_begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._given_up: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def stop(self) -> None:
        """Stop it; called again, kill it."""
        self._stopping.append(asyncio.ensure_future(self._stop()))

    async def live(self, write: Callable[[], bytes]) -> Outcome:
        """Submit it; the outcome, by the worker or by the loss of the worker.

        Args:
            write: the order, as it is to be at that moment.
        """
        self._write = write
        self._reports.begin_waiting()
        return await self._listening(is_new=True)

    async def go_on(self) -> Outcome:
        """The outcome of an attempt that an earlier program submitted; its output is emitted from the beginning."""
        return await self._listening(is_new=False)

    async def recovered(self) -> Outcome:
        """The outcome that the cluster knows already; the output is emitted from the beginning.

        Raises:
            DeviceError: nobody can say now.
        """
        client, future = self._link.client, self._link.future_of(self._order_id)
        try:
            await self._reports.catch_up(is_expected=False)
            outcome: Outcome | None = await self._link.answered(self._outcome(client, future))
        finally:
            future.release()
        _ = self._link.client  # if it has broken, it is lost for us alone
        return _lost(_BROKE) if outcome is None else self._timed(outcome)

    async def _listening(self, *, is_new: bool) -> Outcome:
        self._link.listen(self._order_id, self._reports.hear)
        outcome = None
        try:
            while outcome is None:
                outcome = await self._seen_through(is_new=is_new)
                is_new = False
        except DeviceError as error:
            self.may_run = self.is_kept and (self._given_up.done() or not self._link.is_up)
            return _lost(str(error))
        else:
            return outcome
        finally:
            self._link.ignore(self._order_id)
            for stopping in self._stopping:
                stopping.cancel()
            await asyncio.gather(*self._stopping, return_exceptions=True)

    async def _seen_through(self, *, is_new: bool) -> Outcome | None:
        """The outcome; None: the link is broken, and the attempt continues.

        Raises:
            DeviceError: nobody will know.
        """
        client = await self._reached()
        if self._reports.outcome:
            return read_outcome(self._reports.outcome)
        try:
            future = self._submit() if is_new else await self._found()
        except DeviceError:
            if self._is_cut(client):
                return None
            raise
        outcome = await self._followed(client, future)
        return None if outcome is None else self._timed(outcome)

    def _timed(self, outcome: Outcome) -> Outcome:
        """The outcome, with how long ago it ended if that was before anybody could hear of it."""
        ended_ago = self._reports.ended_ago
        return outcome if ended_ago is None else replace(outcome, ended_ago=ended_ago)

    async def _reached(self) -> Client:
        """Dask's client, once the link is up.

        Raises:
            DeviceError: it was to stop, or the link was let go, before that.
        """
        if (self._link.is_up or not self.is_kept) and not self._given_up.done():
            return self._link.client
        reaching = asyncio.ensure_future(self._link.reached())
        try:
            awaited = (reaching, self._place.lost, self._given_up)
            await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
            if reaching.done() and not self._given_up.done():
                return reaching.result()
        finally:
            reaching.cancel()
            await asyncio.gather(reaching, return_exceptions=True)
        raise DeviceError(_BROKE)

    def _is_cut(self, client: Client) -> bool:
        """Whether this connection is broken while the attempt continues."""
        return self.is_kept and not (self._link.is_up and self._link.client is client)

    def _submit(self) -> Future[Any]:
        assert self._write is not None
        future: Future[Any] = self._link.client.submit(
            worker_side.carry_out,
            Sealed(self._write()),
            key=key_of(self._order_id),
            resources={self._place.resource: 1},
            pure=False,
            retries=0,
        )
        if self.is_kept:
            self._link.keep(self._order_id)
        return future

    async def _found(self) -> Future[Any]:
        """The outcome in the cluster, which knows the attempt already unless the order was lost with a link.

        Raises:
            DeviceError: the cluster has forgotten it, or does not answer.
        """
        if self._order_id not in await self._link.known((self._order_id,)):
            if self._write is None:
                raise DeviceError("The Dask scheduler does not know the attempt any more.")
            await self._link.ask(self._place.address, worker_side.answer, self._link.topic)
            return self._submit()  # the worker sees to it that it does not begin twice
        future = self._link.future_of(self._order_id)
        try:
            await self._reports.catch_up(is_expected=True)
        except BaseException:
            future.release()
            raise
        return future

    async def _followed(self, client: Client, future: Future[Any]) -> Outcome | None:
        """The outcome; None: the link is broken, and the attempt continues."""
        following = asyncio.ensure_future(self._outcome(client, future))
        try:
            awaited = (following, self._place.lost, self._not_begun)
            await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
            return self._verdict(following)
        finally:
            await self._forget(future, following)

    def _verdict(self, following: asyncio.Task[Outcome | None]) -> Outcome | None:
        if following.done() and (outcome := following.result()) is not None:
            return outcome
        if self._reports.outcome:  # it had ended before its worker did, or the link broke
            return read_outcome(self._reports.outcome)
        if following.done():
            return None
        if self._not_begun.done():
            return Outcome(OutcomeStatus.STOPPED)
        return _lost(f"The Dask worker at {self._place.address} went away.")

    async def _forget(self, future: Future[Any], following: asyncio.Task[Outcome | None]) -> None:
        """Ensure that the scheduler never gives the attempt to a worker again, and that nothing of ours is left."""
        if not following.done():
            with contextlib.suppress(OSError, TimeoutError, DeviceError):
                async with asyncio.timeout(ANSWER_SECONDS):
                    await future.cancel(force=True)
        # Dask may be fetching what came of it, and complains if nobody waits for that any more. From a worker that is
        # gone it fetches nothing, however long it tries, and whoever lost the attempt is to hear of it now.
        if future.done() and not following.done() and not self._place.lost.done():
            await asyncio.wait((following,), timeout=ANSWER_SECONDS)
        if not following.done():
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
        self._link.left.drop(future)

    async def _stop(self) -> None:
        """End it there, over as many connections as it takes; it is given up if there is none for a while."""
        is_told = False
        while not is_told:
            try:
                async with asyncio.timeout(_PATIENCE):
                    client = await self._link.reached()
            except (TimeoutError, DeviceError):
                if not self._given_up.done():
                    self._given_up.set_result(None)
                return
            try:
                asked = self._link.ask(self._place.address, worker_side.stop, self._order_id, patience=_STOP_SECONDS)
                has_begun = await asked
            except DeviceError:  # who does not answer is lost, and says so elsewhere
                is_told = not self._is_cut(client)
            else:
                is_told = True
                if not has_begun and not self._not_begun.done():
                    self._not_begun.set_result(None)

    async def _outcome(self, client: Client, future: Future[Any]) -> Outcome | None:
        """The outcome of any kind; None: the link is broken, and the attempt continues."""
        try:
            await future.exception()  # returns at its end, however it ended
            # To await it has Dask ask the scheduler to ask the worker, which takes longer than a short command.
            data = told if (told := self._reports.outcome) and future.status == "finished" else await future
        except asyncio.CancelledError:
            if future.cancelled():
                return None if self._is_cut(client) else _lost(_BROKE)
            raise
        except Exception as error:  # noqa: BLE001 - whatever Dask raises for a task that could not be carried out
            if self._is_cut(client):
                return None
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
