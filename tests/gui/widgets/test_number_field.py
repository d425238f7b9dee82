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
