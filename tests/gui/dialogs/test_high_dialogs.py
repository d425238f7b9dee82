"""A dialog is never higher than its screen: its fields scroll, while its title and its buttons stay in sight."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QWidget
from tests.gui.dialogs.test_attach_agent import Engine

from starloom_gui.dialogs.attach_agent import AttachAgentDialog
from starloom_gui.widgets.controls import text
from starloom_gui.widgets.dialog import SHADOW, Dialog
from starloom_gui.widgets.dialog_body import DialogBody
from starloom_gui.widgets.question import Choice, ChoiceDialog

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from starloom_gui.theme.appearance import Appearance


def body_of(dialog: Dialog) -> DialogBody:
    (found,) = dialog.findChildren(DialogBody)
    return found


def box_of(dialog: Dialog) -> QRect:
    """The box of a dialog on the screen, without its shadow."""
    return QRect(dialog.pos(), dialog.size()).adjusted(SHADOW, SHADOW, -SHADOW, -SHADOW)


def settled() -> None:
    for _ in range(5):
        QApplication.processEvents()


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    """What the dialogs stand over."""
    made = QWidget()
    qtbot.addWidget(made)
    made.setGeometry(100, 100, 500, 400)
    made.show()
    return made


def opened(window: QWidget, appearance: Appearance, fields: int) -> tuple[Dialog, list[QLineEdit]]:
    """A dialog over a window, with so many fields."""
    dialog = Dialog(appearance, "Title", "Do", parent=window)
    made = [QLineEdit() for _ in range(fields)]
    for one in made:
        one.setFixedHeight(28)
        dialog.body.addWidget(one)
    dialog.apply_theme(appearance.palette)
    dialog.show()
    settled()
    return dialog, made


def assert_on_screen(dialog: Dialog) -> None:
    assert dialog.screen().availableGeometry().contains(box_of(dialog))
    for one in (dialog.default, dialog.cancel):
        at = QRect(one.mapTo(dialog, one.rect().topLeft()), one.size())
        assert dialog.rect().adjusted(SHADOW, SHADOW, -SHADOW, -SHADOW).contains(at)


def test_the_fields_of_a_dialog_that_is_too_high_scroll(window: QWidget, appearance: Appearance) -> None:
    dialog, fields = opened(window, appearance, 60)
    assert_on_screen(dialog)
    assert box_of(dialog).height() == dialog.screen().availableGeometry().height()
    body = body_of(dialog)
    assert body.verticalScrollBar().isVisible()
    assert all(one.width() == fields[0].width() for one in fields)
    assert body.viewport().width() >= fields[0].width()


def test_one_that_fits_has_no_scroll_bar_and_scrolls_no_pixel(window: QWidget, appearance: Appearance) -> None:
    dialog, _ = opened(window, appearance, 5)
    body = body_of(dialog)
    assert not body.verticalScrollBar().isVisible()
    assert (body.verticalScrollBar().maximum(), body.height()) == (0, body.ground.height())
    assert body.viewport().width() == body.width()


def test_tab_brings_the_field_that_gets_the_focus_into_sight(window: QWidget, appearance: Appearance) -> None:
    dialog, fields = opened(window, appearance, 60)
    dialog.activateWindow()
    fields[0].setFocus()
    body = body_of(dialog)

    def in_sight(field: QLineEdit) -> bool:
        return (
            body.viewport().rect().contains(QRect(field.mapTo(body.viewport(), field.rect().topLeft()), field.size()))
        )

    assert not in_sight(fields[-1])
    for before, after in pairwise(fields):
        QTest.keyClick(before, Qt.Key.Key_Tab)
        assert after.hasFocus()
        assert in_sight(after)
    fields[0].setFocus()
    assert in_sight(fields[0])


def test_one_that_grows_comes_back_onto_the_screen_and_shrinks_again(window: QWidget, appearance: Appearance) -> None:
    dialog, fields = opened(window, appearance, 60)
    for one in fields[5:]:
        one.hide()
    settled()
    body = body_of(dialog)
    assert not body.verticalScrollBar().isVisible()
    low = dialog.height()
    screen = dialog.screen().availableGeometry()
    dialog.move(dialog.x(), screen.bottom() - low)
    for one in fields[5:12]:
        one.show()
    settled()
    assert dialog.height() > low
    assert not body.verticalScrollBar().isVisible()
    assert_on_screen(dialog)
    for one in fields:
        one.show()
    settled()
    assert body.verticalScrollBar().isVisible()
    assert_on_screen(dialog)


def test_a_message_beside_the_buttons_takes_its_room_from_the_fields(window: QWidget, appearance: Appearance) -> None:
    dialog, _ = opened(window, appearance, 60)
    dialog.allow("It cannot be done, and that has a reason which takes several lines in the last row of it. " * 3)
    settled()
    assert_on_screen(dialog)


def test_a_question_with_much_to_read_scrolls(qtbot: QtBot, appearance: Appearance) -> None:
    parts = QWidget()
    words = text("So it is. " * 2000)
    dialog = ChoiceDialog(appearance, "Go on?", words.text(), [Choice("yes", "Yes", is_default=True)], parts)
    qtbot.addWidget(dialog)
    dialog.show()
    settled()
    assert box_of(dialog).height() <= dialog.screen().availableGeometry().height()
    assert body_of(dialog).verticalScrollBar().isVisible()
    assert dialog.choices.buttons["yes"].mapTo(dialog, dialog.choices.buttons["yes"].rect().bottomLeft()).y() < (
        dialog.height() - SHADOW
    )


@pytest.mark.parametrize("at", range(3))
def test_all_options_of_an_editing_agent_are_on_the_screen(qtbot: QtBot, appearance: Appearance, at: int) -> None:
    dialog = AttachAgentDialog(appearance, "r", Engine())
    qtbot.addWidget(dialog)
    dialog.show()
    settled()
    dialog.kinds.choose(dialog.kinds.descriptions[at].kind)
    for more in dialog.findChildren(QPushButton):
        if more.isVisible() and more.text() == "More options":
            more.click()
    settled()
    assert_on_screen(dialog)
