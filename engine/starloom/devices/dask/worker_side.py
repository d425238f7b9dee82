"""Code that runs in a Dask worker: runs attempts as the local device there does, and stops them on request.

The functions here are sent by name, so the worker has to have Starloom installed. Attempts are coroutines on the
worker's own loop; their work is in child processes, and the worker only watches.
"""

from __future__ import annotations

import asyncio
import platform
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

import msgspec
from distributed import WorkerPlugin, get_worker
from typing_extensions import override

from starloom.devices.base import TaskContext
from starloom.devices.dask.orders import BEGUN, OUTCOME, VERSION, Sealed, key_of, order_of, read_order
from starloom.devices.dask.spool import Read, Spool
from starloom.devices.dask.workers_device import WorkersDevice
from starloom.model.result import ErrorCode, ErrorInfo, Outcome, OutcomeStatus, Result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from distributed import Worker

    from starloom.devices.dask.orders import Order
    from starloom.model.task import Task

METRICS: Final = "starloom"
"""Under which name a worker tells the scheduler, with each heartbeat, how loaded its machine is."""
_REMEMBERED: Final = 10_000
_SILENCE_SECONDS: Final = 300.0
"""After which a console that gives no sign of life is told nothing more: the scheduler would keep it, for nobody."""
_LOOK_SECONDS: Final = 0.01
_EXECUTING: Final = frozenset({"executing", "long-running"})
_RUNNING: Final = _EXECUTING | {"waiting", "ready", "constrained"}
_MOST_TOLD_BYTES: Final = 16 * 1024
"""Of an outcome that is told with the end of its task; the scheduler keeps the last thousand of what it is told."""


_BEGUN_BEFORE: Final = Result(
    error=ErrorInfo(
        code=ErrorCode.DEVICE_LOST, message="Dask has lost what came of the attempt, which had begun before."
    )
)
_NOT_KEPT: Final = "The worker that has kept the output is gone; the end of it is all that is left."


