"""The event bus: order, types, isolation, slowness, lag, late joining, closing."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import pytest

from starloom import events as ev
from starloom.devices.simulated import SimulatedDevice
from starloom.model.status import RunState
from starloom.orchestration import bus as bus_module
from starloom.orchestration.bus import EventBus
from starloom.scheduling.apply import fold
from starloom.scheduling.run_facts import RunView
from starloom.testing import chain, independent
from tests.virtual_time import engine, loop, pass_time, run, until

if TYPE_CHECKING:
    from collections.abc import Collection

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
    monkeypatch.setattr(bus_module, "time", watch)

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


def test_a_slow_plain_observer_does_not_bring_a_quick_one_down_to_its_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Stopwatch()
    monkeypatch.setattr(bus_module, "time", watch)

    async def main() -> None:
        bus, quick, slow = EventBus(), list[Any](), list[Any]()

        def observer(event: Event) -> None:
            watch.now += 0.05
            slow.append(event)

        bus.subscribe(observer)
        bus.subscribe(quick.append)
        bus.publish([ready(number) for number in range(1, 1000)])
        while len(quick) < 999:
            await asyncio.sleep(0.001)
        assert len(slow) <= 2
        await bus.drained(patience=1000)

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


# ---- lag


def snapshots(state: dict[str, RunView]) -> Any:
    def make(_also: Collection[str]) -> list[ev.Snapshot]:
        return [ev.Snapshot(view.run.seq, 0.0, name, 0, view) for name, view in state.items()]

    return make


class Gated:
    """An observer that waits at the first event until it may go on."""

    def __init__(self) -> None:
        self.seen: list[Any] = []
        self.gate = asyncio.Event()

    async def __call__(self, event: Event) -> None:
        self.seen.append(event)
        await self.gate.wait()


def test_one_that_lags_is_told_how_many_it_missed_and_hears_what_comes_after() -> None:
    async def main() -> None:
        bus, observer = EventBus(snapshots({"r": RunView("r")})), Gated()
        subscription = bus.subscribe(observer, max_pending=10)
        await until(lambda: observer.seen)
        for first, last in ((1, 8), (8, 13), (13, 14)):
            bus.publish([ready(number) for number in range(first, last)])
            await pass_time(1)
        observer.gate.set()
        await bus.drained()
        joined, told, after = observer.seen
        assert [type(event).__name__ for event in observer.seen] == ["Snapshot", "Snapshot", "TaskReady"]
        assert (joined.missed, told.missed, subscription.missed, after.seq) == (0, 12, 12, 13)

    run(main())


def test_missed_counts_only_what_was_never_delivered() -> None:
    async def main() -> None:
        bus, observer = EventBus(snapshots({"r": RunView("r")})), Gated()
        subscription = bus.subscribe(observer, ev.TaskReady, ev.Snapshot, max_pending=10)
        observer.gate.set()
        bus.publish([ready(number) for number in range(1, 6)])
        await bus.drained()
        observer.gate.clear()
        bus.publish([ready(number) for number in range(6, 11)])
        await pass_time(1)
        bus.publish([ready(number) for number in range(11, 21)])
        await pass_time(1)
        observer.gate.set()
        await bus.drained()
        heard = [event.seq for event in observer.seen if not isinstance(event, ev.Snapshot)]
        assert heard == [1, 2, 3, 4, 5, 6]
        assert subscription.missed == observer.seen[-1].missed == 14

    run(main())


@pytest.mark.expects_log
def test_a_subscriber_to_types_that_lags_has_it_counted_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    """It did not ask for snapshots; nobody calls it with an event of a type it does not know."""

    async def main() -> None:
        bus, observer = EventBus(snapshots({"r": RunView("r")})), Gated()
        subscription = bus.subscribe(observer, ev.TaskReady, max_pending=3)
        for first, last in ((1, 2), (2, 7), (7, 8)):
            bus.publish([ready(number) for number in range(first, last)])
            await pass_time(1)
        observer.gate.set()
        await bus.drained()
        assert (numbers(observer.seen), subscription.missed) == ([1, 7], 5)

    run(main())
    assert "missed 5 events" in caplog.text


def test_one_that_lags_behind_the_end_of_a_run_still_learns_of_it() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=50)) as orchestrator:
            seen: list[Any] = []
            gate = asyncio.Event()

            async def observer(event: Event) -> None:
                await gate.wait()
                seen.append(event)

            orchestrator.events.subscribe(observer, max_pending=20)
            handle = await orchestrator.start(independent(50, simulate=1.0))
            await handle.finished()
            gate.set()
            await until(lambda: seen and isinstance(seen[-1], ev.Snapshot))
            assert seen[-1].run_id == handle.id
            assert seen[-1].state.run.state is RunState.COMPLETED
            assert seen[-1].missed > 0

    run(main())


def test_folding_on_from_the_snapshot_after_a_lag_gives_the_live_state() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=5)) as orchestrator:
            views: dict[str, RunView] = {}
            pause = 0.3

            async def observer(event: Event) -> None:
                if isinstance(event, ev.Snapshot):
                    views[event.run_id] = event.state
                elif event.run_id in views and event.seq > views[event.run_id].run.seq:
                    fold(views[event.run_id], [event])
                await asyncio.sleep(pause)

            subscription = orchestrator.events.subscribe(observer, max_pending=30)
            handle = await orchestrator.start(independent(60, simulate=1.0))
            await handle.finished()
            pause = 0.0
            await orchestrator.events.drained(patience=1000)
            assert subscription.missed > 0
            assert views[handle.id].run.canonical() == handle.facts.canonical()

    run(main())


# ---- late joiners


def test_one_that_joins_late_gets_a_snapshot_and_then_every_event() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=3)) as orchestrator:
            handle = await orchestrator.start(independent(30, simulate=1.0))
            await pass_time(4.5)
            seen: list[Any] = []
            orchestrator.events.subscribe(seen.append)
            await handle.finished()
            assert isinstance(seen[0], ev.Snapshot)
            assert (seen[0].missed, seen[0].run_id) == (0, handle.id)
            rest = [event for event in seen[1:] if event.run_id == handle.id]
            assert numbers(rest)[0] == seen[0].seq + 1
            assert fold(seen[0].state, rest).run.canonical() == handle.facts.canonical()

    run(main())


def test_a_snapshot_is_nobody_elses() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=3)) as orchestrator:
            handle = await orchestrator.start(independent(9, simulate=1.0))
            seen: list[Any] = []
            orchestrator.events.subscribe(seen.append, ev.Snapshot)
            orchestrator.events.subscribe(seen.append, ev.Snapshot)
            await until(lambda: len(seen) == 2)
            before = seen[1].state.run.canonical()
            fold(seen[0].state, [ev.RunPaused(seen[0].seq + 1, 0.0, handle.id)])
            await handle.finished()
            assert seen[1].state.run.canonical() == before

    run(main())


def test_a_subscriber_to_other_types_gets_no_snapshot() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            await orchestrator.start(independent(2, simulate=1.0))
            seen: list[Any] = []
            orchestrator.events.subscribe(seen.append, ev.TaskCompleted)
            await until(lambda: len(seen) == 2)
            assert {type(event) for event in seen} == {ev.TaskCompleted}

    run(main())


# ---- closing


def test_closing_a_subscription_in_its_own_callback_ends_it_there_and_then() -> None:
    async def main() -> None:
        bus, seen = EventBus(), list[Any]()

        def once(event: Event) -> None:
            seen.append(event)
            subscription.close()

        subscription = bus.subscribe(once)
        bus.publish([ready(number) for number in range(1, 50)])
        bus.publish([ready(50)])
        await bus.drained()
        assert numbers(seen) == [1]

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


# ---- a run's stream


def test_a_runs_stream_opens_with_a_snapshot_and_ends_with_its_end() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            handle = await orchestrator.start(chain(5, simulate=1.0))
            other = await orchestrator.start(chain(9, simulate=1.0))
            seen = [event async for event in handle.events()]
            assert isinstance(seen[0], ev.Snapshot)
            assert isinstance(seen[-1], ev.RunEnded)
            assert {event.run_id for event in seen} == {handle.id}
            assert numbers(seen) == list(range(seen[0].seq, seen[-1].seq + 1))
            await other.finished()

    run(main())


def test_the_stream_of_an_ended_run_is_its_last_picture() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            handle = await orchestrator.start(chain(2, simulate=1.0))
            await handle.finished()
            (only,) = [event async for event in handle.events()]
            assert isinstance(only, ev.Snapshot)
            assert only.state.run.state is RunState.COMPLETED

    run(main())


def test_a_slow_reader_of_a_stream_falls_behind_rather_than_filling_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bus_module, "_AHEAD", 10)
    monkeypatch.setattr(EventBus.subscribe, "__kwdefaults__", {"max_pending": 50})

    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=100)) as orchestrator:
            handle = await orchestrator.start(independent(500, simulate=1.0))
            seen = []
            async for event in handle.events():
                seen.append(event)
                await asyncio.sleep(1.0)
            assert len(seen) < 100
            assert sum(event.missed for event in seen if isinstance(event, ev.Snapshot)) > 500
            assert handle.state is RunState.COMPLETED

    run(main())


def test_a_reader_may_leave_a_stream_early_and_leaves_nothing_behind() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=100)) as orchestrator:
            handle = await orchestrator.start(independent(200, simulate=1.0))
            async for event in handle.events():
                if isinstance(event, ev.TaskCompleted):
                    break
            await handle.finished()

    run(main())


def test_real_time_passes_for_a_subscriber_too() -> None:
    """Once without virtual time: what was published is heard within a moment."""

    async def main() -> float:
        bus, heard = EventBus(), asyncio.Event()
        bus.subscribe(lambda _event: heard.set())
        began = time.perf_counter()
        bus.publish([ready(1)])
        await asyncio.wait_for(heard.wait(), 10)
        return time.perf_counter() - began

    assert asyncio.run(main()) < 5.0
