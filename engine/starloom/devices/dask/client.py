"""Dask's own client, adapted: it sends sooner, does not reconnect by itself, and closes without traces."""

from __future__ import annotations

import asyncio
import contextlib
import re
from typing import TYPE_CHECKING, Any, Final

from distributed import Client

from starloom.devices.dask import unreachable
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from distributed import Future, Security

_GATHER_SECONDS: Final = 0.002
"""How long orders wait for others to travel with; as long as the scheduler's do to workers."""
_PLACE: Final = re.compile(r"(?:(?:tcp|tls)://)?(?P<host>\[[^\]]+\]|[^:/\[\]]+):(?P<port>\d{1,5})/?")
_GOODBYE_SECONDS: Final = 1.0
"""How long our side of a connection may take to end."""


async def connect(address: str, security: Security | None, patience: float) -> Client:
    """A client that is connected to the scheduler at an address, adapted as the module says.

    Args:
        address: of the scheduler.
        security: the keys without which a `tls://` scheduler lets nobody in; None: as Dask's configuration says.
        patience: seconds in which it has to answer.

    Raises:
        DeviceError: it cannot be reached.
    """
    await _knock(address, patience)
    client = Client(
        address, asynchronous=True, set_as_default=False, name="starloom", timeout=patience, security=security
    )
    try:
        await client
    except (OSError, ValueError, ImportError, TypeError, MemoryError) as error:
        # A TypeError where TLS lacks its keys; who does not talk as Dask does may announce a message of exabytes.
        await client.close()
        raise DeviceError(unreachable.sentence(address, error, was_heard=True)) from error
    except BaseException:
        await client.close()
        raise
    hurry(client)
    leave_broken(client)
    ask_nothing(client)
    return client


async def _knock(address: str, patience: float) -> None:
    """Check that a scheduler listens at the address, as a client would retry for all its time where none does.

    Raises:
        DeviceError: nobody does.
    """
    place = _PLACE.fullmatch(address)
    if place is None:
        return  # a protocol of its own
    try:
        async with asyncio.timeout(patience):
            _, writer = await asyncio.open_connection(place["host"].strip("[]"), int(place["port"]))
    except (OSError, OverflowError, UnicodeError) as error:  # time is up, too; no such port, no such name
        raise DeviceError(unreachable.sentence(address, error, was_heard=False)) from error
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()


def hurry(client: Client) -> None:
    """Send messages sooner than the 10 ms for which Dask's client batches them: short commands take less."""
    comm = getattr(client, "scheduler_comm", None)
    if comm is not None:  # else it gathers somewhere else, or no more
        comm.interval = _GATHER_SECONDS


def leave_broken(client: Any) -> None:
    """Prevent Dask's client from reconnecting by itself, which would not be noticed."""

    async def give_up() -> None:
        client.status, client.scheduler_comm = "connecting", None
        for state in client.futures.values():
            state.cancel()
        client.futures.clear()

    client._reconnect = give_up


def ask_nothing(client: Any) -> None:
    """Stop the client's poll of the scheduler every two seconds, which nobody reads and which logs tracebacks."""
    if (asking := client._periodic_callbacks.get("scheduler-info")) is not None:
        asking.stop()


def release(futures: Iterable[Future[Any]]) -> None:
    """Release these futures with one message of each client, not with one message each."""
    keys: dict[Client, list[Any]] = {}
    for future in futures:
        client = future.client
        if future._cleared or client.refcount[future.key] != 1:
            future.release()
            continue
        future._cleared = True
        del client.refcount[future.key]
        client.futures.pop(future.key, None)
        keys.setdefault(client, []).append(future.key)
    for client, gone in keys.items():
        if client.status != "running":
            continue  # the scheduler has let go of all that it wanted
        client._send_to_scheduler({"op": "client-releases-keys", "keys": gone, "client": client.id})


async def _end_sending(sending: Any) -> None:
    """Return when the client's sender has ended, which may wait for a scheduler that has dropped the client.

    It waits for a deadline then. Were that to pass while the event loop ends, asyncio would log an error of it.
    """
    if sending is None or sending.comm is None:
        return
    sending.abort()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_GOODBYE_SECONDS):
            await sending.stopped.wait()


async def end(client: Client) -> None:
    """Close the client."""
    sending = getattr(client, "scheduler_comm", None)  # the client forgets it when it closes
    with contextlib.suppress(OSError, TimeoutError):
        await client.close()
    await _end_sending(sending)
