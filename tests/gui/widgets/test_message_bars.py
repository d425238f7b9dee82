"""The strips over the canvas and the welcome page show all they say, however little room there is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from typing_extensions import override

from starloom_gui.text import translations
from starloom_gui.theme.metrics import STRIP
from starloom_gui.widgets.banner import Banner
from starloom_gui.widgets.click_guard import MILLISECONDS
from starloom_gui.widgets.loading import LoadingStrip
from starloom_gui.widgets.message_bar import ErrorMessage, MessageBar

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from starloom_gui.theme.appearance import Appearance

LONG = ErrorMessage(
    "Not started",
    "A device of this plan only acts as if it worked, and could be given tasks of “firmware nightly build”. Let "
    "“firmware nightly build” end, or cancel it; then start this one again, or take the device out of its file.",
    "Try again",
    lambda: None,
)


def is_whole(label: QLabel) -> bool:
    """Whether all of a label's text can be seen."""
    flags = Qt.TextFlag.TextWordWrap if label.wordWrap() else Qt.TextFlag.TextSingleLine
    needed = label.fontMetrics().boundingRect(0, 0, label.width(), 10_000, flags, label.text())
    return needed.height() <= label.height() and needed.width() <= label.width()


class Saying(Banner):
    """A banner that says one thing."""

    @override
    def refresh(self, *_: object) -> None:
        self.say("The past", "Nothing can be changed from here.", "Back", "")


def test_a_banner_stays_to_be_read_below_a_message(qtbot: QtBot, appearance: Appearance) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    over.resize(900, 500)
    canvas = QWidget(over)
    canvas.setGeometry(100, 0, 700, 400)
    strip, banner = MessageBar(over, appearance), Saying(canvas, appearance)
    over.show()
    banner.refresh()
    assert banner.y() == 0
    strip.show_trouble(LONG)
    assert banner.y() == strip.height()
    strip.withdraw(LONG)
    assert banner.y() == 0


def test_what_goes_on_can_be_cancelled_below_a_message(qtbot: QtBot, appearance: Appearance) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    over.resize(900, 500)
    strip, loading = MessageBar(over, appearance), LoadingStrip(over, appearance)
    over.show()
    loading.begin("Exporting a.pdf")
    qtbot.waitUntil(loading.isVisible)
    strip.show_trouble(LONG)
    assert loading.y() == strip.height()
    loading.end()
    loading.begin("Exporting b.pdf")
    qtbot.waitUntil(loading.isVisible)
    assert loading.y() == strip.height()
    strip.withdraw(LONG)
    assert loading.y() == 0
    loading.end()


@pytest.mark.parametrize("width", [560, 760, 1100, 1440])
def test_a_long_message_is_read_whole_and_a_short_one_takes_one_line(qtbot: QtBot, appearance: Appearance, width: int):
    over = QWidget()
    qtbot.addWidget(over)
    over.resize(width, 500)
    strip = MessageBar(over, appearance)
    over.show()
    strip.show_trouble(LONG)
    label = next(one for one in strip.findChildren(QLabel) if one.text())
    assert is_whole(label)
    over.resize(width - 60, 500)
    assert is_whole(label)
    assert strip.width() == width - 60
    strip.show_trouble(ErrorMessage("Not saved", "The disk is full."))
    strip.withdraw(LONG)
    assert strip.height() == STRIP
    assert label.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByKeyboard


def test_a_refusal_does_not_come_back_when_the_message_over_it_is_put_away(
    qtbot: QtBot, appearance: Appearance
) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    strip = MessageBar(over, appearance)
    failure = ErrorMessage("Not saved", "The disk is full.")
    refusal = ErrorMessage("Not undone", "It has ended.", is_refusal=True)
    written = ErrorMessage("", "It was written.", is_notice=True)
    for one in (failure, refusal, written):
        strip.show_trouble(one)
    strip.withdraw(written)
    assert strip.shown is failure


def test_the_messages_that_come_after_the_one_shown_are_counted_by_their_kind(
    spoken: QApplication, qtbot: QtBot, appearance: Appearance
) -> None:
    translations.install(spoken, "en")
    over = QWidget()
    qtbot.addWidget(over)
    over.resize(900, 500)
    strip = MessageBar(over, appearance)
    said = lambda: next(one.text() for one in strip.findChildren(QLabel) if one.text())  # noqa: E731 - short
    strip.show_trouble(ErrorMessage("", "It was written.", is_notice=True))
    strip.show_trouble(ErrorMessage("Not saved", "The disk is full."))
    assert said() == "Not saved: The disk is full. (1 more message: 1 notice)"
    strip.show_trouble(ErrorMessage("Not started", "It has no task."))
    assert said() == "Not started: It has no task. (2 more messages: 1 problem, 1 notice)"
    strip.show_trouble(ErrorMessage("", "It goes on.", is_notice=True))
    assert said() == "It goes on. (2 more messages: 2 problems)"


def test_what_can_wait_stands_behind_a_problem_and_is_shown_when_that_is_put_away(
    qtbot: QtBot, appearance: Appearance
) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    strip = MessageBar(over, appearance)
    problem = ErrorMessage("", "Another program is open with the same folder.")
    carried = ErrorMessage("Still set", "limit 2", "Undo", lambda: None, is_notice=True, can_wait=True)
    shown = lambda: strip.shown  # noqa: E731 - a property that mypy would take for unchanged
    for one in (problem, carried):
        strip.show_trouble(one)
    assert shown() is problem
    strip.dismiss()
    assert shown() is carried
    strip.dismiss()
    assert shown() is None
    for one in (carried, problem):
        strip.show_trouble(one)
    assert shown() is problem
    strip.dismiss()
    assert shown() is carried


def test_no_other_notice_takes_the_place_of_one_that_lasts(qtbot: QtBot, appearance: Appearance) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    strip = MessageBar(over, appearance)
    first, later = (ErrorMessage("", words, is_notice=True) for words in ("Undone.", "Saved."))
    lasting = ErrorMessage("r.dot", "All is simulated.", is_notice=True, can_wait=True, lasts=True)
    for one in (first, lasting, later):
        strip.show_trouble(one)
    assert strip.shown is later
    assert strip.holds(lasting)
    assert not strip.holds(first)
    strip.dismiss()
    assert strip.holds(lasting)


def test_the_second_of_two_clicks_does_not_meet_the_button_of_the_next_message(
    qtbot: QtBot, appearance: Appearance
) -> None:
    over, done = QWidget(), list[str]()
    qtbot.addWidget(over)
    over.resize(900, 500)
    bar = MessageBar(over, appearance)

    def remedy(what: str) -> None:
        done.append(what)
        bar.settle(what)

    for what in ("first", "second"):
        bar.show_trouble(ErrorMessage(what, "It failed.", "Try again", partial(remedy, what)))
    over.show()
    button = next(one for one in bar.findChildren(QPushButton) if one.text() == "Try again")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert done == [], "it had just taken the place of the first one"
    qtbot.wait(MILLISECONDS + 50)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert done == ["second"]
    qtbot.wait(MILLISECONDS + 50)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert done == ["second", "first"]
