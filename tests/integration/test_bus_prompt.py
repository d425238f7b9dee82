"""Prompt observers of the event bus, and observers that fail again and again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.test_bus import numbers, ready
from tests.virtual_time import engine, loop, pass_time, run
from tests.waiting import until

from starloom import events as ev
from starloom.devices.simulated import SimulatedDevice
from starloom.orchestration.bus import EventBus
from starloom.testing import chain

if TYPE_CHECKING:
    from starloom.events import Event

# ---- prompt observers


def test_a_prompt_observer_hears_with_the_next_turn_of_the_loop_and_others_as_before() -> None:
    async def main() -> None:
        bus, prompt, batched, batches = EventBus(), list[Any](), list[Any](), list[int]()
        prompt_async = list[Any]()

        async def note(event: Event) -> None:
            prompt_async.append(event)

        bus.subscribe(batched.append)
        bus.subscribe(prompt.append, prompt=True)
        bus.subscribe(note, prompt=True)
        for number in range(1, 6):
            bus.publish([ready(number)])
            assert numbers(prompt) == list(range(1, number)), "nobody is called before publishing returns"
            await asyncio.sleep(0)
            assert numbers(prompt) == list(range(1, number + 1))
            await asyncio.sleep(0)
            assert numbers(prompt_async) == list(range(1, number + 1))
            batches.append(len(batched))
        assert batches == [0] * 5, "what is gathered for the others stays gathered"
        await pass_time(0.001)
        assert numbers(batched) == [1, 2, 3, 4, 5]
        await bus.close()

    run(main())


def test_a_prompt_observer_is_told_the_state_first_and_nothing_after_it_is_closed() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            handle = await orchestrator.start(chain(3, simulate=1.0), paused=True)
            seen = list[Any]()
            subscription = orchestrator.events.subscribe(seen.append, prompt=True)
            await asyncio.sleep(0)
            assert [type(event) for event in seen] == [ev.Snapshot]
            await handle.start()
            await until(lambda: any(isinstance(event, ev.TaskCompleted) for event in seen))
            subscription.close()
            count = len(seen)
            await handle.finished()
            assert len(seen) == count
            assert subscription.has_heard_all

    run(main())


def test_slow_prompt_observers_delay_neither_dispatch_nor_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(10**9))
    monkeypatch.setattr("starloom.orchestration.subscription.time.perf_counter", lambda: next(clock) * 0.02)

    async def main() -> None:
        bus, slow, quick, turns = EventBus(), list[Any](), list[Any](), 0
        bus.subscribe(slow.append, prompt=True)  # by that clock each of its calls takes 20 ms
        bus.publish([ready(number) for number in range(1, 101)])
        while len(slow) < 100:
            await asyncio.sleep(0.02)
            turns += 1
        assert turns >= 50, "the loop turned between its calls"
        monkeypatch.undo()
        bus.subscribe(quick.append, prompt=True)
        bus.publish([ready(101)])
        await asyncio.sleep(0)
        assert numbers(quick) == [101]
        await bus.close()

    run(main())


def test_dispatch_goes_on_while_a_prompt_observer_takes_half_a_second_an_event() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=1)) as orchestrator:

            async def slow(_event: Event) -> None:
                await asyncio.sleep(0.5)

            with orchestrator.events.subscribe(slow, prompt=True):
                handle = await orchestrator.start(chain(200, simulate=0.01))
                await handle.finished()
                assert handle.summary().makespan_s < 2.5

    run(main())


# ---- observers that fail


@pytest.mark.expects_log
def test_an_observer_that_keeps_failing_is_reported_whole_once_and_then_counted_once_a_minute(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def main() -> None:
        bus = EventBus()

        def failing(event: Event) -> None:
            raise ValueError(f"cannot use {event.seq}")

        subscription = bus.subscribe(failing)
        for second in range(150):
            bus.publish([ready(2 * second), ready(2 * second + 1)])
            await pass_time(1.0)
        assert subscription.errors == 300
        await bus.close()
        before = loop().wakeups
        await pass_time(1_000)
        assert loop().wakeups - before <= 2, "nothing goes on once it is closed"

    run(main())
    told = [record for record in caplog.records if "an observer of events failed" in record.getMessage()]
    assert [record.exc_info is not None for record in told] == [True, False, False, False]
    assert "Traceback" in caplog.text
    counts = [int(record.getMessage().partition("failed ")[2].split()[0]) for record in told[1:]]
    assert sum(counts) == 299
    assert all("ValueError('cannot use " in record.getMessage() for record in told[1:])


@pytest.mark.expects_log
def test_an_observer_that_fails_no_more_is_counted_to_the_end_and_then_left_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def main() -> None:
        bus = EventBus()

        async def failing(event: Event) -> None:
            if event.seq < 3:
                raise ValueError("not yet")

        bus.subscribe(failing)
        bus.publish([ready(number) for number in range(1, 100)])
        await pass_time(100_000)
        assert loop().wakeups < 50
        await bus.close()

    run(main())
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 2
    assert "once more" in told[1]
