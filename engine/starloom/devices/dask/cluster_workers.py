"""The workers of a cluster: which are present, and changes of that."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_NEWS: Final = frozenset({"add-worker", "remove-worker"})
_OWN: Final = "starloom-"
_FRESH_SECONDS: Final = 1.0
_LOOK_SECONDS: Final = 0.5
"""How often it is looked whether the connection stands, by whoever waits for news."""
_NEWS_SECONDS: Final = 2.0
"""How long news are waited for at a time; as often as Dask's own client asks who is there."""


class WorkerInfo(NamedTuple):
    """The scheduler's information about a worker.

    Attributes:
        name: what stays the same when a worker is started again, unless it is its address.
        address: where this one process of it is.
        threads: how many tasks it runs at once.
        resources: the names of what it offers.
        metrics: what it told with its last heartbeat.
    """

    name: str
    address: str
    threads: int
    resources: frozenset[str]
    metrics: Mapping[str, Any]

    @property
    def is_nameless(self) -> bool:
        """Whether its name was generated, so that it will never come back under this name."""
        return self.name == self.address


class ClusterWorkers:
    """The workers of one cluster, as its scheduler reports them.

    Attributes:
        by_name: those that were there when the scheduler was asked for the last time.
    """

    def __init__(self) -> None:
        self.by_name: Mapping[str, WorkerInfo] = {}
        self._asked = 0.0
        self._changed = asyncio.Condition()
        self._revision = 0
        self._ends: dict[str, asyncio.Future[None]] = {}

    def note_all(self, told: Mapping[str, Mapping[str, Any]]) -> None:
        """Replace the information about all present workers, by address, by the scheduler's."""
        self.by_name = {info.name: info for info in map(_info, told.items())}
        self._asked = time.monotonic()
        here = {info.address for info in self.by_name.values()}
        for address in self._ends.keys() - here:
            self._tell_end(address)

    @property
    def is_fresh(self) -> bool:
        """Whether the information is not older than a moment."""
        return time.monotonic() - self._asked <= _FRESH_SECONDS

    async def notice(self, event: tuple[float, Mapping[str, Any]]) -> None:
        """Handle a message that the scheduler broadcasts."""
        news = event[1]
        if news.get("action") not in _NEWS:
            return
        if news["action"] == "remove-worker":
            self._tell_end(news["worker"])
        await self.tell_news()

    async def tell_news(self) -> None:
        """Wake everyone who waits for changes of the workers."""
        async with self._changed:
            self._revision += 1
            self._changed.notify_all()

    async def news(self, known: int, check: Callable[[], object]) -> int:
        """Return when workers may have come or left since a revision; the revision now.

        That is when the scheduler tells it, or every few seconds: it tells nobody of a worker that comes in the moment
        between our last look and its hearing that we want to be told.

        Args:
            known: the revision.
            check: raises if nobody would tell any more; called now and then meanwhile.
        """
        again = time.monotonic() + _NEWS_SECONDS
        async with self._changed:
            while self._revision <= known and time.monotonic() < again:
                check()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK_SECONDS):
                        await self._changed.wait()
            return self._revision

    def end_of(self, address: str) -> asyncio.Future[None]:
        """A future that is done when the process at this address has ended, or all workers were dropped."""
        return self._ends.setdefault(address, asyncio.get_running_loop().create_future())

    def let_go(self) -> None:
        """Drop all workers."""
        for address in tuple(self._ends):
            self._tell_end(address)

    def _tell_end(self, address: str) -> None:
        end = self._ends.pop(address, None)
        if end is not None and not end.done():
            end.set_result(None)


def _info(entry: tuple[str, Mapping[str, Any]]) -> WorkerInfo:
    address, told = entry
    resources = frozenset(name for name in told["resources"] if not name.startswith(_OWN))
    return WorkerInfo(str(told["name"]), address, int(told["nthreads"]), resources, told["metrics"])