class _Side(WorkerPlugin):
    """All attempts in one worker. As a plugin it is notified of attempts that are no longer wanted."""

    def __init__(self) -> None:
        self.device = WorkersDevice()
        self._running: dict[str, asyncio.Task[Outcome]] = {}
        self._refused: dict[str, None] = {}
        self._topics: dict[str, str] = {}
        self._spools: dict[str, Spool] = {}
        self._heard: dict[str, float] = {}
        self._begun: dict[str, float] = {}
        self._ended: dict[str, float] = {}
        self._awaited: set[str] = set()

    def hear(self, topic: str) -> None:
        """Record that a program which is notified under this topic lives."""
        self._heard[topic] = time.monotonic()
        for gone in [name for name in self._heard if not self._is_heard(name)]:
            del self._heard[gone]

    def _is_heard(self, topic: str) -> bool:
        at = self._heard.get(topic)
        return at is not None and time.monotonic() - at <= _SILENCE_SECONDS

    async def make(self, order: Order, task: Task, worker: Worker) -> bytes:
        """Run an order and return its outcome. No order is run a second time, should Dask lose its outcome."""
        if order.order_id in self._refused:
            return msgspec.json.encode(Outcome(OutcomeStatus.LOST, _BEGUN_BEFORE))
        self._refuse(order.order_id)
        self._topics.setdefault(order.order_id, order.topic)  # a later program may have come before it begins
        self._begun[order.order_id] = time.monotonic()
        after = 0.0 if order.order_id in self._awaited else order.begin_after
        telling = None if after is None else self._tell_begin(worker, order.order_id, after)
        running = self._running[order.order_id] = asyncio.ensure_future(self._run(order, task, worker))
        unheard = asyncio.ensure_future(self._end_unheard(order, running)) if order.patience else None
        try:
            outcome = msgspec.json.encode(await self._end_of(running))
        finally:
            if unheard is not None:
                unheard.cancel()
            if telling is not None:
                telling.cancel()
            del self._running[order.order_id]
            self._ended[order.order_id] = time.monotonic()
            topic = self._topics.pop(order.order_id)
        if len(outcome) <= _MOST_TOLD_BYTES and self._is_heard(topic):
            said = {"order": order.order_id, OUTCOME: outcome.decode(), BEGUN: self._begun_ago(order.order_id)}
            # Told a step later, it travels in one batch with Dask's own message that the task has ended, before that.
            asyncio.get_running_loop().call_soon(worker.log_event, topic, said)
        return outcome

    def _tell_begin(self, worker: Worker, order_id: str, after: float) -> asyncio.TimerHandle:
        tell = partial(self._tell, worker, order_id)
        return asyncio.get_running_loop().call_later(after, lambda: tell({BEGUN: self._begun_ago(order_id)}))

    def _begun_ago(self, order_id: str) -> str:
        return f"{_ago(self._begun.get(order_id)) or 0.0:.6f}"

    def _tell(self, worker: Worker, order_id: str, said: dict[str, str]) -> None:
        topic = self._topics[order_id]
        if self._is_heard(topic):
            worker.log_event(topic, {"order": order_id, **said})

    async def _run(self, order: Order, task: Task, worker: Worker) -> Outcome:
        spool = None
        if order.kept:
            spool = self._spools[order.order_id] = Spool(self.device.path_of(order.order_id))

        def tell(text: str, stream: str) -> None:
            if spool is not None:
                spool.add(stream, text)
            self._tell(worker, order.order_id, {"text": text, "stream": stream})

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
        try:
            return context.masks.outcome(await self.device.run(task, context))
        finally:
            if spool is not None:
                spool.close()

    async def _end_unheard(self, order: Order, running: asyncio.Task[Outcome]) -> None:
        """End an attempt of a program that has given no sign of life for too long, as no other will come for it."""
        last = time.monotonic()
        while (left := last + order.patience - time.monotonic()) > 0:
            await asyncio.sleep(left)
            last = max(last, self._heard.get(self._topics[order.order_id], last))
        running.cancel()

    async def _end_of(self, running: asyncio.Task[Outcome]) -> Outcome:
        """Its end, also when the worker closes meanwhile: then it is stopped."""
        while not running.done():
            try:
                await asyncio.wait((running,))
            except asyncio.CancelledError:
                running.cancel()
        return Outcome(OutcomeStatus.STOPPED) if running.cancelled() else running.result()

    async def stop(self, order_id: str) -> bool:
        """Stop an attempt; returns whether it had begun and not ended. Nothing of it runs afterwards."""
        running = self._running.get(order_id)
        if running is None:
            self._refuse(order_id)
            return False
        running.cancel()
        await asyncio.wait((running,))
        return True

    def catch_up(self, order_id: str, topic: str, offset: int, *, runs: bool) -> dict[str, Any]:
        """See the function of this name."""
        spool = self._spools.get(order_id)
        if spool is None:
            read, trouble = Read([], offset, True), "" if runs else _NOT_KEPT
        else:
            read, trouble = spool.read(offset), spool.trouble
        if read.is_all and runs:
            self._topics[order_id] = topic
        if runs and order_id not in self._begun:
            self._awaited.add(order_id)
        times = {"begun_ago": _ago(self._begun.get(order_id)), "ended_ago": _ago(self._ended.get(order_id))}
        return {**read._asdict(), "trouble": trouble, **times}

    def has_begun(self, order_id: str) -> bool:
        """Whether it has begun here, or must not."""
        return order_id in self._refused

    @override
    async def teardown(self, worker: Worker) -> None:
        """The worker closes."""
        await self.device.pythons.end()

    @override
    def transition(self, key: Any, start: str, finish: str, **_: Any) -> None:
        """End an attempt that is no longer wanted, and release its output."""
        order_id = order_of(str(key)) if finish in ("released", "forgotten") else ""
        if not order_id:
            return
        running, spool = self._running.get(order_id), self._spools.pop(order_id, None)
        self._begun.pop(order_id, None)
        self._ended.pop(order_id, None)
        self._awaited.discard(order_id)
        if running is not None:
            running.cancel()
        else:
            self._topics.pop(order_id, None)
        if spool is not None:
            spool.remove()

    def _refuse(self, order_id: str) -> None:
        self._refused[order_id] = None
        while len(self._refused) > _REMEMBERED:
            del self._refused[next(iter(self._refused))]


