"""The event bus: order, types, isolation, slowness, closing."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import pytest
from tests.virtual_time import engine, loop, pass_time, run
from tests.waiting import until

from starloom import events as ev
from starloom.devices.simulated import SimulatedDevice
from starloom.orchestration import subscription as subscription_module
from starloom.orchestration.bus import EventBus
from starloom.testing import chain, independent

if TYPE_CHECKING:
    from starloom.events import Event


def ready(number: int, run_id: str = "r") -> ev.TaskReady:
    return ev.TaskReady(number, 0.0, run_id, f"t{number}")


def started(number: int, run_id: str = "r") -> ev.TaskStarted:
    return ev.TaskStarted(number, 0.0, run_id, f"t{number}", 1, "d", 0)


def numbers(seen: list[Event]) -> list[int]:
    return [event.seq for event in seen]


# ---- order and types


def test_everyone_hears_everything_in_the_order_in_which_it_was_committed() -> None:
    async def main() -> None:
        bus, plain, other = EventBus(), list[Any](), list[Any]()

        async def coroutine(event: Event) -> None:
            other.append(event)

        bus.subscribe(plain.append)
        bus.subscribe(coroutine)
        for first in range(1, 1000, 7):
            bus.publish([ready(number) for number in range(first, first + 7)])
        await bus.drained()
        assert numbers(plain) == numbers(other) == list(range(1, 1002))
        await bus.close()

    run(main())


def test_a_subscriber_to_types_hears_these_types_only() -> None:
    async def main() -> None:
        bus, both, one = EventBus(), list[Any](), list[Any]()
        bus.subscribe(both.append, ev.TaskReady, ev.TaskStarted)
        bus.subscribe(one.append, ev.TaskStarted)
        bus.publish([ready(1), started(2), ev.RunEnded(3, 0.0, "r")])
        await bus.drained()
        assert (numbers(both), numbers(one)) == ([1, 2], [2])

    run(main())


def test_a_subscriber_to_a_base_class_hears_all_kinds_below_it() -> None:
    class Measured(ev.Event, frozen=True):
        """A kind of event that a program made for itself, and one below it."""

    class Weighed(Measured, frozen=True):
        pass

    async def main() -> None:
        bus, everything, measured = EventBus(), list[Any](), list[Any]()
        bus.subscribe(everything.append, ev.Event)
        bus.subscribe(measured.append, Measured, ev.TaskStarted)
        bus.publish([ready(1), started(2), Weighed(3, 0.0, "r"), Measured(4, 0.0, "r")])
        await bus.drained()
        assert (numbers(everything), numbers(measured)) == ([1, 2, 3, 4], [2, 3, 4])

    run(main())


def test_publishing_calls_nobody_before_it_returns() -> None:
    async def main() -> None:
        bus, seen = EventBus(), list[Any]()
        bus.subscribe(seen.append)
        bus.publish([ready(1)])
        assert seen == []
        await bus.drained()
        assert numbers(seen) == [1]

    run(main())


def test_a_callable_object_with_an_async_call_is_awaited() -> None:
    class Observer:
        def __init__(self) -> None:
            self.seen: list[Any] = []

        async def __call__(self, event: Event) -> None:
            await asyncio.sleep(0)
            self.seen.append(event)

    async def main() -> None:
        bus, observer = EventBus(), Observer()
        bus.subscribe(observer)
        bus.publish([ready(1)])
        await bus.drained()
        assert numbers(observer.seen) == [1]

    run(main())


def test_an_idle_bus_sets_no_timer() -> None:
    async def main() -> None:
        bus = EventBus()
        bus.subscribe(lambda _event: None)
        bus.publish([ready(1)])
        await bus.drained()
        before = loop().wakeups
        await pass_time(10_000)
        assert loop().wakeups - before <= 2, "only this test's own timer rang"

    run(main())


# ---- isolation


@pytest.mark.expects_log
@pytest.mark.parametrize("mistake", [ValueError("no"), asyncio.CancelledError("from something it looked at")])
def test_what_an_observer_raises_reaches_nobody_else_and_is_reported(
    mistake: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        bus, before, after = EventBus(), list[Any](), list[Any]()

        def failing(event: Event) -> None:
            raise mistake

        async def failing_too(event: Event) -> None:
            raise mistake

        bus.subscribe(before.append)
        bad, worse = bus.subscribe(failing), bus.subscribe(failing_too)
        bus.subscribe(after.append)
        bus.publish([ready(1), ready(2)])
        bus.publish([ready(3)])
        await bus.drained()
        assert numbers(before) == numbers(after) == [1, 2, 3]
        assert (bad.errors, worse.errors) == (3, 3)

    run(main())
    assert [record.getMessage() for record in caplog.records if "failing" in record.getMessage()]


@pytest.mark.expects_log
def test_an_observer_that_fails_once_hears_the_rest() -> None:
    async def main() -> None:
        bus, seen = EventBus(), list[Any]()

        def observer(event: Event) -> None:
            seen.append(event)
            if event.seq == 2:
                raise RuntimeError("once")

        bus.subscribe(observer)
        bus.publish([ready(number) for number in range(1, 100)])
        await bus.drained()
        assert numbers(seen) == list(range(1, 100))

    run(main())


# ---- slowness


def test_a_slow_async_observer_delays_neither_the_others_nor_the_publisher() -> None:
    async def main() -> None:
        bus, quick, slow = EventBus(), list[Any](), list[Any]()

        async def observer(event: Event) -> None:
            await asyncio.sleep(10)
            slow.append(event)

        bus.subscribe(observer)
        bus.subscribe(quick.append)
        for number in range(1, 11):
            bus.publish([ready(number)])
        await until(lambda: len(quick) == 10, within=0.1)
        assert slow == []
        await bus.drained(patience=1000)
        assert numbers(slow) == list(range(1, 11))

    run(main())


class Stopwatch:
    """Stands for the module `time` in the bus: time passes when an observer says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


