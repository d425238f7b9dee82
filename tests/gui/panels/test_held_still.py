"""The inspector while a pointer is on its way to it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QWidget
from tests.gui.panels.test_inspector import InspectorBench, without_focus

from starloom.scheduling import commands as c
from starloom_gui.panels.held_still import PATIENCE, REST


def test_no_field_slides_up_under_a_pointer_that_is_on_its_way(app, appearance, monkeypatch):
    bench = InspectorBench(appearance, app, "coverage")
    inspector, window = bench.inspector, QWidget()
    window.resize(700, 752)
    inspector.setParent(window)
    window.show()
    inspector.show()
    now = [0]
    monkeypatch.setattr(inspector.still, "clock", lambda: now[0])
    app.processEvents()
    without_focus(app)
    bench.told()
    place = inspector.fields.y()
    QCursor.setPos(window.mapToGlobal(QPoint(600, 400)))
    bench.driver.end("fuzz")
    bench.told()
    assert inspector.fields.y() == place
    now[0] = REST + 0.1
    bench.told()
    assert inspector.fields.y() < place, "the pointer rests"


def test_a_keyboard_that_was_on_a_button_that_is_gone_holds_nothing(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    inspector = bench.inspector
    inspector.show()
    inspector.activateWindow()
    app.processEvents()
    bench.told()
    place = inspector.fields.y()
    next(iter(bench.buttons(inspector.why).values())).setFocus()
    bench.told()
    bench.driver.end("fuzz")
    bench.told()
    bench.told()
    assert app.focusWidget() is inspector, "not what comes next, and there is nothing that it came from"
    assert inspector.fields.y() < place


def test_no_room_is_left_once_the_keyboard_is_elsewhere_though_nothing_happens_any_more(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    inspector, window, elsewhere = bench.inspector, QWidget(), QLineEdit()
    window.resize(700, 752)
    inspector.setParent(window)
    elsewhere.setParent(window)
    window.show()
    inspector.show()
    window.activateWindow()
    app.processEvents()
    inspector.setFocus()
    bench.told()
    place = inspector.fields.y()
    bench.driver.end("fuzz")
    bench.told()
    assert inspector.fields.y() == place, "whoever types is not disturbed"
    elsewhere.setFocus()
    app.processEvents()
    assert inspector.fields.y() < place


def test_the_room_is_closed_once_nobody_has_typed_for_a_while(app, appearance, monkeypatch):
    bench = InspectorBench(appearance, app, "coverage")
    inspector = bench.inspector
    inspector.show()
    inspector.activateWindow()
    now = [0.0]
    monkeypatch.setattr(inspector.still, "clock", lambda: now[0])
    app.processEvents()
    bench.told()
    field = next(one for one in inspector.fields.findChildren(QLineEdit) if one.isVisible() and one.isEnabled())
    field.setFocus()
    bench.told()
    place = inspector.fields.y()
    bench.driver.end("fuzz")
    bench.told()
    inspector.still.hold()
    for _ in range(3):
        now[0] += PATIENCE - 1
        QTest.keyClicks(field, "x")
        inspector.still.hold()
        app.processEvents()
        assert inspector.fields.y() == place, "whoever types is not disturbed"
    now[0] += PATIENCE + REST
    assert inspector.still._again.isActive(), "nothing of the run has to happen for it"
    inspector.still.hold()
    app.processEvents()
    assert field.hasFocus()
    assert inspector.fields.y() < place


def test_the_room_is_closed_under_a_pointer_that_rests_in_it_and_what_slides_up_takes_no_click(
    app, appearance, monkeypatch
):
    bench = InspectorBench(appearance, app, "coverage")
    inspector = bench.inspector
    inspector.show()
    now = [0.0]
    monkeypatch.setattr(inspector.still, "clock", lambda: now[0])
    app.processEvents()
    without_focus(app)
    bench.told()
    place = inspector.fields.y()
    inspector.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    bench.driver.end("fuzz")
    bench.told()
    assert inspector.fields.y() == place, "whoever was about to press is not misled"
    inspector.still.hold()
    now[0] += PATIENCE / 2
    inspector.still.hold()
    app.processEvents()
    assert inspector.fields.y() == place
    now[0] += PATIENCE
    assert inspector.still._again.isActive(), "nothing of the run has to happen for it"
    inspector.still.hold()
    app.processEvents()
    assert inspector.fields.y() < place
    clicks = []
    button = next(one for one in inspector.fields.findChildren(QAbstractButton) if one.isVisible() and one.isEnabled())
    button.pressed.connect(lambda: clicks.append(True))
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not clicks


def test_what_is_under_the_pointer_stays_there_when_something_above_it_gets_longer(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    inspector, window = bench.inspector, QWidget()
    window.resize(400, 500)
    inspector.setParent(window)
    inspector.setGeometry(0, 0, 400, 500)
    window.show()
    inspector.show()
    app.processEvents()
    without_focus(app)
    bench.told()
    field = next(one for one in inspector.fields.findChildren(QLineEdit) if one.isVisible())
    inspector.ensureWidgetVisible(field)
    app.processEvents()
    place = field.mapTo(window, QPoint()).y()
    QCursor.setPos(field.mapToGlobal(field.rect().center()))
    inspector.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    inspector.still.hold()
    inspector.why.setMinimumHeight(inspector.why.height() + 90)
    app.processEvents()
    app.processEvents()
    assert field.mapTo(window, QPoint()).y() == place
    inspector.still.hold()
    bar = inspector.verticalScrollBar()
    bar.setValue(0)
    app.processEvents()
    assert bar.value() == 0, "who scrolls up is not scrolled back"


@pytest.mark.parametrize("by", ["pointer", "keyboard"])
def test_what_the_user_is_at_stays_there_when_something_above_it_gets_shorter(app, appearance, by):
    bench = InspectorBench(appearance, app, "coverage")
    inspector, window = bench.inspector, QWidget()
    window.resize(400, 400)
    inspector.setParent(window)
    inspector.setGeometry(0, 0, 400, 400)
    window.show()
    inspector.show()
    window.activateWindow()
    app.processEvents()
    without_focus(app)
    bench.told()
    inspector.why.setMinimumHeight(inspector.why.height() + 90)
    app.processEvents()
    field = next(one for one in inspector.fields.findChildren(QLineEdit) if one.isVisible() and one.isEnabled())
    inspector.ensureWidgetVisible(field)
    bar = inspector.verticalScrollBar()
    bar.setValue(120)
    app.processEvents()
    place = field.mapTo(window, QPoint()).y()
    if by == "pointer":
        QCursor.setPos(field.mapToGlobal(field.rect().center()))
        inspector.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    else:
        field.setFocus()
    inspector.still._note_pointed_at()
    inspector.why.setMinimumHeight(0)
    app.processEvents()
    app.processEvents()
    assert field.mapTo(window, QPoint()).y() == place
    assert bar.value() == 30


def test_a_room_that_is_kept_is_empty_below_its_lines_and_not_between_them(app, appearance):
    bench = InspectorBench(appearance, app, "fuzz")
    bench.driver.ask(c.CancelTasks, "fuzz", origin="operator")
    bench.driver.end("fuzz", stopped=True)
    bench.told()
    why = bench.inspector.why
    app.processEvents()
    before = [label.mapTo(why, QPoint()).y() for label in why.findChildren(QLabel)]
    why.setMinimumHeight(why.height() + 120)
    app.processEvents()
    assert [label.mapTo(why, QPoint()).y() for label in why.findChildren(QLabel)] == before
