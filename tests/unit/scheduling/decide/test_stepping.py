"""Going on by hand: breakpoints, running until a task, and single steps."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import RUN, Driver, edge, plan, task

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.errors import CommandRefused
from starloom.model.plan import Limits
from starloom.model.status import RunState
from starloom.scheduling import commands as c
from starloom.scheduling.decide.questions import idle
from starloom.scheduling.read.line import in_line

if TYPE_CHECKING:
    from starloom.model.task import Task


def chain(*tasks: str | Task, **fields: Any) -> Driver:
    """A run of tasks of which each waits for the one before; `x` besides is ready."""
    driver = Driver(slots=4)
    ids = [one if isinstance(one, str) else one.id for one in tasks]
    edges = [edge(one, other) for one, other in pairwise(ids)]
    driver.create(plan([*tasks, "x"], edges), **fields)
    return driver


# ---- stopping


def test_a_task_with_a_breakpoint_stops_where_it_would_start_and_the_rest_goes_on():
    driver = chain("a", "b")
    driver.ask(c.SetBreakpoints, "b")
    driver.end("a")
    assert [event.task_id for event in driver.of(ev.BreakpointReached)] == ["b"]
    assert (driver.status("b"), driver.status("x")) == ("pending", "running")
    run = driver.run()
    assert run.is_stopped(run.graph.place["b"])
    (reason,) = driver.why("b")
    assert (reason.code, reason.text, reason.remedy) == (
        "breakpoint",
        "It is stopped at its breakpoint.",
        "Release it.",
    )
    driver.ask(c.ReleaseTasks, "b")
    assert driver.status("b") == "running"


def test_a_plan_can_have_breakpoints():
    driver = chain("a", task("b", breakpoint=True))
    assert driver.why("b")[-1].code == "has_breakpoint"
    driver.end("a")
    assert len(driver.of(ev.BreakpointReached)) == 1


def test_a_breakpoint_stops_every_start_once():
    driver = chain(task("a", breakpoint=True, retry=1))
    driver.ask(c.ReleaseTasks, "a")
    driver.fail("a")
    assert (driver.status("a"), len(driver.of(ev.BreakpointReached))) == ("pending", 2)
    driver.ask(c.ReleaseTasks, "a")
    assert driver.status("a") == "running"


def test_a_cleared_breakpoint_stops_nothing_more_and_releases_nothing():
    driver = chain("a", "b", "c")
    driver.ask(c.SetBreakpoints, "a", "b", "c")
    driver.ask(c.ClearBreakpoints, "c")
    driver.end("a")
    driver.ask(c.ClearBreakpoints, "b")
    assert driver.why("b")[0].code == "held"
    driver.ask(c.ReleaseTasks, "b")
    driver.end("b")
    assert driver.status("c") == "running"


def test_a_breakpoint_on_a_task_in_line_takes_it_out():
    driver = Driver(slots=1)
    driver.create(plan(["a", "b"]))
    driver.ask(c.SetBreakpoints, "b")
    assert len(driver.of(ev.BreakpointReached)) == 1
    driver.end("a")
    assert driver.status("b") == "pending"


def test_a_gate_with_a_breakpoint_asks_when_it_is_released():
    driver = chain(task("a", gate="?", breakpoint=True))
    assert not driver.of(ev.GateOpened)
    driver.ask(c.ReleaseTasks, "a")
    assert len(driver.of(ev.GateOpened)) == 1


def test_a_breakpoint_edited_in_or_out_holds():
    driver = chain("a", "b")
    driver.edit(ed.UpdateTask("b", breakpoint=True))
    driver.edit(ed.AddTask(task("n", breakpoint=True)))
    assert [event.task_id for event in driver.of(ev.BreakpointReached)] == ["n"]
    driver.edit(ed.UpdateTask("b", breakpoint=False))
    driver.end("a")
    assert driver.status("b") == "running"


def test_a_run_that_only_stands_at_a_breakpoint_says_so():
    driver = chain(task("a", breakpoint=True))
    driver.end("x")
    assert driver.run().stalled == ("'a' is stopped at its breakpoint",)


def test_what_would_change_nothing_says_so():
    driver = chain("a", "b")
    driver.ask(c.SetBreakpoints, "b")

    def said(command: Any) -> str:
        return idle(driver.scheduler, command)

    assert said(c.SetBreakpoints(run_id=RUN, task_ids=("b",))) == "It is set already."
    assert said(c.SetBreakpoints(run_id=RUN, task_ids=("a", "b"))) == ""
    assert said(c.ClearBreakpoints(run_id=RUN, task_ids=("a",))) == "None is set."
    assert said(c.RunUntil(run_id=RUN)) == "The run goes on for everything already."
    driver.ask(c.PauseRun)
    assert said(c.RunUntil(run_id=RUN)) == "The run has no goal, and is paused."
    driver.ask(c.ResumeRun)


# ---- until


def test_only_the_goal_and_what_it_needs_start_and_then_the_run_stands():
    driver = Driver(slots=4)
    driver.create(plan(["a", "b", "c", "x"], ["a>b", "b>c"]), start=False)
    driver.ask(c.RunUntil, "b")
    driver.ask(c.StartRun)
    assert driver.started() == ["a"]
    (reason,) = driver.why("x")
    assert (reason.code, reason.text) == ("until", "The run goes on only until 'b', which does not need it.")
    driver.end("a")
    driver.end("b")
    assert driver.started() == ["a", "b"]
    assert driver.run().stalled == ("it has gone on until 'b', as wanted",)
    assert driver.run().state is RunState.EXECUTING
    driver.do(c.RunUntil(run_id=RUN))
    assert driver.started() == ["a", "b", "c", "x"] or driver.started() == ["a", "b", "x", "c"]
    driver.end_all()
    assert driver.run().state is RunState.COMPLETED


def test_what_runs_when_a_goal_is_set_goes_on_and_what_stands_in_line_waits():
    driver = Driver(slots=1)
    driver.create(plan(["a", "x", "b"]))
    driver.ask(c.RunUntil, "b")
    driver.end("a")
    assert driver.started() == ["a", "b"]


def test_what_a_goal_needs_is_told_from_todays_graph():
    driver = Driver(slots=4)
    driver.create(plan(["goal", "x"]), start=False)
    driver.ask(c.RunUntil, "goal")
    driver.edit(ed.AddDependency(edge("x", "goal")), ed.AddTask(task("n")))
    driver.ask(c.StartRun)
    assert driver.started() == ["x"]


def test_a_goal_that_is_removed_leaves_the_run_standing_until_somebody_lets_it_go_on():
    driver = Driver(slots=4)
    driver.create(plan(["goal", "x"]), start=False)
    driver.ask(c.RunUntil, "goal")
    driver.edit(ed.RemoveTask("goal"))
    driver.ask(c.StartRun)
    assert driver.run().stalled == ("it has gone on until tasks that are gone, as wanted",)
    driver.do(c.RunUntil(run_id=RUN))
    assert driver.started() == ["x"]


@pytest.mark.parametrize("is_known", [False, True])
def test_a_paused_run_goes_on_to_a_goal_that_is_set_and_stands_there(is_known: bool):
    driver = Driver(slots=1)
    driver.create(plan(["a", "b", "x"], ["a>b"]))
    if is_known:
        driver.ask(c.RunUntil, "b")
    driver.do(c.PauseRun(run_id=RUN))
    driver.end("a")
    assert driver.started() == ["a"]
    assert not idle(driver.scheduler, c.RunUntil(run_id=RUN, task_ids=("b",)))
    driver.ask(c.RunUntil, "b")
    assert driver.run().state is RunState.EXECUTING
    assert driver.started() == ["a", "b"]
    driver.end("b")
    assert driver.started() == ["a", "b"]


def test_a_paused_run_whose_goal_is_removed_stays_paused():
    driver = Driver(slots=1)
    driver.create(plan(["a", "x"]))
    driver.ask(c.RunUntil, "a")
    driver.do(c.PauseRun(run_id=RUN))
    driver.do(c.RunUntil(run_id=RUN))
    assert driver.run().state is RunState.PAUSED


def test_a_goal_of_nobody_is_refused():
    driver = chain("a")
    with pytest.raises(CommandRefused, match="There is no task 'b' in this run"):
        driver.ask(c.RunUntil, "b")


def test_a_goal_that_has_ended_is_refused_as_nothing_would_start_any_more():
    driver = chain("a", "b", "c")
    driver.end("a")
    with pytest.raises(CommandRefused, match="it has ended"):
        driver.ask(c.RunUntil, "a")
    driver.do(c.RunUntil(run_id=RUN, task_ids=("a", "b")))
    assert driver.status("b") == "running"


# ---- steps


def stepped(driver: Driver, task_id: str = "") -> str:
    started: str = driver.do(c.StepRun(run_id=RUN, task_id=task_id))
    return started


def test_a_step_starts_exactly_the_next_task_of_a_paused_run():
    driver = Driver(slots=4)
    driver.create(plan([task("low", priority=0), task("high", priority=100), "c", "d"], ["c>d"]), start=False)
    with pytest.raises(CommandRefused, match="only a paused run goes step by step"):
        stepped(driver)
    driver.turn(c.StartRun(run_id=RUN), c.PauseRun(run_id=RUN))
    assert driver.started() == []
    assert [stepped(driver), stepped(driver)] == ["high", "c"]
    assert driver.started() == ["high", "c"]
    driver.end("c")
    assert driver.started() == ["high", "c"], "it is still paused"
    assert [event.task_id for event in driver.of(ev.RunStepped)] == ["high", "c"]


def paused(*tasks: str | Task, edges: tuple[str, ...] = (), slots: int = 4, limits: Limits | None = None) -> Driver:
    driver = Driver(slots=slots)
    driver.turn(c.CreateRun(run_id=RUN, plan=plan(tasks, edges, limits)), c.PauseRun(run_id=RUN))
    return driver


def test_what_becomes_ready_during_a_pause_stands_in_line_by_its_priority_as_it_starts_later():
    """It ages from the same moment on as all that waited before the pause: none of them ages meanwhile."""
    driver = Driver(slots=1)
    driver.create(plan(["running", "early", "other"]))
    driver.advance(20)
    driver.do(c.PauseRun(run_id=RUN))
    driver.advance(600)
    driver.edit(ed.AddTask(task("late", priority=100)), ed.AddTask(task("low", priority=0)))
    run, now = driver.run(), driver.scheduler.now
    shown = [run.graph.ids[one.number] for one in in_line(driver.scheduler, now, 10)[0]]
    assert shown == ["late", "early", "other", "low"]
    driver.do(c.ResumeRun(run_id=RUN))
    driver.end("running")
    for task_id in shown[:-1]:
        assert driver.status(task_id) == "running"
        driver.end(task_id)


def test_a_step_can_name_its_task_and_passes_a_breakpoint():
    driver = paused("a", "b", task("c", breakpoint=True))
    assert [stepped(driver, "c"), stepped(driver, "b")] == ["c", "b"]
    assert not driver.of(ev.BreakpointReached)


def test_a_step_to_a_gate_asks_it():
    driver = paused(task("a", gate="?", priority=90), "b")
    assert stepped(driver) == "a"
    assert len(driver.of(ev.GateOpened)) == 1
    assert stepped(driver) == "b"


@pytest.mark.parametrize(
    ("task_id", "words"),
    [
        ("b", "'b' is not ready. It waits for 'a', which is ready."),
        ("held", "'held' cannot start now. It is held."),
        ("far", "'far' cannot start now. It needs device 'nowhere', and the fleet has no such device."),
        ("nobody", "There is no task 'nobody' in this run."),
    ],
)
def test_a_step_that_cannot_be_made_says_why(task_id: str, words: str):
    driver = paused("a", "b", "held", task("far", device="nowhere"), edges=("a>b",))
    driver.ask(c.HoldTasks, "held")
    with pytest.raises(CommandRefused) as refused:
        stepped(driver, task_id)
    assert refused.value.reason == words


def test_a_step_respects_limits_and_slots():
    driver = paused("a", "b", slots=1)
    stepped(driver)
    with pytest.raises(CommandRefused, match=r"No task of the run can start now\. All slots of d are taken"):
        stepped(driver)
    driver = paused("a", "b", limits=Limits(max_concurrency=1))
    stepped(driver)
    with pytest.raises(CommandRefused, match="may have 1 tasks running at once"):
        stepped(driver)


def test_a_run_with_nothing_ready_has_no_step():
    driver = paused("a")
    stepped(driver)
    with pytest.raises(CommandRefused, match="Nothing is ready"):
        stepped(driver)


def test_a_run_that_is_not_started_begins_paused_and_goes_from_its_first_task_on_step_by_step():
    driver = chain("a", "b", start=False)
    with pytest.raises(CommandRefused, match="Pause it: then it is started, and no task of it"):
        driver.ask(c.StepRun)
    driver.advance(5)
    driver.ask(c.PauseRun)
    assert driver.run().state is RunState.PAUSED
    assert driver.run().run_started_at == 5
    assert not driver.of(ev.TaskStarted)
    driver.advance(10)
    assert driver.ask(c.StepRun) == "a"
    assert [event.task_id for event in driver.of(ev.TaskStarted)] == ["a"]
    driver.end("a")
    assert driver.started() == ["a"]
    driver.ask(c.ResumeRun)
    assert sorted(driver.started()) == ["a", "b", "x"]
