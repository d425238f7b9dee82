"""An overdue task says so in its line, in the tasks table, on its node and in the event log."""

from __future__ import annotations

import pytest
from msgspec import structs
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QWidget
from tests.driver import Driver, plan, task
from tests.gui.looks import looks
from tests.gui.panels.fleets import ByHand
from tests.gui.timeline.scenes import projection
from tests.gui.timeline.screen import Scene

from starloom import events as ev
from starloom.foresight.estimates import Estimate, EstimateSource
from starloom.foresight.projection import Projection, TaskForecast, project
from starloom.layout import LayoutGraph, layout
from starloom.scheduling.commands import PauseRun
from starloom.scheduling.fork import Fork
from starloom.scheduling.read.run_view import RunView, TaskView
from starloom_gui.canvas.badges import Badge
from starloom_gui.canvas.hover import HoverCard
from starloom_gui.canvas.render_model import GraphRenderModel
from starloom_gui.models.outline import Outline
from starloom_gui.models.task_cells import TaskColumn, status
from starloom_gui.models.task_table import TaskTable
from starloom_gui.panels.task_facts import times_of
from starloom_gui.panels.why_question import WhyQuestion
from starloom_gui.panels.why_rows import why_rows
from starloom_gui.theme.appearance import Theme
from starloom_gui.timeline.card import card_of
from starloom_gui.timeline.spots import spot_of
from starloom_gui.viewmodel.event_words import event_text
from starloom_gui.viewmodel.figures import figures_of, finish_words
from starloom_gui.viewmodel.task_words import second_line

pytestmark = pytest.mark.usefixtures("app")


def test_it_says_so_until_the_attempt_ends() -> None:
    driver = Driver()
    driver.create(plan([task("a", estimate=60.0)]))
    driver.advance(100.0)
    assert (second_line(TaskView(driver.run(), 0), 100.0), status(driver.run(), 0)) == ("d · 1:40", "Running")
    driver.advance(100.0)
    assert (second_line(TaskView(driver.run(), 0), 200.0), status(driver.run(), 0)) == (
        "d · overdue · 3:20",
        "Running, overdue",
    )
    (event,) = driver.of(ev.TaskOverdue)
    assert "a is overdue on d, attempt 1: it was expected to take" in event_text(event)
    driver.end("a")
    assert status(driver.run(), 0) == "Done"


def test_a_failed_task_says_how_bad_that_is() -> None:
    driver = Driver()
    driver.create(plan([task("a", severity="warning"), task("b"), task("c", severity="critical")]))
    for name in "abc":
        driver.fail(name)
    assert [status(driver.run(), number) for number in range(3)] == ["Failed, a warning", "Failed", "Failed, critical"]


def test_its_badge_stands_in_a_picture_that_is_made_anew() -> None:
    driver = Driver()
    driver.create(plan([task("a", estimate=60.0)]))
    driver.advance(200.0)
    facts = driver.run()
    assert GraphRenderModel(facts, layout(LayoutGraph.of(facts.graph))).badge.tolist() == [Badge.OVERDUE]


def overdue() -> Driver:
    """`a`, expected to take a minute, has run for 3:20; `b` waits for it."""
    driver = Driver()
    driver.create(plan([task("a", estimate=60.0), task("b", estimate=5.0)], ["a>b"]))
    driver.advance(200.0)
    assert driver.run().overdue
    return driver


def foreseen(driver: Driver, estimate: Estimate, left: float) -> Projection:
    """A projection in which `a` ends in so many seconds."""
    end = driver.now + left
    made = projection(driver.run(), {"a": TaskForecast("a", 0.0, end, "d", estimate, 0.0)}, end=end + 5.0)
    return structs.replace(made, at=driver.now)


def what_b_waits_for(driver: Driver, outlook: Projection) -> str:
    run = driver.run()
    asked = WhyQuestion(TaskView(run, 1), driver.now, ByHand(driver), outlook)
    (row,) = (row for row in why_rows(asked, driver.why("b")) if "a" in row.text)
    return row.detail


