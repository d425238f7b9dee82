"""Going on with a run that an earlier program left behind: reading it, and finding out what became of its attempts."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from starloom.devices.kinds import make_device
from starloom.errors import CommandRefused, DeviceError
from starloom.scheduling import commands as c
from starloom.scheduling.codes import RUNNING
from starloom.scheduling.instructions import StartTask

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from starloom.journal.base import Journal
    from starloom.model.result import Outcome
    from starloom.orchestration.dispatcher import Dispatcher
    from starloom.orchestration.fleet import Fleet
    from starloom.orchestration.pump import Pump
    from starloom.scheduling.run_view import RunView


async def resume(folder: Path, journal: Journal, pump: Pump, fleet: Fleet, dispatcher: Dispatcher, origin: str) -> str:
    """Have the run in a folder go on; returns its id.

    Raises:
        CommandRefused: it has ended, or is here already.
        JournalError: it cannot be read or written.
        DeviceError: a device of it cannot be made or reached, or what is left of an attempt cannot be ended.
    """
    stream = journal.take(folder)
    try:
        view, last_at, _ = await asyncio.to_thread(stream.view)
        _check_can_go_on(view)
        await fleet.add_all([make_device(spec) for spec in view.run.devices])
        placed = [_on_a_device(order, view, dispatcher, fleet) for order in _orders(view)]
        orders = [order for order in placed if order is not None]
        outcomes = await _outcomes(orders, dispatcher)
        await pump.ask(
            c.RecoverRun(
                run_id=stream.stream,
                facts=view.run,
                outcomes=outcomes,
                last_at=last_at,
                wall_time=time.time(),
                origin=origin,
            )
        )
    except BaseException:
        journal.give_back(stream.stream)
        raise
    dispatcher.release_recovered(orders)
    return stream.stream


def _check_can_go_on(view: RunView) -> None:
    run = view.run
    if not run.seq:
        raise CommandRefused("empty", f"The run {run.run_id!r} has not begun: its journal is empty.", "Run its plan.")
    if run.state.has_ended:
        raise CommandRefused("has_ended", f"The run {run.run_id!r} has ended: {run.state}.", "Run its plan anew.")


def _orders(view: RunView) -> list[StartTask]:
    """The orders of the attempts that ran last."""
    run = view.run
    orders = []
    for number in run.with_status(RUNNING):
        task, device_id = run.graph.tasks[number], run.device_of[number]
        assert task is not None
        assert device_id is not None
        orders.append(StartTask(run.run_id, task.id, run.tries[number], device_id, run.slot_of[number], task))
    return orders


def _on_a_device(order: StartTask, view: RunView, dispatcher: Dispatcher, fleet: Fleet) -> StartTask | None:
    """The order on the device that may know what became of it; None: nothing of it can have outlived its program.

    Raises:
        DeviceError: the device that knows cannot be reached.
    """
    kind = view.fleet.devices[order.device_id].kind
    known = dispatcher.devices.get(order.device_id)
    if known is None or known.kind != kind:
        known = next((device for device in dispatcher.devices.values() if device.kind == kind), None)
    if known is None:
        return None
    if not fleet.devices[known.id].connected:
        raise DeviceError(
            f"Device {known.id!r} cannot be reached, so nobody knows what became of {order.task_id!r}, which ran "
            "there. See that it can, and resume again."
        )
    return StartTask(order.run_id, order.task_id, order.attempt, known.id, order.slot, order.task)


async def _outcomes(orders: Sequence[StartTask], dispatcher: Dispatcher) -> dict[str, Outcome]:
    answers = await asyncio.gather(*(dispatcher.recover(order) for order in orders), return_exceptions=True)
    outcomes = {}
    for order, answer in zip(orders, answers, strict=True):
        if isinstance(answer, BaseException):
            raise answer
        if answer is not None:
            outcomes[order.task_id] = answer
    return outcomes
