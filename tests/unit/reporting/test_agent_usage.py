"""What agents have used by their own account, and who answered what tasks asked, is a sentence of the report."""

from __future__ import annotations

import pytest
from tests.driver import RUN, plan, task
from tests.unit.reporting.story import Story

from starloom.model.question import Option, Question
from starloom.model.result import AgentUsage, ErrorInfo, Outcome, OutcomeStatus, Result
from starloom.reporting.asked import ReportedUsage
from starloom.reporting.folding import build
from starloom.reporting.html import page
from starloom.scheduling import commands as c
from starloom.scheduling import stimuli
from starloom.scheduling.read.agent_usage import UsedByAgents, used_on

MAY_I = Question("May I?", "permission", (Option("once", "Allow"),))


def asking() -> Story:
    """Two agents: one is answered and completes at the second attempt, the other one fails with its question open."""
    story = Story({"here": 2}, plan([task("a", retry=1), "b"]))
    for number, name in enumerate(("a", "b"), 1):
        story.driver.turn(stimuli.QuestionRaised(RUN, name, 1, number, MAY_I))
    story.ask(c.AnswerQuestion, numbers=(1,), option="once")
    end(story, "a", AgentUsage(1_000, 0.25, "USD", 2), fails=True)
    end(story, "b", AgentUsage(200, 0.5, "EUR", 1), fails=True)
    end(story, "a", AgentUsage(34, 0.5, "USD"))
    return story


def end(story: Story, name: str, usage: AgentUsage, *, fails: bool = False) -> None:
    start = story.driver.ordered.pop((RUN, name))
    error = ErrorInfo(code="agent", message="It refuses.") if fails else None
    status = OutcomeStatus.FAILED if fails else OutcomeStatus.COMPLETED
    outcome = Outcome(status, Result(error=error, usage=usage))
    story.driver.turn(stimuli.AttemptEnded(RUN, name, start.attempt, outcome))


def test_all_attempts_are_added_up_and_said_in_the_report() -> None:
    report = build(RUN, asking().events)
    assert report.usage == ReportedUsage(1_234, {"USD": 0.75, "EUR": 0.5}, 2, 1, 3)
    said = (
        "By their own account agents have used 1,234 tokens and 0.50 EUR and 0.75 USD. Tasks have asked 2 questions, 1 "
        "of them answered. Policies have answered 3 requests for permission."
    )
    assert report.usage.words == said
    assert said in page(report, None)


def test_devices_tell_the_same_as_the_report() -> None:
    run = asking().driver.scheduler.runs[RUN].run
    assert used_on({"here"}, [run]) == {"here": UsedByAgents(3, 1_234, {"USD": 0.75, "EUR": 0.5})}
    assert used_on({"there"}, [run]) == used_on((), [run]) == {}


def test_of_a_run_without_agents_nothing_is_said() -> None:
    report = build(RUN, Story({"here": 1}, plan(["a"])).events)
    assert report.usage.words == ""
    assert "account" not in page(report, None)


@pytest.mark.parametrize(
    ("usage", "words"),
    [
        (ReportedUsage(tokens=1), "By their own account agents have used 1 token."),
        (ReportedUsage(questions=1), "Tasks have asked 1 question, open."),
        (ReportedUsage(questions=1, answered=1), "Tasks have asked 1 question, answered."),
        (ReportedUsage(by_policy=1), "Policies have answered 1 request for permission."),
    ],
)
def test_little_is_said_as_little(usage: ReportedUsage, words: str) -> None:
    assert usage.words == words
