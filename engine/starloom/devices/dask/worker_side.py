"""What runs in a Dask worker: makes attempts as the local device there does, and ends them when told to.

The functions here are sent by name, so the worker has to have Starloom installed. Attempts are coroutines on the
worker's own loop; their work is in child processes, and the worker only watches.
"""

from __future__ import annotations

import asyncio
import platform
import secrets
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

import msgspec
from distributed import get_worker
from typing_extensions import override

from starloom.devices.base import TaskContext
from starloom.devices.dask import guardian
from starloom.devices.dask.orders import OUTCOME, VERSION, Sealed, read_order
from starloom.devices.local import LocalDevice
from starloom.model.result import Outcome, OutcomeStatus

if TYPE_CHECKING:
    from collections.abc import Mapping

    from distributed import Worker

    from starloom.devices.dask.orders import Order
    from starloom.model.task import Task

METRICS: Final = "starloom"
"""Under which name a worker tells the scheduler, with each heartbeat, how loaded its machine is."""
_REMEMBERED: Final = 10_000
_MOST_TOLD_BYTES: Final = 16 * 1024
"""Of an outcome that is told with the end of its task; the scheduler keeps the last thousand of what it is told."""


class _WorkersDevice(LocalDevice):
    """The machine of a worker; whatever it starts ends with the worker, however that ends."""

    def __init__(self) -> None:
        super().__init__("worker")
        self._guardian: subprocess.Popen[bytes] | None = None
        # The worker's loop has others to serve: with one thread to start in, they need not wait for it.
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="starloom-start")

    @override
    async def connect(self) -> None:
        await super().connect()
        if self._guardian is not None:
            return
        mark = secrets.token_hex(12)
        self._environment[guardian.MARK] = mark
        command = (sys.executable, "-P", guardian.__file__, mark, self._scratch.path())
        # In a session of its own, so that what ends the worker's process group leaves it alone. Starting it takes a
        # millisecond, once for each worker.
        self._guardian = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)  # noqa: ASYNC220


class _Side:
    """All attempts in one worker."""

    def __init__(self) -> None:
        self.device = _WorkersDevice()
        self._running: dict[str, asyncio.Task[Outcome]] = {}
        self._refused: dict[str, None] = {}

    async def make(self, order: Order, task: Task, worker: Worker) -> Outcome:
        if order.order_id in self._refused:
            return Outcome(OutcomeStatus.STOPPED)

        def tell(text: str, stream: str) -> None:
            worker.log_event(order.topic, {"order": order.order_id, "text": text, "stream": stream})

        context = TaskContext(
            order.run_id,
            task.id,
            order.attempt,
            order.device_id,
            order.slot,
            upstream=lambda: order.upstream,
            emit=tell,
            secrets=order.secrets,
        )
        running = asyncio.ensure_future(self.device.run(task, context))
        self._running[order.order_id] = running
        try:
            return context.masks.outcome(await self._end_of(running))
        finally:
            del self._running[order.order_id]

    async def _end_of(self, running: asyncio.Task[Outcome]) -> Outcome:
        """Its end, also when the worker closes meanwhile: then it is stopped."""
        while not running.done():
            try:
                await asyncio.wait((running,))
            except asyncio.CancelledError:
                running.cancel()
        return Outcome(OutcomeStatus.STOPPED) if running.cancelled() else running.result()

    async def stop(self, order_id: str) -> bool:
        """Whether it had begun; in any case nothing of it runs afterwards, or ever will."""
        running = self._running.get(order_id)
        if running is None:
            self._refuse(order_id)
            return False
        running.cancel()
        await asyncio.wait((running,))
        return True

    def _refuse(self, order_id: str) -> None:
        self._refused[order_id] = None
        while len(self._refused) > _REMEMBERED:
            del self._refused[next(iter(self._refused))]


_SIDES: Final[WeakKeyDictionary[Worker, _Side]] = WeakKeyDictionary()


def _side_of(worker: Worker) -> _Side:
    return _SIDES.setdefault(worker, _Side())


async def prepare(resource: str, dask_worker: Worker) -> dict[str, Any]:
    """Make a worker ready for one console: it offers the resource by which attempts find it, and tells its load.

    Args:
        resource: a name that nobody else uses.
        dask_worker: given by Dask.

    Returns:
        What the console has to know of it: `version`, `capabilities`.
    """
    device = _side_of(dask_worker).device
    await device.connect()

    async def load(_worker: Worker) -> Mapping[str, Any]:
        metrics = await device.metrics()
        return {name: value for name in metrics.__struct_fields__ if (value := getattr(metrics, name)) is not None}

    dask_worker.metrics[METRICS] = load
    await dask_worker.set_resources(**{resource: float(dask_worker.state.nthreads)})
    return {"version": VERSION, "capabilities": [platform.system().lower(), platform.machine().lower()]}


async def let_go(resource: str, dask_worker: Worker) -> None:
    """Offer the resource no longer."""
    await dask_worker.set_resources(**{resource: 0.0})


async def carry_out(sealed: Sealed) -> bytes:
    """Make the attempt of an order; its outcome. To be submitted as a task."""
    worker = get_worker()
    order, task = read_order(sealed.data)
    outcome = msgspec.json.encode(await _side_of(worker).make(order, task, worker))
    if len(outcome) <= _MOST_TOLD_BYTES:
        said = {"order": order.order_id, OUTCOME: outcome.decode()}
        # Told a step later, it travels in one batch with Dask's own message that the task has ended, and before that.
        asyncio.get_running_loop().call_soon(worker.log_event, order.topic, said)
    return outcome


async def stop(order_id: str, dask_worker: Worker) -> bool:
    """End an attempt, or keep it from beginning; whether it had begun. Asked again, it is killed at once."""
    return await _side_of(dask_worker).stop(order_id)


async def answer(dask_worker: Worker) -> None:
    """Give a sign of life."""
