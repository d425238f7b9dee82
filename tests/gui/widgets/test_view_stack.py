"""A stack adds a view once it is seen, and owns none before that."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QWidget
from shiboken6 import isValid

from starloom_gui.widgets.view_stack import FRAME, ViewStack, one_after_another

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


def test_views_of_several_stacks_are_made_one_after_the_other_with_events_between(qtbot: QtBot) -> None:
    steps: list[str] = []
    beat = QTimer()
    beat.timeout.connect(lambda: steps.append("event") if steps[-1:] != ["event"] else None)
    window = QWidget()
    qtbot.addWidget(window)
    stacks = {name: ViewStack(window) for name in ("timeline", "inspector")}

    def made(name: str) -> QLabel:
        steps.append(name)
        return views[name]

    views = {name: QLabel(name) for name in stacks}
    for name, stack in stacks.items():
        stack.bring_made(object(), partial(made, name))
    beat.start(1)
    with one_after_another():
        window.show()
    assert not steps, "the window is shown before anything is made for it"
    qtbot.waitUntil(lambda: all(stack.currentWidget() is views[name] for name, stack in stacks.items()))
    beat.stop()
    assert [one for one in steps if one != "event"] == ["timeline"] * 3 + ["inspector"] * 3  # made, styled, shown
    assert all(one != other for one, other in pairwise(steps)), "an event was handled between two steps"


def test_a_view_that_is_no_longer_wanted_is_not_made(qtbot: QtBot) -> None:
    stack, owner = ViewStack(), object()
    qtbot.addWidget(stack)
    stack.bring_made(owner, lambda: pytest.fail("it was forgotten"))
    with one_after_another():
        stack.show()
    stack.forget(owner)
    qtbot.wait(5 * FRAME)
    assert stack.count() == 0


def test_the_keyboard_that_an_empty_stack_has_goes_to_the_view_that_is_made(qtbot: QtBot) -> None:
    stack, view = ViewStack(), QLineEdit()
    qtbot.addWidget(stack)
    stack.bring_made(object(), lambda: view)
    with qtbot.waitActive(stack), one_after_another():
        stack.show()
    stack.setFocus()
    qtbot.waitUntil(view.hasFocus)
