"""What a running task asks, on its page: exactly what it is about, and no way to allow it unawares."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from tests.driver import RUN, Driver, plan, task
from tests.gui.panels.fleets import ByHand

from starloom.model.question import Option, Question
from starloom.model.task import Gate
from starloom.scheduling.read.run_view import RunView
from starloom.scheduling.stimuli import QuestionRaised
from starloom_gui.panels.gate_page import GatePage
from starloom_gui.panels.question_page import QuestionPage
from starloom_gui.panels.question_rows import question_rows
from starloom_gui.panels.waiting import count_of, waiting_of
from starloom_gui.viewmodel.task_words import second_line, short_line

if TYPE_CHECKING:
    from PySide6.QtWidgets import QPushButton
    from pytestqt.qtbot import QtBot

    from starloom.scheduling.commands import AnswerQuestion
    from starloom_gui.theme.appearance import Appearance

OPTIONS = (Option("once", "Allow once"), Option("run", "Allow for this run"), Option("no", "Reject", allows=False))
MAY_I = Question("May I delete the build?", "permission", OPTIONS, "rm -rf \u202ebuild", "command", "rm")
DIFF = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def f():\n-    return <1>\n+    return 2\n"


class Shown:
    """A page with a question of the task `a`; `b` and `c` run besides."""

    def __init__(self, qtbot: QtBot, appearance: Appearance, question: Question = MAY_I, height: int = 300) -> None:
        self.driver = Driver()
        self.driver.create(plan([task(name) for name in "abc"]))
        self.asks = ByHand(self.driver)
        self.page = QuestionPage(lambda: appearance.palette, self.asks)
        qtbot.addWidget(self.page)
        self.page.resize(600, height)
        self.ask("a", question)
        self.page.show()
        self.refresh()

    def ask(self, name: str, question: Question) -> None:
        self.driver.turn(QuestionRaised(RUN, name, 1, 1, question))

    def refresh(self, number: int = 1) -> None:
        run = RunView(self.driver.run())
        waiting = next(one for one in waiting_of(run) if one.key == ("question", number))
        self.page.show_question(run, number, waiting, self.driver.now)

    def button(self, label: str) -> QPushButton:
        return next(one for one in self.page.buttons.values() if one.text() == label)

    @property
    def sent(self) -> AnswerQuestion:
        (command,) = self.asks.sent
        return command  # type: ignore[return-value]  # nothing else is sent from here


def detail_of(shown: Shown) -> str:
    return shown.page.detail.text()


@pytest.fixture(name="shown")
def _shown(qtbot: QtBot, appearance: Appearance) -> Shown:
    return Shown(qtbot, appearance)


def test_each_option_is_a_button_and_those_that_reject_come_first(shown: Shown, qtbot: QtBot) -> None:
    assert [one.text() for one in shown.page.buttons.values()] == ["Reject", "Allow once", "Allow for this run"]
    qtbot.waitUntil(lambda: shown.button("Allow once").isEnabled())
    shown.page.note.setText(" keep the cache ")
    shown.button("Allow once").click()
    assert (shown.sent.numbers, shown.sent.option, shown.sent.note) == ((1,), "once", "keep the cache")
    assert not shown.sent.reject


def test_a_rejection_takes_what_was_written_along(shown: Shown) -> None:
    shown.page.note.setText("use git clean")
    shown.button("Reject").click()
    assert (shown.sent.option, shown.sent.note, shown.sent.reject) == ("no", "use git clean", True)


def test_return_allows_nothing(shown: Shown, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: shown.button("Allow once").isEnabled())
    for where in (shown.page.note, shown.button("Allow once"), shown.page.alike):
        where.setFocus()
        QTest.keyClick(where, Qt.Key.Key_Return)
        QTest.keyClick(where, Qt.Key.Key_Enter)
    assert shown.asks.sent == []
    QTest.keyClick(shown.button("Allow once"), Qt.Key.Key_Space)
    assert shown.sent.option == "once"


def test_what_does_not_show_is_spelt_out_and_nothing_is_markup(qtbot: QtBot, appearance: Appearance) -> None:
    assert "rm -rf ⟨U+202E⟩build" in detail_of(Shown(qtbot, appearance))
    shown = Shown(qtbot, appearance, Question("May I?", "permission", OPTIONS, DIFF, "diff"))
    assert "return &lt;1&gt;" in detail_of(shown)


def test_nothing_can_be_allowed_before_all_of_it_was_in_sight(qtbot: QtBot, appearance: Appearance) -> None:
    long = Question("May I?", "permission", OPTIONS, "\n".join(f"rm {number}" for number in range(200)), "command")
    shown = Shown(qtbot, appearance, long)
    bar = shown.page.area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    shown.refresh()
    assert shown.button("Reject").isEnabled()
    assert not shown.button("Allow once").isEnabled()
    assert "Scroll to its end first" in shown.button("Allow once").toolTip()
    bar.setValue(bar.maximum())
    assert shown.button("Allow once").isEnabled()


def test_alike_questions_are_answered_together_if_that_is_ticked(shown: Shown, qtbot: QtBot) -> None:
    assert not shown.page.alike.isVisible()
    shown.ask("b", MAY_I)
    shown.ask("c", Question("May I?", "permission", OPTIONS, alike="mv"))
    shown.refresh()
    assert shown.page.alike.text() == "Answer all 2 alike"
    shown.page.alike.setChecked(True)
    qtbot.waitUntil(lambda: shown.button("Allow for this run").isEnabled())
    shown.button("Allow for this run").click()
    assert (shown.sent.numbers, shown.sent.option) == ((1, 2), "run")
    assert list(shown.driver.run().questions) == [3]


def test_another_question_begins_anew(shown: Shown) -> None:
    shown.ask("b", Question("Which branch?"))
    shown.page.note.setText("half a reply")
    shown.refresh(2)
    assert shown.page.note.text() == ""
    assert [one.text() for one in shown.page.buttons.values()] == ["Reject", "Send answer"]
    assert shown.page.detail.text() == ""


def test_where_there_are_no_options_the_note_is_the_answer(qtbot: QtBot, appearance: Appearance) -> None:
    shown = Shown(qtbot, appearance, Question("Which branch?"))
    assert not shown.button("Send answer").isEnabled()
    assert "is empty" in shown.button("Send answer").toolTip()
    shown.page.note.setText("main")
    qtbot.waitUntil(lambda: shown.button("Send answer").isEnabled())
    shown.button("Send answer").click()
    assert (shown.sent.option, shown.sent.note, shown.sent.reject) == ("", "main", False)


def test_a_question_that_is_closed_meanwhile_says_so(shown: Shown) -> None:
    shown.driver.end("a")
    shown.page.note.setText("x")
    assert not any(one.isEnabled() for one in shown.page.buttons.values())
    assert "Nobody waits for an answer to question 1 any more" in shown.button("Reject").toolTip()


def test_it_is_counted_listed_and_said_of_its_task(shown: Shown) -> None:
    run = RunView(shown.driver.run())
    assert count_of(run) == 1
    (waiting,) = waiting_of(run)
    assert (waiting.title, waiting.about) == ("May I delete the build?", "a on d")
    shown.driver.advance(42)
    assert second_line(run.task(0), shown.driver.now) == "d · waits for you · 0:42"
    assert short_line(run.task(0), shown.driver.now) == "asks you · 0:42", "that fits where the other does not"
    ((text, _, (look,)),) = question_rows(run, run.task(0))
    assert (text, look.question) == ("Waits for you: May I delete the build?", 1)


def test_on_a_low_page_nothing_is_cut_off_and_it_scrolls(qtbot: QtBot, appearance: Appearance) -> None:
    shown = Shown(qtbot, appearance, height=110)
    shown.page.resize(440, 110)
    qtbot.waitUntil(lambda: shown.page.verticalScrollBar().maximum() > 0)
    inner = shown.page.widget()
    assert inner is not None
    parts = (shown.page.area, shown.page.note, *shown.page.buttons.values())
    boxes = [QRect(part.mapTo(inner, QPoint()), part.size()) for part in parts]
    assert all(inner.rect().contains(box) and box.height() >= 24 for box in boxes)
    assert not any(one.intersects(other) for one, other in combinations(boxes, 2))


def test_in_a_small_window_the_answers_are_in_sight_and_the_question_scrolls(
    qtbot: QtBot, appearance: Appearance
) -> None:
    shown = Shown(qtbot, appearance, height=119)
    page = shown.page
    page.resize(470, 119)
    qtbot.waitUntil(lambda: page.area.verticalScrollBar().maximum() > 0)
    for part in (page.note, *page.buttons.values()):
        assert page.rect().contains(QRect(part.mapTo(page, QPoint()), part.size()))
    assert page.area.isAncestorOf(page._title)
    page.resize(640, 400)
    assert not page.area.isAncestorOf(page._title), "with room for it, it stands above"
    assert page._title.isVisible()


def test_the_page_of_a_gate_is_whole_there(qtbot: QtBot, appearance: Appearance) -> None:
    driver = Driver()
    driver.create(plan([task("ask", gate=Gate(message="Ship it?")), task("b"), task("c")], ["ask>b", "ask>c"]))
    page = GatePage(ByHand(driver))
    qtbot.addWidget(page)
    page.apply_theme(appearance.palette)
    run = RunView(driver.run())
    (waiting,) = waiting_of(run)
    page.show_gate(run, "ask", 1, waiting, driver.now)
    page.resize(460, 119)
    page.show()
    parts = [page._title, page._about, page._show, page.bar]
    boxes = [QRect(part.mapTo(page, QPoint()), part.size()) for part in parts]
    assert all(page.rect().contains(box) for box in boxes)
    assert not any(one.intersects(other) for one, other in combinations(boxes, 2))
    assert page._about.text().endswith("directly behind it")
