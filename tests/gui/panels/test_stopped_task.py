"""What the inspector says of a task that was cancelled, and where the keyboard is afterwards."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from tests.gui.panels.test_inspector import Stage

from starloom.scheduling import commands as c


def test_what_was_stopped_while_it_ran_is_not_said_not_to_have_run(app, appearance):
    stage = Stage(appearance, app, "fuzz")
    stage.driver.ask(c.CancelTasks, "fuzz", origin="operator")
    stage.driver.end("fuzz", stopped=True)
    stage.told()
    words = stage.texts(stage.inspector.why)
    assert "Why has it not run?" not in words
    assert "stopped while it ran" in words
    stage.driver.ask(c.CancelTasks, "merge cov", origin="operator")
    stage.select("merge cov")
    assert "Why has it not run?" in stage.texts(stage.inspector.why)


def test_the_keyboard_goes_to_no_other_verb_when_the_one_that_had_it_goes(app, appearance):
    stage = Stage(appearance, app, "fuzz")
    stage.inspector.activateWindow()
    cancel = stage.buttons(stage.inspector.head)["Cancel"]
    cancel.setFocus()
    assert cancel.hasFocus()
    stage.driver.ask(c.CancelTasks, "fuzz", origin="operator")
    stage.driver.end("fuzz", stopped=True)
    stage.told()
    assert "Cancel" not in stage.buttons(stage.inspector.head)
    assert app.focusWidget() is stage.inspector, "on another verb, Space would ask for that; it came from nowhere"


def test_a_verb_that_comes_under_the_resting_pointer_takes_no_click_meant_for_the_one_before(app, appearance, qtbot):
    stage = Stage(appearance, app, "fuzz")
    cancel = stage.buttons(stage.inspector.head)["Cancel"]
    QCursor.setPos(cancel.mapToGlobal(cancel.rect().center()))
    stage.driver.end("fuzz")
    stage.told()
    rerun = stage.buttons(stage.inspector.head)["Rerun from here"]
    QTest.mouseClick(rerun, Qt.MouseButton.LeftButton)
    assert stage.asks.sent == []

    def is_asked() -> bool:
        QTest.mouseClick(rerun, Qt.MouseButton.LeftButton)
        return bool(stage.asks.sent)

    qtbot.waitUntil(is_asked)
