"""Synchronizing the selection of item views with the one selection of a run."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QAbstractItemModel, QItemSelection, QItemSelectionModel, QItemSelectionRange, QModelIndex
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from PySide6.QtCore import QObject
    from PySide6.QtWidgets import QAbstractItemView

    from starloom_gui.viewmodel.roles import Index
    from starloom_gui.viewmodel.selection import Selection

_Flag = QItemSelectionModel.SelectionFlag
MOST_PIECES: Final = 1_000
"""Pieces of a selection that Qt is told of; it takes a minute for 25,000. Rows are painted as selected all the same."""


class TaskRows(Protocol):
    """The protocol of a model of tasks; a row may stand for several."""

    def index_of(self, number: int, column: int = 0) -> QModelIndex:
        """The index of a task; invalid: it is not shown."""

    def numbers_at(self, index: Index) -> tuple[int, ...]:
        """The tasks that a row stands for."""

    def numbers_between(self, parent: Index, first: int, last: int, /) -> list[int]:
        """The tasks that these rows stand for."""

    def spans(self, numbers: Iterable[int]) -> Iterator[tuple[QModelIndex, int, int]]:
        """The rows of tasks: parent, first and last row of each range."""


@contextmanager
def still(view: QAbstractItemView) -> Iterator[None]:
    """Keep a view from scrolling meanwhile, as the current row changes when rows come and go."""
    before = view.hasAutoScroll()
    view.setAutoScroll(False)
    try:
        yield
    finally:
        view.setAutoScroll(before)


class TaskSelecting(QItemSelectionModel):
    """Synchronizes a view's selection with that of the run.

    Views select by `select` and `setCurrentIndex` alone, so what comes through these two was done by the user. What Qt
    changes by itself, as when rows go because of a filter, changes nothing for others.

    Args:
        model: what the view shows.
        rows: the same, as tasks.
        shared: the run's selection.
        parent: the view.
    """

    def __init__(self, model: QAbstractItemModel, rows: TaskRows, shared: Selection, parent: QObject) -> None:
        super().__init__(model, parent)
        self._rows, self._shared = rows, shared
        self._touched = QItemSelection(), QItemSelection()
        self._on_the_way: int | None = None
        self._agreed: frozenset[int] | None = None
        self._is_partial = False
        self.selectionChanged.connect(self._note)
        model.rowsInserted.connect(self._doubt)

    # ---- from the view

    @override
    def select(self, what: QItemSelection | Index, command: QItemSelectionModel.SelectionFlag) -> None:
        self._touched = QItemSelection(), QItemSelection()
        super().select(what if isinstance(what, QItemSelection) else QItemSelection(what, what), command)
        if command == _Flag.NoUpdate:
            return
        numbers = self._meant(command)
        self._agreed = None
        self._shared.select_all(numbers, self._on_the_way if self._on_the_way is not None else self._current())
        self.show()

    def _meant(self, command: QItemSelectionModel.SelectionFlag) -> frozenset[int]:
        """The selection of the run after the view has changed its rows; tasks that the view hides stay selected."""
        if command & _Flag.Clear:
            return self._numbers(self.selection())
        come, gone = (self._numbers(each) for each in self._touched)
        if self._is_partial and not command & _Flag.Current:  # Qt does not know what it has to turn round
            return self._shared.now.numbers ^ (come | gone)
        return (self._shared.now.numbers - gone) | come

    @override
    def setCurrentIndex(self, index: Index, command: QItemSelectionModel.SelectionFlag) -> None:
        self._on_the_way = self._meant_by(index)
        super().setCurrentIndex(index, command)
        self._on_the_way = None
        number = self._meant_by(index)
        if number is not None and number != self._shared.now.current:
            self._shared.move(number)

    @override
    def reset(self) -> None:
        """Drop the selection of the view without that of the run, which Qt's own method would clear."""
        self._agreed = None
        before = self.blockSignals(True)
        super().select(QItemSelection(), _Flag.Clear)
        super().setCurrentIndex(QModelIndex(), _Flag.NoUpdate)
        self.blockSignals(before)

    def _note(self, come: QItemSelection, gone: QItemSelection) -> None:
        self._touched = QItemSelection(come), QItemSelection(gone)

    def _doubt(self) -> None:
        self._agreed = None

    def _numbers(self, selection: QItemSelection) -> frozenset[int]:
        between = self._rows.numbers_between
        return frozenset(
            number for piece in _pieces(selection) for number in between(piece.parent(), piece.top(), piece.bottom())
        )

    def _meant_by(self, index: Index) -> int | None:
        """The task a row stands for; of several the current one, if that is among them."""
        numbers = self._rows.numbers_at(index) if index.isValid() else ()
        current = self._shared.now.current
        return current if current in numbers else next(iter(numbers), None)

    def _current(self) -> int | None:
        found = self._meant_by(self.currentIndex())
        return self._shared.now.current if found is None else found

    # ---- from the run

    def show(self) -> None:
        """Apply the selection of the run to the view, as far as it shows the tasks."""
        shared = self._shared.now
        if shared.numbers is not self._agreed:
            self._agreed = shared.numbers
            self._show_numbers(shared.numbers)
        if shared.current is not None and self._meant_by(self.currentIndex()) != shared.current:
            index = self._rows.index_of(shared.current)
            if index.isValid():
                super().setCurrentIndex(index, _Flag.NoUpdate)

    def begin_at(self, index: Index) -> None:
        """Set a row from which keys go on, if the view has none; Qt would select it."""
        if not self.currentIndex().isValid():
            super().setCurrentIndex(index, _Flag.NoUpdate)

    def is_selected(self, index: Index) -> bool:
        """Whether all that a row stands for is selected in the run."""
        if not self._is_partial:
            return self.isSelected(index)
        numbers = self._rows.numbers_at(index)
        return bool(numbers) and all(number in self._shared.now.numbers for number in numbers)

    def _show_numbers(self, numbers: frozenset[int]) -> None:
        spans = sorted((parent.row(), first, last, parent) for parent, first, last in self._rows.spans(numbers))
        was_partial, self._is_partial = self._is_partial, len(spans) > MOST_PIECES
        if self._is_partial and was_partial:
            return
        shown = [] if self._is_partial else [span[:3] for span in spans]
        if shown == _joined((one.parent().row(), one.top(), one.bottom()) for one in _pieces(self.selection())):
            return
        wanted, model = QItemSelection(), self.model()
        for _, first, last, parent in spans[: len(shown)]:
            wanted.append(_piece(model, parent, first, last))
        super().select(wanted, _Flag.ClearAndSelect)


def _joined(pieces: Iterable[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Parent, first and last row of pieces in order; those that touch as one."""
    joined: list[tuple[int, int, int]] = []
    for parent, first, last in sorted(pieces):
        if joined and joined[-1][0] == parent and joined[-1][2] >= first - 1:
            joined[-1] = (parent, joined[-1][1], max(last, joined[-1][2]))
        else:
            joined.append((parent, first, last))
    return joined


def _pieces(selection: QItemSelection) -> Iterator[QItemSelectionRange]:
    return (selection.at(at) for at in range(selection.count()))


def _piece(model: QAbstractItemModel, parent: QModelIndex, first: int, last: int) -> QItemSelectionRange:
    return QItemSelectionRange(model.index(first, 0, parent), model.index(last, model.columnCount(parent) - 1, parent))
