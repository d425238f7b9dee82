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


class Bench:
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
def bench(app: QApplication) -> Iterator[Bench]:
    made = Bench(Appearance(app))
    yield made
    made.window.close()
    made.window.deleteLater()


def test_what_is_typed_is_shown_at_the_top_right_and_found(bench: Bench) -> None:
    bench.type("BU")
    assert (bench.find.isVisible(), bench.find.words, bench.current) == (True, "BU", "build 1")
    box = bench.view.viewport().geometry()
    assert box.contains(bench.find.geometry())
    assert box.right() - bench.find.geometry().right() <= 8
    assert bench.find.geometry().top() - box.top() <= 8
    bench.type("ild 2")
    assert bench.current == "build 2", "it looks into closed branches, and a space is part of what is typed"
    assert bench.view.isExpanded(bench.model.index(2, 0))


def test_f3_goes_on_and_back_and_round(bench: Bench) -> None:
    bench.type("build")
    seen = []
    for modifiers in (Qt.KeyboardModifier.NoModifier,) * 2 + (SHIFT,):
        bench.press(Key.Key_F3, modifiers)
        seen.append(bench.current)
    assert seen == ["build 2", "build 1", "build 2"]


def test_f3_goes_on_with_what_another_field_has_found_and_no_second_field_shows_it(bench: Bench) -> None:
    bench.find.remember("build")
    bench.press(Key.Key_F3)
    bench.press(Key.Key_F3)
    assert (bench.find.isVisible(), bench.current) == (False, "build 2")
    bench.press(Key.Key_F3, SHIFT)
    assert (bench.find.isVisible(), bench.current) == (False, "build 1")
    bench.type("al")
    assert (bench.find.words, bench.current) == ("al", "alpha")


def test_what_is_not_there_is_said_and_nothing_else_becomes_current(bench: Bench) -> None:
    bench.type("alx")
    assert bench.find.words == "alx (not found)"
    assert bench.current == "alpha"
    bench.press(Key.Key_Backspace)
    assert bench.find.words == "al"
    bench.press(Key.Key_Backspace)
    bench.press(Key.Key_Backspace)
    assert bench.find.isHidden()


@pytest.mark.parametrize("key", [Key.Key_Escape, Key.Key_Return, Key.Key_Enter])
def test_escape_and_enter_end_it_and_do_nothing_else(bench: Bench, key: Qt.Key) -> None:
    acted: list[object] = []
    bench.view.activated.connect(acted.append)
    bench.type("build")
    bench.press(key)
    assert (bench.find.isHidden(), bench.current, acted) == (True, "build 1", [])


def test_a_click_and_another_focus_end_it(bench: Bench) -> None:
    bench.type("al")
    QTest.mouseClick(bench.view.viewport(), Qt.MouseButton.LeftButton)
    assert bench.find.isHidden()
    bench.type("al")
    bench.beside.setFocus()
    assert bench.find.isHidden()


def test_keys_of_the_view_do_not_begin_it_but_belong_to_what_is_typed(bench: Bench) -> None:
    for character in (*TYPED, " "):
        bench.type(character)
        assert bench.find.isHidden(), character
    bench.type("a0?")
    assert bench.find.text == "a0?"
    bench.press(Key.Key_Escape)
    bench.busy = True
    bench.type("a")
    assert bench.find.isHidden(), "something that goes on in the view has its keys"


def test_a_command_is_no_text(bench: Bench) -> None:
    bench.press(Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    bench.press(Key.Key_K, Qt.KeyboardModifier.AltModifier)
    assert bench.find.isHidden()
