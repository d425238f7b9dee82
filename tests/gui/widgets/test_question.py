"""A question that waits for its answer, and what becomes of it when nobody waits any more."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
import shiboken6
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from starloom_gui.widgets.question import Choice, ChoiceDialog, answer_to

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from starloom_gui.theme.appearance import Appearance


@pytest.mark.parametrize("is_gone", [False, True], ids=["open", "gone with its window"])
def test_a_question_whose_answer_nobody_waits_for_any_more_is_closed(
    app: QApplication, appearance: Appearance, *, is_gone: bool
):
    question = ChoiceDialog(appearance, "Go on?", "", [Choice("yes", "Yes")])

    async def main() -> None:
        answer = asyncio.get_running_loop().create_task(answer_to(question))
        await asyncio.sleep(0)
        if is_gone:
            shiboken6.delete(question)
        answer.cancel()
        with pytest.raises(asyncio.CancelledError):
            await answer

    asyncio.run(main())
    assert is_gone or question.isHidden()


def test_a_question_that_is_taken_for_standing_in_the_corner_stays_over_its_window(
    qtbot: QtBot, appearance: Appearance
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.setGeometry(150, 120, 600, 400)
    question = ChoiceDialog(appearance, "Go on?", "", [Choice("yes", "Yes")], parent=window)
    question.open()
    place, corner = question.pos(), QPoint(0, 0)
    assert place != corner
    question.windowHandle().setPosition(corner)
    qtbot.waitUntil(lambda: question.pos() == corner)
    question.choices.say("A sentence that takes more room. " * 9)
    question.choices.fit()
    assert question.pos() == place
    question.reject()
