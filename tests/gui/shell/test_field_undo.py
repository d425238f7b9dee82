"""Ctrl+Z in a text field: first what was typed there, then what was done to the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMainWindow, QPlainTextEdit, QVBoxLayout, QWidget

from starloom_gui.shell.field_undo import FieldUndo
from starloom_gui.viewmodel.task_fields import FieldValue
from starloom_gui.widgets.value_editor import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


class Room:
    """A window with fields, and an action each for undo and redo of what is in it."""

    def __init__(self) -> None:
        self.window, self.done = QMainWindow(), list[str]()
        self.line, self.text, self.value = QLineEdit(), QPlainTextEdit(), Value()
        middle = QWidget()
        column = QVBoxLayout(middle)
        for field in (self.line, self.text, self.value):
            column.addWidget(field)
        self.window.setCentralWidget(middle)
        for name, keys in (("undo", "Ctrl+Z"), ("redo", "Ctrl+Shift+Z")):
            action = self.window.addAction(name)
            action.setShortcut(QKeySequence(keys))
            action.triggered.connect(lambda _=False, name=name: self.done.append(name))
        FieldUndo(self.window)
        self.window.show()
        self.window.activateWindow()

    def undo(self, field: QWidget, *, again: bool = False) -> None:
        QTest.keyClick(field, Qt.Key.Key_Z, CONTROL | SHIFT if again else CONTROL)

    def show(self, words: str, revision: int = 1) -> None:
        self.value.draft.show_value(FieldValue("timeout", "Timeout", words), revision)


@pytest.fixture
def room(qtbot: QtBot, app: QApplication) -> Iterator[Room]:
    made = Room()
    qtbot.waitUntil(made.window.isActiveWindow)  # the keyboard has come
    yield made
    made.window.close()
    made.window.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.mark.parametrize("kind", ["line", "text"])
def test_what_was_typed_is_taken_back_first_and_then_what_was_done(room: Room, kind: str) -> None:
    field = getattr(room, kind)
    field.setFocus()
    QTest.keyClicks(field, "some")
    room.undo(field)
    assert room.done == []
    room.undo(field)
    assert room.done == ["undo"]
    room.undo(field, again=True)
    assert room.done == ["undo"], "what was typed is typed again first"
    room.undo(field, again=True)
    assert room.done == ["undo", "redo"]


def test_a_field_that_shows_something_and_was_not_touched_leaves_the_keys_to_the_window(room: Room) -> None:
    room.line.setText("shown")
    room.line.setFocus()
    room.undo(room.line)
    assert room.done == ["undo"]
    assert room.line.text() == "shown"


def test_a_value_that_was_sent_and_has_come_true_has_nothing_left_to_take_back(room: Room) -> None:
    room.show("5 s")
    room.value.setFocus()
    room.value.selectAll()
    QTest.keyClicks(room.value, "9 s")
    room.value.setCursorPosition(1)
    QTest.keyClick(room.value, Qt.Key.Key_Return)
    room.show("9 s", 2)
    assert room.value.cursorPosition() == 1
    assert (room.value.draft.seen, room.value.is_edited) == (2, False)
    room.undo(room.value)
    assert room.done == ["undo"]
    assert room.value.text() == "9 s"


def test_only_the_value_that_was_undone_is_written_into_a_field_in_use_and_none_that_comes_later(room: Room) -> None:
    room.show("5 s")
    room.value.setFocus()
    room.value.draft.follow()
    room.show("4 s", 2)
    assert room.value.text() == "4 s"
    room.value.draft.follow()
    room.value.selectAll()
    QTest.keyClicks(room.value, "9 s")
    room.show("7 s", 3)
    assert room.value.text() == "9 s"
    room.value.draft.take()
    room.show("8 s", 4)
    assert room.value.text() == "7 s", "somebody else has set it"
