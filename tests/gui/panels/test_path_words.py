"""A task on the critical path says what it follows where no dependency shows it: a slot, or a place under a limit."""

from __future__ import annotations

from tests.driver import Driver, plan, task
from tests.gui.timeline.scenes import projection
from tests.unit.scheduling.read.test_path_heard_late import after_an_outage

from starloom import events as ev
from starloom.constellation.edits import AddTask
from starloom.foresight.projection import ProjectedStep
from starloom.scheduling.read.critical_path import critical_path
from starloom.scheduling.read.run_view import TaskView
from starloom.scheduling.read.waiting_causes import WaitedFor
from starloom_gui.panels.path_words import on_path
from starloom_gui.viewmodel.event_causes import event_cause


def test_a_foreseen_task_says_which_task_it_follows_in_its_slot() -> None:
    driver = Driver(slots=1, devices=("d",))
    driver.create(plan([task("prep"), task("a2", name="second"), task("a6"), task("late")], ["prep>a2"]))
    run = driver.run()
    chain = (
        ("prep", "r", WaitedFor.NOTHING),
        ("a2", "r", WaitedFor.DEPENDENCY),
        ("a6", "r", WaitedFor.SLOT),
        ("other", "r2", WaitedFor.DEPENDENCY),
        ("late", "r", WaitedFor.LIMIT),
    )
    steps = tuple(ProjectedStep(id, run_id, "d", 0.0, 1.0, why) for id, run_id, why in chain)
    foreseen = projection(run, {}, path=steps, end=9.0)
    said = {id: on_path(TaskView(run, run.graph.place[id]), foreseen, None) for id in ("prep", "a2", "a6", "late")}
    assert said == {
        "prep": "on the critical path",
        "a2": "on the critical path",
        "a6": "on the critical path, after second in its slot",
        "late": "on the critical path, after other because of a limit",
    }
    assert on_path(TaskView(run, run.graph.place["late"]), None, None) == ""


def test_in_a_run_that_has_ended_it_is_read_from_its_attempts() -> None:
    driver = Driver(slots=1, devices=("d",))
    driver.create(plan([task("one"), task("two")]))
    for name in ("one", "two"):
        driver.advance(5)
        driver.end(name)
    run = driver.run()
    made = critical_path(run, driver.now)
    assert on_path(TaskView(run, run.graph.place["two"]), None, made) == "on the critical path, after one in its slot"
    assert on_path(TaskView(run, run.graph.place["one"]), None, made) == "on the critical path"


def test_a_moment_before_tasks_of_the_path_were_added_has_none_of_them() -> None:
    driver = Driver(slots=1, devices=("d",))
    driver.create(plan([task("one")]))
    before = driver.run().copy(driver.run().fleet)
    driver.edit(AddTask(task("late")))
    for name in ("one", "late"):
        driver.advance(5)
        driver.end(name)
    made = critical_path(driver.run(), driver.now)
    assert len(made.steps) == 2
    assert on_path(TaskView(before, 0), None, made) == "on the critical path"


def test_a_task_that_waited_until_an_end_was_heard_of_names_that() -> None:
    made = after_an_outage()
    run = made.run()
    said = on_path(TaskView(run, run.graph.place["join"]), None, critical_path(run, made.now))
    assert said == "on the critical path, after far, of whose end was heard late"
    assert on_path(TaskView(run, run.graph.place["near"]), None, critical_path(run, made.now)) == ""
    (ready,) = [event for event in made.of(ev.TaskReady) if event.task_id == "join"]
    assert event_cause(ready, run) == "far has ended"
