"""The device that is one worker of a Dask cluster: runs commands, shell text and Python functions there."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

import msgspec
from typing_extensions import override

from starloom.decodable import decodable
from starloom.devices.acting import simulate
from starloom.devices.base import OUTPUT_TAIL_BYTES, Device, GoOn, Metrics, TaskContext
from starloom.devices.dask import worker_side
from starloom.devices.dask.attempt import DaskAttempt, DaskPlace
from starloom.devices.dask.leftovers import Lost
from starloom.devices.dask.link import DaskLink
from starloom.devices.dask.local_cluster import until_gone
from starloom.devices.dask.orders import VERSION, new_order_id, write_order
from starloom.devices.dask.record import order_in_reach, record_of, write_record
from starloom.devices.dask.worker_reports import LONG_WAIT
from starloom.devices.ended import failed
from starloom.devices.output import Output
from starloom.errors import DeviceError
from starloom.model.result import OUTPUT_LOST, ErrorCode, ErrorInfo, Outcome, OutcomeStatus

if TYPE_CHECKING:
    from collections.abc import Coroutine, Mapping
    from pathlib import Path

    from starloom.devices.dask.cluster_workers import WorkerInfo
    from starloom.model.task import Task

_INSTEAD: Final[Mapping[str, str]] = {
    "call": "an in-process device of the host program that registered the handler",
    "prompt": "an agent device",
}
LOST_AFTER: Final = 600.0
"""Seconds without a link after which what runs there counts as lost, unless the cluster says otherwise."""
_GOODBYE_SECONDS: Final = 2.0
_INTERRUPTED: Final = frozenset({OutcomeStatus.STOPPED, OutcomeStatus.LOST})


class DaskDevice(Device):
    """A worker of a Dask cluster, identified by its name; a new process of that name replaces the one before.

    An attempt is a Dask task, which starts its own process there. It ends with the worker's process, however that
    ends, and is lost then. What it prints travels as text. While the link to the scheduler is down, an attempt goes on,
    and is heard again when the link is up; what ran there is lost after `lost_after`, and ended as soon as the
    scheduler is reached. Without a journal its worker ends it then, as no later program would know of it.

    Of more attempts than the worker has threads those that came last wait there: their time-outs run once they begin.

    Attributes:
        link: to the cluster.
        worker: the worker's name.
    """

    kind: ClassVar[str] = "dask-worker"
    leaves_behind: ClassVar[bool] = True
    actions: frozenset[str] | None = frozenset({"command", "shell", "python", "simulate"})
    heartbeat_interval: float | None = 2.0

    def __init__(
        self,
        id: str,
        *,
        link: DaskLink,
        worker: str,
        slots: int | None = None,
        capabilities: frozenset[str] = frozenset(),
        speed: float = 1.0,
    ) -> None:
        super().__init__(id, slots=1 if slots is None else slots, capabilities=capabilities, speed=speed)
        self.link = link
        self.worker = worker
        self.lost_after = 0.0 if link.is_own else LOST_AFTER
        self._declared = self.capabilities
        self._place: DaskPlace | None = None
        self._alive = 0

    @override
    @classmethod
    def from_spec(cls, spec: Any) -> DaskDevice:
        """The device of one named worker: `scheduler` and `worker` are its options.

        Raises:
            DeviceError: one of the two is missing, or there are others.
        """
        options = dict(spec.options)
        address, worker = options.pop("scheduler", None), options.pop("worker", None)
        if options or not isinstance(address, str) or not isinstance(worker, str):
            raise DeviceError(
                f"Device {spec.id!r} of kind {spec.kind} takes two options: the address of the `scheduler` and the "
                "name of the `worker`. To have all workers of a cluster, use the kind 'dask'."
            )
        return cls(
            spec.id,
            link=DaskLink(address),
            worker=worker,
            slots=spec.slots,
            capabilities=spec.capabilities,
            speed=spec.speed,
        )

    @override
    async def connect(self) -> None:
        """Find the process with the worker's name, and prepare it; a second time, check that it is still the same.

        Raises:
            DeviceError: the cluster cannot be reached, has no such worker, or it cannot be used.
        """
        if self._place is not None:
            await self.ping()
            return
        await self.link.open()
        try:
            self._place = await self._settle(await self._find())
        except BaseException:
            await self.link.close()
            raise

    async def _find(self) -> WorkerInfo:
        workers = await self.link.look()
        info = workers.get(self.worker)
        if info is None:
            raise DeviceError(
                f"The Dask cluster at {self.link.address} has no worker {self.worker!r} now. "
                f"Start it with: dask worker {self.link.address} --name {self.worker}."
            )
        return info

    async def _settle(self, info: WorkerInfo) -> DaskPlace:
        resource = f"starloom-{secrets.token_hex(8)}"
        lost = self.link.end_of(info.address)
        told = await self.link.ask(info.address, worker_side.prepare, resource)
        if told["version"] != VERSION:
            raise DeviceError(
                f"The Dask worker {self.worker!r} has another version of Starloom; install the same there as here."
            )
        await self.link.ask(info.address, worker_side.answer, self.link.topic)
        self.capabilities = self._declared | info.resources | frozenset(told["capabilities"])
        return DaskPlace(info.address, resource, lost, info.threads)

    @override
    async def disconnect(self) -> None:
        """Disconnect from the worker, which keeps running."""
        place, self._place = self._place, None
        if place is None:
            return
        if not place.lost.done():
            with contextlib.suppress(DeviceError):
                await self.link.ask(place.address, worker_side.let_go, place.resource, patience=_GOODBYE_SECONDS)
        await self.link.close()

    def uses(self, info: WorkerInfo) -> bool:
        """Whether its attempts run in this process of the worker; False for one that came later and is not known."""
        place = self._place
        return place is not None and place.address == info.address and not place.lost.done()

    @override
    async def ping(self) -> None:
        """Return when the worker's process has answered; while the link is down, wait, so that heartbeats are missed.

        Raises:
            DeviceError: it is no more, or does not answer.
        """
        while True:
            if self.lost_after:
                await self.link.reached()
            place = self._place
            if place is None or place.lost.done():
                raise DeviceError(f"The Dask worker {self.worker!r} of {self.link.address} has gone.")
            try:
                await self.link.ask(place.address, worker_side.answer, self.link.topic)
            except DeviceError:
                if self.link.is_up or not self.lost_after:
                    raise
            else:
                return

    @override
    async def run(self, task: Task, context: TaskContext) -> Outcome:
        """Run one attempt; cancelled, end its processes and return the status `stopped`."""
        if task.simulate is not None:
            return await simulate(self, task, context)
        if task.call is not None or task.prompt is not None:
            return failed(ErrorCode.UNSUPPORTED, _unsupported(self.id, task.action))
        place = self._place
        if place is None:
            message = f"Device {self.id!r} is not connected; connect it first."
            return failed(ErrorCode.START_FAILED, message, by_device=True)
        order_id = new_order_id()
        patience = self.lost_after if context.kept is None else 0.0  # no later program will know of it
        kept = not self.link.is_own and (context.kept is not None or patience > 0)
        has_timeout, waits = task.timeout is not None, self._alive >= place.threads
        after = None if not waits else 0.0 if has_timeout else LONG_WAIT

        def write() -> bytes:
            return write_order(
                order_id, self.link.topic, task, context, kept=kept, patience=patience, begin_after=after
            )

        try:
            write()
            if context.kept is not None:
                write_record(context.kept, self.link.address, order_id, is_own=self.link.is_own)
        except (OSError, TypeError, ValueError, RecursionError) as error:
            return failed(ErrorCode.START_FAILED, f"The attempt's order cannot be written: {error}.")
        output = Output.of(context, OUTPUT_TAIL_BYTES)
        attempt = DaskAttempt(
            self.link, place, order_id, output, context, kept=kept, has_timeout=has_timeout, waits=waits
        )
        return await self._see_through(attempt, attempt.live(write), order_id, output, context)

    async def _see_through(
        self,
        attempt: DaskAttempt,
        life: Coroutine[Any, Any, Outcome],
        order_id: str,
        output: Output,
        context: TaskContext,
    ) -> Outcome:
        """The attempt's end, whatever happens meanwhile: being cancelled only says that it has to stop."""
        living = asyncio.ensure_future(life)
        self._alive += 1
        try:
            while not living.done():
                try:
                    await asyncio.wait((living,))
                except asyncio.CancelledError:
                    attempt.stop()
        finally:
            self._alive -= 1
            output.close()
        outcome = living.result()
        if attempt.may_run:
            lost = Lost(self.id, context.kept, lambda code: self.on_late_end(context, code, None))
            why = "" if outcome.result.error is None else outcome.result.error.message
            self.link.left.abandon(order_id, lost, _where(self), why)
        elif attempt.is_kept and context.kept is None:  # nobody commits its end
            self.link.left.release(order_id, None)
        return _with_output(outcome, output, context)

    @override
    def outlives_program(self, task: Task) -> bool:
        """Whether it runs in a cluster that does not end with this program."""
        return task.simulate is None and not self.link.is_own

    @override
    async def reattach(self, task: Task, context: TaskContext) -> GoOn | None:
        """Take over a living kept attempt. Its output is emitted, and its output file written, from the beginning."""
        record, place = record_of(task.id, context.kept, self.id, self.link.address), self._place
        if record is None or record.is_own or place is None:
            return None
        runs = await self.link.ask(place.address, worker_side.runs, record.order_id)
        return partial(self._go_on, place, record.order_id, task, context) if runs else None

    async def _go_on(self, place: DaskPlace, order_id: str, task: Task, context: TaskContext) -> Outcome:
        output = Output.of(context, OUTPUT_TAIL_BYTES)
        attempt = DaskAttempt(
            self.link, place, order_id, output, context, kept=True, has_timeout=task.timeout is not None
        )
        return await self._see_through(attempt, attempt.go_on(), order_id, output, context)

    @override
    async def recover(self, task: Task, context: TaskContext) -> Outcome | None:
        """The outcome of a kept attempt, as the cluster knows it; what still runs in the cluster is ended.

        Of output only the end is left if the worker has gone that had ended it.
        """
        record = record_of(task.id, context.kept, self.id, self.link.address)
        if record is None:
            return None
        if record.scheduler != self.link.address:
            await until_gone(context)
            return None
        answers = await self.link.ask_all(worker_side.settle, record.order_id)
        address = next((address for address, is_known in answers.items() if is_known), None)
        if address is None:
            return None
        output = Output.of(context, OUTPUT_TAIL_BYTES)
        place = DaskPlace(address, "", self.link.end_of(address))
        attempt = DaskAttempt(self.link, place, record.order_id, output, context, kept=True)
        try:
            outcome = await attempt.recovered()
        finally:
            output.close()
        return None if outcome.status in _INTERRUPTED else _with_output(outcome, output, context)

    @override
    def release(self, kept: Path) -> None:
        """Release the attempt in the cluster, and then remove its record here."""
        if order_id := order_in_reach(kept, self.link.address):
            self.link.left.release(order_id, kept)

    @override
    def abandon(self, kept: Path, why: str) -> None:
        """Record that the attempt may still run; it is ended with the next connection."""
        if order_id := order_in_reach(kept, self.link.address):
            self.link.left.give_up(order_id, kept, _where(self), why)

    @override
    async def clear(self, kept: Path) -> None:
        """End what may still run of the attempt; while the link is down, as soon as it is up."""
        if order_id := order_in_reach(kept, self.link.address):
            await self.link.left.clear(order_id, kept)

    @property
    @override
    def unended(self) -> int:
        """The number of attempts that count as lost and may still run, until the scheduler is reached."""
        return self.link.left.unended(self.id)

    @override
    async def metrics(self) -> Metrics | None:
        """The load of the worker's machine as the scheduler knows it; None: not known yet."""
        try:
            info = await self.link.reading(self.worker)
        except DeviceError:
            return None
        told = None if info is None else info.metrics.get(worker_side.METRICS)
        return None if told is None else msgspec.convert(told, decodable(Metrics))

    @override
    def describe(self) -> Mapping[str, Any]:
        """The base's description, without what was found out, with the cluster and the worker's name."""
        return {
            **super().describe(),
            "capabilities": sorted(self._declared),
            "scheduler": self.link.address,
            "worker": self.worker,
            "lost_after": self.lost_after,
        }


def _unsupported(device_id: str, action: str) -> str:
    return (
        f"Device {device_id!r} is a Dask worker and runs command, shell, python and simulate, not {action}; "
        f"give the task {_INSTEAD[action]} (`device`, or a capability in `requires`)."
    )


def _where(device: DaskDevice) -> str:
    return f"worker {device.worker!r} of {device.link.address}"


def _with_output(outcome: Outcome, output: Output, context: TaskContext) -> Outcome:
    """The outcome with what we know of the output: its whole length, and the file it is in here."""
    path, result, error = context.output_path, outcome.result, outcome.result.error
    if output.trouble and error is None:
        error = ErrorInfo(code=OUTPUT_LOST, message=output.trouble)
    changed = msgspec.structs.replace(
        result,
        output=output.tail or result.output,
        output_length=output.length or result.output_length,
        output_file=path.name if path is not None and output.length else None,
        error=error,
    )
    return msgspec.structs.replace(outcome, result=changed)
