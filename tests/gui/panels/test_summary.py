"""Counts by status in the inspector: they change with every frame of a run, and no row is made anew for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from starloom_gui.panels.figure_rows import FigureRow
from starloom_gui.panels.summary import CountsSection
from starloom_gui.theme.status_form import StatusForm

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from starloom_gui.theme.appearance import Appearance


def rows_of(section: CountsSection) -> list[tuple[str, str]]:
    """What stands in the rows, one row after the other."""
    return [(row.figure.name, row.figure.value) for row in section.figures.shown]


def test_counts_change_where_they_stand_and_no_row_goes(qtbot: QtBot, appearance: Appearance) -> None:
    section = CountsSection(lambda: appearance.palette)
    qtbot.addWidget(section)
    section.show_counts("By status", (1, 0, 2, 3, 0, 0, 0, 0, 0), "run")
    section.show()
    made, before = section.findChildren(FigureRow), section.figures.shown[0].grab().toImage()
    section.show_counts("By status", (1, 0, 0, 5, 0, 0, 0, 0, 0), "run")
    assert section.findChildren(FigureRow) == made, "rows made anew have the whole pane laid out anew"
    assert rows_of(section) == [("Done", "5"), ("Running", "0"), ("Waiting", "1")]
    assert not section.figures.shown[1].isEnabled()
    section.show_counts("By status", (1, 0, 0, 1, 0, 0, 0, 0, 0), "run")
    assert section.figures.shown[0].grab().toImage() != before, "its bar is shorter"
    section.show_counts("By status", (0, 0, 1, 0, 1, 0, 0, 0, 0), "another run")
    assert rows_of(section) == [("Running", "1"), ("Failed", "1")]


def test_arrows_go_through_the_rows_and_return_selects_the_tasks(
    qtbot: QtBot, app: QApplication, appearance: Appearance
) -> None:
    section = CountsSection(lambda: appearance.palette)
    qtbot.addWidget(section)
    section.show_counts("By status", (0, 0, 2, 3, 1, 0, 0, 0, 0), "run")
    section.show()
    section.activateWindow()
    first, second, last = section.figures.shown
    first.setFocus()
    picked: list[StatusForm] = []
    section.picked.connect(picked.append)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down):
        QTest.keyClick(section.focusWidget(), key)
    assert section.focusWidget() is last
    QTest.keyClick(last, Qt.Key.Key_Return)
    QTest.keyClick(last, Qt.Key.Key_Up)
    assert section.focusWidget() is second
    QTest.mouseClick(first, Qt.MouseButton.LeftButton)
    assert picked == [StatusForm.FAILED, StatusForm.COMPLETED]
