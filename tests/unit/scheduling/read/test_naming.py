"""Sentences call tasks by their names; where several have the same name, by name and id."""

from __future__ import annotations

import csv
import io

from tests.driver import Driver, plan, task

from starloom import events as ev
from starloom.constellation.edits import AddTask, RemoveTask, UpdateTask
from starloom.constellation.graph import Graph
from starloom.reporting import csv as tables
from starloom.reporting.run_digest import digest_of
from starloom.scheduling import commands as c
from starloom.scheduling.read.naming import named
from starloom.scheduling.read.run_view import TaskView


def graph(*names: str) -> Graph:
    """Tasks `t0`, `t1` … with these names; an empty one has none."""
    made = Graph()
    made.extend([task(f"t{at}", name=name) for at, name in enumerate(names)])
    return made


def labels(of: Graph) -> list[str]:
    return [of.names.label(number) for number, _ in of.present()]


def test_an_id_stands_only_where_a_name_does_not_tell_tasks_apart() -> None:
    made = graph("shell", "shell", "build", "")
    assert labels(made) == ["shell (t0)", "shell (t1)", "build", "t3"]


def test_a_task_without_a_name_is_told_from_one_that_has_its_id_for_a_name() -> None:
    assert labels(graph("t1", "")) == ["t1 (t0)", "t1"]


def test_labels_follow_edits_and_what_a_rehearsal_takes_back() -> None:
    made = graph("shell", "shell")
    assert labels(made) == ["shell (t0)", "shell (t1)"]
    made.set_task(1, task("t1", name="build"))
    assert labels(made) == ["shell", "build"]
    made.begin()
    made.add_task(task("t2", name="shell"))
    assert labels(made) == ["shell (t0)", "build", "shell (t2)"]
    made.roll_back()
    assert labels(made) == ["shell", "build"]
    made.add_task(task("t2", name="build"))
    made.remove_task(1)
    assert labels(made) == ["shell", "build"]
    assert made.names.label(1) == "build (t1)", "removed, and another one has its name now"
    assert labels(made.copy()) == ["shell", "build"]


def test_a_removed_task_keeps_its_name_and_what_a_rehearsal_removes_does_not_count() -> None:
    made = graph("shell", "build", "")
    made.begin()
    made.remove_task(0)
    assert made.copy().names.label_of("t0") == "shell"
    made.roll_back()
    made.set_task(0, task("t0", name="fetch"))
    for number in (0, 2):
        made.remove_task(number)
    assert [made.names.label_of(task_id) for task_id in ("t0", "t1", "t2", "t9")] == ["fetch", "build", "t2", "t9"]
    assert [made.names.title(number) for number in range(3)] == ["fetch", "build", "t2"]
    made.add_task(task("t0", name="again"), 0)
    assert made.names.label(0) == "again"


def test_earlier_events_of_a_removed_task_call_it_by_its_name() -> None:
    driver = shells()
    driver.ask(c.HoldTasks, "b")
    driver.edit(RemoveTask("b"))
    (held,) = driver.of(ev.TasksHeld)
    assert named(held, driver.run()).task_ids == ("build",)  # type: ignore[attr-defined]
    assert TaskView(driver.run(), 2).title == "build"
    assert digest_of(driver.run()).titles[-1] == "build"


def shells() -> Driver:
    """Two tasks named alike and one that waits for the first, none of which can start yet."""
    driver = Driver(slots=1)
    driver.create(
        plan([task("shell", name="shell"), task("shell-2", name="shell"), task("b", name="build")], ["shell-2>b"])
    )
    return driver


def test_a_run_that_stalls_says_which_task_is_held_by_its_name() -> None:
    driver = Driver(devices=())
    driver.create(plan([task("shell-7", name="fetch"), task("s2", name="fetch")]))
    driver.ask(c.HoldTasks, "shell-7", "s2")
    (event,) = driver.of(ev.RunStalled)[-1:]
    told = " ".join(event.reasons)
    assert "'fetch (shell-7)'" in told
    driver.edit(UpdateTask("s2", name="pack"))
    driver.ask(c.ReleaseTasks, "s2")
    told = " ".join(driver.of(ev.RunStalled)[-1].reasons)
    assert "'fetch' is held" in told
    assert "shell-7" not in told


def test_why_a_task_was_skipped_or_waits_names_its_parent() -> None:
    driver = shells()
    driver.end("shell")
    (reason,) = (one for one in driver.why("b") if one.code == "waiting_for")
    assert "'shell (shell-2)'" in reason.text or "'shell'" in reason.text
    assert reason.subject == "shell-2", "programs go by the id"
    driver.fail("shell-2")
    (skipped,) = driver.of(ev.TaskSkipped)
    assert skipped.reason.startswith("'shell (shell-2)' failed")
    assert skipped.because == "shell-2"


def test_what_a_critical_failure_ended_is_told_by_its_name() -> None:
    driver = Driver(slots=1)
    driver.create(plan([task("x1", name="flash", severity="critical"), task("y")]))
    driver.fail("x1")
    assert [event.reason for event in driver.of(ev.RunCancelRequested)] == ["critical task 'flash' failed"]
    assert {event.reason for event in driver.of(ev.TaskCancelled)} == {"critical task 'flash' failed"}


def test_events_are_told_by_labels() -> None:
    driver = shells()
    driver.end("shell")
    started = driver.of(ev.TaskStarted)
    assert [getattr(named(one, driver.run()), "task_id", "") for one in started] == ["shell", "shell (shell-2)"]


def test_the_table_of_events_has_names_beside_ids() -> None:
    driver = shells()
    driver.edit(AddTask(task("new-1", name="lint")))
    driver.ask(c.SetPriority, "b", priority=80)
    text = io.StringIO(newline="")
    tables.write_events([one for one in driver.events if one.run_id == "r"], text)
    rows = list(csv.DictReader(io.StringIO(text.getvalue(), newline="")))
    assert {(row["task"], row["name"]) for row in rows if row["event"] == "TaskStarted"} == {("shell", "shell")}
    assert any("added lint" in row["what"] for row in rows)
    (row,) = (row for row in rows if row["event"] == "TasksPrioritised")
    assert "build" in row["what"]
