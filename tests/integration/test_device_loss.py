"""Devices that fall silent, go away in the middle of a task, and come back."""

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
    Outcome,
    Plan,
    Retry,
    RunState,
    Task,
)
from starloom import events as ev
from starloom.testing import independent

if TYPE_CHECKING:
    from starloom import TaskContext
    from starloom.orchestration.orchestrator import Orchestrator


def status(orchestrator: Orchestrator, device_id: str = "d") -> str:
    return orchestrator.fleet.devices[device_id].status.value


# ---- losing a device


def test_three_missed_heartbeats_lose_a_device_and_one_or_two_do_not() -> None:
    async def main() -> None:
        device = Watched("d")
        async with engine(device) as orchestrator:
            device.is_silent = True
            await pass_time(2.5)
            device.is_silent = False
            assert status(orchestrator) == "idle"
            await pass_time(20)
            assert status(orchestrator) == "idle"
            device.is_silent = True
            began = loop().time()
            await until(lambda: status(orchestrator) == "disconnected")
            assert 3.0 <= loop().time() - began <= 4.1, "three seconds, and at most one from the last sign to the next"
            device.is_silent = False

    run(main())


def test_why_a_device_was_lost_is_told() -> None:
    async def main() -> None:
        silent, gone = Watched("silent"), Watched("gone")
        async with engine(silent, gone) as orchestrator:
            reasons: dict[str, str] = {}
            orchestrator.events.subscribe(lambda event: reasons.update({event.device_id: event.reason}), ev.DeviceLost)
            silent.is_silent = True
            gone.lose()
            await until(lambda: len(reasons) == 2)
            assert reasons["silent"] == "no sign of life for 3 heartbeats of 1 s"
            assert "'gone' is lost" in reasons["gone"]
            silent.is_silent = False

    run(main())


def test_a_device_lost_while_running_fails_its_task_at_once_and_it_runs_elsewhere() -> None:
    async def main() -> None:
        first, second = Watched("first", speed=2.0), Watched("second")
        async with engine(first, second) as orchestrator:
            task = make("t", simulate=100, retry=Retry(attempts=2))
            handle = await orchestrator.start(Plan(tasks=[task, make("other", simulate=1, device="second")]))
            await pass_time(0.5)
            first.is_silent = True
            await until(lambda: len(handle.task("t").attempts) == 2)
            assert loop().time() < 10
            lost, again = handle.task("t").attempts
            assert (lost.device_id, again.device_id) == ("first", "second")
            assert lost.result is not None
            assert lost.result.error is not None
            assert lost.result.error.code == "device_lost"
            assert handle.task("other").status == "completed"
            assert (await handle.finished()).state is RunState.COMPLETED
            first.is_silent = False

    run(main())


def test_an_attempt_that_says_it_was_lost_is_tried_again_elsewhere_though_no_heartbeat_was_missed_yet() -> None:
    """A connection often notices its own end long before three heartbeats are missed."""

    async def main() -> None:
        first, second = Watched("first", speed=2.0), Watched("second")
        async with engine(first, second) as orchestrator:
            handle = await orchestrator.start(Plan(tasks=[make("t", simulate=10, retry=Retry(attempts=3))]))
            await pass_time(0.5)
            first.lose()
            await handle.finished()
            assert [attempt.device_id for attempt in handle.task("t").attempts] == ["first", "second"]

    run(main())


def test_everything_on_a_lost_device_fails_and_nothing_on_another_one() -> None:
    async def main() -> None:
        lost, fine = Watched("lost", slots=3), Watched("fine", slots=3)
        async with engine(lost, fine) as orchestrator:
            tasks = [make(f"{name}{n}", simulate=20, device=name) for name in ("lost", "fine") for n in range(3)]
            handle = await orchestrator.start(Plan(tasks=tasks))
            await pass_time(0.5)
            lost.is_silent = True
            await handle.finished()
            by_status: dict[str, set[str]] = {}
            for reading in handle.tasks:
                by_status.setdefault(reading.status, set()).add(reading.id)
            assert by_status == {"failed": {"lost0", "lost1", "lost2"}, "completed": {"fine0", "fine1", "fine2"}}
            lost.is_silent = False

    run(main())


