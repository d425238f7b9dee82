"""The field for a number: what it shows while it is empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from starloom_gui.widgets.number_field import NumberField

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_what_an_empty_field_means_is_shown_also_while_it_has_the_keyboard(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    field, other = NumberField(optional=True), QLineEdit()
    column = QVBoxLayout(window)
    column.addWidget(field)
    column.addWidget(other)
    with qtbot.waitActive(window):
        window.show()
    field.line.setFocus()
    assert field.line.placeholderText() == "unlimited"
    assert not field.line.alignment() & Qt.AlignmentFlag.AlignHCenter, "Qt shows it only so"
    QTest.keyClicks(field.line, "3")
    assert field.line.alignment() & Qt.AlignmentFlag.AlignHCenter
    other.setFocus()
    field.set_to(None)
    assert field.line.alignment() & Qt.AlignmentFlag.AlignHCenter


def test_the_key_of_a_command_is_not_typed(qtbot: QtBot) -> None:
    field = NumberField(optional=True)
    qtbot.addWidget(field)
    field.show()
    field.show_value(1)
    QTest.keyClick(field.line, Qt.Key.Key_0, Qt.KeyboardModifier.AltModifier)
    assert field.line.text() == "1", "Alt+0 shows a pane, but not while a popup has the keyboard"
    QTest.keyClick(field.line, Qt.Key.Key_0)
    assert field.line.text() == "10"