def _ago(moment: float | None) -> float | None:
    return None if moment is None else time.monotonic() - moment


_SIDES: Final[WeakKeyDictionary[Worker, _Side]] = WeakKeyDictionary()


async def _side_of(worker: Worker) -> _Side:
    side = _SIDES.get(worker)
    if side is None:
        side = _SIDES[worker] = _Side()
        await worker.plugin_add(side, name=METRICS)
    return side


async def prepare(resource: str, dask_worker: Worker) -> dict[str, Any]:
    """Prepare a worker for one console: it offers the resource that attempts require, and reports its load.

    Args:
        resource: a name that nobody else uses.
        dask_worker: given by Dask.

    Returns:
        What the console has to know of it: `version`, `capabilities`.
    """
    device = (await _side_of(dask_worker)).device
    await device.connect()
    device.pythons.most = dask_worker.state.nthreads

    async def load(_worker: Worker) -> Mapping[str, Any]:
        metrics = await device.metrics()
        assert metrics is not None, "a worker is a computer, which tells"
        return {name: value for name in metrics.__struct_fields__ if (value := getattr(metrics, name)) is not None}

    dask_worker.metrics[METRICS] = load
    await dask_worker.set_resources(**{resource: float(dask_worker.state.nthreads)})
    return {"version": VERSION, "capabilities": [platform.system().lower(), platform.machine().lower()]}


async def let_go(resource: str, dask_worker: Worker) -> None:
    """Stop offering the resource."""
    await dask_worker.set_resources(**{resource: 0.0})
    await (await _side_of(dask_worker)).device.pythons.end()


async def carry_out(sealed: Sealed) -> bytes:
    """Run the attempt of an order; its outcome. Submitted as a Dask task."""
    worker = get_worker()
    order, task = read_order(sealed.data)
    return await (await _side_of(worker)).make(order, task, worker)


async def stop(order_id: str, dask_worker: Worker) -> bool:
    """Stop an attempt, or keep it from starting; returns whether it had started. Called again, it kills."""
    return await (await _side_of(dask_worker)).stop(order_id)


async def runs(order_id: str, dask_worker: Worker) -> bool:
    """Whether an attempt runs here, or waits for a free thread."""
    task = dask_worker.state.tasks.get(key_of(order_id))
    return task is not None and task.state in _RUNNING


async def settle(order_id: str, dask_worker: Worker) -> bool:
    """Stop an attempt, or keep it from starting; returns whether its outcome is known here."""
    await stop(order_id, dask_worker)
    key = key_of(order_id)
    # Dask has still to take over what came of it, and tells nobody when it has.
    while (task := dask_worker.state.tasks.get(key)) is not None and task.state in _EXECUTING:  # noqa: ASYNC110
        await asyncio.sleep(_LOOK_SECONDS)
    return key in dask_worker.data


async def catch_up(order_id: str, topic: str, offset: int, is_expected: bool, dask_worker: Worker) -> dict[str, Any]:
    """The output of an attempt from an offset on.

    Args:
        order_id: of its order.
        topic: under which the rest is told once this is all.
        offset: in bytes of the file in which it is kept.
        is_expected: whether it is on its way here if it has not begun.
        dask_worker: given by Dask.

    Returns:
        The fields of `Read`, as `trouble` why some is missing, and as `begun_ago` and `ended_ago` how many seconds ago
        it began and ended here, if it has.
    """
    side = await _side_of(dask_worker)
    side.hear(topic)
    may_come = is_expected and not side.has_begun(order_id)
    return side.catch_up(order_id, topic, offset, runs=may_come or await runs(order_id, dask_worker))


async def answer(topic: str, dask_worker: Worker) -> None:
    """Answer a ping."""
    (await _side_of(dask_worker)).hear(topic)
