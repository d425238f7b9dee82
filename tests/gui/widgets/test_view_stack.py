"""A stack adds a view once it is seen, and owns none before that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QLabel
from shiboken6 import isValid

from starloom_gui.widgets.view_stack import ViewStack

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_a_new_view_of_a_hidden_stack_is_added_once_the_stack_is_seen(qtbot: QtBot) -> None:
    stack, first, second = ViewStack(), QLabel("first"), QLabel("second")
    qtbot.addWidget(stack)
    stack.bring(first)
    stack.bring(second)
    assert stack.count() == 0
    stack.show()
    assert stack.currentWidget() is second
    stack.bring(first)
    assert stack.currentWidget() is first


def test_a_view_that_was_dropped_is_not_added_later(qtbot: QtBot) -> None:
    stack, view = ViewStack(), QLabel()
    qtbot.addWidget(stack)
    qtbot.addWidget(view)
    stack.bring(view)
    stack.drop(view)
    stack.show()
    assert stack.count() == 0


def test_a_view_that_was_never_seen_goes_with_its_stack(qtbot: QtBot) -> None:
    stack, view = ViewStack(), QLabel()
    stack.bring(view)
    stack.deleteLater()
    for _ in range(2):  # the stack, then what it leaves
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not isValid(view)
