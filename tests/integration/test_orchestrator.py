"""The engine as a host program holds it: runs, devices, limits, results, and what it costs while nothing happens."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import Any

import pytest

from starloom import (
    AddDependency,
    AddTask,
    CommandRefused,
    Dependency,
    Device,
    DeviceError,
    DeviceSpec,
    InProcessDevice,
    JournalError,
    Limits,
    MemoryJournal,
    Orchestrator,
    Outcome,
    Plan,
    QueueFull,
    Retry,
    RunState,
    SchedulerSettings,
    SimulatedDevice,
    Task,
    TaskCompleted,
    TaskContext,
    TaskStarted,
)
from starloom import events as ev
from starloom.devices.local import LocalDevice
from starloom.scheduling.apply import fold
from starloom.scheduling.run_facts import RunView
from starloom.testing import chain, independent, layered, noop
from tests.virtual_time import engine, loop, pass_time, run, until


def simulated(*ids: str, seconds: float = 1.0, **fields: Any) -> Plan:
    return Plan(tasks=[Task(id=name, simulate=seconds, **fields) for name in ids])


# ---- the example of the README


def test_the_example_of_the_readme_works(capsys: pytest.CaptureFixture[str]) -> None:
    async def square(task: Task, context: TaskContext) -> Any:
        return {"n": task.inputs["n"] ** 2}

    heard: list[str] = []

    async def main() -> None:
        plan = Plan(name="squares", tasks=[Task(id="a", call="square", inputs={"n": 3})])
        device = InProcessDevice("here", slots=8, handlers={"square": square})
        async with Orchestrator(devices=[device], settings=SchedulerSettings()) as orchestrator:
            orchestrator.events.subscribe(lambda event: heard.append(event.task_id), TaskCompleted)
            handle = await orchestrator.start(plan)
            await handle.edit(
                AddTask(Task(id="b", call="square", inputs={"n": 4})),
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
            result = await orchestrator.submit(Task(id="x", call="square", inputs={"n": 5}))
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


def test_a_local_device_offers_as_many_slots_as_there_are_processors() -> None:
    import os

    assert LocalDevice("here").slots == (os.cpu_count() or 1)


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


class Recording(SimulatedDevice):
    """Notes how many attempts it runs at once, and in which order they come."""

    def __init__(self, id: str, **fields: Any) -> None:
        super().__init__(id, **fields)
        self.now = 0
        self.peak = 0
        self.order: list[str] = []

    async def run(self, task: Task, context: TaskContext) -> Outcome:
        self.now += 1
        self.peak = max(self.peak, self.now)
        self.order.append(task.id)
        try:
            return await super().run(task, context)
        finally:
            self.now -= 1


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
                await handle.edit(AddTask(Task(id=f"t{number}", simulate=0.02)))
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
            bad = Task(id="bad", simulate={"duration": 1, "outcome": "failed"})
            handle = await orchestrator.start(Plan(tasks=[*simulated("a").tasks, bad, *simulated("b").tasks]))
            summary = await handle.finished()
            assert (summary.state, summary.tasks.completed, summary.tasks.failed) == (RunState.PARTIALLY_FAILED, 2, 1)

    run(main())


def test_a_timeout_fails_the_task_and_names_it_and_frees_the_slot() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            plan = Plan(tasks=[Task(id="slow", simulate=100, timeout="5s"), Task(id="next", simulate=1)])
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
            plan = Plan(tasks=[Task(id="first", simulate=50), Task(id="second", simulate=1, timeout=5)])
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
        spec = {"id": "d", "kind": "simulated", "slots": 1}
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


# ---- several runs


def test_three_high_tasks_finish_before_the_third_low_one_of_another_run_starts() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=2)) as orchestrator:
            order: list[str] = []
            words = {TaskStarted: "start ", TaskCompleted: "end "}
            orchestrator.events.subscribe(lambda event: order.append(words[type(event)] + event.task_id), *words)
            low = Plan(tasks=[Task(id=f"l{n}", simulate=1, priority="low") for n in range(100)])
            high = Plan(tasks=[Task(id=f"h{n}", simulate=1, priority="high") for n in range(3)])
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
            handle = await orchestrator.start(
                Plan(tasks=[Task(id="a", simulate={"duration": 1, "fail_attempts": 1})])
            )
            assert (await handle.finished()).state is RunState.FAILED
            assert (await handle.finished()).state is RunState.FAILED
            await handle.retry("a")
            assert (await handle.finished()).state is RunState.COMPLETED
            await handle.edit(AddTask(Task(id="b", simulate=1)))
            several = await asyncio.gather(handle.finished(), handle.finished(), handle.finished())
            assert {one.tasks.completed for one in several} == {2}

    run(main())


# ---- events as they come out


def test_every_stream_is_numbered_without_gaps_as_a_subscriber_hears_it_and_folds_to_the_live_state() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=3), SimulatedDevice("e", slots=2)) as orchestrator:
            heard: dict[str, list[ev.Event]] = defaultdict(list)
            orchestrator.events.subscribe(lambda event: heard[event.run_id].append(event))
            fail = Task(id="f", simulate={"duration": 1, "fail_attempts": 1}, retry=Retry(attempts=2, delay=3))
            runs = [
                await orchestrator.start(Plan(tasks=[*independent(9, simulate=0.7).tasks, fail]), run_id=f"r{number}")
                for number in range(3)
            ]
            await pass_time(0.9)
            await runs[0].cancel_tasks("t8")
            await orchestrator.fleet.drain("e")
            await runs[1].pause()
            await orchestrator.set_limits(max_concurrency=2)
            await orchestrator.fleet.resume("e")
            await runs[1].resume()
            await asyncio.gather(*(one.finished() for one in runs))
            for handle in runs:
                events = heard[handle.id]
                assert isinstance(events[0], ev.FleetSnapshot)
                assert [event.seq for event in events] == list(range(1, len(events) + 1))
                assert fold(RunView(handle.id), events).run.canonical() == handle.facts.canonical()
            fleet = heard[""]
            assert [event.seq for event in fleet] == list(range(fleet[0].seq, fleet[0].seq + len(fleet)))

    run(main())


def test_a_task_is_running_by_the_time_anybody_hears_that_it_started() -> None:
    """In the seed observers of the start saw a pending task."""

    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            seen: list[str] = []
            handle = await orchestrator.start(Plan(), hold_open=True)
            orchestrator.events.subscribe(lambda event: seen.append(handle.task(event.task_id).status), TaskStarted)
            await handle.edit(AddTask(Task(id="a", simulate=1)))
            await handle.hold_open(False)
            await handle.finished()
            assert seen == ["running"]

    run(main())


# ---- nothing happens


def test_ten_thousand_idle_seconds_with_fifty_paused_runs_wake_nobody() -> None:
    async def main() -> None:
        async with engine(InProcessDevice("here", handlers={"noop": noop}), LocalDevice("local")) as orchestrator:
            orchestrator.events.subscribe(lambda _event: None)
            runs = []
            for number in range(50):
                plan = chain(3, retry=2, timeout=60)
                handle = await orchestrator.start(plan, run_id=f"run{number}", paused=number % 2 == 0)
                if number % 2:
                    await handle.hold("t0") if handle.task("t0").status == "pending" else None
                    await handle.pause()
                runs.append(handle)
            await pass_time(5)
            before = loop().wakeups
            await pass_time(10_000)
            assert loop().wakeups - before <= 2, "only this test's own timer rang"
            for handle in runs:
                await handle.cancel()

    run(main())


def test_an_engine_that_has_done_its_work_sets_no_timer_and_leaves_no_task() -> None:
    """In the seed each completion left a timer of ten minutes behind."""

    async def main() -> None:
        async with engine(InProcessDevice("here", handlers={"noop": noop})) as orchestrator:
            tasks_before = len(asyncio.all_tasks())
            handle = await orchestrator.start(independent(300, timeout=600, retry=3))
            await handle.finished()
            await pass_time(1)
            assert len(asyncio.all_tasks()) == tasks_before
            before = loop().wakeups
            await pass_time(10_000)
            assert loop().wakeups - before <= 2

    run(main())


def test_what_arrives_together_is_decided_together_and_nothing_is_lost() -> None:
    """Many notices before the engine looks: one turn, and all of the work is done once."""

    async def main() -> None:
        journal = MemoryJournal()
        async with engine(SimulatedDevice("d", slots=None), journal=journal) as orchestrator:
            handle = await orchestrator.start(Plan(), hold_open=True)
            before = len(journal.turns)
            await asyncio.gather(*(handle.edit(AddTask(Task(id=f"t{n}", simulate=1))) for n in range(20)))
            assert len(journal.turns) == before + 1
            await pass_time(1.5)
            assert {reading.status for reading in handle.tasks} == {"completed"}
            assert handle.facts.seq and len([e for e in journal.committed() if isinstance(e, TaskStarted)]) == 20
            await handle.hold_open(False)

    run(main())


def test_a_notice_that_comes_while_a_turn_is_being_carried_out_is_not_lost() -> None:
    """A handler that ends at once posts its end during the very turn that started its sibling."""

    async def main() -> None:
        async with engine(InProcessDevice("here", slots=1, handlers={"noop": noop})) as orchestrator:
            for _ in range(30):
                handle = await orchestrator.start(independent(7))
                assert (await asyncio.wait_for(handle.finished(), 5)).tasks.completed == 7

    run(main())


# ---- results


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ({"a": object()}, "result_not_json"),
        (float("nan"), "result_not_json"),
        ("x" * (1024 * 1024), "result_too_large"),
        ([{1: 2}, {3}], "result_not_json"),
    ],
)
def test_a_result_that_is_not_json_or_too_large_fails_the_task_by_name(value: Any, code: str) -> None:
    async def give(_task: Task, _context: TaskContext) -> Any:
        return value

    async def main() -> None:
        async with engine(InProcessDevice("here", handlers={"give": give})) as orchestrator:
            handle = await orchestrator.start(Plan(tasks=[Task(id="a", call="give")]))
            await handle.finished()
            error = handle.results["a"].error
            assert error is not None
            assert error.code == code

    run(main())


@pytest.mark.expects_log
def test_a_device_that_raises_fails_the_attempt_and_not_the_engine() -> None:
    class Broken(Device):
        kind = "broken"

        async def run(self, task: Task, context: TaskContext) -> Outcome:
            raise RuntimeError("a defect")

    async def main() -> None:
        async with engine(Broken("d"), SimulatedDevice("e")) as orchestrator:
            plan = Plan(tasks=[Task(id="a", simulate=1, device="d"), Task(id="b", simulate=1, device="e")])
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
