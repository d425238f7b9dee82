"""A model that was kept up equals one made from the facts just now; what is foreseen has its lanes."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from tests.driver import Driver, plan, task
from tests.gui.timeline.scenes import NOW, Stream, first_sight, foreseen, many, nightly, projection

from starloom import events as ev
from starloom.errors import CommandRefused
from starloom.foresight.estimates import Estimate, EstimateSource
from starloom.foresight.projection import TaskForecast, project
from starloom.foresight.virtual import SimulatedSpec, VirtualRun
from starloom.model.task import Retry, Simulate
from starloom.scheduling import commands as c
from starloom.scheduling.read.ready_times import paused_within
from starloom.scheduling.stimuli import AttemptWorkEndNoticed, AttemptWorkNoticed
from starloom_gui.timeline.kinds import CANCELLED, DONE, INTERRUPTED, OTHER, RETRIED, RUNNING
from starloom_gui.timeline.model import TimelineModel
from starloom_gui.viewmodel.lane_bars import NEVER, Bar, BarKey
from starloom_gui.viewmodel.lanes import Lane
from starloom_gui.viewmodel.projected import CRITICAL, REST, projected_bars

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts

RETRY = Retry(attempts=3, delay=2.0)


def content(model: TimelineModel) -> dict[Lane, list[Bar]]:
    rows = range(len(model.lanes))
    return {model.lanes[row]: [model.bars(row).at(at) for at in range(model.bars(row).size)] for row in rows}


class Walk:
    """Random things that happen to two runs on one fleet."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.driver = Driver(devices=(), checked=False)
        for device, slots in (("a", 2), ("b", 1), ("c", 3)):
            self.driver.add_device(device, slots=slots)
        names = [f"t{at}" for at in range(24)]
        edges = [f"{names[at // 2]}>{names[at]}>always" for at in range(8, 24)]
        for run_id in ("r", "other"):
            tasks = [task(name, retry=RETRY) for name in names]
            self.driver.create(plan(tasks, edges), run_id)

    def step(self) -> None:
        self.driver.now += self.chance.choice((0.0, 0.5, 3.0))
        running = sorted(self.driver.ordered)
        working = [(id, name) for id, name in running if self.run(id).graph.place[name] not in self.run(id).fetching]
        if working and self.chance.random() < 0.1:
            run_id, name = self.chance.choice(working)
            attempt = self.driver.ordered[run_id, name].attempt
            for has_begun in (False, True):
                self.driver.turn(AttemptWorkNoticed(run_id, name, attempt, has_begun))
                self.driver.now += 1.0
        elif running and self.chance.random() < 0.1:
            run_id, name = self.chance.choice(running)
            self.driver.turn(AttemptWorkEndNoticed(run_id, name, self.driver.ordered[run_id, name].attempt))
        elif running and self.chance.random() < 0.8:
            run_id, name = self.chance.choice(running)
            self.driver.end(name, run_id, ok=self.chance.random() < 0.6)
        else:
            self._steer()
        self.driver.advance(0.0)

    def _steer(self) -> None:
        name = f"t{self.chance.randrange(24)}"
        kind = self.chance.choice((c.HoldTasks, c.ReleaseTasks, c.RetryTasks, c.SkipTasks, c.CancelTasks))
        try:
            self.driver.ask(kind, name)
        except CommandRefused:
            return

    def run(self, run_id: str = "r") -> RunFacts:
        return self.driver.run(run_id)


@pytest.mark.parametrize("seed", range(6))
def test_a_model_that_was_kept_up_equals_a_new_one(seed: int) -> None:
    walk = Walk(seed)
    kept = TimelineModel(walk.run(), [walk.run("other")])
    for _ in range(40):
        seen = len(walk.driver.events)
        for _ in range(walk.chance.randrange(1, 8)):
            walk.step()
        for run_id in ("r", "other"):
            told = {e.task_id for e in walk.driver.events[seen:] if e.run_id == run_id and hasattr(e, "task_id")}
            place = walk.run(run_id).graph.place
            kept.update([place[name] for name in told], run_id)
        fresh = TimelineModel(walk.run(), [walk.run("other")])
        assert kept.lanes == fresh.lanes
        assert content(kept) == content(fresh)
    kinds = {bar.kind for entries in content(kept).values() for bar in entries}
    assert {DONE, RETRIED, OTHER} <= kinds


def test_attempts_queue_and_pause_are_in_the_bars() -> None:
    driver = Driver(slots=1)
    run = driver.create(plan([task("x", retry=RETRY), "y"]))
    driver.now = 4.0
    driver.fail("x")
    model = TimelineModel(run)
    x, y = run.graph.place["x"], run.graph.place["y"]
    assert content(model)[Lane("d", 0, is_first=True, is_only=True)] == [
        Bar(0.0, 4.0, 0, x, 1, RETRIED, 0.0, run.backoff[x]),
        Bar(4.0, NEVER, 0, y, 1, RUNNING, 0.0, -NEVER),
    ]
    driver.now = run.backoff[x] + 1
    driver.end("y")
    driver.advance(0)
    model.update([x, y])
    first, _, second = content(model)[model.lanes[0]]
    assert second.attempt == 2
    assert first.until == second.ready


