"""The inspector while a pointer is on its way to it."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QWidget
from tests.gui.panels.test_inspector import Stage, without_focus

from starloom_gui.panels.held_still import REST


def test_no_field_slides_up_under_a_pointer_that_is_on_its_way(app, appearance, monkeypatch):
    stage = Stage(appearance, app, "coverage")
    inspector, window = stage.inspector, QWidget()
    window.resize(700, 752)
    inspector.setParent(window)
    window.show()
    inspector.show()
    now = [0]
    monkeypatch.setattr(inspector.still, "clock", lambda: now[0])
    app.processEvents()
    without_focus(app)
    stage.told()
    place = inspector.fields.y()
    QCursor.setPos(window.mapToGlobal(QPoint(600, 400)))
    stage.driver.end("fuzz")
    stage.told()
    assert inspector.fields.y() == place
    now[0] = REST + 0.1
    stage.told()
    assert inspector.fields.y() < place, "the pointer rests"


def test_a_keyboard_that_was_on_a_button_that_is_gone_holds_nothing(app, appearance):
    stage = Stage(appearance, app, "coverage")
    inspector = stage.inspector
    inspector.show()
    inspector.activateWindow()
    app.processEvents()
    stage.told()
    place = inspector.fields.y()
    next(iter(stage.buttons(inspector.why).values())).setFocus()
    stage.told()
    stage.driver.end("fuzz")
    stage.told()
    stage.told()
    assert app.focusWidget() is inspector, "not what comes next, and there is nothing that it came from"
    assert inspector.fields.y() < place
