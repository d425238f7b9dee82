"""How long attempts waited, as reports tell it."""

from __future__ import annotations

import pytest
from tests.driver import RUN, plan, task
from tests.unit.reporting.story import Story

from starloom.reporting.folding import build
from starloom.scheduling import commands as c


@pytest.mark.parametrize(("edges", "waited"), [(["a>b"], 18), ([], 22)], ids=["ready in the pause", "ready before it"])
def test_a_ready_task_waits_while_its_run_is_paused(edges: list[str], waited: float) -> None:
    story = Story({"d": 1}, plan(["a", "b"], edges))
    story.after(1)
    story.ask(c.PauseRun)
    story.after(3, "a")
    story.after(18)
    story.ask(c.ResumeRun)
    story.after(2, "b")
    report = build(RUN, story.events)
    (one,) = (one for one in report.attempts if report.tasks[one.task].id == "b")
    assert one.waited == waited
    assert report.waits.longest == one.waited
    assert max(part.waiting for part in report.load) == pytest.approx(1.0)


def test_a_wait_through_two_pauses_and_an_attempt_before_are_told_whole() -> None:
    story = Story({"d": 1}, plan(["a", task("b", retry=1)]))
    for _ in range(2):
        story.after(1)
        story.ask(c.PauseRun)
        story.after(10)
        story.ask(c.ResumeRun)
    story.after(1, "a")
    story.fail("b")
    story.after(2, "b")
    report = build(RUN, story.events)
    assert [one.waited for one in report.attempts] == [0, 23, 0]


def test_so_many_attempts_waited_no_longer_as_is_said() -> None:
    story = Story({"d": 8}, plan([f"t{number}" for number in range(9)]))
    story.after(46, "t0")
    for number in range(1, 9):
        story.after(0, f"t{number}")
    waits = build(RUN, story.events).waits
    assert (waits.median, waits.most_of_all, waits.longest) == (0, 46, 46)
