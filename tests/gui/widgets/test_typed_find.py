"""The field that shows what is typed over a view, and where that leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QTreeView, QWidget

from starloom_gui.theme.appearance import Appearance
from starloom_gui.viewmodel.keys import TYPED
from starloom_gui.widgets.typed_find import TypedFind, find_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication

Key, SHIFT = Qt.Key, Qt.KeyboardModifier.ShiftModifier


class Desk:
    """A tree with a branch, and a field beside it."""

    def __init__(self, appearance: Appearance) -> None:
        self.window, self.view, self.model = QWidget(), QTreeView(), QStandardItemModel()
        for name in ("alpha", "build 1"):
            self.model.appendRow(QStandardItem(name))
        branch = QStandardItem("tests")
        branch.appendRow(QStandardItem("build 2"))
        self.model.appendRow(branch)
        self.view.setModel(self.model)
        self.view.setParent(self.window)
        self.beside = QLineEdit(self.window)
        self.view.setGeometry(0, 0, 300, 200)
        self.busy = False
        self.find = TypedFind(self.view, find_rows(self.view, 0), appearance, lambda: self.busy)
        self.window.show()
        self.window.activateWindow()
        assert QTest.qWaitForWindowActive(self.window)
        self.view.setFocus()

    @property
    def current(self) -> str:
        return str(self.view.currentIndex().data() or "")

    def type(self, text: str) -> None:
        QTest.keyClicks(self.view, text)

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.view, key, modifiers)


@pytest.fixture
def desk(app: QApplication) -> Iterator[Desk]:
    made = Desk(Appearance(app))
    yield made
    made.window.close()
    made.window.deleteLater()


def test_what_is_typed_is_shown_at_the_top_right_and_found(desk: Desk) -> None:
    desk.type("BU")
    assert (desk.find.isVisible(), desk.find.words, desk.current) == (True, "BU", "build 1")
    box = desk.view.viewport().geometry()
    assert box.contains(desk.find.geometry())
    assert box.right() - desk.find.geometry().right() <= 8
    assert desk.find.geometry().top() - box.top() <= 8
    desk.type("ild 2")
    assert desk.current == "build 2", "it looks into closed branches, and a space is part of what is typed"
    assert desk.view.isExpanded(desk.model.index(2, 0))


def test_f3_goes_on_and_back_and_round(desk: Desk) -> None:
    desk.type("build")
    seen = []
    for modifiers in (Qt.KeyboardModifier.NoModifier,) * 2 + (SHIFT,):
        desk.press(Key.Key_F3, modifiers)
        seen.append(desk.current)
    assert seen == ["build 2", "build 1", "build 2"]


def test_f3_goes_on_with_what_another_field_has_found_and_no_second_field_shows_it(desk: Desk) -> None:
    desk.find.remember("build")
    desk.press(Key.Key_F3)
    desk.press(Key.Key_F3)
    assert (desk.find.isVisible(), desk.current) == (False, "build 2")
    desk.press(Key.Key_F3, SHIFT)
    assert (desk.find.isVisible(), desk.current) == (False, "build 1")
    desk.type("al")
    assert (desk.find.words, desk.current) == ("al", "alpha")


def test_what_is_not_there_is_said_and_nothing_else_becomes_current(desk: Desk) -> None:
    desk.type("alx")
    assert desk.find.words == "alx (not found)"
    assert desk.current == "alpha"
    desk.press(Key.Key_Backspace)
    assert desk.find.words == "al"
    desk.press(Key.Key_Backspace)
    desk.press(Key.Key_Backspace)
    assert desk.find.isHidden()


@pytest.mark.parametrize("key", [Key.Key_Escape, Key.Key_Return, Key.Key_Enter])
def test_escape_and_enter_end_it_and_do_nothing_else(desk: Desk, key: Qt.Key) -> None:
    acted: list[object] = []
    desk.view.activated.connect(acted.append)
    desk.type("build")
    desk.press(key)
    assert (desk.find.isHidden(), desk.current, acted) == (True, "build 1", [])


def test_a_click_and_another_focus_end_it(desk: Desk) -> None:
    desk.type("al")
    QTest.mouseClick(desk.view.viewport(), Qt.MouseButton.LeftButton)
    assert desk.find.isHidden()
    desk.type("al")
    desk.beside.setFocus()
    assert desk.find.isHidden()


def test_keys_of_the_view_do_not_begin_it_but_belong_to_what_is_typed(desk: Desk) -> None:
    for character in (*TYPED, " "):
        desk.type(character)
        assert desk.find.isHidden(), character
    desk.type("a0?")
    assert desk.find.text == "a0?"
    desk.press(Key.Key_Escape)
    desk.busy = True
    desk.type("a")
    assert desk.find.isHidden(), "something that goes on in the view has its keys"


def test_a_command_is_no_text(desk: Desk) -> None:
    desk.press(Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    desk.press(Key.Key_K, Qt.KeyboardModifier.AltModifier)
    assert desk.find.isHidden()