def test_what_was_set_back_by_hand_did_not_pause() -> None:
    driver = Driver(slots=1)
    run = driver.create(plan(["x"]))
    driver.now = 1.0
    driver.fail("x")
    driver.now = 9.0
    driver.ask(c.RetryTasks, "x")
    first, second = content(TimelineModel(run))[Lane("d", 0, is_first=True, is_only=True)]
    assert (first.attempt, second.attempt) == (1, 2)
    assert first.until == -NEVER


def lanes_of(run: RunFacts) -> list[tuple[str, int]]:
    return [(lane.device_id, lane.slot) for lane in TimelineModel(run).lanes]


def test_lanes_are_the_slots_there_are_or_ever_were() -> None:
    driver = Driver(devices=("two",), slots=2)
    run = driver.create(plan(["p", "q", "r"]))
    assert lanes_of(run) == [("two", 0), ("two", 1)]
    driver.do(c.SetSlots(device_id="two", slots=1))
    assert lanes_of(run) == [("two", 0), ("two", 1)]
    driver.do(c.SetSlots(device_id="two", slots=3))
    assert lanes_of(run) == [("two", 0), ("two", 1), ("two", 2)]


def test_a_device_without_a_limit_has_the_lanes_it_needs() -> None:
    driver = Driver(devices=("any",))
    run = driver.create(plan(["p", "q", "r"]), start=False)
    assert lanes_of(run) == [("any", 0)]
    driver.ask(c.StartRun)
    assert lanes_of(run) == [("any", 0), ("any", 1), ("any", 2)]


def test_a_new_slot_has_its_lane_with_the_next_update() -> None:
    driver = Driver(devices=("any",))
    run = driver.create(plan(["p", "q"]), start=False)
    model = TimelineModel(run)
    driver.ask(c.StartRun)
    driver.add_device("two", slots=2)
    model.update([0, 1])
    assert [(lane.device_id, lane.slot) for lane in model.lanes] == lanes_of(run)
    assert len(model.lanes) == 4
    assert model.row_of(("two", 1)) == 3


def test_an_update_of_an_unknown_run_is_refused() -> None:
    with pytest.raises(KeyError):
        TimelineModel(first_sight()).update([0], "nobody")


def test_a_resumed_run_is_read_anew_as_all_its_times_have_moved() -> None:
    run = first_sight()
    model = TimelineModel(run)
    run.sessions.append((1000.0, 5e8))
    run.started_at[0] += 500.0
    run.ended_at[0] += 500.0
    model.update([])
    assert content(model) == content(TimelineModel(run))
    assert model.wall.jumps == (1000.0,)


def test_other_runs_are_told_apart_and_bear_the_name_of_their_run() -> None:
    model = TimelineModel(first_sight(), [nightly()])
    (other,) = [bar for bars in content(model).values() for bar in bars if bar.kind == OTHER]
    assert model.name_of(other.key) == "nightly 44"
    assert model.name_of(BarKey(0, 0, 1)) == "sources"
    model.set_others(())
    assert not [bar for bars in content(model).values() for bar in bars if bar.kind == OTHER]


def test_the_extent_reaches_to_what_is_foreseen() -> None:
    run = first_sight()
    model = TimelineModel(run)
    first, last = model.extent(NOW) or (0.0, 0.0)
    assert (first, last) == (0.0, NOW)
    made = foreseen(run)
    model.project(made)
    assert model.extent(NOW) == (0.0, made.end)


def test_the_extent_of_a_run_that_has_ended_before_its_forecast_is_its_own() -> None:
    made = virtual()
    model = TimelineModel(made.run)
    model.project(project(made.fork(), made.run.run_id, samples=0))
    while made.step():
        pass
    ended = made.run.run_ended_at
    assert ended is not None
    model.project(projection(made.run, {}, (), ended + 500.0))  # made before the end
    model.update()
    _, last = model.extent(ended) or (0.0, 0.0)
    assert last == ended


def virtual(count: int = 40) -> VirtualRun:
    tasks = [task(f"s{at}", simulate=Simulate(duration=2.0 + at % 5), estimate=2.0 + at % 5) for at in range(count)]
    edges = [f"s{at // 3}>s{at}" for at in range(3, count)]
    made = VirtualRun(plan(tasks, edges), [SimulatedSpec("m", 3), SimulatedSpec("n", 2, speed=2.0)])
    for _ in range(12):
        made.step()
    return made


