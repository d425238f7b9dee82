"""A plan shown as a run: the same facts an engine has of a run it has only created, and every pane works on them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.driver import Driver, edge, plan, task

from starloom.layout import LayoutGraph, layout
from starloom.model.plan import Limits
from starloom.model.status import Fence, Placement, RunState
from starloom.scheduling.read.run_view import RunView, TaskView
from starloom.scheduling.state.codes import PENDING, WAITING
from starloom.testing import layered
from starloom_gui.canvas.render_model import GraphRenderModel
from starloom_gui.diff.plan_difference import plan_of
from starloom_gui.documents.facts import facts_of
from starloom_gui.models.outline import Outline
from starloom_gui.models.task_table import TaskTable
from starloom_gui.text.words import run_word
from starloom_gui.viewmodel.figures import figures_of
from starloom_gui.viewmodel.task_words import second_line

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

PLAN = plan(
    [task("a", priority=80), task("b", groups=("g",)), task("c", join="any")],
    ["a>b", edge("a", "c", condition="value > 0"), "b>c"],
    Limits(max_concurrency=3),
)


def test_the_facts_are_those_of_a_run_that_was_created_and_not_started():
    driver = Driver(devices=())
    created = driver.create(PLAN, start=False).canonical()
    ours = facts_of(PLAN, "r").canonical()
    of_readiness = {"status", "ready_at", "seq", "wall_time", "sessions", "created_at", "frozen_at"}
    assert {name for name, value in created.items() if ours[name] != value} <= of_readiness
    assert ours["graph"] == created["graph"]


def test_nothing_of_a_plan_is_ready_and_it_says_that_it_was_not_started():
    run = facts_of(PLAN, "p")
    assert set(run.status) == {WAITING}
    assert PENDING not in run.status
    assert run.state is RunState.READY
    assert run_word(run.state) == "Not started"
    assert [second_line(TaskView(run, number), 0.0) for number in range(3)] == [
        "not started",
        "not started",
        "not started",
    ]


def test_the_plan_can_be_read_back_from_its_facts():
    assert plan_of(facts_of(PLAN)) == PLAN


@pytest.mark.parametrize("fence", [None, Fence.DESCENDANTS])
def test_all_that_a_plan_says_is_read_back_from_a_run_of_it(fence: Fence | None):
    whole = replace(
        PLAN,
        rules=({"on": "a", "do": [{"remove_task": "c"}]},),
        placement=Placement.CRITICAL_PATH,
        overdue_factor=3.0,
        fence=fence,
        modification_timeout=None if fence is None else 30.0,
    )
    assert plan_of(Driver(devices=()).create(whole, start=False)) == whole
    said = replace(whole, fence=None, modification_timeout=None)  # these two are told after the run was made
    assert plan_of(facts_of(whole)) == said


def test_the_facts_are_a_copy_that_may_be_changed_without_touching_the_plan():
    run = facts_of(PLAN)
    run.graph.remove_task(1)
    assert len(PLAN.index.children[0]) == 2
    assert plan_of(facts_of(PLAN)) == PLAN


def test_canvas_table_outline_and_header_show_a_plan(app: QApplication):
    large = layered(20, 20)
    run = facts_of(large, "p")
    picture = GraphRenderModel(run, layout(LayoutGraph.of(run.graph)))
    assert len(picture) == 400
    assert TaskTable(lambda: run, lambda: 0.0).rowCount() == 400
    assert Outline(lambda: run, lambda: 0.0).rowCount()
    assert sum(figures_of(RunView(run), 0.0, 0.0).counts) == 400
