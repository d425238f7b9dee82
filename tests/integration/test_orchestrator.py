"""The engine as a host program holds it: limits, several runs, results."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.devices import Recording
from tests.driver import task as make
from tests.virtual_time import engine, loop, pass_time, run
from tests.waiting import until
from typing_extensions import override

from starloom import (
    AddDependency,
    AddTask,
    CommandRefused,
    Dependency,
    Device,
    DeviceSpec,
    InProcessDevice,
    Limits,
    Orchestrator,
    Outcome,
    Plan,
    QueueFull,
    RunEnded,
    RunState,
    SchedulerSettings,
    SimulatedDevice,
    Task,
    TaskCompleted,
    TaskContext,
    TaskStarted,
)
from starloom.model.status import Placement
from starloom.testing import independent, layered


def simulated(*ids: str, seconds: float = 1.0, **fields: Any) -> Plan:
    return Plan(tasks=[make(name, simulate=seconds, **fields) for name in ids])


# ---- the example of the README


def test_the_example_of_the_readme_works(capsys: pytest.CaptureFixture[str]) -> None:
    async def square(task: Task, context: TaskContext) -> Any:
        return {"n": task.inputs["n"] ** 2}

    heard: list[str] = []

    async def main() -> None:
        plan = Plan(name="squares", tasks=[make("a", call="square", inputs={"n": 3})])
        device = InProcessDevice("here", slots=8, handlers={"square": square})
        async with Orchestrator(devices=[device], settings=SchedulerSettings()) as orchestrator:
            orchestrator.events.subscribe(lambda event: heard.append(event.task_id), TaskCompleted)
            handle = await orchestrator.start(plan)
            await handle.edit(
                AddTask(make("b", call="square", inputs={"n": 4})),
                AddDependency(Dependency(parent="a", child="b")),
                reason="one more",
            )
            summary = await handle.finished()
            assert heard == ["a", "b"], "observers hear of the end before whoever waits for it"
            assert (summary.state, handle.task("b").status, handle.results["b"].value) == (
                "completed",
                "completed",
                {"n": 16},
            )
            assert summary.to_dict()["tasks"]["completed"] == 2
            result = await orchestrator.submit(make("x", call="square", inputs={"n": 5}))
            assert result.value == {"n": 25}

    asyncio.run(main())
    assert capsys.readouterr().out == ""


# ---- everything runs, once, within the limits


def test_a_thousand_tasks_in_layers_all_run_once_in_order_and_within_the_limit() -> None:
    running = 0
    peak = 0
    done: list[str] = []

    async def work(task: Task, context: TaskContext) -> None:
        nonlocal running, peak
        running += 1
        peak = max(peak, running)
        await asyncio.sleep(0.001)
        running -= 1
        done.append(task.id)

    async def main() -> None:
        device = InProcessDevice("here", handlers={"noop": work})
        async with engine(device, max_concurrency=16) as orchestrator:
            plan = layered(20, 50)
            handle = await orchestrator.start(plan)
            summary = await handle.finished()
            assert summary.state is RunState.COMPLETED
            place = {name: number for number, name in enumerate(done)}
            assert len(place) == len(done) == 1000
            assert all(place[edge.parent] < place[edge.child] for edge in plan.dependencies)
            assert peak == 16

    run(main())


def test_without_settings_everything_starts_at_once() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=None)) as orchestrator:
            handle = await orchestrator.start(independent(500, simulate=1.0))
            await handle.finished()
            assert loop().time() == pytest.approx(1.0, abs=0.1)

    run(main())


def test_enabled_without_a_number_bounds_to_16() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=None), enabled=True) as orchestrator:
            handle = await orchestrator.start(independent(32, simulate=1.0))
            await until(lambda: handle.facts.running)
            assert handle.facts.running == 16
            await handle.finished()
            assert loop().time() == pytest.approx(2.0, abs=0.1)

    run(main())


def test_limits_change_while_a_run_goes_on_and_kill_nothing() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=None)) as orchestrator:
            await orchestrator.set_limits(max_concurrency=2)
            handle = await orchestrator.start(independent(20, simulate=1.0))
            await pass_time(0.5)
            assert handle.facts.running == 2
            await orchestrator.set_limits(max_concurrency=10)
            assert handle.facts.running == 10
            await orchestrator.set_limits(max_concurrency=1)
            assert handle.facts.running == 10
            summary = await handle.finished()
            assert (summary.tasks.completed, summary.scheduler.attempts) == (20, 20)

    run(main())


@pytest.mark.parametrize(
    "bad", [{"max_concurrency": "4"}, {"groups": {"g": -1}}, {"placement": "x"}, {"starvation_timeout": None}]
)
def test_a_bad_limit_is_refused_and_the_engine_goes_on(bad: dict[str, Any]) -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            with pytest.raises(CommandRefused):
                await orchestrator.set_limits(**bad)
            handle = await orchestrator.start(simulated("a"))
            with pytest.raises(CommandRefused):
                await handle.set_limit("many")  # type: ignore[arg-type]  # that is what is shown
            assert orchestrator.halted is None
            assert (await handle.finished()).state is RunState.COMPLETED

    run(main())


# ---- several runs


def test_three_high_tasks_finish_before_the_third_low_one_of_another_run_starts() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=2)) as orchestrator:
            order: list[str] = []
            words: dict[Any, str] = {TaskStarted: "start ", TaskCompleted: "end "}
            orchestrator.events.subscribe(lambda event: order.append(words[type(event)] + event.task_id), *words)
            low = Plan(tasks=[make(f"l{n}", simulate=1, priority="low") for n in range(100)])
            high = Plan(tasks=[make(f"h{n}", simulate=1, priority="high") for n in range(3)])
            runs = await asyncio.gather(orchestrator.start(low), orchestrator.start(high))
            await asyncio.gather(*(one.finished() for one in runs))
            third = [entry for entry in order if entry.startswith("start l")][2]
            assert all(order.index(f"end h{n}") < order.index(third) for n in range(3))

    run(main())


def test_cancelling_a_run_ends_it_within_a_moment_and_leaves_others_alone() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=4)) as orchestrator:
            one = await orchestrator.start(independent(10, simulate=100.0))
            two = await orchestrator.start(independent(4, simulate=1.0))
            await pass_time(0.5)
            await one.cancel("enough")
            await one.cancel()
            summary = await one.finished()
            assert loop().time() < 0.6
            assert (summary.state, summary.tasks.cancelled) == (RunState.CANCELLED, 10)
            assert (await two.finished()).state is RunState.COMPLETED
            await one.cancel()
            assert one.state is RunState.CANCELLED
            assert (await (await orchestrator.start(simulated("again"))).finished()).state is RunState.COMPLETED

    run(main())


def test_a_cancelled_queued_task_is_never_executed() -> None:
    async def main() -> None:
        device = Recording("d")
        async with engine(device) as orchestrator:
            handle = await orchestrator.start(simulated("a", "ghost", "b"))
            await handle.cancel_tasks("ghost")
            await handle.finished()
        assert device.order == ["a", "b"]

    run(main())


def test_a_task_cancelled_before_its_first_step_gives_its_slot_back() -> None:
    async def main() -> None:
        device = Recording("d")
        async with engine(device) as orchestrator:
            handle = await orchestrator.start(simulated("a", "granted", "b"))
            await until(lambda: handle.task("granted").status == "running")
            await handle.cancel_tasks("granted")
            summary = await handle.finished()
            assert (summary.tasks.completed, summary.tasks.cancelled) == (2, 1)
            assert orchestrator.fleet.devices["d"].used == 0
            assert device.peak == 1

    run(main())


def test_a_second_run_of_the_same_id_is_refused_and_the_first_keeps_its_handle() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            first = await orchestrator.start(simulated("a"), run_id="same")
            waiting = asyncio.ensure_future(first.finished())
            with pytest.raises(CommandRefused, match="'same' already"):
                await orchestrator.start(simulated("b"), run_id="same")
            assert orchestrator.run("same") is first
            assert (await waiting).state is RunState.COMPLETED

    run(main())


def test_a_start_that_is_given_up_completes_nothing() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            starting = asyncio.ensure_future(orchestrator.start(simulated("a"), run_id="given-up"))
            await asyncio.sleep(0)
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)
            await pass_time(10)
            assert (orchestrator.counters().completed, orchestrator.counters().cancelled) == (0, 1)
            assert not orchestrator.pump.scheduler.live

    run(main())


def test_a_refused_run_leaves_no_handle() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d"), max_queue=1) as orchestrator:
            handle = await orchestrator.start(simulated("a", "b"))
            with pytest.raises(QueueFull):
                await orchestrator.start(simulated("c"), run_id="refused")
            assert "refused" not in orchestrator.runs
            await handle.finished()
            assert orchestrator.counters().rejected == 1

    run(main())


def test_finished_returns_again_and_again_and_waits_for_a_reopened_runs_new_end() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            handle = await orchestrator.start(Plan(tasks=[make("a", simulate={"duration": 1, "fail_attempts": 1})]))
            assert (await handle.finished()).state is RunState.FAILED
            assert (await handle.finished()).state is RunState.FAILED
            await handle.retry("a")
            assert (await handle.finished()).state is RunState.COMPLETED
            await handle.edit(AddTask(make("b", simulate=1)))
            several = await asyncio.gather(handle.finished(), handle.finished(), handle.finished())
            assert {one.tasks.completed for one in several} == {2}

    run(main())


# ---- results


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ({"a": object()}, "result_not_json"),
        (float("nan"), "result_not_json"),
        ("x" * (1024 * 1024), "result_too_large"),
        ([{1: 2}, {3}], "result_not_json"),
        pytest.param("\ud800", "result_not_json", id="half a character"),
        pytest.param(10**5000, "result_not_json", id="a number of 5000 digits"),
        pytest.param(json.loads("[" * 102 + "]" * 102), "result_not_json", id="102 levels"),
    ],
)
def test_a_result_that_is_not_json_or_too_large_fails_the_task_by_name(value: Any, code: str) -> None:
    async def give(_task: Task, _context: TaskContext) -> Any:
        return value

    async def main() -> None:
        async with engine(InProcessDevice("here", handlers={"give": give})) as orchestrator:
            handle = await orchestrator.start(Plan(tasks=[make("a", call="give")]))
            await handle.finished()
            error = handle.results["a"].error
            assert error is not None
            assert error.code == code

    run(main())


@pytest.mark.expects_log
def test_a_device_that_raises_fails_the_attempt_and_not_the_engine() -> None:
    class Broken(Device):
        kind = "broken"

        @override
        async def run(self, task: Task, context: TaskContext) -> Outcome:
            raise RuntimeError("a defect")

    async def main() -> None:
        async with engine(Broken("d"), SimulatedDevice("e")) as orchestrator:
            plan = Plan(tasks=[make("a", simulate=1, device="d"), make("b", simulate=1, device="e")])
            handle = await orchestrator.start(plan)
            await handle.finished()
            assert (handle.task("a").status, handle.task("b").status) == ("failed", "completed")
            error = handle.results["a"].error
            assert error is not None
            assert "RuntimeError: a defect" in error.message

    run(main())


def test_a_run_limit_of_the_plan_holds() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=None)) as orchestrator:
            plan = Plan(tasks=independent(6, simulate=1.0).tasks, limits=Limits(max_concurrency=2))
            await (await orchestrator.start(plan)).finished()
            assert loop().time() == pytest.approx(3.0, abs=0.1)

    run(main())


def test_a_plan_that_is_refused_leaves_no_device_behind() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d"), max_queue=1) as orchestrator:
            await orchestrator.start(Plan(tasks=[make(x, simulate=5, device="d") for x in "abc"]))
            with pytest.raises(QueueFull):
                await orchestrator.start(Plan(tasks=[make("t", simulate=1)], devices=[DeviceSpec(id="other")]))
            assert set(orchestrator.fleet.devices) == {"d"}

    run(main())


def test_whoever_waits_for_the_end_gets_no_summary_of_a_run_that_an_observer_has_reopened() -> None:
    async def scenario() -> None:
        async with Orchestrator(devices=[SimulatedDevice("d", slots=1)], settings=SchedulerSettings()) as orchestrator:
            handle = await orchestrator.start(simulated("a"))

            async def reopen(_ended: RunEnded) -> None:
                if len(handle.results) == 1:
                    await handle.edit(AddTask(make("b", simulate=1.0)))

            orchestrator.events.subscribe(reopen, RunEnded)
            summary = await handle.finished()
            assert summary.state is RunState.COMPLETED
            assert summary.tasks.completed == 2

    run(scenario())


def test_two_runs_on_one_fleet_have_placements_of_their_own() -> None:
    async def main() -> None:
        devices = [SimulatedDevice(name, slots=9) for name in "abc"]
        async with engine(*devices) as orchestrator:
            tasks = [make(f"t{n}", simulate=1.0) for n in range(4)]
            said = await orchestrator.start(Plan(tasks=tasks, placement=Placement.ROUND_ROBIN))
            given = await orchestrator.start(Plan(tasks=tasks), placement="capability_match")
            for handle in (said, given):
                await handle.finished()
            assert [said.task(f"t{n}").device_id for n in range(4)] == ["a", "b", "c", "a"]
            assert [said.facts.placement, given.facts.placement] == ["round_robin", "capability_match"]
            with pytest.raises(CommandRefused, match=r"no placement 'best'.*round_robin"):
                await orchestrator.start(Plan(tasks=tasks), placement="best")

    run(main())
