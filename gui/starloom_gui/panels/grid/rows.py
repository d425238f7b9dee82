"""The model of the grid: a row for each task of a plan's last runs, a column for each run."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt
from typing_extensions import override

from starloom.reporting.plan_history import PlanHistory
from starloom_gui.panels.grid import words
from starloom_gui.text.words import tip, translate
from starloom_gui.viewmodel.roles import NOWHERE, ItemRole

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QPersistentModelIndex

    from starloom.reporting.run_digest import RunDigest


class GridOrder(StrEnum):
    """The orders of the tasks."""

    GRAPH = "graph"
    NAME = "name"
    FLAKY = "flaky"
    SLOWER = "slower"

    @property
    def word(self) -> str:
        """What it is called."""
        return {
            GridOrder.GRAPH: translate("Grid", "In the order of the graph"),
            GridOrder.NAME: translate("Grid", "By name"),
            GridOrder.FLAKY: translate("Grid", "Flaky first"),
            GridOrder.SLOWER: translate("Grid", "Slower first"),
        }[self]


class GridRows(QAbstractTableModel):
    """The tasks by the runs. All of it is shown anew whenever there are other runs, or runs with other tasks.

    Args:
        name_of: gives what a run is called, by its id and the name of its plan.
        parent: of the object.

    Attributes:
        history: what is shown.
        rows: the shown tasks, as rows of the history.
        order: that of the tasks.
        only: the flags of which a task has at least one to be shown; none: all are shown.
    """

    def __init__(self, name_of: Callable[[str, str], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name_of = name_of
        self.history = PlanHistory(())
        self.rows: list[int] = []
        self.order = GridOrder.GRAPH
        self.only: frozenset[GridOrder] = frozenset()

    def show_history(self, history: PlanHistory) -> None:
        """Show other runs."""
        self.beginResetModel()
        self.history = history
        self.rows = self._arranged()
        self.endResetModel()

    def refresh(self, at: int) -> None:
        """Take over what the tasks of a column have come to; no row changes its place by that."""
        self.history.refresh(at)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, at, at)
        if self.rows:
            self.dataChanged.emit(self.index(0, at), self.index(len(self.rows) - 1, at))
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, len(self.rows) - 1)

    def arrange(self, order: GridOrder, only: frozenset[GridOrder]) -> None:
        """Show the tasks in another order, or others of them."""
        self.beginResetModel()
        self.order, self.only = order, only
        self.rows = self._arranged()
        self.endResetModel()

    def _arranged(self) -> list[int]:
        history = self.history
        flaky, slower = history.flaky, history.slower
        shown = np.zeros(len(history.ids), bool) if self.only else np.ones(len(history.ids), bool)
        if GridOrder.FLAKY in self.only:
            shown |= flaky > 0
        if GridOrder.SLOWER in self.only:
            shown |= slower > 0
        rows: list[int] = np.flatnonzero(shown).tolist()
        if self.order is GridOrder.NAME:
            rows.sort(key=lambda row: history.title(row).casefold())
        elif self.order is not GridOrder.GRAPH:
            by = flaky if self.order is GridOrder.FLAKY else slower
            rows.sort(key=lambda row: -by[row])
        return rows

    # ---- places

    def column(self, at: int) -> RunDigest:
        """The run of a column."""
        return self.history.columns[at]

    def place_of(self, run_id: str, task_id: str) -> tuple[int, int]:
        """Row and column of a task of a run; -1: it is not shown."""
        ids, rows = self.history.ids, self.rows
        row = next((at for at, row in enumerate(rows) if ids[row] == task_id), -1)
        column = next((at for at, one in enumerate(self.history.columns) if one.run_id == run_id), -1)
        return row, column

    # ---- Qt's questions

    @override
    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    @override
    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.history.columns)

    @override
    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, at = self.rows[index.row()], index.column()
        if role == ItemRole.CODE:
            return words.form_in(self.history, row, at)
        if role == ItemRole.ID:
            return self.history.ids[row]
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(words.cell_tip(self.history, row, at))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return words.cell_spoken(self.history, row, at)
        return None

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        is_task = orientation == Qt.Orientation.Vertical
        if not 0 <= section < (len(self.rows) if is_task else len(self.history.columns)):
            return None
        if is_task:
            row = self.rows[section]
            if role == Qt.ItemDataRole.ToolTipRole:
                return tip(words.row_tip(self.history, row))
            return self.history.title(row) if role == Qt.ItemDataRole.DisplayRole else None
        column = self.column(section)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(words.column_tip(column, self._name_of(column.run_id, column.plan)))
        return words.column_time(column) if role == Qt.ItemDataRole.DisplayRole else None
