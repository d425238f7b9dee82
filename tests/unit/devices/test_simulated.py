"""The simulated device and the pure decision behind it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from starloom.devices.base import TaskContext
from starloom.devices.simulated import SimulatedDevice
from starloom.errors import DeviceError
from starloom.model.device import DeviceSpec
from starloom.model.result import DONE, ErrorCode, Outcome, OutcomeStatus
from starloom.model.simulation import simulated_outcome
from starloom.model.task import Simulate, Task

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path


def decide(
    task: Task, attempt: int = 1, *, speed: float = 1.0, failure_rate: float = 0.0, seed: int = 0
) -> tuple[float, Outcome]:
    return simulated_outcome(task, attempt, device_id="sim", speed=speed, failure_rate=failure_rate, seed=seed)


def test_a_task_takes_its_duration_divided_by_the_speed() -> None:
    assert decide(Task(id="t", simulate=Simulate(duration=3))) == (3.0, DONE)
    assert decide(Task(id="t", simulate=Simulate(duration=3)), speed=2.0) == (1.5, DONE)


def test_what_is_simulated_beats_the_estimate_and_other_tasks_take_their_estimate() -> None:
    assert decide(Task(id="t", simulate=Simulate(duration=3), estimate=10))[0] == 3.0
    assert decide(Task(id="t", command=("make",), estimate=10))[0] == 10.0
    assert decide(Task(id="t", prompt="hello")) == (0.0, DONE)


def test_a_completed_attempt_has_the_declared_value() -> None:
    _, outcome = decide(Task(id="t", simulate=Simulate(value={"score": 0.9})))
    assert outcome.status is OutcomeStatus.COMPLETED
    assert outcome.result.value == {"score": 0.9}


def test_a_declared_failure_has_code_and_sentence_and_no_value() -> None:
    _, outcome = decide(Task(id="t", simulate=Simulate(outcome="failed", value=1)))
    assert outcome.status is OutcomeStatus.FAILED
    assert outcome.result.value is None
    assert outcome.result.error is not None
    assert outcome.result.error.code == ErrorCode.SIMULATED
    assert outcome.result.error.message == "Simulated failure of attempt 1: the task is to fail."


def test_the_first_attempts_fail_as_declared() -> None:
    task = Task(id="t", simulate=Simulate(fail_attempts=2))
    statuses = [decide(task, attempt)[1].status for attempt in (1, 2, 3)]
    assert statuses == [OutcomeStatus.FAILED, OutcomeStatus.FAILED, OutcomeStatus.COMPLETED]


def failures(count: int, *, failure_rate: float, seed: int = 0) -> set[str]:
    tasks = [Task(id=f"t{n}", simulate=Simulate(duration=0)) for n in range(count)]
    return {
        task.id
        for task in tasks
        if decide(task, failure_rate=failure_rate, seed=seed)[1].status is OutcomeStatus.FAILED
    }


def test_the_failure_rate_is_met_and_the_draw_depends_on_the_seed_only() -> None:
    first = failures(2000, failure_rate=0.25, seed=1)
    assert 400 < len(first) < 600
    assert failures(2000, failure_rate=0.25, seed=1) == first
    assert failures(2000, failure_rate=0.25, seed=2) != first


def test_a_draw_is_made_for_each_attempt_and_is_the_same_on_each_device() -> None:
    task = Task(id="t", simulate=Simulate(duration=0))
    by_device = [
        [simulated_outcome(task, attempt, device_id=device, failure_rate=0.5)[1].status for attempt in range(1, 40)]
        for device in ("a", "b")
    ]
    assert by_device[0] == by_device[1]
    assert len(set(by_device[0])) == 2


def test_rates_of_none_and_all() -> None:
    assert failures(200, failure_rate=0.0) == set()
    assert len(failures(200, failure_rate=1.0)) == 200


# ---- the device


def attempt_on(device: SimulatedDevice, task: Task, attempt: int = 1) -> Coroutine[None, None, Outcome]:
    return device.run(task, TaskContext("run", task.id, attempt, device.id, 0))


def test_the_device_ends_an_attempt_as_the_pure_decision_says() -> None:
    device = SimulatedDevice("sim", failure_rate=0.5, seed=3, speed=4.0)
    for n in range(20):
        task = Task(id=f"t{n}", simulate=Simulate(duration=0.001, value=n))
        _, expected = simulated_outcome(task, 1, device_id="sim", speed=4.0, failure_rate=0.5, seed=3)
        assert asyncio.run(attempt_on(device, task)) == expected


def test_time_really_passes() -> None:
    async def scenario() -> float:
        loop = asyncio.get_running_loop()
        begin = loop.time()
        await attempt_on(SimulatedDevice("sim", speed=2.0), Task(id="t", simulate=Simulate(duration=0.1)))
        return loop.time() - begin

    assert 0.05 <= asyncio.run(scenario()) < 5


def test_any_action_is_simulated_and_nothing_is_started(tmp_path: Path) -> None:
    task = Task(id="t", shell=f"touch {tmp_path}/made")
    assert asyncio.run(attempt_on(SimulatedDevice("sim"), task)) is DONE
    assert not list(tmp_path.iterdir())


def test_the_first_connects_fail_as_often_as_told() -> None:
    async def scenario() -> list[bool]:
        device = SimulatedDevice("sim", connect_failures=2)
        answers = []
        for _ in range(4):
            try:
                await device.connect()
                answers.append(True)
            except DeviceError:
                answers.append(False)
        return answers

    assert asyncio.run(scenario()) == [False, False, True, True]


def test_losing_the_device_ends_what_runs_at_once_and_restore_brings_it_back() -> None:
    async def scenario() -> None:
        device = SimulatedDevice("sim", slots=2)
        task = Task(id="t", simulate=Simulate(duration=3600))
        attempts = [asyncio.create_task(attempt_on(device, task)) for _ in range(2)]
        await asyncio.sleep(0)
        device.lose()
        device.lose()
        for outcome in await asyncio.wait_for(asyncio.gather(*attempts), 5):
            assert outcome.status is OutcomeStatus.LOST
            assert outcome.result.error is not None
            assert outcome.result.error.code == ErrorCode.DEVICE_LOST
        assert (await attempt_on(device, task)).status is OutcomeStatus.LOST
        with pytest.raises(DeviceError, match="'sim' is lost"):
            await device.ping()
        with pytest.raises(DeviceError, match="'sim' is lost"):
            await device.connect()
        device.restore()
        await device.connect()
        await device.ping()
        assert (await attempt_on(device, Task(id="t", simulate=Simulate(duration=0)))) is DONE

    asyncio.run(scenario())


def test_metrics_are_the_share_of_slots_taken() -> None:
    async def scenario() -> list[float | None]:
        device = SimulatedDevice("sim", slots=2)
        shares = [(await device.metrics()).cpu]
        attempt = asyncio.create_task(attempt_on(device, Task(id="t", simulate=Simulate(duration=3600))))
        await asyncio.sleep(0)
        shares.append((await device.metrics()).cpu)
        attempt.cancel()
        await asyncio.wait({attempt})
        shares.append((await device.metrics()).cpu)
        return shares

    assert asyncio.run(scenario()) == [0.0, 0.5, 0.0]
    assert asyncio.run(SimulatedDevice("sim", slots=None).metrics()).cpu is None


@pytest.mark.parametrize(
    "options",
    [
        {"failure_rate": 1.5},
        {"failure_rate": "half"},
        {"failure_rate": float("nan")},
        {"seed": 1.5},
        {"seed": True},
        {"connect_failures": -1},
        {"heartbeat_interval": 0},
    ],
)
def test_an_option_that_cannot_be_used_is_named(options: dict[str, object]) -> None:
    (name,) = options
    with pytest.raises(DeviceError, match=f"Device 'sim': {name} cannot be"):
        SimulatedDevice.from_spec(DeviceSpec(id="sim", kind="simulated", options=options))


def test_a_spec_without_slots_gets_the_default_of_the_kind() -> None:
    assert SimulatedDevice.from_spec(DeviceSpec(id="sim", kind="simulated")).slots == 1
    assert SimulatedDevice.from_spec(DeviceSpec(id="sim", kind="simulated", slots=4)).slots == 4


def test_options_make_devices_unequal() -> None:
    same = SimulatedDevice("sim", seed=1).describe()
    assert same == SimulatedDevice("sim", seed=1).describe()
    assert same != SimulatedDevice("sim", seed=2).describe()


def test_a_cancelled_attempt_leaves_no_timer_in_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> list[bool]:
        loop = asyncio.get_running_loop()
        call_later, timers = loop.call_later, []

        def noted(*arguments: Any) -> asyncio.TimerHandle:
            timers.append(call_later(*arguments))
            return timers[-1]

        monkeypatch.setattr(loop, "call_later", noted)
        attempt = asyncio.create_task(
            attempt_on(SimulatedDevice("sim"), Task(id="t", simulate=Simulate(duration=3600)))
        )
        await asyncio.sleep(0)
        attempt.cancel()
        await asyncio.wait({attempt})
        return [timer.cancelled() for timer in timers]

    assert asyncio.run(scenario()) == [True]
