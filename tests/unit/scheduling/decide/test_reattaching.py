"""Taking up a run whose attempts are alive: they keep their places, in the fleet of today, and their time."""

from __future__ import annotations

from tests.driver import RUN, Driver, plan, task

from starloom import events as ev
from starloom.model.result import ErrorCode
from starloom.model.status import OnInterrupt
from starloom.scheduling import commands as c
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun


def taken_up(before: Driver, after: Driver, *alive: str, away: float = 0.0) -> None:
    """Another scheduler takes the run up, so many seconds later on the wall's clock."""
    stream = [event for event in before.events if event.run_id == RUN]
    view = fold(FoldedRun(RUN), stream)
    wall = view.run.sessions[-1][1] + before.now - view.run.sessions[-1][0] + away
    command = c.RecoverRun(run_id=RUN, facts=view.run, alive=alive, last_at=stream[-1].at, wall_time=wall)
    after.inherit(stream)
    after.do(command)


def driver_of(slots: int = 4) -> Driver:
    return Driver(slots=slots)


def test_they_keep_slots_groups_and_attempt_and_others_are_interrupted() -> None:
    before = driver_of()
    before.do(c.SetLimits(groups={"g": 2}))
    before.create(plan([task("a", groups="g"), task("b", groups="g"), task("c")]))
    after = driver_of()
    after.now = 100.0
    taken_up(before, after, "b", "c")
    assert after.statuses() == {"a": "running", "b": "running", "c": "running"}
    assert [(e.task_id, e.slot, e.attempt) for e in after.of(ev.AttemptReattached)] == [("b", 1, 1), ("c", 2, 1)]
    assert [event.task_id for event in after.of(ev.TaskInterrupted)] == ["a"]
    assert after.scheduler.fleet.group_used == {"g": 2}
    after.end("b")
    after.end("c")
    after.end("a")
    assert after.run().state == "completed"
    assert [attempt.status for attempt in after.attempts("a")] == ["interrupted", "completed"]
    assert [len(after.attempts(name)) for name in "bc"] == [1, 1]


def test_a_slot_that_is_taken_today_is_not_taken_twice() -> None:
    before = driver_of()
    before.create(plan(["a", "b"]))
    after = driver_of()
    after.create(plan(["x"]), run_id="other")
    taken_up(before, after, "a", "b")
    slots = {event.task_id: event.slot for event in after.of(ev.AttemptReattached)}
    assert slots == {"a": 2, "b": 1}
    for name in "ab":
        after.end(name)
    after.end("x", run_id="other")
    assert after.scheduler.fleet.devices["d"].used == 0


def test_the_timeout_has_run_meanwhile() -> None:
    before = driver_of()
    before.create(plan([task("a", timeout=60), task("b", timeout=60)]))
    before.advance(10)
    after = driver_of()
    taken_up(before, after, "a", "b", away=30)
    after.advance(19)
    assert not after.stops
    after.advance(2)
    assert [(stop.task_id, stop.cause) for stop in after.stops] == [("a", "timeout"), ("b", "timeout")]


def test_a_time_that_was_over_before_is_over_at_once() -> None:
    before = driver_of()
    before.create(plan([task("a", timeout=60)]))
    after = driver_of()
    taken_up(before, after, "a", away=3600)
    after.advance(0.001)
    assert [stop.task_id for stop in after.stops] == ["a"]
    after.end("a", stopped=True)
    (attempt,) = after.attempts("a")
    assert attempt.result is not None
    assert attempt.result.error is not None
    assert attempt.result.error.code == ErrorCode.TIMEOUT


def test_the_work_of_an_agent_that_nobody_finds_waits_for_a_person() -> None:
    before = driver_of()
    before.create(plan([task("p", prompt="do"), task("q", prompt="do", on_interrupt=OnInterrupt.RERUN)]))
    after = driver_of()
    taken_up(before, after)
    assert after.statuses() == {"p": "pending", "q": "running"}
    assert after.why("p")[0].code == "held"
