"""The dialogs: the same picture from the same values in both themes at every scale, and all of it by keyboard."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from tests.gui.documents.plans import commands, small

from starloom.errors import Problem
from starloom_gui.dialogs.changes import APPLY, ChangesDialog
from starloom_gui.dialogs.closing import ClosingDialog, UnfinishedRun, UnsavedDialog
from starloom_gui.dialogs.first_look import START, FirstLookDialog
from starloom_gui.dialogs.problems import ProblemsDialog
from starloom_gui.diff.plan_difference import difference
from starloom_gui.documents.document import Document
from starloom_gui.documents.would_run import would_run
from starloom_gui.theme.appearance import Theme
from starloom_gui.widgets.loading import LoadingStrip
from starloom_gui.widgets.question import Choice, ChoiceDialog

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from starloom_gui.theme.appearance import Appearance

PROBLEMS = [Problem(message=f"a rather long sentence about line {n}. " * 4, hint="Do this.", line=n) for n in range(40)]
DRAWN = Document(key="plan 1", title="p", plan=commands())
Asking = ProblemsDialog | ChangesDialog | FirstLookDialog | ClosingDialog | UnsavedDialog
MAKERS: dict[str, Callable[[Appearance], Asking]] = {
    "problems": lambda look: ProblemsDialog(look, "p.yaml was not opened", "Nothing.", PROBLEMS, retries=True),
    "changes": lambda look: ChangesDialog(look, difference(small("a"), small("b")), "p", "Run 1"),
    "first look": lambda look: FirstLookDialog(look, DRAWN, would_run(commands())),
    "closing": lambda look: ClosingDialog(look, [UnfinishedRun("Run 1", 2, 3)]),
    "unsaved": lambda look: UnsavedDialog(look, ["a", "b"]),
}


def drawn(widget: QWidget, ratio: float = 1.0) -> QImage:
    image = QImage(widget.size() * ratio, QImage.Format.Format_ARGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(0)
    widget.render(image)
    return image


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_a_dialog_made_anew_is_the_same_picture_also_after_a_change_of_theme(
    app: QApplication, appearance: Appearance, make: Callable[[Appearance], Asking], ratio: float
):
    old = make(appearance)
    old.show()
    app.processEvents()
    light = drawn(old, ratio)
    appearance.choose(Theme.DARK)
    app.processEvents()
    dark = drawn(old, ratio)
    assert dark != light
    new = make(appearance)
    new.show()
    app.processEvents()
    old.setFocus()
    new.setFocus()
    assert drawn(new, ratio).size() == dark.size()
    ground = QRect(0, 0, round(new.width() * ratio), round(60 * ratio))
    assert drawn(new, ratio).copy(ground) == dark.copy(ground)
    old.reject()
    new.reject()


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_escape_answers_nothing_and_exactly_once(
    app: QApplication, appearance: Appearance, make: Callable[[Appearance], Asking]
):
    answers: list[str] = []
    dialog = make(appearance)
    dialog.choices.answered.connect(answers.append)
    dialog.open()
    app.processEvents()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    dialog.reject()
    assert answers == [""]


def test_enter_gives_the_default_answer_also_from_the_list(app: QApplication, appearance: Appearance):
    answers: list[str] = []
    dialog = ChangesDialog(appearance, difference(small("a"), small("b")), "p", "Run 1")
    dialog.choices.answered.connect(answers.append)
    dialog.open()
    dialog.rows.setFocus()
    app.processEvents()
    QTest.keyClick(dialog.rows, Qt.Key.Key_Return)
    assert answers == [APPLY]


@pytest.mark.parametrize("path", [None, Path("/plans/p.yaml")])
def test_enter_starts_what_was_asked_to_be_started_and_escape_does_not(
    app: QApplication, appearance: Appearance, path: Path | None
):
    for key, answer in ((Qt.Key.Key_Return, START), (Qt.Key.Key_Escape, "")):
        answers: list[str] = []
        dialog = FirstLookDialog(appearance, replace(DRAWN, path=path), would_run(commands()))
        dialog.choices.answered.connect(answers.append)
        dialog.open()
        app.processEvents()
        assert dialog.choices.buttons[START].isDefault()
        assert dialog.choices.sentence.text().startswith(
            "This plan comes from a file" if path else "Not all of this plan"
        )
        QTest.keyClick(dialog.rows, key)
        assert answers == [answer]


def test_what_is_selected_is_copied_else_everything(app: QApplication, appearance: Appearance):
    dialog = ProblemsDialog(appearance, "p", "s", PROBLEMS)
    dialog.show()
    dialog.rows.setCurrentIndex(dialog.rows.model().index(3, 0))
    QTest.keySequence(dialog.rows, "Ctrl+C")
    assert QGuiApplication.clipboard().text() == dialog.rows.lines[3].said()
    dialog.choices.buttons["copy"].click()
    assert QGuiApplication.clipboard().text().count("Do this.") == 40
    dialog.reject()


def test_a_row_is_as_high_as_all_its_text_needs(app: QApplication, appearance: Appearance):
    problems = [Problem(message=said) for said in ("short", "word " * 400, "x" * 2000)]
    dialog = ProblemsDialog(appearance, "p", "s", problems)
    dialog.show()
    app.processEvents()
    short, words, one_word = (dialog.rows.visualRect(dialog.rows.model().index(row, 0)).height() for row in range(3))
    assert min(words, one_word) > 15 * (short - 12)
    dialog.reject()


def test_ten_thousand_rows_are_listed(app: QApplication, appearance: Appearance):
    dialog = ProblemsDialog(appearance, "p", "s", [Problem(message="m", line=n) for n in range(10_000)])
    dialog.show()
    app.processEvents()
    assert dialog.rows.model().rowCount() == 10_000
    assert dialog.height() < 600
    dialog.reject()


def test_every_button_and_list_has_a_name(appearance: Appearance):
    for make in MAKERS.values():
        dialog = make(appearance)
        assert dialog.accessibleName()
        assert dialog.accessibleDescription()
        assert all(button.text() for button in dialog.choices.buttons.values())
        dialog.reject()


def test_the_loading_strip_keeps_to_the_width_of_what_it_lies_over(app: QApplication, appearance: Appearance):
    window = QWidget()
    window.resize(900, 600)
    window.show()
    strip = LoadingStrip(window, appearance, lambda: 5.0)
    strip.begin("Opening p.yaml · 1.0 MB")
    strip._appear()
    window.resize(700, 400)
    app.processEvents()
    assert strip.geometry() == QRect(0, 0, 700, 44)
    half = drawn(strip)
    strip.begin("Opening p.yaml · 1.0 MB", 0.5)
    assert drawn(strip) != half
    strip.end()
    assert not strip.isVisible()


def test_no_label_of_a_choice_is_cut_however_long_other_languages_make_them(appearance: Appearance, qtbot: QtBot):
    labels = ["Lauf abbrechen", "Anhalten und schließen", "Abwarten und schließen", "Bleiben und nichts weiter tun"]
    question = ChoiceDialog(appearance, "Starloom schließen?", "", [Choice(one, one) for one in labels])
    question.open()
    qtbot.waitExposed(question)
    buttons = question.choices.buttons
    assert [one.text() for one in buttons.values()] == labels
    for one in buttons.values():
        assert one.width() >= one.sizeHint().width()
        assert question.rect().contains(QRect(one.mapTo(question, QPoint()), one.size()))
    question.choices.show_choices([Choice(one, 2 * one) for one in labels])
    qtbot.waitUntil(lambda: all(one.width() >= one.sizeHint().width() for one in question.choices.buttons.values()))
    question.choices.answer("")


def test_closing_counts_the_changes_that_are_not_committed_and_says_what_becomes_of_them(
    app: QApplication, appearance: Appearance
):
    dialog = ClosingDialog(appearance, [UnfinishedRun("Run 1", 2, 3, staged=2), UnfinishedRun("Run 2", 0, 1)])
    assert dialog._list.text() == "Run 1: 2 running, 1 to go, 2 change(s) not committed\nRun 2: 1 to go"
    assert "What is staged stays staged." in dialog.choices.sentence.text()
    plain = ClosingDialog(appearance, [UnfinishedRun("Run 1", 2, 3)])
    assert "staged" not in plain.choices.sentence.text()
