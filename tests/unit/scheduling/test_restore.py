"""What the log remembers: it folds and restores to the facts there were, and a restored scheduler goes on."""

from __future__ import annotations

import msgspec
import pytest
from tests.driver import Driver, edge, plan, task

from starloom.constellation.edits import AddDependency, AddTask, RemoveTask, UpdateTask
from starloom.model.plan import Limits
from starloom.scheduling import commands as c
from starloom.scheduling import stimuli
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.restore import restore
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.testing import invariants


def story(driver: Driver) -> None:
    """A history with a bit of everything in it."""
    first = plan(
        [
            task("a", retry={"attempts": 2, "delay": 5}, groups=["g"], priority=80),
            task("b", timeout=30, priority=20),
            task("c", join="any"),
            "d",
            task("e", severity="warning"),
        ],
        ["a>c", edge("b", "c", condition="value > 1"), "c>d", "b>e>always"],
        Limits(max_concurrency=2, groups={"g": 1}),
    )
    driver.create(first)
    driver.advance(1)
    driver.fail("a")
    driver.ask(c.HoldTasks, "d")
    driver.add_device("late", slots=1)
    driver.edit(AddTask(task("f", groups=["g"])), AddDependency(edge("f", "d")), UpdateTask("e", timeout=9))
    driver.create(plan("xy", ["x>y"]), "two")
    driver.advance(5)
    driver.end("b", value=3)
    driver.do(c.SetLimits(max_concurrency=3, starvation_timeout=60.0))
    driver.ask(c.PauseRun)
    driver.advance(2)
    driver.ask(c.ResumeRun)
    driver.ask(c.SetPriority, "d", priority=100)
    driver.edit(RemoveTask("f"), origin="agent") if driver.status("f") == "pending" else None
    driver.turn(stimuli.DeviceLostNoticed("late", "gone"))
    driver.ask(c.ReleaseTasks, "d")


def test_a_restored_scheduler_has_equal_facts_after_every_single_turn():
    driver = Driver(slots=2)  # the driver compares after each turn
    story(driver)
    assert len(driver.turns) > 12


def test_every_prefix_of_a_runs_stream_folds_to_facts_that_hold_together():
    driver = Driver(slots=2)
    story(driver)
    view = FoldedRun("r")
    stream = [event for event in driver.journal() if event.run_id == "r"]
    for seq, event in enumerate(stream, 1):
        fold(view, [event])
        assert view.run.seq == seq
        assert view.run.running == len(view.run.with_status(2))
        assert view.run.open == sum(code < 3 for code in view.run.status)


def test_the_streams_are_numbered_without_gaps():
    driver = Driver(slots=2)
    story(driver)
    for run_id in ("", "r", "two"):
        numbers = [event.seq for event in driver.events if event.run_id == run_id]
        assert numbers == list(range(1, len(numbers) + 1))


def test_folding_in_pieces_equals_folding_at_once():
    driver = Driver(slots=2)
    story(driver)
    stream = [event for event in driver.journal() if event.run_id == "r"]
    pieces = FoldedRun("r")
    for start in range(0, len(stream), 7):
        fold(pieces, stream[start : start + 7])
    assert pieces.run.canonical() == fold(FoldedRun("r"), stream).run.canonical()


def test_a_copy_of_the_live_state_folds_on_like_the_stream():
    driver = Driver(slots=2)
    story(driver)
    late = FoldedRun.of(driver.run())
    seen = len(driver.events)
    for name in [name for run, name in driver.ordered if run == "r"]:
        driver.end(name)
    fold(late, [event for event in driver.events[seen:] if event.run_id == "r"])
    assert late.run.canonical() == driver.run().canonical()


def test_a_copy_of_the_live_state_does_not_change_with_it():
    driver = Driver(slots=2)
    story(driver)
    late = FoldedRun.of(driver.run())
    before = late.run.canonical()
    driver.end_all()
    assert late.run.canonical() == before


def test_a_restored_scheduler_starts_the_same_tasks_in_the_same_order():
    orders = []
    for restarts in (False, True):
        driver = Driver(slots=2)
        story(driver)
        for _ in range(100):
            if not driver.scheduler.live:
                break
            if restarts:
                driver.restart()
            for run_id, name in sorted(driver.ordered):
                driver.end(name, run_id)
            driver.advance(10)
        orders.append([(event.run_id, event.task_id) for event in driver.events if hasattr(event, "slot")])
        assert {run_id: driver.run(run_id).state.value for run_id in ("r", "two")} == {
            "r": "completed",
            "two": "completed",
        }
    assert orders[0] == orders[1]


def test_a_restored_scheduler_takes_the_time_up_where_the_events_end():
    driver = Driver()
    driver.create(plan("a"))
    driver.advance(30)
    driver.end("a")
    assert restore(driver.journal()).now == 30


def test_a_restored_ended_run_can_be_reopened():
    driver = Driver()
    driver.create(plan("ab", ["a>b"]))
    driver.fail("a")
    driver.restart()
    driver.ask(c.RetryTasks, "a")
    driver.end_all()
    assert driver.run().state == "completed"


def test_drains_slots_and_limits_survive():
    driver = Driver(slots=3)
    driver.do(c.DrainDevice(device_id="d"))
    driver.do(c.SetSlots(device_id="d", slots=7))
    driver.do(c.SetLimits(max_concurrency=4, groups={"g": 2}, max_queue=9))
    fleet = restore(driver.journal()).fleet
    assert (fleet.devices["d"].draining, fleet.devices["d"].slots) == (True, 7)
    assert (fleet.max_concurrency, fleet.groups, fleet.max_queue) == (4, {"g": 2}, 9)


@pytest.mark.parametrize("break_it", ["open", "running", "unmet", "used", "key", "base"])
def test_the_invariants_notice_what_is_broken(break_it):
    driver = Driver(slots=1)
    driver.create(plan(["a", task("b", priority=20), "c"], ["a>c"]))
    index = driver.scheduler.runs["r"]
    if break_it in {"open", "running"}:
        setattr(index.run, break_it, getattr(index.run, break_it) + 1)
    elif break_it == "unmet":
        index.run.unmet[2] = 0
    elif break_it == "used":
        driver.scheduler.fleet.devices["d"].used = 0
    elif break_it == "key":
        index.keys[1] = None
    else:
        index.base[1] = 21
    with pytest.raises(AssertionError, match=r"kept is|in line|waits|is free"):
        invariants.check(driver.scheduler)


def test_the_invariants_notice_a_parked_bucket_that_nothing_blocks_any_more():
    driver = Driver(slots=1)
    driver.create(plan("ab"))
    driver.scheduler.fleet.devices["d"].slots = 2
    with pytest.raises(AssertionError, match="is parked under"):
        invariants.check(driver.scheduler)


def test_events_survive_being_copied_field_by_field():
    driver = Driver(slots=2)
    story(driver)
    copies = [msgspec.structs.replace(event) for event in driver.journal()]
    assert restore(copies).run("r").canonical() == driver.run().canonical()


def test_the_priority_of_a_task_that_was_removed_is_not_taken_for_that_of_all_others():
    driver = Driver(slots=1)
    driver.create(plan([task("gone", priority=0), *(task(name, priority=80) for name in "abc")]), start=False)
    driver.edit(RemoveTask("gone"))
    driver.restart()
    driver.ask(c.SetPriority, "a", priority=0)
    driver.ask(c.StartRun)
    driver.end_all()
    assert driver.started() == ["b", "c", "a"]
