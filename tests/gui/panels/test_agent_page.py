"""The page of one agent."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel
from tests.driver import Driver, plan, task
from tests.gui.panels.fleets import ByHand

from starloom.scheduling.commands import AttachAgent, CancelRun
from starloom.scheduling.read.run_view import RunView
from starloom_gui.documents.facts import facts_of
from starloom_gui.models.agent_stories import AgentStory, Round, RoundOutcome
from starloom_gui.panels.agent_page import AgentPage


def test_a_long_reason_does_not_widen_the_pane(app, appearance):
    page, run = AgentPage(appearance, ByHand(Driver())), RunView(facts_of(plan([task("a")]), "r"))
    page.show_agent(run, "x", AgentStory("x"), None, 0.0)
    page.show()
    app.processEvents()
    narrow = page.minimumSizeHint().width()
    page.show_agent(run, "x", AgentStory("x", detached_at=1.0, detached_why="it could not be reached " * 20), None, 0.0)
    app.processEvents()
    assert page.minimumSizeHint().width() == narrow


def test_rounds_are_listed_anew_when_they_are_others(app, appearance):
    page, run, story = (
        AgentPage(appearance, ByHand(Driver())),
        RunView(facts_of(plan([task("a")]), "r")),
        AgentStory("x"),
    )
    story.rounds.append(Round(number=1, at=1.0, task_ids=("a",)))
    page.show_agent(run, "x", story, None, 0.0)
    story.rounds[0] = Round(number=1, at=1.0, task_ids=("a",), outcome=RoundOutcome.APPLIED, count=2)
    page.show_agent(run, "x", story, None, 1.0)
    assert page.rounds.entries[0].title.endswith("applied")
    page.show_agent(run, "y", AgentStory("y"), None, 1.0)
    assert page.rounds.entries == ()


def test_an_agent_of_a_run_that_has_ended_watches_no_more(app, appearance):
    driver = Driver(devices=())
    driver.create(plan([task("a")]))
    driver.do(AttachAgent(run_id="r", agent="careful"))
    page = AgentPage(appearance, ByHand(driver))
    for said in ("Watching", "The run has ended"):
        page.show_agent(RunView(driver.run()), "careful", AgentStory("careful"), None, driver.now)
        assert said in [one.text() for one in page.findChildren(QLabel)]
        if said == "Watching":
            driver.do(CancelRun(run_id="r"))
    assert driver.run().state.has_ended


def test_what_is_not_known_of_a_detached_agent_is_not_told_as_nothing(app, appearance):
    page, run = AgentPage(appearance, ByHand(Driver())), RunView(facts_of(plan([task("a")]), "r"))
    page.show_agent(run, "x", AgentStory("x", detached_at=1.0), None, 0.0, unknown="It is being read.")
    texts = [one.text() for one in page.findChildren(QLabel) if not one.isHidden()]
    assert "It is being read." in texts
    assert not any("0 round" in text or "not been asked" in text for text in texts)
