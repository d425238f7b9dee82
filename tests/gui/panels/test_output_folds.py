"""Tool calls of agents are lines of output that open: by mouse, by key, by what is sought; nothing is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from tests.gui.panels.test_output_view import point, shown

from starloom.model.activity_lines import DETAIL, MARK, MOST_DETAILS
from starloom_gui.gateway.output import Piece
from starloom_gui.models.output_lines import OutputLines
from starloom_gui.panels.output_folds import Folds
from starloom_gui.panels.output_marks import OutputPosition
from starloom_gui.panels.output_rows import Rows

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from starloom_gui.panels.output_view import OutputView
    from starloom_gui.theme.appearance import Appearance

TEXTS = ("I begin.", f"{MARK}edit: Change it", f"{DETAIL}-one", f"{DETAIL}+two", "Done.", f"{DETAIL}mine", "Bye.")
CLOSED = ["I begin.", f"{MARK}edit: Change it", "Done.", f"{DETAIL}mine", "Bye."]


def in_sight(view: OutputView, lines: OutputLines) -> list[str]:
    return [view._row(number).line.text for number in range(view._rows.total)]


def test_what_a_tool_call_does_is_out_of_sight_until_its_mark_is_clicked(qtbot: QtBot, appearance: Appearance):
    view, lines = shown(appearance, *TEXTS)
    assert in_sight(view, lines) == CLOSED, "what opens nothing stays"
    port = view.viewport()
    QTest.mouseClick(port, Qt.MouseButton.LeftButton, pos=point(view, 1, 6))
    assert in_sight(view, lines) == CLOSED, "a click on the words is one of text"
    QTest.mouseClick(port, Qt.MouseButton.LeftButton, pos=QPoint(6, point(view, 1, 0).y()))
    assert in_sight(view, lines) == list(TEXTS)
    QTest.mouseClick(port, Qt.MouseButton.LeftButton, pos=point(view, 1, 0))
    assert in_sight(view, lines) == CLOSED

    def points() -> bool:
        for place in (QPoint(200, 100), point(view, 1, 0)):  # a pointer that is there already does not move
            QTest.mouseMove(port, place)
        return port.cursor().shape() is Qt.CursorShape.PointingHandCursor

    qtbot.waitUntil(points)


def test_enter_opens_the_line_of_the_caret_and_keys_go_past_what_is_closed(app: QApplication, appearance: Appearance):
    view, lines = shown(appearance, *TEXTS)
    view.marks.move(OutputPosition(1, 0))
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.marks.caret == OutputPosition(4, 0)
    QTest.keyClick(view, Qt.Key.Key_Up)
    assert view.marks.caret == OutputPosition(1, 0)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert in_sight(view, lines) == list(TEXTS)
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.marks.caret == OutputPosition(2, 0)
    view.marks.move(OutputPosition(0, 0))
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert in_sight(view, lines) == list(TEXTS), "nothing opens there"


def test_what_is_sought_opens_and_copying_leaves_nothing_out(app: QApplication, appearance: Appearance):
    view, lines = shown(appearance, *TEXTS)
    view.show_place(OutputPosition(3, 0))
    assert in_sight(view, lines) == list(TEXTS)
    view.start_over()
    assert in_sight(view, lines) == CLOSED, "another output begins closed"
    view.input.select_all()
    view.input.copy()
    assert QGuiApplication.clipboard().text().splitlines() == list(TEXTS)


def test_the_last_line_may_be_one_that_is_closed(app: QApplication, appearance: Appearance):
    view, lines = shown(appearance, *TEXTS[:4])
    assert in_sight(view, lines) == CLOSED[:2]
    assert view.marks.last() == OutputPosition(1, len(TEXTS[1]))
    QTest.keyClick(view, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.marks.caret.line == 1


LINES = st.sampled_from([f"{MARK}a", f"{DETAIL}b", "c", ""])


@given(st.lists(st.lists(LINES, min_size=1, max_size=5), max_size=6), st.sets(st.integers(0, 20)))
def test_lines_that_come_one_after_the_other_are_hidden_as_all_at_once_are(parts, opened):
    lines, counted = OutputLines(), 0
    lines.show("r", "t")
    folds = Folds(lines)
    rows = Rows(folds.hidden)
    rows.fill((), None)
    for number in opened:
        folds.toggle(number)
    for part in parts:
        lines.append([Piece(1, "".join(f"{text}\n" for text in part))])
        rows.append(lines.lines(counted))
        counted = len(lines)
    anew = Rows(folds.hidden)
    anew.fill(lines.lines(), None)
    assert [rows.first_of(at) for at in range(counted + 1)] == [anew.first_of(at) for at in range(counted + 1)]
    heights = [anew.first_of(at + 1) - anew.first_of(at) for at in range(counted)]
    assert [not height for height in heights] == [folds.hides(at) for at in range(counted)]


@pytest.mark.parametrize("count", [MOST_DETAILS + 1, 3 * MOST_DETAILS])
def test_as_much_as_an_agent_writes_below_a_line_is_hidden_by_it(count: int) -> None:
    lines = OutputLines()
    lines.show("r", "t", [Piece(1, f"{MARK}a\n" + f"{DETAIL}b\n" * count)])
    folds = Folds(lines)
    assert folds.hides(MOST_DETAILS + 1)
    assert folds.hides(count) is (count == MOST_DETAILS + 1) is list(folds.hidden(0, lines.lines()))[count]
