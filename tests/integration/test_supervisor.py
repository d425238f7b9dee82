"""Reaching devices and letting them go: pauses, defects, devices that come and leave."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from tests.devices import Watched
from tests.driver import task as make
from tests.virtual_time import engine, loop, pass_time, run
from tests.waiting import until
from typing_extensions import override

from starloom import (
    CommandRefused,
    DeviceError,
    Outcome,
    OutcomeStatus,
    Plan,
    Retry,
    RunState,
    SimulatedDevice,
    Task,
)
from starloom import events as ev
from starloom.errors import DeviceRefused
from starloom.orchestration.unavailable import FIRST_PAUSE, LONGEST_PAUSE, pause_before
from starloom.testing import independent

if TYPE_CHECKING:
    from starloom import TaskContext
    from starloom.orchestration.orchestrator import Orchestrator


def status(orchestrator: Orchestrator, device_id: str = "d") -> str:
    return orchestrator.fleet.devices[device_id].status.value


# ---- pauses


def test_pauses_double_up_to_a_cap_and_are_spread_by_half() -> None:
    assert [pause_before(attempt, 1.0) for attempt in range(1, 8)] == [1, 2, 4, 8, 16, 32, 60]
    assert pause_before(10_000, 1.0) == LONGEST_PAUSE
    assert pause_before(3, 0.0) == pause_before(3, 1.0) / 2
    assert pause_before(1, 0.5) < FIRST_PAUSE


def test_many_consoles_do_not_reach_for_a_machine_at_the_same_moment() -> None:
    async def main() -> None:
        devices = [Watched(f"d{n}", connect_failures=1) for n in range(20)]
        async with engine(*devices):
            await until(lambda: all(len(device.connects) == 2 for device in devices))
            again = [device.connects[1] for device in devices]
            assert len(set(again)) == 20
            assert all(0.5 <= at <= 1.01 for at in again)

    run(main())


# ---- reaching a device


def test_a_device_that_refuses_at_first_is_reached_in_the_end_with_growing_pauses() -> None:
    async def main() -> None:
        device = Watched("d", connect_failures=5, trip_after=0)
        async with engine(device) as orchestrator:
            handle = await orchestrator.start(independent(1, simulate=1.0))
            assert status(orchestrator) == "disconnected"
            summary = await handle.finished()
            assert summary.state is RunState.COMPLETED
            pauses = [b - a for a, b in zip(device.connects, device.connects[1:], strict=False)]
            assert len(pauses) == 5
            for attempt, pause in enumerate(pauses, 1):
                assert 2.0 ** (attempt - 1) / 2 <= pause <= 2.0 ** (attempt - 1) + 0.001

    run(main())


def test_opening_waits_for_each_devices_first_answer_and_for_no_second_one() -> None:
    async def main() -> None:
        async with engine(Watched("good"), Watched("bad", connect_failures=100)) as orchestrator:
            assert (status(orchestrator, "good"), status(orchestrator, "bad")) == ("idle", "disconnected")
            assert loop().time() < 0.1

    run(main())


@pytest.mark.expects_log
def test_a_device_whose_connect_has_a_defect_is_tried_again_like_one_that_refuses() -> None:
    class Broken(Watched):
        @override
        async def connect(self) -> None:
            await super().connect()
            if len(self.connects) == 1:
                raise KeyError("a defect")

    async def main() -> None:
        async with engine(Broken("d")) as orchestrator:
            assert status(orchestrator) == "disconnected"
            await until(lambda: status(orchestrator) == "idle")

    run(main())


def test_attempts_to_connect_are_numbered_from_1_after_each_loss() -> None:
    async def main() -> None:
        device = Watched("d", connect_failures=2)
        async with engine(device) as orchestrator:
            attempts: list[int] = []
            orchestrator.events.subscribe(lambda event: attempts.append(event.attempt), ev.DeviceConnecting)
            await until(lambda: status(orchestrator) == "idle")
            device.lose()
            await until(lambda: status(orchestrator) == "disconnected")
            device.restore()
            await until(lambda: status(orchestrator) == "idle")
            await orchestrator.events.drained()
            assert attempts == [2, 3, 1], "the first one was before anybody listened"

    run(main())


def test_the_pauses_start_small_again_after_a_success() -> None:
    async def main() -> None:
        device = Watched("d", connect_failures=6, trip_after=0)
        async with engine(device) as orchestrator:
            await until(lambda: status(orchestrator) == "idle")
            device.lose()
            await until(lambda: status(orchestrator) == "disconnected")
            lost_at = loop().time()
            device.restore()
            await until(lambda: status(orchestrator) == "idle")
            assert loop().time() - lost_at <= 1.1

    run(main())


# ---- leaving


def test_a_device_that_is_removed_is_let_go_and_asked_no_more() -> None:
    async def main() -> None:
        device = Watched("d")
        async with engine(device) as orchestrator:
            await orchestrator.fleet.remove("d")
            asked = len(device.pings)
            await pass_time(20)
            assert (device.goodbyes, len(device.pings)) == (1, asked)
            assert dict(orchestrator.fleet.devices) == {}
            with pytest.raises(KeyError):
                orchestrator.fleet.device("d")

    run(main())


def test_a_device_that_is_removed_while_it_is_being_reached_does_not_stay_connected() -> None:
    class Slow(Watched):
        @override
        async def connect(self) -> None:
            await asyncio.sleep(5)
            await super().connect()

    async def main() -> None:
        device = Slow("d")
        async with engine() as orchestrator:
            adding = asyncio.ensure_future(orchestrator.fleet.add(device))
            await pass_time(1)
            await orchestrator.fleet.remove("d")
            await adding
            assert (len(device.connects), device.goodbyes) == (1, 1)
            await pass_time(20)
            assert device.pings == []

    run(main())


def test_a_busy_device_is_not_removed() -> None:
    async def main() -> None:
        async with engine(Watched("d")) as orchestrator:
            handle = await orchestrator.start(independent(1, simulate=5.0))
            with pytest.raises(CommandRefused, match="still runs 1 task"):
                await orchestrator.fleet.remove("d")
            assert (await handle.finished()).state is RunState.COMPLETED

    run(main())


@pytest.mark.expects_log
@pytest.mark.parametrize("hangs", [False, True])
def test_a_device_that_will_not_let_go_keeps_nobody_waiting(hangs: bool) -> None:
    class Clinging(Watched):
        @override
        async def disconnect(self) -> None:
            await super().disconnect()
            if hangs:
                await asyncio.Event().wait()
            raise DeviceError("no")

    async def main() -> None:
        fine = Watched("fine")
        async with engine(Clinging("d"), Clinging("e"), fine):
            pass
        assert fine.goodbyes == 1
        assert loop().time() < 15

    run(main())


def test_a_device_without_heartbeats_is_never_asked() -> None:
    async def main() -> None:
        device = Watched("d", heartbeat_interval=None)
        async with engine(device):
            before = loop().wakeups
            await pass_time(1000)
            assert device.pings == []
            assert loop().wakeups - before <= 2

    run(main())


class Refusing(Watched):
    """A device whose attempts outlive its link, and that may come to refuse us."""

    refusal = ""

    @override
    async def ping(self) -> None:
        await super().ping()
        if self.refusal:
            raise DeviceRefused(self.refusal)


def test_a_device_that_comes_to_refuse_us_is_waited_for_and_told_once_for_each_reason() -> None:
    async def main() -> None:
        device = Refusing("d")
        device.lost_after = 60.0
        async with engine(device) as orchestrator:
            told: list[ev.DeviceLost] = []
            orchestrator.events.subscribe(told.append, ev.DeviceLost)
            handle = await orchestrator.start(independent(1, simulate=40.0))
            device.refusal = "The key is another one."
            await until(lambda: status(orchestrator) == "refused")
            await pass_time(10.0)
            device.refusal = "Nobody is let in."
            await pass_time(10.0)
            device.refusal = ""
            device.is_silent = True
            await until(lambda: not orchestrator.fleet.devices["d"].refusal)
            device.is_silent = False
            await until(lambda: status(orchestrator) == "busy")
            assert (await handle.finished()).state is RunState.COMPLETED
            told = [event for event in told if not event.run_id]
            assert [event.reason for event in told] == [
                "The key is another one.",
                "Nobody is let in.",
                "no sign of life",
            ]
            assert len({round(event.waits_until, 3) for event in told}) == 1

    run(main())


def test_what_runs_on_a_device_that_refuses_us_for_longer_is_lost() -> None:
    async def main() -> None:
        device = Refusing("d")
        device.lost_after = 60.0
        async with engine(device) as orchestrator:
            handle = await orchestrator.start(independent(1, simulate=1000.0))
            device.refusal = "The key is another one."
            await until(lambda: status(orchestrator) == "refused")
            since = loop().time()
            assert (await handle.finished()).state is RunState.FAILED
            assert loop().time() - since == pytest.approx(60.0, abs=1.5)

    run(main())


def test_a_silent_device_whose_signs_of_life_fail_at_once_is_asked_for_one_in_each_interval() -> None:
    class Failing(Watched):
        @override
        async def ping(self) -> None:
            assert len(self.pings) < 100, "it is asked without a pause"
            self.pings.append(loop().time())
            raise TimeoutError

    async def main() -> None:
        device = Failing("d", heartbeat_interval=5.0)
        device.lost_after = 60.0
        async with engine(device):
            await until(lambda: len(device.pings) >= 3)
            await pass_time(30.0)
            assert 8 <= len(device.pings) <= 10

    run(main())


def test_a_task_told_lost_by_a_device_that_cannot_be_missed_does_not_burn_its_attempts_there() -> None:
    class Fragile(SimulatedDevice):
        @override
        async def run(self, task: Task, context: TaskContext) -> Outcome:
            return Outcome(OutcomeStatus.LOST)

    async def main() -> None:
        async with engine(Fragile("a", speed=9.0), SimulatedDevice("b")) as orchestrator:
            handle = await orchestrator.start(Plan(tasks=[make("t", simulate=1, retry=Retry(attempts=2))]))
            await handle.finished()
            assert [attempt.device_id for attempt in handle.task("t").attempts] == ["a", "b"]

    run(main())
