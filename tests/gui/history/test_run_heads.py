"""Heads over the runs have the room their words need, in any language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QTranslator
from PySide6.QtGui import QFontMetricsF
from typing_extensions import override

from starloom_gui.history.grid import RunGrid
from starloom_gui.models.run_table import RunColumn, RunTable
from starloom_gui.theme.appearance import Appearance, Theme

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot


class LongWinded(QTranslator):
    """A language in which everything takes twice as many words."""

    @override
    def translate(self, _context: str, text: str, _note: str | None = None, _count: int = -1) -> str:
        return f"{text} {text}"

    @override
    def isEmpty(self) -> bool:
        return False


def test_heads_of_long_words_widen_their_columns(app: QApplication, qtbot: QtBot) -> None:
    language = LongWinded()
    QCoreApplication.installTranslator(language)
    try:
        grid = RunGrid(RunTable(), Appearance(app, Theme.DARK, reduced_motion=True))
        qtbot.addWidget(grid)
        head = grid.horizontalHeader()
        words = QFontMetricsF(head.font())
        for column in set(RunColumn) - {RunColumn.NAME}:
            text = column.column.heading()
            assert text == " ".join(2 * [text[: len(text) // 2]])
            assert head.sectionSize(column) > words.horizontalAdvance(text), text
    finally:
        QCoreApplication.removeTranslator(language)
