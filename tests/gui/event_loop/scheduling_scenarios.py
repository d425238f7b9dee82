"""What an event loop does with callbacks, timers and tasks, as lists of what was observed."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.gui.event_loop.loops import Scenario


def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


async def _settle(rounds: int = 5) -> None:
    for _ in range(rounds):
        await asyncio.sleep(0)


async def order_of_callbacks_and_what_they_schedule() -> list[Any]:
    seen: list[Any] = []

    def nest(name: str, depth: int) -> None:
        seen.append((name, depth))
        if depth:
            _loop().call_soon(nest, name, depth - 1)

    for name in "abc":
        _loop().call_soon(nest, name, 3)
    await _settle(8)
    return seen


async def a_callback_is_never_run_before_call_soon_returns() -> list[Any]:
    seen: list[Any] = []
    _loop().call_soon(seen.append, "callback")
    seen.append("after")
    await _settle()
    return seen


async def timers_run_in_order_of_time() -> list[Any]:
    seen: list[Any] = []
    done = _loop().create_future()
    now = _loop().time()
    for delay in (0.02, 0.005, 0.015, 0.0, -1.0, 0.01):
        _loop().call_at(now + delay, seen.append, delay)
    _loop().call_at(now + 0.03, done.set_result, None)
    await done
    return seen


async def timers_at_the_same_time() -> list[Any]:
    seen: list[Any] = []
    done = _loop().create_future()
    when = _loop().time() + 0.005
    for number in range(20):
        _loop().call_at(when, seen.append, number)
    _loop().call_at(when + 0.002, done.set_result, None)
    await done
    return seen


async def due_timers_stand_behind_what_is_ready() -> list[Any]:
    seen: list[Any] = []
    _loop().call_later(0, seen.append, "timer")
    _loop().call_soon(seen.append, "soon")
    await asyncio.sleep(0.002)
    return seen


async def what_is_cancelled_does_not_run() -> list[Any]:
    seen: list[Any] = []
    soon = _loop().call_soon(seen.append, "never, soon")
    timer = _loop().call_later(0.002, seen.append, "never, timer")
    later = _loop().call_later(0.006, seen.append, "timer")

    def cancel() -> None:
        seen.append("cancel")
        timer.cancel()
        victim.cancel()
        timer.cancel()

    soon.cancel()
    _loop().call_soon(cancel)
    victim = _loop().call_soon(seen.append, "never, as it is cancelled by the one before")
    await asyncio.sleep(0.01)
    return [seen, soon.cancelled(), timer.cancelled(), victim.cancelled(), later.cancelled()]


async def handles_are_what_asyncio_promises() -> list[Any]:
    when = _loop().time() + 100
    timer, later = _loop().call_at(when, int), _loop().call_later(100, int)
    handles = [timer, later, _loop().call_soon(int), _loop().call_soon_threadsafe(int)]
    seen: list[Any] = [type(handle).__name__ for handle in handles]
    seen += [timer.when() == when, timer < later, 0 <= later.when() - when < 50]
    timer.cancel()
    later.cancel()
    await _settle()
    return seen


async def two_tasks_take_turns() -> list[Any]:
    seen: list[Any] = []

    async def work(name: str) -> None:
        for number in range(5):
            seen.append(f"{name}{number}")
            await asyncio.sleep(0)

    await asyncio.gather(work("a"), work("b"))
    return seen


async def wait_for_and_timeouts() -> list[Any]:
    seen: list[Any] = [await asyncio.wait_for(asyncio.sleep(0.001, "in time"), 10)]
    for limit in (0.002, 0, -1):
        try:
            await asyncio.wait_for(asyncio.Event().wait(), limit)
        except TimeoutError:
            seen.append("too late")
    try:
        async with asyncio.timeout(0.002):
            await asyncio.Event().wait()
    except TimeoutError:
        seen.append("too late again")
    done, pending = await asyncio.wait([_loop().create_task(asyncio.sleep(9))], timeout=0.002)
    seen.append((len(done), len(pending)))
    for task in pending:
        task.cancel()
    return seen


async def gather_and_groups_with_errors() -> list[Any]:
    seen: list[Any] = []

    async def fail(name: str) -> None:
        await asyncio.sleep(0)
        seen.append(f"{name} fails")
        raise ValueError(name)

    async def stay(name: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            seen.append(f"{name} is cancelled")

    seen += [repr(one) for one in await asyncio.gather(fail("a"), asyncio.sleep(0, 1), return_exceptions=True)]
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(stay("b"))  # a single one: a group cancels in the order of a set
            group.create_task(fail("d"))
    except* ValueError as errors:
        seen += [repr(error) for error in errors.exceptions]
    return seen


async def queues_locks_and_conditions() -> list[Any]:
    seen: list[Any] = []
    queue: asyncio.Queue[int] = asyncio.Queue(2)
    lock, semaphore, condition = asyncio.Lock(), asyncio.Semaphore(2), asyncio.Condition()

    async def produce() -> None:
        for number in range(6):
            await queue.put(number)
            seen.append(f"put {number}")

    async def consume() -> None:
        for _ in range(6):
            seen.append(f"got {await queue.get()}")

    async def enter(name: str, door: Any) -> None:
        async with door:
            seen.append(f"{name} in")
            await asyncio.sleep(0)
            seen.append(f"{name} out")

    async def wait(name: str) -> None:
        async with condition:
            await condition.wait()
            seen.append(f"{name} told")

    await asyncio.gather(produce(), consume())
    await asyncio.gather(*(enter(name, lock) for name in "abc"), *(enter(name, semaphore) for name in "def"))
    waiting = [_loop().create_task(wait(name)) for name in "gh"]
    await _settle()
    async with condition:
        condition.notify_all()
    await asyncio.gather(*waiting)
    return seen


async def errors_reach_the_exception_handler() -> list[Any]:
    seen: list[Any] = []

    def note(_loop: Any, context: dict[str, Any]) -> None:
        seen.append((repr(context.get("exception")), sorted(context)))

    def fail(text: str) -> None:
        raise ValueError(text)

    _loop().set_exception_handler(note)
    _loop().call_soon(fail, "soon")
    _loop().call_soon(seen.append, "goes on")
    _loop().call_later(0.001, fail, "later")
    _loop().call_soon_threadsafe(fail, "threadsafe")
    await asyncio.sleep(0.01)
    _loop().set_exception_handler(None)
    return seen


async def asynchronous_generators_are_finished() -> list[Any]:
    seen: list[Any] = []

    async def count() -> AsyncIterator[int]:
        try:
            for number in range(9):
                yield number
        finally:
            await asyncio.sleep(0)
            seen.append("finished")

    async for number in count():  # left half-way and dropped
        seen.append(number)
        break
    await _settle()
    return seen


async def cancelling_reaches_what_waits() -> list[Any]:
    seen: list[Any] = []

    async def inner() -> None:
        try:
            await asyncio.sleep(100)
        except asyncio.CancelledError as error:
            seen.append(error.args)
            raise

    async def outer() -> None:
        with contextlib.suppress(ZeroDivisionError):
            await inner()

    task = _loop().create_task(outer(), name="outer")
    await _settle()
    seen.append(task.cancel("because"))
    done, _ = await asyncio.wait([task])
    never = _loop().create_task(inner())
    never.cancel()
    await asyncio.wait([never])
    return [*seen, task.cancelled(), len(done), never.cancelled()]


ALL: list[Scenario] = [
    order_of_callbacks_and_what_they_schedule,
    a_callback_is_never_run_before_call_soon_returns,
    timers_run_in_order_of_time,
    timers_at_the_same_time,
    due_timers_stand_behind_what_is_ready,
    what_is_cancelled_does_not_run,
    handles_are_what_asyncio_promises,
    two_tasks_take_turns,
    wait_for_and_timeouts,
    gather_and_groups_with_errors,
    queues_locks_and_conditions,
    errors_reach_the_exception_handler,
    asynchronous_generators_are_finished,
    cancelling_reaches_what_waits,
]
