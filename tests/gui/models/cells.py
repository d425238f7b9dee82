"""The whole content of a model as plain values, so that two models can be compared."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt

from starloom_gui.viewmodel.roles import ItemRole

ROLES = (Qt.ItemDataRole.DisplayRole, ItemRole.CODE, ItemRole.HELD, ItemRole.ID, ItemRole.COUNTS)


def cells(model: QAbstractItemModel, parent: QModelIndex | None = None) -> list[Any]:
    """Every row with all its columns and rows below it."""
    above = parent or QModelIndex()
    return [
        (row_cells(model, row, above), cells(model, model.index(row, 0, above))) for row in range(model.rowCount(above))
    ]


def row_cells(model: QAbstractItemModel, row: int, above: QModelIndex) -> tuple[Any, ...]:
    """The whole content of a row."""
    return tuple(
        model.data(model.index(row, column, above), role)
        for column in range(model.columnCount(above))
        for role in ROLES
    )


class Painted:
    """What a view would have on the screen: read once, and again only where the model says that something changed."""

    def __init__(self, model: QAbstractItemModel) -> None:
        self.model = model
        self.rows: list[Any] = []
        model.modelReset.connect(self.read)
        model.layoutChanged.connect(self.read)
        model.rowsInserted.connect(self.inserted)
        model.rowsRemoved.connect(self.removed)
        model.dataChanged.connect(self.changed)
        self.read()

    def read(self) -> None:
        self.rows = cells(self.model)

    def _below(self, parent: QModelIndex) -> list[Any]:
        return self.rows[parent.row()][1] if parent.isValid() else self.rows

    def inserted(self, parent: QModelIndex, first: int, last: int) -> None:
        self._below(parent)[first:first] = cells(self.model, parent)[first : last + 1]

    def removed(self, parent: QModelIndex, first: int, last: int) -> None:
        del self._below(parent)[first : last + 1]

    def changed(self, top: QModelIndex, bottom: QModelIndex) -> None:
        rows, wide = self._below(top.parent()), len(ROLES)
        for row in range(top.row(), bottom.row() + 1):
            fresh, known = row_cells(self.model, row, top.parent()), list(rows[row][0])
            begin, end = top.column() * wide, (bottom.column() + 1) * wide
            known[begin:end] = fresh[begin:end]
            rows[row] = (tuple(known), rows[row][1])


def texts(model: QAbstractItemModel, column: int) -> list[str]:
    """The texts of a column, from top to bottom."""
    return [model.data(model.index(row, column)) for row in range(model.rowCount())]


def steps_of(model: QAbstractItemModel) -> list[str]:
    """A list that grows with the name of each signal by which the model tells of something."""
    seen: list[str] = []
    model.modelReset.connect(lambda: seen.append("reset"))
    model.rowsInserted.connect(lambda *_: seen.append("inserted"))
    model.rowsRemoved.connect(lambda *_: seen.append("removed"))
    model.layoutChanged.connect(lambda *_: seen.append("layout"))
    model.dataChanged.connect(lambda *_: seen.append("data"))
    return seen
