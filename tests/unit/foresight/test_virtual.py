"""A run in virtual time: it is the scheduler's own run, only that time jumps."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING

import pytest
from tests.benchmarks import bench_makespan
from tests.benchmarks.bench_makespan import lower_bound, our_makespan
from tests.benchmarks.heft import earliest_gap, heft_makespan

from starloom import events as ev
from starloom.devices.kinds import make_device
from starloom.errors import CommandRefused, DeviceError
from starloom.foresight.virtual import SimulatedSpec, VirtualRun, progress_of, simulate
from starloom.model.dependency import Dependency
from starloom.model.device import DeviceSpec
from starloom.model.plan import Limits, Plan
from starloom.model.status import Placement, RunState
from starloom.model.task import Task
from starloom.scheduling.commands import SetLimits
from starloom.testing import chain, independent, layered
from starloom.testing.invariants import check

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.events import Event

ONE = [SimulatedSpec("one", 1)]
TWO = [SimulatedSpec("slow", 1), SimulatedSpec("fast", 1, 2.0)]


def statuses(virtual: VirtualRun) -> dict[str, str]:
    run = virtual.run
    return {task_id: run.status_of(number).value for task_id, number in run.graph.place.items()}


def plan(*tasks: Task, edges: tuple[str, ...] = (), limits: Limits | None = None) -> Plan:
    pairs = tuple(Dependency(parent=a, child=b) for a, b in (edge.split(">") for edge in edges))
    return Plan(tasks=tasks, dependencies=pairs, limits=limits or Limits())


# ---- time


def test_a_chain_takes_the_sum_of_its_durations() -> None:
    virtual = simulate(chain(5, simulate=2.0), ONE)
    assert virtual.run.state is RunState.COMPLETED
    assert virtual.now == 10.0
    assert virtual.summary().makespan_s == 10.0


def test_a_faster_device_takes_less_time() -> None:
    assert simulate(chain(5, simulate=2.0), [SimulatedSpec("fast", 1, 4.0)]).now == 2.5


def test_slots_run_side_by_side() -> None:
    assert simulate(independent(6, simulate=1.0), [SimulatedSpec("wide", 3)]).now == 2.0


def test_a_device_without_a_number_of_slots_runs_everything_at_once() -> None:
    assert simulate(independent(50, simulate=1.0), [SimulatedSpec("wide", None)]).now == 1.0


def test_a_task_that_is_not_simulated_takes_its_estimate_or_no_time() -> None:
    tasks = (Task(id="known", shell="exit 1", estimate=7.0), Task(id="unknown", shell="exit 1"))
    virtual = simulate(plan(*tasks, edges=("known>unknown",)), ONE)
    assert virtual.now == 7.0
    assert virtual.run.state is RunState.COMPLETED


def test_a_plan_without_tasks_ends_at_once() -> None:
    virtual = simulate(plan(), ONE)
    assert (virtual.run.state, virtual.now, virtual.stalled) == (RunState.COMPLETED, 0.0, ())


def test_equal_arguments_give_equal_events() -> None:
    told: list[list[Event]] = [[], []]
    tasks = layered(5, 6, simulate=1.0, retry=2)
    for events in told:
        devices = [SimulatedSpec("a", 2, failure_rate=0.3), SimulatedSpec("b", 2, 2.0)]
        simulate(tasks, devices, seed=4, on_events=events.extend)
    assert told[0] == told[1]
    assert told[0]


def test_another_seed_lets_other_attempts_fail() -> None:
    def failed(seed: int) -> set[str]:
        virtual = simulate(independent(40, simulate=1.0), [SimulatedSpec("bad", 4, failure_rate=0.5)], seed=seed)
        return {task_id for task_id, status in statuses(virtual).items() if status == "failed"}

    assert 0 < len(failed(1)) < 40
    assert failed(1) != failed(2)


def test_a_seed_of_the_devices_own_goes_before_that_of_the_simulation() -> None:
    def ended(seed: int) -> dict[str, str]:
        return statuses(
            simulate(independent(40, simulate=1.0), [SimulatedSpec("bad", 4, failure_rate=0.5, seed=9)], seed=seed)
        )

    assert ended(1) == ended(2)


def test_the_scheduler_is_sound_after_every_step() -> None:
    tasks = layered(4, 5, simulate=1.0, retry=1, timeout=3.0)
    virtual = VirtualRun(tasks, [SimulatedSpec("a", 2, failure_rate=0.4), SimulatedSpec("b", 1, 3.0)])
    check(virtual._scheduler)
    while virtual.step():
        check(virtual._scheduler)
    assert virtual.has_ended


# ---- retries, timeouts, stops


def test_a_retry_waits_for_its_pause_in_virtual_time() -> None:
    task = Task(id="a", simulate={"duration": 1.0, "fail_attempts": 2}, retry={"attempts": 3, "delay": 10.0})  # type: ignore[arg-type]  # as people write it
    virtual = simulate(plan(task), ONE)
    assert virtual.run.state is RunState.COMPLETED
    assert virtual.now == 1 + 10 + 1 + 10 + 1
    assert virtual.run.tries[0] == 3


def test_a_timeout_ends_an_attempt_when_it_is_due() -> None:
    virtual = simulate(plan(Task(id="a", simulate=100.0, timeout=5.0)), ONE)  # type: ignore[arg-type]  # as people write it
    assert virtual.run.state is RunState.FAILED
    assert virtual.now == 5.0
    result = virtual.run.results[0]
    assert result is not None
    assert result.error is not None
    assert result.error.code == "timeout"


def test_after_a_timeout_the_slot_is_free_for_the_next_attempt() -> None:
    virtual = simulate(plan(Task(id="a", simulate=100.0, timeout=5.0, retry=2)), ONE)  # type: ignore[arg-type]  # as people write it
    assert (virtual.now, virtual.run.tries[0]) == (15.0, 3)


def test_the_end_of_an_attempt_that_was_stopped_before_means_nothing() -> None:
    ends_then = Task(id="ends-then", simulate=5.0)  # type: ignore[arg-type]  # as people write it
    stopped = Task(id="stopped", simulate=5.0, timeout=1.0, retry={"attempts": 2, "delay": 3.5})  # type: ignore[arg-type]  # likewise
    virtual = simulate(plan(ends_then, stopped), [SimulatedSpec("wide", 2)])
    assert statuses(virtual) == {"ends-then": "completed", "stopped": "failed"}
    assert virtual.now == 1 + 3.5 + 1


def test_time_does_not_go_on_to_an_end_that_will_not_come() -> None:
    stopped = Task(id="stopped", simulate=100.0, timeout=5.0)  # type: ignore[arg-type]  # as people write it
    lost = Task(id="lost", simulate=1.0, requires="gpu")  # type: ignore[arg-type]  # likewise
    virtual = simulate(plan(stopped, lost), ONE)
    assert virtual.stalled
    assert virtual.now == 5.0


def test_a_critical_failure_stops_what_runs() -> None:
    long = Task(id="long", simulate=100.0)  # type: ignore[arg-type]  # as people write it
    bad = Task(id="bad", simulate={"duration": 1.0, "outcome": "failed"}, severity="critical")  # type: ignore[arg-type]  # likewise
    virtual = simulate(plan(long, bad), [SimulatedSpec("wide", 2)])
    assert virtual.run.state is RunState.FAILED
    assert virtual.now == 1.0
    assert statuses(virtual) == {"long": "cancelled", "bad": "failed"}


def test_cancelling_ends_what_runs_at_once() -> None:
    virtual = VirtualRun(chain(3, simulate=10.0), ONE)
    assert virtual.step()
    virtual.cancel("enough")
    while virtual.step():
        pass
    assert virtual.run.state is RunState.CANCELLED
    assert virtual.now == 10.0
    assert set(statuses(virtual).values()) == {"completed", "cancelled"}


# ---- devices and limits


def test_a_task_goes_where_its_capabilities_are() -> None:
    devices = [SimulatedSpec("plain", 8), SimulatedSpec("gpu", 1, capabilities=frozenset({"gpu"}))]
    virtual = simulate(plan(Task(id="a", simulate=1.0, requires="gpu")), devices)  # type: ignore[arg-type]  # as people write it
    assert virtual.run.device_of[0] == "gpu"


def test_a_task_that_no_device_takes_stalls_the_run_and_says_why() -> None:
    virtual = simulate(plan(Task(id="a", simulate=1.0, requires="gpu"), Task(id="b", simulate=2.0)), ONE)  # type: ignore[arg-type]  # as people write it
    assert not virtual.has_ended
    assert virtual.now == 2.0
    assert virtual.stalled
    assert "'a'" in virtual.stalled[0]
    assert "gpu" in virtual.stalled[0]
    assert not virtual.step()
    virtual.cancel()
    assert virtual.run.state is RunState.CANCELLED
    assert virtual.stalled == ()


def test_the_fleets_limit_and_the_plans_limit_hold() -> None:
    wide = [SimulatedSpec("wide", None)]
    assert simulate(independent(6, simulate=1.0), wide, limits=SetLimits(max_concurrency=2)).now == 3.0
    limited = plan(*independent(6, simulate=1.0).tasks, limits=Limits(max_concurrency=3))
    assert simulate(limited, wide).now == 2.0


def test_a_group_that_the_fleet_limits_keeps_the_fleets_number() -> None:
    tasks = independent(4, simulate=1.0, groups="g").tasks
    grouped = plan(*tasks, limits=Limits(groups={"g": 4}))
    assert simulate(grouped, [SimulatedSpec("wide", None)]).now == 1.0
    assert simulate(grouped, [SimulatedSpec("wide", None)], limits=SetLimits(groups={"g": 1})).now == 4.0


def test_a_placement_goes_before_that_of_the_limits() -> None:
    limits = SetLimits(placement=Placement.LOAD_BALANCE)
    virtual = simulate(chain(2, simulate=1.0), TWO, limits=limits, placement=Placement.CRITICAL_PATH)
    assert virtual.run.fleet.placement == "critical_path"


def test_a_bad_limit_is_refused() -> None:
    with pytest.raises(CommandRefused, match="max_concurrency cannot be -1"):
        simulate(chain(2), ONE, limits=SetLimits(max_concurrency=-1))


def test_two_devices_of_one_id_are_refused() -> None:
    with pytest.raises(DeviceError, match="two devices 'one'"):
        simulate(chain(2), [*ONE, SimulatedSpec("one", 3)])


@pytest.mark.parametrize(
    ("spec", "slots"),
    [
        (DeviceSpec(id="d", kind="simulated"), 1),
        (DeviceSpec(id="d", kind="inprocess"), None),
        (DeviceSpec(id="d", kind="local", slots=3), 3),
        (DeviceSpec(id="d", kind="ssh", slots=5), 5),
    ],
)
def test_a_device_of_a_plan_has_the_slots_its_kind_has(spec: DeviceSpec, slots: int | None) -> None:
    assert SimulatedSpec.of(spec).slots == slots


def test_a_local_device_without_a_number_has_at_least_one_slot() -> None:
    slots = SimulatedSpec.of(DeviceSpec(id="d")).slots
    assert slots is not None
    assert slots >= 1


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("acp", {"command": ["true"]}),
        ("aip", {"url": "ws://localhost:5000/ws", "token": "env:T"}),
        ("inprocess", {}),
        ("llm", {"model": "m", "url": "http://127.0.0.1:1/v1"}),
        ("local", {}),
        ("simulated", {}),
        ("ssh", {"host": "127.0.0.1"}),
        ("wrapped", {"wrapper": "docker exec", "target": "box"}),
    ],
)
def test_without_a_number_a_device_is_foreseen_with_the_slots_that_it_really_has(
    kind: str, options: dict[str, object]
) -> None:
    spec = DeviceSpec(id="d", kind=kind, options=options)
    assert SimulatedSpec.of(spec).slots == make_device(spec).slots


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"failure_rate": 2}, "failure_rate"),
        ({"failure_rate": "much"}, "failure_rate"),
        ({"failure_rate": True}, "failure_rate"),
        ({"seed": "x"}, "seed"),
        ({"seed": 1.5}, "seed"),
    ],
)
def test_a_bad_option_of_a_simulated_device_is_named(options: dict[str, object], named: str) -> None:
    with pytest.raises(DeviceError, match=named):
        SimulatedSpec.of(DeviceSpec(id="d", kind="simulated", options=options))


# ---- callbacks


def test_events_are_told_in_order_and_completely() -> None:
    told: list[Event] = []
    virtual = simulate(chain(3, simulate=1.0), ONE, on_events=told.extend)
    own = [event for event in told if event.run_id == virtual.run.run_id]
    assert [event.seq for event in own] == list(range(1, len(own) + 1))
    assert [event.at for event in own] == sorted(event.at for event in own)
    assert sum(isinstance(event, ev.TaskCompleted) for event in own) == 3
    assert isinstance(own[-1], ev.RunEnded)


def test_progress_is_told_now_and_then_and_at_the_end() -> None:
    told: list[tuple[int, int, int, float]] = []
    virtual = simulate(chain(2500, simulate=1.0), ONE, on_progress=lambda *figures: told.append(figures))
    assert told[-1] == (2500, 0, 0, 2500.0) == progress_of(virtual)
    assert len(told) >= 3
    assert all(a[0] <= b[0] and a[3] <= b[3] for a, b in itertools.pairwise(told))


def test_a_hundred_thousand_tasks_in_a_chain_need_no_recursion() -> None:
    virtual = simulate(chain(100_000, simulate=1.0), ONE)
    assert virtual.run.state is RunState.COMPLETED
    assert virtual.now == 100_000.0


# ---- what the makespans are compared with


def test_heft_fills_a_gap_that_is_wide_enough() -> None:
    assert earliest_gap([(0.0, 2.0), (5.0, 9.0)], 0.0, 3.0) == 2.0
    assert earliest_gap([(0.0, 2.0), (5.0, 9.0)], 0.0, 3.5) == 9.0
    assert earliest_gap([(0.0, 2.0), (5.0, 9.0)], 3.0, 2.0) == 3.0
    assert earliest_gap([(4.0, 9.0)], 0.0, 4.0) == 0.0
    assert earliest_gap([], 6.0, 1.0) == 6.0


def test_heft_places_each_task_where_it_finishes_first() -> None:
    fork = plan(
        *(Task(id=name, simulate=cost) for name, cost in (("a", 2.0), ("b", 4.0), ("c", 3.0), ("d", 1.0))),  # type: ignore[arg-type]  # as people write it
        edges=("a>b", "a>c", "b>d", "c>d"),
    )
    assert heft_makespan(fork, [1.0]) == 10.0
    assert heft_makespan(fork, [1.0, 1.0]) == 7.0  # a 0-2, b 2-6, c 2-5 beside it, d 6-7
    assert heft_makespan(fork, [1.0, 2.0]) == 4.5  # a 0-1, b 1-3 and d at the fast one; c 1-4 beside: d 4-4.5
    assert heft_makespan(plan(), [1.0]) == 0.0


@pytest.mark.parametrize("speeds", [(1.0,), (1.0, 1.0, 1.0), (1.0, 1.0, 2.0, 4.0)])
def test_no_schedule_is_shorter_than_its_bound(speeds: tuple[float, ...]) -> None:
    for seed in range(5):
        shape = layered(6, 7, seed=seed)
        tasks = tuple(Task(id=t.id, simulate=1.0 + n % 5) for n, t in enumerate(shape.tasks))  # type: ignore[arg-type]  # as people write it
        sample = Plan(tasks=tasks, dependencies=shape.dependencies)
        bound = lower_bound(sample, speeds)
        assert heft_makespan(sample, speeds) >= bound - 1e-9
        assert our_makespan(sample, speeds) >= bound - 1e-9


def test_the_makespan_benchmark_writes_its_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench_makespan.main(["--tiny", "--output", str(tmp_path / "new" / "makespan.json")])
    found = json.loads((tmp_path / "new" / "makespan.json").read_text())
    assert len(found["figures"]) == 3 * len(bench_makespan.FLEETS)
    assert found["verdicts"]["generated"]["holds"] is True
    assert "geometric mean" in capsys.readouterr().out


def test_without_recorded_workflows_the_benchmark_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STARLOOM_SHARED", str(tmp_path))
    bench_makespan.main(["--output", str(tmp_path / "makespan.json")])
    assert "There are no recorded workflows" in capsys.readouterr().out
    assert list(json.loads((tmp_path / "makespan.json").read_text())["verdicts"]) == ["generated"]
