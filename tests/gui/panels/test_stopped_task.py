"""What the inspector says of a task that was cancelled, and where the keyboard is afterwards."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from tests.gui.panels.test_inspector import InspectorBench

from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import TaskView
from starloom_gui.viewmodel.task_words import short_line
from starloom_gui.widgets import click_guard


def test_what_was_stopped_while_it_ran_is_not_said_not_to_have_run(app, appearance):
    bench = InspectorBench(appearance, app, "fuzz")
    bench.driver.ask(c.CancelTasks, "fuzz", origin="operator")
    bench.driver.end("fuzz", stopped=True)
    bench.told()
    words = bench.texts(bench.inspector.why)
    assert "Why has it not run?" not in words
    assert "stopped while it ran" in words
    assert short_line(TaskView(bench.run, bench.number("fuzz")), bench.driver.now) == "stopped", (
        "where there is little room"
    )
    bench.driver.ask(c.CancelTasks, "merge cov", origin="operator")
    bench.select("merge cov")
    assert "Why has it not run?" in bench.texts(bench.inspector.why)


def test_the_keyboard_goes_to_no_other_verb_when_the_one_that_had_it_goes(app, appearance):
    bench = InspectorBench(appearance, app, "fuzz")
    bench.inspector.activateWindow()
    cancel = bench.buttons(bench.inspector.head)["Cancel"]
    cancel.setFocus()
    assert cancel.hasFocus()
    bench.driver.ask(c.CancelTasks, "fuzz", origin="operator")
    bench.driver.end("fuzz", stopped=True)
    bench.told()
    assert "Cancel" not in bench.buttons(bench.inspector.head)
    assert app.focusWidget() is bench.inspector, "on another verb, Space would ask for that; it came from nowhere"


def appeared(app, appearance):
    """A bench, and a verb that has just come where the pointer rests on another one."""
    bench = InspectorBench(appearance, app, "fuzz")
    cancel = bench.buttons(bench.inspector.head)["Cancel"]
    QCursor.setPos(cancel.mapToGlobal(cancel.rect().center()))
    bench.driver.end("fuzz")
    bench.told()
    rerun = bench.buttons(bench.inspector.head)["Rerun from here"]
    return bench, rerun


def test_a_verb_that_comes_under_the_resting_pointer_takes_no_click_meant_for_the_one_before(app, appearance, qtbot):
    bench, rerun = appeared(app, appearance)
    QTest.mouseClick(rerun, Qt.MouseButton.LeftButton)
    assert bench.asks.sent == []

    def is_asked() -> bool:
        QTest.mouseClick(rerun, Qt.MouseButton.LeftButton)
        return bool(bench.asks.sent)

    qtbot.waitUntil(is_asked)


def test_the_end_of_a_click_is_kept_from_a_verb_as_its_beginning_was(app, appearance, monkeypatch):
    bench, rerun = appeared(app, appearance)
    QTest.mousePress(rerun, Qt.MouseButton.LeftButton)
    monkeypatch.setattr(click_guard, "MILLISECONDS", 0)  # the hand was slow
    QTest.qWait(5)
    QTest.mouseRelease(rerun, Qt.MouseButton.LeftButton)  # Qt warns where nothing accepts it
    assert bench.asks.sent == []
    QTest.mouseClick(rerun, Qt.MouseButton.LeftButton)
    assert bench.asks.sent
