"""A small table model that is reloaded as a whole: for tens or hundreds of rows, such as devices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt
from typing_extensions import override

from starloom_gui.text.words import tip
from starloom_gui.viewmodel.columns import header_data
from starloom_gui.viewmodel.roles import NOWHERE, ranges

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from starloom_gui.viewmodel.columns import Columns
    from starloom_gui.viewmodel.roles import Index

RowT = TypeVar("RowT")


class PlainTable(QAbstractTableModel, Generic[RowT]):
    """A table of values; new rows are compared with the old ones, so that views are notified of differences only.

    Args:
        columns: of the table; their texts are given the table and a row.
        identity: what makes a row the same row with other values.
    """

    def __init__(
        self,
        columns: type[Columns],
        identity: Callable[[RowT], Hashable],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._columns = tuple(each.column for each in columns)
        self._header = columns
        self._identity = identity
        self._rows: list[RowT] = []

    @property
    def rows(self) -> tuple[RowT, ...]:
        """All rows, from top to bottom."""
        return tuple(self._rows)

    def row_of(self, identity: object) -> int | None:
        """The row of this identity; None: there is none."""
        return next((at for at, row in enumerate(self._rows) if self._identity(row) == identity), None)

    def text(self, row: RowT, column: int) -> str:
        """The text of a cell."""
        return self._columns[column].text(self, row)

    def more(self, row: RowT, column: int, role: int) -> Any:  # noqa: ARG002 - for those that have more
        """The data of a cell for other roles."""
        return None

    def show(self, rows: Sequence[RowT]) -> None:
        """Show these rows."""
        old, new = [self._identity(row) for row in self._rows], [self._identity(row) for row in rows]
        if old != new:
            self._replace(rows, old, new)
            return
        changed = [at for at, (before, after) in enumerate(zip(self._rows, rows, strict=True)) if before != after]
        self._rows = list(rows)
        last = self.columnCount() - 1
        for first, end in ranges(changed):
            self.dataChanged.emit(self.index(first, 0), self.index(end, last))

    def _replace(self, rows: Sequence[RowT], old: list[Hashable], new: list[Hashable]) -> None:
        if new[: len(old)] == old:
            self._append(rows, len(old))
        elif sorted(map(repr, old)) == sorted(map(repr, new)):
            self._reorder(rows, old, new)
        else:
            self.beginResetModel()
            self._rows = list(rows)
            self.endResetModel()

    def _append(self, rows: Sequence[RowT], known: int) -> None:
        self.beginInsertRows(NOWHERE, known, len(rows) - 1)
        self._rows = list(rows)
        self.endInsertRows()
        if known:
            self.dataChanged.emit(self.index(0, 0), self.index(known - 1, self.columnCount() - 1))

    def _reorder(self, rows: Sequence[RowT], old: list[Hashable], new: list[Hashable]) -> None:
        self.layoutAboutToBeChanged.emit()
        place = {one: at for at, one in enumerate(new)}
        before = self.persistentIndexList()
        self._rows = list(rows)
        self.changePersistentIndexList(before, [self.index(place[old[one.row()]], one.column()) for one in before])
        self.layoutChanged.emit()

    def remark(self, row: RowT, column: int) -> str:  # noqa: ARG002 - for tables that have remarks
        """A remark of a cell's tooltip below its text; empty: there is none."""
        return ""

    # ---- what Qt asks

    @override
    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    @override
    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._columns)

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return header_data(self._header, section, orientation, role)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row, column = self._rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip("\n".join(filter(None, (self.text(row, column), self.remark(row, column)))))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._columns[column].align
        return self.more(row, column, role)


def index_at(model: QAbstractTableModel, row: int | None, column: int = 0) -> QModelIndex:
    """The index of a row that may not be there."""
    return NOWHERE if row is None else model.index(row, column)
