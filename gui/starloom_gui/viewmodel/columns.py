"""The columns of tables: one value says all that a table and its view need to know of a column."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import Qt

from starloom_gui.viewmodel.roles import LEFT

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

SourceT = TypeVar("SourceT")
RowT = TypeVar("RowT")


@dataclass(frozen=True, kw_only=True)  # `slots` and the generic alias by which tables make theirs do not go together
class Column(Generic[SourceT, RowT]):
    """The specification of a column: heading, text, sort key, width and alignment.

    Attributes:
        heading: gives what stands over it, in the language of now.
        text: gives what stands in a cell, of what the table reads and of the row.
        sort_key: gives what rows are sorted by, likewise; None: by the text, whatever its case.
        sort_keys: gives the same of all rows at once, as an array; None: there is no faster way to that.
        width: pixels at first, or the least of the column that takes what is left.
        takes_rest: whether it takes what the others leave.
        align: how heading and texts lie, as flags of Qt.
        elide: where a text that is too long is cut.
        is_muted: whether its texts are less important than the others.
        is_extra: whether it is there only while the table is asked for more.
    """

    heading: Callable[[], str]
    text: Callable[[SourceT, RowT], str]
    sort_key: Callable[[SourceT, RowT], Any] | None = None
    sort_keys: Callable[[SourceT], Any] | None = None
    width: int = 84
    takes_rest: bool = False
    align: int = LEFT
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight
    is_muted: bool = True
    is_extra: bool = False


class Columns(IntEnum):
    """The columns of one table: each member is the number of a column in the model, and has the column.

    A new column is one new member. Layouts that users have kept know columns by these numbers: it comes last.
    """

    column: Column[Any, Any]

    def __new__(cls, column: Column[Any, Any]) -> Self:
        """The next column."""
        number = len(cls.__members__)
        made = int.__new__(cls, number)
        made._value_ = number
        made.column = column
        return made

    @classmethod
    def at(cls, number: int) -> Self:
        """The column of a number."""
        return cls(number)  # type: ignore[arg-type]  # a number is looked up, nothing is made


def header_data(columns: type[Columns], section: int, orientation: Qt.Orientation, role: int) -> Any:
    """The answer of a model to `headerData`.

    Args:
        columns: of the model.
        section: the number of a column.
        orientation: only horizontal heads have something.
        role: text and alignment are known.
    """
    if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(columns):
        return None
    column = columns.at(section).column
    if role == Qt.ItemDataRole.DisplayRole:
        return column.heading()
    return column.align if role == Qt.ItemDataRole.TextAlignmentRole else None
