"""A Dask cluster as a group of devices: a running one, or one of this machine, started and ended with us."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, Final

from typing_extensions import override

from starloom.devices.dask.device import LOST_AFTER, DaskDevice
from starloom.devices.dask.link import DaskLink
from starloom.devices.dask.local_cluster import LocalCluster
from starloom.devices.group import DeviceGroup, GroupChange
from starloom.errors import DeviceError
from starloom.model.quantities import parse_duration

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.devices.dask.cluster_workers import WorkerInfo

_MOST_WORKERS: Final = 1_000
_ADDRESS: Final = re.compile(r"[a-z]+://[^\s/]+|[^\s/:]+:\d+")


class DaskCluster(DeviceGroup):
    """The workers of a Dask cluster, each a device called `<id>-<name of the worker>`.

    Attributes:
        address: of the scheduler, e.g. `tcp://10.0.0.5:8786`; None: a cluster is started on this machine.
        workers: how many workers the started cluster has.
        threads: how many tasks each of them runs at once.
        prefetch: how many attempts more each worker is given than it runs at once; they wait there, and count as
            running, so that short ones follow each other without a pause.
        lost_after: seconds without a link to the scheduler after which what runs in the cluster counts as lost; of one
            that was started 0, as it ends with us.
    """

    kind: ClassVar[str] = "dask"
    actions: frozenset[str] | None = DaskDevice.actions

    def __init__(
        self,
        id: str,
        *,
        slots: int | None = None,
        capabilities: frozenset[str] = frozenset(),
        speed: float = 1.0,
        address: str | None = None,
        workers: int | None = None,
        threads: int | None = None,
        prefetch: int = 0,
        lost_after: float | str | None = None,
    ) -> None:
        """The cluster; `slots`, `capabilities` and `speed` are those of each worker.

        Slots are at most its threads; each that is prefetched has one more.
        """
        super().__init__(id, slots=slots, capabilities=capabilities, speed=speed)
        if address is not None and (workers is not None or threads is not None):
            raise DeviceError(
                f"Device {id!r} cannot have both the `address` of a cluster that runs, and `workers` or `threads` of "
                "one to be started; remove one of the two."
            )
        self.address = _address(id, address)
        self.workers = _count(id, "workers", 2 if workers is None else workers)
        self.threads = _count(id, "threads", 1 if threads is None else threads)
        self.prefetch = _count(id, "prefetch", prefetch, least=0)
        self.lost_after = _lost_after(id, lost_after, is_own=address is None)
        self.is_elsewhere = address is not None
        self._started = LocalCluster(self.workers, self.threads) if address is None else None
        self._link: DaskLink | None = None
        self._is_reached = False
        self._members: dict[str, DaskDevice] = {}
        self._revision = -1

    @override
    async def connect(self) -> None:
        """Connect to the cluster's scheduler, and start the cluster if it is ours. A second call does nothing.

        Raises:
            DeviceError: it cannot be started or reached.
        """
        if self._is_reached:
            return
        link = await self._started.start() if self._started is not None else self._to_scheduler()
        try:
            await link.open()
        except BaseException:
            await self._end_started()
            raise
        self._link, self._revision, self._is_reached = link, -1, True

    def _to_scheduler(self) -> DaskLink:
        """The link to a cluster that runs somewhere: one for all, also for members that were there before."""
        self._link = self._link or DaskLink(self.address or "")
        return self._link

    @override
    async def disconnect(self) -> None:
        """Disconnect from the scheduler; a cluster that was started is ended."""
        if self._is_reached and self._link is not None:
            self._is_reached = False
            self._members.clear()
            await self._link.close()
        await self._end_started()

    async def _end_started(self) -> None:
        if self._started is not None:
            await self._started.stop()

    @override
    async def changed(self) -> GroupChange:
        link = self._link
        if link is None or not self._is_reached:
            raise DeviceError(f"Device {self.id!r} is not connected; connect it first.")
        await link.restore()
        while True:
            revision = await link.news(self._revision)
            change = self._difference(link, await link.look())
            self._revision = revision
            if any(change):
                return change

    @override
    def forget(self, device_id: str) -> None:
        self._members = {name: member for name, member in self._members.items() if member.id != device_id}
        self._revision = -1  # look at once

    def _difference(self, link: DaskLink, workers: Mapping[str, WorkerInfo]) -> GroupChange:
        joined = tuple(
            self._member(link, name, info.threads) for name, info in workers.items() if name not in self._members
        )
        gone = [
            name for name, member in self._members.items() if name not in workers and "://" in member.worker
        ]  # an address: whoever comes back has another one
        left = tuple(self._members.pop(name).id for name in gone)
        returned = tuple(
            member.id for name, member in self._members.items() if name in workers and not member.uses(workers[name])
        )
        self._members |= {member.worker: member for member in joined}
        return GroupChange(joined, left, returned)

    @override
    def expected(self, device_id: str, slots: int | None) -> DaskDevice | None:
        prefix = f"{self.id}-"
        if self._started is not None or self._is_reached or not device_id.startswith(prefix):
            return None
        threads = max(1, (slots or 1) - self.prefetch)
        member = self._member(self._to_scheduler(), device_id.removeprefix(prefix), threads)
        self._members[member.worker] = member
        return member

    def _member(self, link: DaskLink, worker: str, threads: int) -> DaskDevice:
        member = DaskDevice(
            f"{self.id}-{worker}",
            link=link,
            worker=worker,
            slots=self.prefetch + (threads if self.slots is None else min(self.slots, threads)),
            capabilities=self.capabilities,
            speed=self.speed,
        )
        member.trip_after, member.cool_down = self.trip_after, self.cool_down
        member.lost_after = self.lost_after
        return member

    @override
    def describe(self) -> Mapping[str, Any]:
        """The base's description with the options."""
        return {
            **super().describe(),
            "address": self.address,
            "workers": self.workers,
            "threads": self.threads,
            "prefetch": self.prefetch,
            "lost_after": self.lost_after,
        }


def _address(id: str, address: object) -> str | None:
    if address is None:
        return None
    if not isinstance(address, str) or not _ADDRESS.fullmatch(address):
        raise DeviceError(
            f"Device {id!r}: address cannot be {address!r}; give it that of a Dask scheduler, like tcp://host:8786."
        )
    return address


def _count(id: str, option: str, value: object, least: int = 1) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= _MOST_WORKERS:
        raise DeviceError(f"Device {id!r}: {option} cannot be {value!r}; give it {least} to {_MOST_WORKERS}.")
    return value


def _lost_after(id: str, value: float | str | None, *, is_own: bool) -> float:
    if value is None:
        return 0.0 if is_own else LOST_AFTER
    try:
        return parse_duration(value)
    except ValueError as error:
        raise DeviceError(f"Device {id!r}: lost_after: {error}.") from error
