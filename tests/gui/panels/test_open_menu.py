"""The menu of a task's verbs while the task changes."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from tests.gui.panels.test_inspector import InspectorBench

from starloom.scheduling import commands as c


def test_what_is_chosen_after_the_task_has_changed_is_asked_for_all_the_same(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    menu = bench.inspector.head.open_menu(QPoint(0, 0))
    bench.driver.do(c.HoldTasks(run_id="r", task_ids=("coverage",)))
    bench.told()
    {action.text(): action for action in menu.actions()}["Skip"].trigger()
    menu.close()
    assert bench.asks.sent == [c.SkipTasks(run_id="r", task_ids=("coverage",))]


def test_of_several_tasks_an_action_is_about_those_that_allow_it(app, appearance):
    bench = InspectorBench(appearance, app, "fuzz", "coverage", "merge cov")
    menu = bench.inspector.head.open_menu(QPoint(0, 0))
    hold = {action.text(): action for action in menu.actions()}["Hold, 2 of those selected"]
    assert hold.isEnabled()
    hold.trigger()
    menu.close()
    assert bench.asks.sent == [c.HoldTasks(run_id="r", task_ids=("coverage", "merge cov"))]
