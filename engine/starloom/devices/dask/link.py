"""The link to a Dask scheduler, shared by all devices of a cluster: workers, requests to them, and their output."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, Final

from distributed import Future
from distributed.comm.core import CommClosedError

from starloom.devices.dask import client as dask_client
from starloom.devices.dask import scheduler_side, unreachable
from starloom.devices.dask.cluster_workers import ClusterWorkers
from starloom.devices.dask.leftovers import DaskLeftovers
from starloom.devices.dask.orders import key_of, order_of
from starloom.devices.dask.scheduler_side import KEEPER
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

    from distributed import Client, Security

    from starloom.devices.dask.cluster_workers import WorkerInfo

ANSWER_SECONDS: Final = 15.0
"""How long scheduler and workers may take to answer."""
_EVERYBODY: Final = "all"
_PAUSE_SECONDS: Final = 1.0
"""Between two attempts to connect again."""


class DaskLink:
    """One connection to a scheduler. `open` and `close` are counted: the last `close` ends it.

    Attributes:
        address: of the scheduler.
        is_own: whether the cluster was started by this program, and ends with it.
        topic: under which workers tell output and outcomes to this connection. It is called like its client, as the
            scheduler forgets such a topic an hour after the client has gone.
        left: what attempts have left in the cluster.
    """

    def __init__(self, address: str, security: Security | None = None) -> None:
        """A link that is not open yet.

        Args:
            address: of the scheduler.
            security: the keys without which a `tls://` scheduler lets nobody in; None: as Dask's configuration says.
        """
        self.address = address
        self.is_own = security is not None
        self._security = security
        self.topic = ""
        self._users = 0
        self._client: Client | None = None
        self._comm: Any = None
        self._opening = asyncio.Lock()
        self._listeners: dict[str, Callable[[Mapping[str, str]], None]] = {}
        self._workers = ClusterWorkers()
        self._restoring: asyncio.Task[None] | None = None
        self.left = DaskLeftovers(self)

    async def open(self) -> None:
        """Add a user of the link, and connect it if it is not.

        Raises:
            DeviceError: the scheduler cannot be reached.
        """
        await self.restore()
        self._users += 1

    async def restore(self) -> None:
        """Connect again if the connection has broken.

        Raises:
            DeviceError: the scheduler cannot be reached.
        """
        async with self._opening:
            if not self.is_up:
                await self._connect()

    async def reached(self) -> Client:
        """Dask's own client, as soon as there is a connection; connecting is retried without end.

        Raises:
            DeviceError: the link was let go.
        """
        while not self.is_up:
            if self._users == 0:
                raise DeviceError(f"The link to the Dask scheduler at {self.address} was let go.")
            restoring = self._restoring or asyncio.ensure_future(self._try_to_restore())
            self._restoring = restoring
            await asyncio.wait((restoring,))  # it serves all, whoever is cancelled meanwhile
            if not restoring.cancelled():
                restoring.result()
        return self.client

    async def _try_to_restore(self) -> None:
        try:
            await self.restore()
        except DeviceError:
            await asyncio.sleep(_PAUSE_SECONDS)
        finally:
            self._restoring = None

    @property
    def is_up(self) -> bool:
        """Whether the connection stands."""
        client = self._client
        return client is not None and client.status == "running" and client.scheduler_comm is self._comm

    async def close(self) -> None:
        """Remove a user of the link."""
        async with self._opening:
            self._users -= 1
            if self._users == 0:
                await self.left.close()
                if (restoring := self._restoring) is not None:
                    restoring.cancel()
                    await asyncio.gather(restoring, return_exceptions=True)
                await self._disconnect()
                self._workers.let_go()

    async def look(self) -> Mapping[str, WorkerInfo]:
        """The present workers, by name.

        Raises:
            DeviceError: the scheduler does not answer.
        """
        identity = await self.answered(self._scheduler.identity(n_workers=-1))
        self._workers.note_all(identity["workers"])
        return self._workers.by_name

    async def reading(self, name: str) -> WorkerInfo | None:
        """The last information about a worker, not older than a second; None: it is not present."""
        if not self._workers.is_fresh:
            await self.look()
        return self._workers.by_name.get(name)

    async def news(self, known: int) -> int:
        """Return when workers may have come or left since a revision; the revision now.

        Raises:
            DeviceError: the connection has broken, so nobody would tell.
        """
        return await self._workers.news(known, lambda: self.client)

    @property
    def client(self) -> Client:
        """Dask's own client.

        Raises:
            DeviceError: there is no connection.
        """
        if self._client is None or not self.is_up:
            raise DeviceError(f"There is no connection to the Dask scheduler at {self.address}.")
        return self._client

    @property
    def _scheduler(self) -> Any:
        return self.client.scheduler

    def end_of(self, address: str) -> asyncio.Future[None]:
        """A future that is done when the process at this address has ended, or the link was closed; not while down."""
        return self._workers.end_of(address)

    async def ask(self, worker: str, function: Callable[..., Any], *args: Any, patience: float | None = None) -> Any:
        """The result of a function called in the worker at this address, however busy the worker is.

        Raises:
            DeviceError: the worker does not answer.
        """
        asked = self.client.run(function, *args, workers=[worker])
        answers = await self.answered(asked, patience or ANSWER_SECONDS)
        return answers[worker]

    async def ask_all(self, function: Callable[..., Any], *args: Any) -> Mapping[str, Any]:
        """The results of a function called in each worker, by address, without those that leave or lack Starloom.

        Raises:
            DeviceError: one does not answer.
        """
        answers: Mapping[str, Any] = await self.answered(self.client.run(function, *args, on_error="ignore"))
        return answers

    def keep(self, order_id: str) -> None:
        """Let the cluster continue an attempt, and keep its result, if this program dies."""
        self._tell_scheduler("client-desires-keys", [key_of(order_id)])

    def release(self, order_ids: Iterable[str]) -> None:
        """Release attempts in the cluster."""
        self._tell_scheduler("client-releases-keys", [key_of(order_id) for order_id in order_ids])

    async def known(self, order_ids: Iterable[str]) -> dict[str, str]:
        """The states, in Dask's words, of the attempts that the scheduler knows, by their orders.

        Raises:
            DeviceError: it does not answer.
        """
        asked = self._scheduler.get_task_status(keys=[key_of(order_id) for order_id in order_ids])
        told = await self.answered(asked)
        return {order_of(key): state for key, state in told.items() if state is not None}

    def future_of(self, order_id: str) -> Future[Any]:
        """Dask's future of an attempt that the cluster knows."""
        future: Future[Any] = Future(key_of(order_id), client=self.client)
        self._tell_scheduler("client-desires-keys", [key_of(order_id)], self.client.id)
        return future

    def _tell_scheduler(self, what: str, keys: list[str], who: str = KEEPER) -> None:
        self.client._send_to_scheduler({"op": what, "keys": keys, "client": who})

    def listen(self, order_id: str, heard: Callable[[Mapping[str, str]], None]) -> None:
        """Call a function with each message of the worker about an order."""
        self._listeners[order_id] = heard

    def ignore(self, order_id: str) -> None:
        """Stop calling the function for an order."""
        self._listeners.pop(order_id, None)

    async def _connect(self) -> None:
        await self._disconnect()
        client = await dask_client.connect(self.address, self._security, ANSWER_SECONDS)
        self._client, self._comm = client, client.scheduler_comm
        self.topic = client.id
        self._tell_scheduler("client-desires-keys", [])  # it knows no client that has never wanted anything
        client.subscribe_topic(self.topic, self._hear)
        client.subscribe_topic(_EVERYBODY, self._workers.notice)
        try:
            await self.look()
            await self.left.end()
            await self._sweep()
        except BaseException:  # whoever opens it is no user yet, so nobody would close it
            await self._disconnect()
            raise
        await self._workers.tell_news()  # who came or went while there was no connection was told to nobody

    async def _sweep(self) -> None:
        """Let the scheduler release results that nobody has fetched."""
        if not self.is_own:
            # It may have no Starloom, or be told to run nothing: then what is never asked for stays.
            with contextlib.suppress(Exception):
                async with asyncio.timeout(ANSWER_SECONDS):
                    await self.client.run_on_scheduler(scheduler_side.sweep)

    async def _disconnect(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await dask_client.end(client)

    async def answered(self, asked: Awaitable[Any], patience: float = ANSWER_SECONDS) -> Any:
        """The cluster's answer to a request.

        Raises:
            DeviceError: it does not answer in time, or not with sense.
        """
        try:
            async with asyncio.timeout(patience):
                return await asked
        except (OSError, TimeoutError, CommClosedError, KeyError, ValueError) as error:
            reason = unreachable.reason_of(error) if str(error) else "no answer came in time"
            raise DeviceError(f"The Dask cluster at {self.address} does not answer: {reason}.") from error
        except ModuleNotFoundError as error:
            raise DeviceError(
                f"The workers at {self.address} have no module {error.name!r}. Install the same Starloom there as "
                "here: pip install 'starloom[dask]'."
            ) from error

    def _hear(self, event: tuple[float, Mapping[str, str]]) -> None:
        said = event[1]
        heard = self._listeners.get(said.get("order", ""))  # the scheduler itself tells of our client, too
        if heard is not None:
            heard(said)
