"""The list of runs has the header of every table, whose arrow means the same, and room for what a run's state says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QWidget

from starloom.journal.records import RunRecord
from starloom_gui.history.dialog import _wide
from starloom_gui.history.grid import RunGrid
from starloom_gui.models.run_table import RunColumn, RunTable
from starloom_gui.text import translations
from starloom_gui.text.words import share
from starloom_gui.theme.appearance import Appearance
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.dialog import SHADOW
from starloom_gui.widgets.table_header import TableHeader

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

GLYPH = 34
"""Pixels that the glyph of a state and the gaps of its cell take."""
PAD, ARROW = 8, 16
WIDE, WIDE_COMPARED = 992, 912
"""Pixels of the list in the dialogs."""


def grid_of(app: QApplication, qtbot: QtBot) -> RunGrid:
    runs = [
        RunRecord(run_id=name, folder=Path(name), state="completed", created=at)
        for name, at in (("a", 1.0), ("b", 2.0))
    ]
    grid = RunGrid(RunTable(runs), Appearance(app))
    qtbot.addWidget(grid)
    return grid


def test_runs_are_sorted_by_the_header_that_every_table_has(app: QApplication, qtbot: QtBot) -> None:
    grid = grid_of(app, qtbot)
    head = grid.horizontalHeader()
    assert isinstance(head, TableHeader), "an arrow downwards means the same everywhere"

    def names() -> list[str]:
        return [grid.record(row).run_id for row in range(2)]

    assert (head.sortIndicatorSection(), head.sortIndicatorOrder()) == (
        RunColumn.MADE,
        Qt.SortOrder.DescendingOrder,
    )
    assert names() == ["b", "a"]
    head.setSortIndicator(RunColumn.MADE, Qt.SortOrder.AscendingOrder)
    assert names() == ["a", "b"]
    head.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
    assert names() == ["b", "a"], "without an order the newest stand first"


def test_the_state_of_a_run_is_whole(app: QApplication, qtbot: QtBot) -> None:
    words = QFontMetricsF(font(Role.BODY)).horizontalAdvance("Partially failed, 1 only simulated")
    assert grid_of(app, qtbot).columnWidth(RunColumn.STATE) >= words + GLYPH


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_heading_is_cut_and_every_column_has_room(spoken: QApplication, qtbot: QtBot, language: str) -> None:
    translations.install(spoken, language)
    grid = grid_of(spoken, qtbot)
    words = QFontMetricsF(font(Role.SMALL))
    for each in RunColumn:
        assert grid.columnWidth(each) >= words.horizontalAdvance(each.column.heading()) + 2 * PAD + ARROW, each
    assert sum(map(grid.columnWidth, RunColumn)) <= WIDE
    grid.hide_columns(RunColumn.SIZE)
    assert sum(map(grid.columnWidth, RunColumn)) <= WIDE_COMPARED
    progress = QFontMetricsF(font(Role.BODY)).horizontalAdvance(share(1000, 1000))
    assert grid.columnWidth(RunColumn.TASKS) >= progress + 2 * PAD


@pytest.mark.parametrize("language", ["en", "de"])
def test_in_a_narrow_dialog_remarks_are_shortened_and_no_column_is_beyond_the_edge(
    spoken: QApplication, qtbot: QtBot, language: str
) -> None:
    translations.install(spoken, language)
    grid = grid_of(spoken, qtbot)
    grid.resize(1000 - 2 * SHADOW - 2 * GAPS[4], 300)
    grid.show()
    words = QFontMetricsF(font(Role.SMALL))
    assert sum(map(grid.columnWidth, RunColumn)) <= grid.viewport().width()
    for each in RunColumn:
        assert grid.columnWidth(each) >= words.horizontalAdvance(each.column.heading()) + 2 * PAD, each


@pytest.mark.parametrize(("window", "wide"), [(1000, 1000), (1440, 1064), (600, 904)])
def test_the_history_is_no_wider_than_its_window(qtbot: QtBot, window: int, wide: int) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    over.resize(window, 700)
    inside = QWidget(over)
    assert _wide(inside) + 2 * SHADOW == wide
