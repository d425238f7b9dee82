"""Resuming a run that an earlier program left behind: reading it, and finding the outcomes of its attempts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final, TypeVar

from starloom.devices.kinds import make_device
from starloom.errors import CommandRefused, DeviceError, StarloomError
from starloom.journal.alive_file import read_alive
from starloom.journal.names import SALVAGED
from starloom.model.status import OnInterrupt
from starloom.orchestration.left_behind import of_ended_attempts
from starloom.scheduling import commands as c
from starloom.scheduling.instructions import StartTask
from starloom.scheduling.state.codes import RUNNING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from pathlib import Path

    from starloom.devices.base import Device
    from starloom.journal.base import Journal
    from starloom.model.device import DeviceSpec
    from starloom.model.result import Outcome
    from starloom.orchestration.dispatcher import Dispatcher
    from starloom.orchestration.fleet import Fleet
    from starloom.orchestration.pump import Pump
    from starloom.scheduling.state.folded_run import FoldedRun
    from starloom.scheduling.state.run_facts import RunFacts

_T = TypeVar("_T")
Ready = Callable[[], Awaitable[None]]
"""Is awaited once all is known of a run that is to be resumed; see `resume_together`."""
_MOST_FAILURES: Final = 2
"""How often devices that answer may fail to say what became of attempts, as their links may just have come back."""
_PATIENCE: Final = 2.0
"""Seconds for which a device is asked for a sign of life that has not said what became of an attempt."""


async def at_once() -> None:
    """Return: there is nothing to wait for. A `Ready`."""


async def resume_together(resumptions: Sequence[Callable[..., Awaitable[_T]]]) -> list[_T | StarloomError]:
    """Resume several runs in one turn, so that none begins anything in the place of an attempt that another has there.

    Args:
        resumptions: each resumes one run, and awaits `ready`, a `Ready` that it is given, once all is known of that:
            until the others are as far, or have failed. `Orchestrator.resume` does.

    Returns:
        What came of each of them, in their order: the run, or why it does not go on.
    """
    loop = asyncio.get_running_loop()
    begin, tasks = loop.create_future(), []

    async def resumed(resumption: Callable[..., Awaitable[_T]], known: asyncio.Event) -> _T | StarloomError:
        async def ready() -> None:
            known.set()
            await asyncio.shield(begin)

        try:
            return await resumption(ready=ready)
        except StarloomError as error:
            return error
        finally:
            known.set()

    try:
        for one in resumptions:  # after one another: the devices that one brings are connected for the next
            known = asyncio.Event()
            tasks.append(loop.create_task(resumed(one, known)))
            await known.wait()
        begin.set_result(None)
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def resume(
    folder: Path,
    journal: Journal,
    pump: Pump,
    fleet: Fleet,
    dispatcher: Dispatcher,
    origin: str,
    done: Iterable[str] | None = None,
    without: Iterable[str] = (),
    bring: Callable[[RunFacts], tuple[str, ...]] = lambda _run: (),
    ready: Ready = at_once,
) -> str:
    """Resume the run in a folder; returns its id. See `Orchestrator.resume`; `bring` gives the names of agents.

    Raises:
        CommandRefused: it has not begun, is here already, or a part of its journal is lost and `done` is None.
        JournalError: it cannot be read or written.
        DeviceError: a device of it cannot be made, or one that nobody waits for be reached, or what is left of an
            attempt cannot be ended.
    """
    if done is None:
        _check_is_whole(folder)
    stream = journal.take(folder)
    orders: list[StartTask] = []
    try:
        folded, last_at, last_wall = await asyncio.to_thread(stream.view)
        _check_has_begun(folded)
        now, seen_alive = time.time(), await asyncio.to_thread(read_alive, folder)
        if seen_alive is not None and last_wall < seen_alive <= now:
            last_at += seen_alive - last_wall  # its program lived on after the last event, and so did the run's clock
        await fleet.add_all([make_device(spec) for spec in _brought(folded.run, frozenset(without), fleet.specs)])
        await _expect(folded, fleet, pump)
        placed = [_on_a_device(order, folded, dispatcher, fleet) for order in _orders(folded)]
        orders = [order for order in placed if order is not None]
        awaited = [order for order in orders if not fleet.devices[order.device_id].connected]
        left = of_ended_attempts(folder, folded.run)
        await dispatcher.kept.clear(left)  # before any task of it begins another attempt
        alive, outcomes = await _found_out(orders, awaited, folded, dispatcher)
        await ready()
        await pump.ask(
            c.RecoverRun(
                run_id=stream.stream,
                facts=folded.run,
                outcomes=outcomes,
                alive=tuple(alive),
                last_at=last_at,
                wall_time=time.time(),
                origin=origin,
                done=tuple(done or ()),
                agents=bring(folded.run),
            )
        )
        if done is not None:
            (folder / SALVAGED).unlink(missing_ok=True)  # it is known again what is to be done
    except BaseException:
        dispatcher.earlier.leave(orders)
        journal.give_back(stream.stream)
        raise
    dispatcher.kept.release_recovered(order for order in orders if order.task_id not in alive)
    return stream.stream


def _check_is_whole(folder: Path) -> None:
    if (folder / SALVAGED).exists():
        raise CommandRefused(
            "salvaged",
            f"A part of the journal in {folder} is lost, so nobody knows which of its tasks have ended since.",
            "Say which are taken as done: `starloom resume` with --again, or `done` here.",
        )


def _check_has_begun(folded: FoldedRun) -> None:
    run = folded.run
    if not run.seq:
        raise CommandRefused("empty", f"The run {run.run_id!r} has not begun: its journal is empty.", "Run its plan.")


def _brought(run: RunFacts, without: Collection[str], given: Iterable[DeviceSpec]) -> list[DeviceSpec]:
    """The devices that the run declares, unless the fleet has others in their places.

    Args:
        run: as the journal tells it.
        without: the ids of those that were removed: only those on which its attempts may still run.
        given: what the devices of the fleet were made from.
    """
    there = {spec.id: spec for spec in given}
    running = {run.device_of[number] or "" for number in run.with_status(RUNNING)}
    needed = {spec.id for spec in run.devices if any(_is_of(id, spec) for id in running)}
    return [
        spec
        for spec in run.devices
        if (spec.id not in without or spec.id in needed)
        and not _is_replaced(spec, there.get(spec.id), is_needed=spec.id in needed)
    ]


def _is_of(device_id: str, spec: DeviceSpec) -> bool:
    return device_id == spec.id or device_id.startswith(f"{spec.id}-")  # a group's


def _is_replaced(spec: DeviceSpec, there: DeviceSpec | None, *, is_needed: bool) -> bool:
    """Whether the fleet's device takes the place of the one that the run declares.

    Where attempts of it may still run, only one that is the same machine does: another one could not find them.
    """
    if there is None or there == spec:
        return False
    return not is_needed or (there.kind, there.options) == (spec.kind, spec.options)


def _orders(folded: FoldedRun) -> list[StartTask]:
    """The orders of the attempts that ran last."""
    run = folded.run
    orders = []
    for number in run.with_status(RUNNING):
        task, device_id = run.graph.tasks[number], run.device_of[number]
        assert task is not None
        assert device_id is not None
        orders.append(StartTask(run.run_id, task.id, run.tries[number], device_id, run.slot_of[number], task))
    return orders


async def _expect(folded: FoldedRun, fleet: Fleet, pump: Pump) -> None:
    """Ensure that the devices of running attempts are in the fleet, even if their group is not connected yet.

    When it returns it is known which devices are connected.
    """
    run = folded.run
    there = {run.device_of[number] for number in run.with_status(RUNNING)} - set(fleet.devices)
    await asyncio.gather(*(fleet.expect(folded.fleet.devices[id]) for id in there if id is not None))
    await pump.at_rest()


def _on_a_device(order: StartTask, folded: FoldedRun, dispatcher: Dispatcher, fleet: Fleet) -> StartTask | None:
    """The order on the device that may know its outcome; None: it cannot have outlived its program.

    Raises:
        DeviceError: the device that knows cannot be reached, and nothing goes on there without us.
    """
    kind = folded.fleet.devices[order.device_id].kind
    known = dispatcher.devices.get(order.device_id)
    if known is None or known.kind != kind:
        known = next((device for device in dispatcher.devices.values() if device.kind == kind), None)
    if known is None:
        return None
    is_awaited = known.id == order.device_id and known.lost_after > 0
    if not fleet.devices[known.id].connected and not is_awaited:
        raise DeviceError(
            f"Device {known.id!r} cannot be reached, so nobody knows what became of {order.task_id!r}, which ran "
            "there. See that it can, and resume again."
        )
    return StartTask(order.run_id, order.task_id, order.attempt, known.id, order.slot, order.task)


async def _found_out(
    orders: Sequence[StartTask], awaited: list[StartTask], folded: FoldedRun, dispatcher: Dispatcher
) -> tuple[dict[str, StartTask], dict[str, Outcome]]:
    """The attempts that go on, and the outcomes of others, by task; those of `awaited` devices count as going on.

    Raises:
        DeviceError: nobody can say now what became of one, though its device answers; or nothing goes on there without
            us.
    """
    failed = 0
    while True:
        try:
            alive = await _alive([order for order in orders if order not in awaited], folded, dispatcher)
            asked = [order for order in orders if order not in awaited and order.task_id not in alive]
            outcomes = await _outcomes(asked, dispatcher)
        except DeviceError:
            lasting = [one for one in orders if one not in awaited and _outlasts_silence(one, folded, dispatcher)]
            answers = await asyncio.gather(*(_answers(dispatcher.devices[one.device_id]) for one in lasting))
            silent = [order for order, answered in zip(lasting, answers, strict=True) if not answered]
            failed += 1
            if not lasting or (failed > _MOST_FAILURES and not silent):
                raise
            awaited += silent
        else:
            break
    for order in awaited:
        dispatcher.earlier.await_device(order, goes_on=_goes_on(order, folded))
    return {**alive, **{order.task_id: order for order in awaited}}, outcomes


def _outlasts_silence(order: StartTask, folded: FoldedRun, dispatcher: Dispatcher) -> bool:
    """Whether an attempt continues while its device, on which it began, is silent."""
    began_on = folded.run.device_of[folded.run.graph.place[order.task_id]]
    return order.device_id == began_on and dispatcher.devices[order.device_id].lost_after > 0


async def _answers(device: Device) -> bool:
    """Whether a device gives a sign of life; one whose link has just broken does once that is up again."""
    try:
        async with asyncio.timeout(_PATIENCE):
            await device.ping()
    except (TimeoutError, DeviceError):
        return False
    return True


def _goes_on(order: StartTask, folded: FoldedRun) -> bool:
    """Whether a running attempt is to continue: its task wants it, and it was not stopped."""
    is_wanted = order.task.on_interrupt is OnInterrupt.REATTACH
    return is_wanted and folded.run.graph.place[order.task_id] not in folded.run.stopping


async def _alive(orders: Sequence[StartTask], folded: FoldedRun, dispatcher: Dispatcher) -> dict[str, StartTask]:
    """The attempts that continue, by task: their tasks want it, they were not stopped, and their devices find them.

    Raises:
        DeviceError: nobody can say now whether one runs.
    """
    run = folded.run
    asked = [
        order
        for order in orders
        if _goes_on(order, folded) and order.device_id == run.device_of[run.graph.place[order.task_id]]
    ]
    answers = await asyncio.gather(*(dispatcher.earlier.reattach(order) for order in asked), return_exceptions=True)
    alive = {}
    for order, answer in zip(asked, answers, strict=True):
        if isinstance(answer, BaseException):
            raise answer
        if answer:
            alive[order.task_id] = order
    return alive


async def _outcomes(orders: Sequence[StartTask], dispatcher: Dispatcher) -> dict[str, Outcome]:
    answers = await asyncio.gather(*(dispatcher.earlier.recover(order) for order in orders), return_exceptions=True)
    outcomes = {}
    for order, answer in zip(orders, answers, strict=True):
        if isinstance(answer, BaseException):
            raise answer
        if answer is not None:
            outcomes[order.task_id] = answer
    return outcomes
