"""The row that answers what waits for the user: a double click answers once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from starloom_gui.panels.answer_bar import AnswerBar

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

pytestmark = pytest.mark.usefixtures("app")


def test_the_second_click_of_a_double_click_does_not_answer_what_is_asked_next(qtbot: QtBot) -> None:
    bar = AnswerBar()
    qtbot.addWidget(bar)
    bar.resize(600, 40)
    bar.show()
    answers: list[bool] = []
    bar.answered.connect(lambda accept, _note: answers.append(accept))
    for button in (bar.accept, bar.reject):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        QTest.mouseDClick(button, Qt.MouseButton.LeftButton)
        QTest.mouseRelease(button, Qt.MouseButton.LeftButton)
    assert answers == [True, False]