def test_what_is_foreseen_lies_side_by_side_in_the_slots_there_are() -> None:
    made = virtual()
    model = TimelineModel(made.run)
    ahead = project(made.fork(), made.run.run_id, samples=0)
    model.project(ahead)
    assert len(model.lanes) == 5
    shown = 0
    for row in range(5):
        lane = model.foreseen(row)
        bars = [lane.at(at) for at in range(lane.size)]
        shown += len(bars)
        assert all(one.end <= other.start + 1e-9 for one, other in pairwise(bars))
    assert shown == len(ahead.tasks) > 10
    flags = [model.foreseen(row).kind[at] for row in range(5) for at in range(model.foreseen(row).size)]
    assert any(flag & CRITICAL for flag in flags)
    assert sum(bool(flag & REST) for flag in flags) == made.run.running


def test_a_task_that_has_ended_since_the_projection_is_not_foreseen_any_more() -> None:
    made = virtual()
    ahead = project(made.fork(), made.run.run_id, samples=0)
    assert ahead.tasks
    while made.step():
        pass
    model = TimelineModel(made.run)
    model.project(ahead)
    assert not any(model.foreseen(row).size for row in range(len(model.lanes)))


def test_without_a_projection_nothing_is_foreseen() -> None:
    model = TimelineModel(first_sight())
    model.project(projection(model.run, {}))
    model.project(None)
    assert not any(model.foreseen(row).size for row in range(len(model.lanes)))


def test_a_stopped_attempt_is_cancelled() -> None:
    driver = Driver(slots=1)
    run = driver.create(plan(["x"]))
    driver.ask(c.CancelTasks, "x")
    driver.end("x", stopped=True)
    ((bar,),) = content(TimelineModel(run)).values()
    assert bar.kind == CANCELLED


def test_an_attempt_whose_end_nobody_saw_is_interrupted_and_did_not_pause() -> None:
    stream = Stream("r", ["x"], {"d": 1})
    number = stream.attempt("x", ("d", 0), (1.0, 2.0, None))
    kept = TimelineModel(stream.run)
    stream.say(ev.TaskInterrupted, 5.0, task_id="x", attempt=1)
    kept.update([number])
    ((bar,),) = content(kept).values()
    assert (bar.end, bar.kind, bar.until) == (5.0, INTERRUPTED, -NEVER)


def test_bars_are_read_as_they_are_put() -> None:
    run = many(2000)
    kept, fresh = TimelineModel(many(0)), TimelineModel(run)
    kept.runs[0] = run
    kept.update(range(2000))
    assert content(kept) == content(fresh)


def test_a_thread_that_deals_bars_out_gives_way_now_and_again() -> None:
    run, sure = many(1000, lanes=64), Estimate(1.0, EstimateSource.DECLARED)
    tasks = {}
    for number in range(1000):
        device, run.device_of[number], run.status[number] = run.device_of[number], None, 0
        name, start = run.graph.ids[number], number // 64 * 1.0
        tasks[name] = TaskForecast(name, start, start + 1.0, device, sure, 0.0)
    ahead, pauses = projection(run, tasks, end=20.0), []
    dealt = projected_bars(ahead, run, lambda: pauses.append(1))
    assert len(pauses) >= 2 * 10 + 16
    at_once = projected_bars(ahead, run)
    assert sum(lane.size for lane in dealt.values()) == 1000
    for slot, lane in at_once.items():
        assert [lane.at(place) for place in range(lane.size)] == [dealt[slot].at(place) for place in range(lane.size)]


def test_a_wait_begins_in_the_pause_in_which_the_task_got_ready() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["first", "second"], ["first>second"]))
    driver.turn(c.PauseRun(run_id="r"))
    driver.now += 3.0
    driver.end("first")
    ready = driver.now
    driver.now += 18.0
    driver.turn(c.ResumeRun(run_id="r"))
    (bar,) = (bar for lane in content(TimelineModel(driver.run(), [])).values() for bar in lane if bar.number == 1)
    assert (bar.ready, bar.start) == (ready, ready + 18.0)


def test_a_wait_begins_when_the_task_was_ready_though_the_run_was_paused_since():
    driver = Driver(slots=1)
    driver.create(plan(["first", "second", "third"]))
    ready = driver.now
    for _ in range(2):
        driver.now += 10.0
        driver.turn(c.PauseRun(run_id="r"))
        driver.now += 100.0
        driver.turn(c.ResumeRun(run_id="r"))
    driver.now += 5.0
    for name in ("first", "second", "third"):
        driver.end(name)
    bars = [bar for lane in content(TimelineModel(driver.run(), [])).values() for bar in lane]
    assert [bar.ready for bar in bars] == [ready] * 3
    assert driver.run().ready_at[1] == ready + 200.0, "its age leaves the pauses out"
    assert paused_within(driver.run(), ready, bars[1].start) == 200.0
