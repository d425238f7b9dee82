"""Tables: their columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QStandardItemModel

from starloom_gui.models.queue_table import QueueColumn
from starloom_gui.widgets.table_view import TableView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_no_head_of_a_column_is_cut_however_long_its_words_are_in_a_language(qtbot: QtBot) -> None:
    model = QStandardItemModel(0, len(QueueColumn))
    model.setHorizontalHeaderLabels([f"Grundwertermittlung {at}" for at in range(len(QueueColumn))])
    table = TableView(model, QueueColumn)
    qtbot.addWidget(table)
    model.setParent(table)
    heads = table.horizontalHeader()
    for column in QueueColumn:
        words = model.headerData(column, heads.orientation())
        assert heads.sectionSize(column) > heads.fontMetrics().horizontalAdvance(words)