@pytest.mark.parametrize("is_async", [False, True])
def test_a_slow_observer_lets_the_loop_turn_after_each_of_its_calls(
    is_async: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A callback that takes 50 ms may hold up the loop for 50 ms, but never for several calls in a row."""
    watch = Stopwatch()
    monkeypatch.setattr(subscription_module, "time", watch)

    async def main() -> None:
        bus, turns = EventBus(), list[int]()

        def slow(_event: Event) -> None:
            turns.append(loop().wakeups)
            watch.now += 0.05

        async def slow_async(event: Event) -> None:
            slow(event)

        bus.subscribe(slow_async if is_async else slow)
        bus.publish([ready(number) for number in range(1, 200)])
        await bus.drained(patience=1000)
        assert len(turns) == len(set(turns)) == 199

    run(main())


def test_an_observer_that_becomes_slow_is_noticed_after_a_call_or_two(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Stopwatch()
    monkeypatch.setattr(subscription_module, "time", watch)

    async def main() -> None:
        bus, turns = EventBus(), list[int]()

        def observer(event: Event) -> None:
            turns.append(loop().wakeups)
            watch.now += 0.0 if event.seq == 1 else 0.05

        bus.subscribe(observer)
        bus.publish([ready(number) for number in range(1, 100)])
        await bus.drained(patience=1000)
        assert max(turns.count(turn) for turn in turns) <= 3

    run(main())


def test_a_slow_plain_observer_does_not_bring_a_quick_one_down_to_its_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Stopwatch()
    monkeypatch.setattr(subscription_module, "time", watch)

    async def main() -> None:
        bus, quick, slow = EventBus(), list[Any](), list[Any]()

        def observer(event: Event) -> None:
            watch.now += 0.05
            slow.append(event)

        bus.subscribe(observer)
        bus.subscribe(quick.append)
        bus.publish([ready(number) for number in range(1, 1000)])
        await until(lambda: len(quick) == 999, within=0.1)
        assert len(slow) <= 2
        await bus.drained(patience=1000)

    run(main())


def test_a_quick_observer_hears_all_even_where_it_gets_one_call_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a turn may be over after any call."""
    monkeypatch.setattr(subscription_module, "SLICE", 1e-9)

    async def main() -> None:
        bus, heard = EventBus(), list[Any]()
        subscription = bus.subscribe(heard.append)
        bus.publish([ready(number) for number in range(1, 50)])
        assert not subscription.has_heard_all
        await bus.caught_up()
        assert (len(heard), subscription.has_heard_all) == (49, True)

    run(main())


def test_a_slow_observer_is_not_waited_for() -> None:
    async def main() -> None:
        bus, heard = EventBus(), list[Any]()

        def observer(event: Event) -> None:
            time.sleep(0.03)
            heard.append(event)

        subscription = bus.subscribe(observer)
        bus.publish([ready(number) for number in range(1, 100)])
        await bus.caught_up()
        assert 0 < len(heard) < 99
        assert not subscription.has_heard_all
        subscription.close()

    run(main())


def test_dispatch_goes_on_while_an_observer_takes_half_a_second_an_event() -> None:
    """In the seed a chain of tasks took half a second a link with such an observer."""

    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:

            async def slow(_event: Event) -> None:
                await asyncio.sleep(0.5)

            subscription = orchestrator.events.subscribe(slow)
            handle = await orchestrator.start(chain(20, simulate=0.001))
            await handle.finished()
            assert loop().time() < 0.1
            subscription.close()

    run(main())


# ---- closing


def test_closing_a_subscription_in_its_own_callback_ends_it_there_and_then() -> None:
    async def main() -> None:
        bus, seen = EventBus(), list[Any]()

        def some(event: Event) -> None:
            seen.append(event)
            if len(seen) == 10:
                subscription.close()

        subscription = bus.subscribe(some)
        bus.publish([ready(number) for number in range(1, 50)])
        bus.publish([ready(50)])
        await bus.drained()
        assert numbers(seen) == list(range(1, 11))

    run(main())


def test_an_async_callback_that_closes_its_subscription_goes_on_to_its_end() -> None:
    async def main() -> None:
        bus, done = EventBus(), list[Any]()

        async def once(event: Event) -> None:
            subscription.close()
            await asyncio.sleep(1)
            done.append(event)

        subscription = bus.subscribe(once)
        bus.publish([ready(1), ready(2)])
        await until(lambda: done)
        await pass_time(10)
        assert numbers(done) == [1]

    run(main())


def test_closing_twice_is_no_mistake_and_nothing_is_heard_afterwards() -> None:
    async def main() -> None:
        bus, seen = EventBus(), list[Any]()
        with bus.subscribe(seen.append) as subscription:
            bus.publish([ready(1)])
        subscription.close()
        bus.publish([ready(2)])
        await bus.drained()
        assert seen == []

    run(main())


@pytest.mark.expects_log
def test_an_observer_that_never_returns_does_not_keep_the_engine_from_shutting_down() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:

            async def hanging(_event: Event) -> None:
                await asyncio.Event().wait()

            orchestrator.events.subscribe(hanging)
            handle = await orchestrator.start(independent(1, simulate=1.0))
            await handle.finished()
        assert loop().time() < 60

    run(main())
