"""The letters of answers are none that open a menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMainWindow, QPushButton, QVBoxLayout, QWidget

from starloom_gui.panels.answer_keys import AnswerKeys

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_letters_of_menus_are_taken_also_where_the_menus_are_not_those_of_the_outermost_window(qtbot: QtBot) -> None:
    outer, page, pane = QWidget(), QMainWindow(), QWidget()
    qtbot.addWidget(outer)
    page.menuBar().addMenu("&Run")
    page.menuBar().addMenu("&Edit")
    page.setCentralWidget(pane)
    QVBoxLayout(outer).addWidget(page)
    assert pane.window() is outer
    button = QPushButton("Reject", pane)
    AnswerKeys(pane).give("one", [button])
    assert "&" in button.text()
    assert not {"&R", "&e"} & {button.text()[at : at + 2] for at in range(len(button.text()))}