def test_a_device_that_was_lost_and_found_serves_again_and_what_waited_for_it_runs() -> None:
    async def main() -> None:
        device = Watched("d", trip_after=0)
        async with engine(device) as orchestrator:
            device.lose()
            await until(lambda: status(orchestrator) == "disconnected")
            handle = await orchestrator.start(independent(3, simulate=1.0))
            await pass_time(10)
            assert handle.facts.running == 0
            assert "disconnected" in handle.why("t0")[0].text
            device.restore()
            assert (await handle.finished()).state is RunState.COMPLETED

    run(main())


def test_heartbeats_stop_while_a_device_is_lost_and_begin_again_when_it_is_back() -> None:
    async def main() -> None:
        device = Watched("d")
        async with engine(device) as orchestrator:
            device.lose()
            await until(lambda: status(orchestrator) == "disconnected")
            before = len(device.pings)
            await pass_time(100)
            assert len(device.pings) == before
            device.restore()
            await until(lambda: orchestrator.fleet.devices["d"].connected)
            await pass_time(5)
            assert len(device.pings) >= before + 4

    run(main())


def test_draining_survives_a_loss_and_is_not_undone_by_heartbeats() -> None:
    async def main() -> None:
        device = Watched("d")
        async with engine(device) as orchestrator:
            await orchestrator.fleet.drain("d")
            await pass_time(10)
            assert status(orchestrator) == "draining"
            device.lose()
            await until(lambda: status(orchestrator) == "disconnected")
            device.restore()
            await until(lambda: status(orchestrator) == "draining")
            await pass_time(10)
            assert status(orchestrator) == "draining"
            await orchestrator.fleet.resume("d")
            assert status(orchestrator) == "idle"

    run(main())


def test_a_device_is_let_go_once_for_each_time_it_was_connected() -> None:
    async def main() -> None:
        device = Watched("d")
        async with engine(device) as orchestrator:
            device.lose()
            await until(lambda: status(orchestrator) == "disconnected")
            assert device.goodbyes == 1
            device.restore()
            await until(lambda: status(orchestrator) == "idle")
        assert device.goodbyes == 2

    run(main())


def test_a_lost_device_is_let_go_only_after_its_attempts_have_ended() -> None:
    """So `Device.disconnect` promises; a local process is still being killed then."""

    class SlowToStop(Watched):
        @override
        async def run(self, task: Task, context: TaskContext) -> Outcome:
            self.running += 1
            try:
                await asyncio.sleep(1000)
            except asyncio.CancelledError:
                await asyncio.sleep(2)
                raise
            finally:
                self.running -= 1
            return Outcome()

    async def main() -> None:
        device = SlowToStop("d")
        async with engine(device) as orchestrator:
            handle = await orchestrator.start(independent(1, simulate=1.0))
            await pass_time(0.5)
            device.is_silent = True
            await handle.finished()
            await until(lambda: device.goodbyes)
            assert device.running_at_goodbye == 0
            device.is_silent = False

    run(main())


@pytest.mark.expects_log
def test_a_ping_with_a_defect_loses_the_device_and_it_is_reached_for_again() -> None:
    class Broken(Watched):
        @override
        async def ping(self) -> None:
            await super().ping()
            if len(self.pings) == 2:
                raise KeyError("a defect")

    async def main() -> None:
        device = Broken("d")
        async with engine(device) as orchestrator:
            await until(lambda: status(orchestrator) == "disconnected")
            await until(lambda: status(orchestrator) == "idle")
            before = len(device.pings)
            await pass_time(10)
            assert len(device.pings) > before

    run(main())


def test_a_device_that_gives_up_at_once_when_it_is_asked_is_lost_no_sooner() -> None:
    class Hasty(Watched):
        @override
        async def ping(self) -> None:
            raise TimeoutError

    async def main() -> None:
        async with engine(Hasty("d")) as orchestrator:
            began = loop().time()
            await until(lambda: status(orchestrator) == "disconnected")
            assert loop().time() - began >= 2.9, "three heartbeats of a second"

    run(main())
