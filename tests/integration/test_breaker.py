"""Devices that fail again and again under a whole engine: left alone, tried, found again, or tried at once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.devices import Watched
from tests.driver import task as make
from tests.virtual_time import engine, loop, pass_time, run
from tests.waiting import until

from starloom import Plan, RunState
from starloom import events as ev
from starloom.devices.kinds import make_device
from starloom.journal.base import MemoryJournal
from starloom.model.device import DeviceSpec
from starloom.scheduling.restore import restore
from starloom.scheduling.stimuli import DeviceLostNoticed
from starloom.testing import independent

if TYPE_CHECKING:
    from starloom.orchestration.orchestrator import Orchestrator
    from starloom.scheduling.state.device_facts import DeviceFacts


def facts(orchestrator: Orchestrator) -> DeviceFacts:
    return orchestrator.fleet.devices["d"]


def test_a_device_that_cannot_be_reached_is_left_alone_for_longer_and_longer() -> None:
    async def main() -> None:
        device = Watched("d", connect_failures=1000)
        async with engine(device) as orchestrator:
            await until(lambda: facts(orchestrator).status == "suspended")
            assert len(device.connects) == 5
            first = facts(orchestrator).until
            assert 59 < first - loop().time() < 60.001
            await pass_time(59)
            assert len(device.connects) == 5, "nobody reaches for it while it is suspended"
            await until(lambda: len(device.connects) == 6)
            assert loop().time() >= first
            await until(lambda: facts(orchestrator).status == "suspended")
            assert 119 < facts(orchestrator).until - device.connects[-1] < 120.001

    run(main())


def test_found_again_it_shows_that_it_works_and_is_trusted() -> None:
    async def main() -> None:
        device = Watched("d", connect_failures=5, slots=3)
        async with engine(device) as orchestrator:
            handle = await orchestrator.start(independent(6, simulate=1.0))
            await until(lambda: facts(orchestrator).status == "suspended")
            await until(lambda: facts(orchestrator).connected)
            assert (facts(orchestrator).status, facts(orchestrator).slots) == ("trial", 1)
            summary = await handle.finished()
            assert summary.state is RunState.COMPLETED
            assert (facts(orchestrator).status, facts(orchestrator).slots) == ("idle", 3)

    run(main())


def test_tried_again_by_hand_it_is_reached_for_at_once() -> None:
    async def main() -> None:
        device = Watched("d", connect_failures=5)
        async with engine(device) as orchestrator:
            await until(lambda: facts(orchestrator).status == "suspended")
            asked_at = loop().time()
            await orchestrator.fleet.try_again("d")
            await until(lambda: facts(orchestrator).status == "idle")
            assert loop().time() - asked_at < 0.1
            await orchestrator.fleet.try_again("d")  # there is nothing to try, and nothing happens
            assert facts(orchestrator).failures == 0

    run(main())


def test_a_pause_before_the_next_attempt_to_connect_is_cut_short_too() -> None:
    async def main() -> None:
        device = Watched("d", connect_failures=4)
        async with engine(device) as orchestrator:
            await until(lambda: len(device.connects) == 4)
            asked_at = loop().time()
            await orchestrator.fleet.try_again("d")
            await until(lambda: facts(orchestrator).status == "idle")
            assert loop().time() - asked_at < 0.1

    run(main())


def test_what_is_tried_again_and_fails_in_the_same_turn_is_left_alone_as_before() -> None:
    async def main() -> None:
        device = Watched("d", connect_failures=1, trip_after=1)
        async with engine(device) as orchestrator:
            supervisor, looks = orchestrator.supervisor, []
            look = supervisor._suspended_for

            def counted(device_id: str) -> float:
                looks.append(device_id)
                assert len(looks) < 10, "it goes round and round, and nothing else has a turn"
                return look(device_id)

            supervisor._suspended_for = counted  # type: ignore[method-assign]
            await until(lambda: facts(orchestrator).status == "suspended")
            trying = asyncio.ensure_future(orchestrator.fleet.try_again("d"))
            await asyncio.sleep(0)
            orchestrator.pump.post(DeviceLostNoticed("d", "gone"))
            await trying
            await pass_time(50)
            assert facts(orchestrator).status == "suspended"
            assert len(device.connects) == 1
            await until(lambda: len(device.connects) == 2)

    run(main())


def test_a_device_that_flaps_loses_few_tasks_and_none_of_them_for_good() -> None:
    """It connects each time, and loses what it is given: connecting alone is no proof."""

    class Flapping(Watched):
        bad = 6

        async def flap(self) -> None:
            while self.bad:
                await until(lambda: self.running > 0, within=10_000)
                self.bad -= 1
                self.lose()
                await pass_time(0.01)
                self.restore()

    async def main() -> None:
        device = Flapping("d", slots=2)
        journal = MemoryJournal()
        plan = Plan(tasks=tuple(make(f"t{n}", simulate=1.0, retry=20) for n in range(10)))
        async with engine(device, journal=journal) as orchestrator:
            handle = await orchestrator.start(plan)
            told: list[ev.Event] = []
            orchestrator.events.subscribe(told.append, ev.BreakerOpened, ev.BreakerHalfOpened, ev.BreakerClosed)
            await device.flap()
            summary = await handle.finished()
            await orchestrator.events.drained()
            live = orchestrator.pump.scheduler.fleet.snapshot()
        assert summary.state is RunState.COMPLETED
        names = [type(event).__name__ for event in told if not event.run_id]
        assert names[:2] == ["BreakerOpened", "BreakerHalfOpened"]
        assert names[-1] == "BreakerClosed"
        assert restore(journal.committed()).fleet.snapshot()["devices"][0]["breaker"] == "closed"
        assert live["devices"][0]["breaker"] == "closed"

    run(main())


def test_a_spec_says_after_how_many_failures_and_for_how_long() -> None:
    device = make_device(DeviceSpec(id="d", kind="simulated", trip_after=2, cool_down="5m"))  # type: ignore[arg-type]
    assert (device.trip_after, device.cool_down) == (2, 300.0)

    async def main() -> None:
        watched = Watched("d", connect_failures=1000, trip_after=2)
        watched.cool_down = 300.0
        async with engine(watched) as orchestrator:
            await until(lambda: facts(orchestrator).status == "suspended")
            assert len(watched.connects) == 2
            await pass_time(299)
            assert len(watched.connects) == 2

    run(main())
