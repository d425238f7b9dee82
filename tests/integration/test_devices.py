"""Devices in a running engine: busy, shared, refused, timed out."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.devices import Recording
from tests.driver import task as make
from tests.virtual_time import engine, loop, pass_time, run

from starloom import (
    AddTask,
    CommandRefused,
    DeviceError,
    DeviceSpec,
    JournalError,
    MemoryJournal,
    Plan,
    RunState,
    SimulatedDevice,
)
from starloom import events as ev


def simulated(*ids: str, seconds: float = 1.0, **fields: Any) -> Plan:
    return Plan(tasks=[make(name, simulate=seconds, **fields) for name in ids])


# ---- devices


def test_an_idle_device_starts_at_once_and_goes_from_idle_to_busy_to_idle() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            device = orchestrator.fleet.devices["d"]
            seen = [device.status.value]
            handle = await orchestrator.start(simulated("a"))
            seen.append(device.status.value)
            await handle.finished()
            seen.append(device.status.value)
            assert seen == ["idle", "busy", "idle"]

    run(main())


def test_a_device_knows_whether_anybody_hears_what_its_tasks_say() -> None:
    async def main() -> None:
        heard: list[Any] = []
        async with engine(SimulatedDevice("d")) as orchestrator:
            await (await orchestrator.start(simulated("unheard"))).finished()
            stop = orchestrator.channel.listen(heard.append)
            await (await orchestrator.start(simulated("heard"))).finished()
            stop()
            await (await orchestrator.start(simulated("too late"))).finished()
        assert [chunk.text for chunk in heard] == ["heard: simulated on d, takes 1 s\n", "heard: completed\n"]

    run(main())


def test_a_busy_device_takes_one_task_after_the_other_in_order_and_never_two() -> None:
    """In the seed newcomers overtook the line and four tasks ran at once on one device, with a slow observer."""

    async def main() -> None:
        device = Recording("d")
        async with engine(device) as orchestrator:

            async def slow(_event: ev.Event) -> None:
                await asyncio.sleep(0.01)

            subscription = orchestrator.events.subscribe(slow)
            handle = await orchestrator.start(Plan(), hold_open=True)
            for number in range(60):
                await handle.edit(AddTask(make(f"t{number}", simulate=0.02)))
                await pass_time(0.003)
            await handle.hold_open(False)
            await handle.finished()
            subscription.close()
        assert device.peak == 1
        assert device.order == [f"t{number}" for number in range(60)]

    run(main())


def test_a_failure_of_one_queued_task_does_not_stop_the_device() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            bad = make("bad", simulate={"duration": 1, "outcome": "failed"})
            handle = await orchestrator.start(Plan(tasks=[*simulated("a").tasks, bad, *simulated("b").tasks]))
            summary = await handle.finished()
            assert (summary.state, summary.tasks.completed, summary.tasks.failed) == (RunState.PARTIALLY_FAILED, 2, 1)

    run(main())


def test_a_timeout_fails_the_task_and_names_it_and_frees_the_slot() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            plan = Plan(tasks=[make("slow", simulate=100, timeout="5s"), make("next", simulate=1)])
            handle = await orchestrator.start(plan)
            await handle.finished()
            result = handle.results["slow"]
            assert result.error is not None
            assert (result.error.code, result.error.message) == (
                "timeout",
                "It was stopped after its timeout of 5s.",
            )
            assert handle.task("slow").device_id == "d"
            assert loop().time() == pytest.approx(6.0, abs=0.1)

    run(main())


def test_a_timeout_does_not_run_while_a_task_waits_for_a_device() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            plan = Plan(tasks=[make("first", simulate=50), make("second", simulate=1, timeout=5)])
            summary = await (await orchestrator.start(plan)).finished()
            assert summary.state is RunState.COMPLETED

    run(main())


def test_an_equal_device_of_two_plans_is_shared() -> None:
    async def main() -> None:
        spec = DeviceSpec(id="shared", kind="simulated", slots=1)
        async with engine() as orchestrator:
            one = await orchestrator.start(Plan(tasks=simulated("a").tasks, devices=[spec]))
            two = await orchestrator.start(Plan(tasks=simulated("a").tasks, devices=[spec]))
            await asyncio.gather(one.finished(), two.finished())
            assert list(orchestrator.fleet.devices) == ["shared"]
            assert loop().time() == pytest.approx(2.0, abs=0.1), "one slot for both"

    run(main())


@pytest.mark.parametrize(
    "unequal", [{"slots": 2}, {"speed": 2.0}, {"capabilities": ["gpu"]}, {"options": {"seed": 7}}, {"kind": "local"}]
)
def test_an_unequal_device_of_the_same_id_is_refused_and_nothing_of_the_plan_stays(unequal: dict[str, Any]) -> None:
    async def main() -> None:
        spec: dict[str, Any] = {"id": "d", "kind": "simulated", "slots": 1}
        async with engine() as orchestrator:
            await (await orchestrator.start(Plan(devices=[DeviceSpec(**spec)]))).finished()
            other = [DeviceSpec(id="new", kind="simulated"), DeviceSpec(**(spec | unequal))]
            with pytest.raises(DeviceError, match="two different devices 'd'"):
                await orchestrator.start(Plan(tasks=simulated("a").tasks, devices=other))
            assert list(orchestrator.fleet.devices) == ["d"]
            assert len(orchestrator.runs) == 1

    run(main())


def test_two_different_devices_of_one_plan_under_one_id_are_refused() -> None:
    async def main() -> None:
        async with engine() as orchestrator:
            specs = [DeviceSpec(id="d", kind="simulated", slots=number) for number in (1, 2)]
            with pytest.raises(DeviceError, match="two different devices 'd'"):
                await orchestrator.start(Plan(devices=specs))
            assert dict(orchestrator.fleet.devices) == {}

    run(main())


def test_an_engine_that_cannot_be_opened_leaves_nothing_behind() -> None:
    async def main() -> None:
        first = SimulatedDevice("d", heartbeat_interval=1.0)
        with pytest.raises(DeviceError):
            async with engine(first, SimulatedDevice("other", heartbeat_interval=1.0), SimulatedDevice("d", slots=2)):
                pytest.fail("it opened")  # pragma: no cover

    run(main())


@pytest.mark.expects_log
def test_an_engine_whose_journal_fails_at_once_does_not_open_and_says_why() -> None:
    async def main() -> None:
        journal = MemoryJournal()
        journal.failure = "The disk is full."
        with pytest.raises(JournalError, match="The disk is full"):
            async with engine(SimulatedDevice("d"), journal=journal):
                pytest.fail("it opened")  # pragma: no cover

    run(main())


def test_a_device_that_was_refused_can_be_added_later() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            with pytest.raises(DeviceError):
                await orchestrator.fleet.add(SimulatedDevice("d", slots=9))
            await orchestrator.fleet.remove("d")
            await orchestrator.fleet.add(SimulatedDevice("d", slots=9))
            assert orchestrator.fleet.devices["d"].slots == 9

    run(main())


def test_an_orchestrator_opens_once() -> None:
    async def main() -> None:
        orchestrator = engine(SimulatedDevice("d"))
        with pytest.raises(CommandRefused, match="not open"):
            await orchestrator.start(simulated("a"))
        async with orchestrator:
            with pytest.raises(CommandRefused, match="opened before"):
                await orchestrator.open()

    run(main())