@pytest.mark.parametrize(
    ("estimate", "left", "told"),
    [
        (Estimate(60.0, EstimateSource.DECLARED), 0.4, "Running · overdue by 2:20; no forecast"),
        (Estimate(60.0, EstimateSource.NAME, 3), 80.0, "Running · overdue by 2:20; no forecast"),
    ],
)
def test_nobody_is_told_that_what_is_overdue_ends_in_a_second(estimate: Estimate, left: float, told: str) -> None:
    driver = overdue()
    outlook = foreseen(driver, estimate, left)
    assert what_b_waits_for(driver, outlook) == told
    times = times_of(TaskView(driver.run(), 0), outlook)
    assert times is not None
    assert times.ends == "", "which is said to be unknown"
    assert finish_words(figures_of(RunView(driver.run()), driver.now, 0.0, outlook))[::2] == (
        "Finish about",
        "or later",
    )


@pytest.mark.parametrize(
    ("estimate", "left", "told", "is_known"),
    [
        (Estimate(60.0, EstimateSource.DECLARED), 0.0, "Running · 0:40 longer than expected; no forecast", False),
        (Estimate(60.0, EstimateSource.NAME, 3), 30.0, "Running · ends in about 30 s", True),
        (Estimate(None, EstimateSource.NONE), 0.0, "Running", False),
    ],
)
def test_what_takes_longer_than_expected_is_only_foreseen_by_what_others_took(
    estimate: Estimate, left: float, told: str, is_known: bool
) -> None:
    driver = Driver()
    driver.create(plan([task("a", estimate=60.0), task("b")], ["a>b"]))
    driver.advance(100.0)
    outlook = foreseen(driver, estimate, left)
    assert what_b_waits_for(driver, outlook) == told
    times = times_of(TaskView(driver.run(), 0), outlook)
    assert times is not None
    assert bool(times.ends) is is_known


def test_of_a_paused_run_no_start_or_end_is_foreseen_that_would_slide() -> None:
    driver = Driver(slots=1)
    driver.create(plan([task("a", estimate=60.0), task("b", estimate=5.0)]))
    known = Estimate(5.0, EstimateSource.DECLARED)
    outlook = projection(driver.run(), {"b": TaskForecast("b", 60.0, 65.0, "d", known, 0.0)}, end=65.0)
    before = times_of(TaskView(driver.run(), 1), outlook)
    assert before is not None
    assert "paused" not in (before.starts, before.ends)
    driver.do(PauseRun(run_id="r"))
    paused = times_of(TaskView(driver.run(), 1), outlook)
    assert paused is not None
    assert (paused.starts, paused.ends) == ("paused", "paused")


def test_of_an_open_gate_no_start_is_foreseen_that_has_passed() -> None:
    driver = Driver()
    driver.create(plan([task("a", gate={"message": "Go?"})]))
    driver.advance(30)
    outlook = projection(driver.run(), {"a": TaskForecast("a", 0.0, 0.0, None, Estimate(), 0.0)}, end=0.0)
    times = times_of(TaskView(driver.run(), 0), outlook)
    assert times is not None
    assert (times.starts, times.ends) == ("once you have answered", "once you have answered")


def test_tips_and_cards_say_what_was_expected(app: QApplication) -> None:
    driver = overdue()
    run = driver.run()
    said = "Overdue by 2:20: it was expected to take 1:00"
    table = TaskTable(lambda: run, lambda: driver.now)
    assert said in table.index(0, TaskColumn.STATUS).data(Qt.ItemDataRole.ToolTipRole)
    assert said not in table.index(1, TaskColumn.STATUS).data(Qt.ItemDataRole.ToolTipRole)
    outline = Outline(lambda: run, lambda: driver.now)
    assert said in outline.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    with looks(app, Theme.DARK) as appearance:
        parent = QWidget()
        card = HoverCard(appearance.palette, parent)
        picture = GraphRenderModel(run, layout(LayoutGraph.of(run.graph)))
        card.show_task(picture, 0, driver.now, QRect(0, 0, 10, 10))
        assert said in card._rest.text()
        scene = Scene(appearance, run, size=(900, 200))
        scene.now = driver.now
        scene.view.refresh([0])
        spot = spot_of(scene.model, 0)
        assert spot is not None
        assert said in card_of(scene.model, spot, driver.now)
        parent.deleteLater()


def test_who_waits_for_a_slot_is_not_said_to_start_at_the_present_moment() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["runs", "next"]))
    driver.advance(30)
    outlook = project(Fork.of(driver.scheduler, driver.now), "r", samples=0)
    times = times_of(TaskView(driver.run(), 1), outlook)
    assert times is not None
    assert (times.starts, times.ends) == ("", ""), "which is said to be unknown"
