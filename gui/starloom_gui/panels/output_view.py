"""The view of output lines: only visible rows are painted, however many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QFrame
from typing_extensions import override

from starloom_gui.panels.output_cells import breaks, cells, place_at
from starloom_gui.panels.output_find import Finder
from starloom_gui.panels.output_folds import Folds, MarginInput
from starloom_gui.panels.output_input import OutputInput
from starloom_gui.panels.output_marks import Marks, OutputPosition
from starloom_gui.panels.output_painter import MARGIN, Grid, PaintedRow, RowPainter, grounds
from starloom_gui.panels.output_rows import Rows
from starloom_gui.panels.output_seeking import OutputSearch
from starloom_gui.theme.metrics import GAPS
from starloom_gui.theme.palette import colour

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QFocusEvent, QPaintEvent, QResizeEvent

    from starloom_gui.models.output_lines import OutputLines
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.viewmodel.roles import Index

_TOP: Final = GAPS[0]
_BY_KEY: Final = {
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
}


class OutputView(QAbstractScrollArea):
    """The view of output lines. It follows the end until the user scrolls away, and again once they scroll back.

    Attributes:
        finder: what is sought in the lines.
        marks: the caret, and what is selected.
        folds: the lines that are out of sight.
        search: seeks, and goes to what is found.
        input: what mouse and keys do.

    Signals:
        live_changed(bool): it follows the end now, or does not any more.
        found_changed(): other places are found now, or another one is the current one.

    Args:
        lines: what is shown.
        appearance: the colours.
    """

    live_changed = Signal(bool)
    found_changed = Signal()

    def __init__(self, lines: OutputLines, appearance: Appearance) -> None:
        super().__init__()
        self._lines, self._appearance = lines, appearance
        self.folds = Folds(lines)
        self._grid, self._rows = Grid(), Rows(self.folds.hidden)
        self.finder, self.marks = Finder(), Marks(lines, self.folds.hides)
        self._wraps = self._times = False
        self._is_live = True
        self._top = OutputPosition(0, 0)
        """The line in the uppermost row, and which of its rows that is: what stays where it is when lines go."""
        self._widest = 0
        self._by_key = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self.verticalScrollBar().setSingleStep(1)
        lines.modelReset.connect(self._reset)
        lines.rowsInserted.connect(self._inserted)
        lines.rowsRemoved.connect(self._removed)
        lines.dataChanged.connect(self._changed)
        appearance.changed.connect(self._repaint)
        self.search = OutputSearch(lines, self.finder, self.marks, self.show_place, self._below, self._found_other)
        self.input = OutputInput(self, lines, self.marks, self.place_of, self.show_place, self.page)
        margin = MarginInput(self, lines, self.folds, self.marks, self._line_under, self.place_of)
        margin.toggled.connect(self._count)
        self._reset()

    # ---- how it is shown

    @property
    def is_live(self) -> bool:
        """Whether it follows the end."""
        return self._is_live

    def go_live(self) -> None:
        """Show the end, and follow it."""
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    @property
    def wraps(self) -> bool:
        """Whether lines are broken where the pane ends."""
        return self._wraps

    def set_wraps(self, wraps: bool) -> None:
        """Set whether lines wrap at the width of the pane."""
        self._wraps = wraps
        self._count()

    @property
    def shows_times(self) -> bool:
        """Whether each line has the time at which it was printed before it."""
        return self._times

    def set_times(self, shown: bool) -> None:
        """Show when each line was printed, or don't."""
        self._times = shown
        self._count()

    # ---- the model tells

    def _reset(self) -> None:
        self.finder.clear()
        self.finder.look(self._lines.dropped, self._lines.lines())
        self._count()
        self.found_changed.emit()

    def start_over(self) -> None:
        """Clear the selection and follow the end, as for another task's output."""
        self._is_live = True
        self.marks.move(self.marks.last())
        self._count() if self.folds.close_all() else self._settle()
        self.horizontalScrollBar().setValue(0)

    def _inserted(self, _parent: Index, first: int, last: int) -> None:
        dropped = self._lines.dropped
        if first == 0:
            self._reset()
            return
        fresh = list(self._lines.lines(first, last))
        self._rows.append(fresh)
        self._widest = max(self._widest, *(cells(line.text) for line in fresh))
        self.finder.look(dropped + first, fresh)
        self._settle()
        if self.finder.is_seeking:
            self.found_changed.emit()

    def _removed(self, _parent: Index, first: int, last: int) -> None:
        self._rows.drop_first(last - first + 1)
        self.finder.forget(self._lines.dropped)
        self._settle()

    def _changed(self, first: Index, _last: Index) -> None:
        """Only the last line ever becomes another one."""
        row = first.row()
        line = self._lines.line(row)
        self._rows.drop_last()
        self._rows.append([line])
        self._widest = max(self._widest, cells(line.text))
        number = self._lines.dropped + row
        self.finder.forget(self._lines.dropped, number)
        self.finder.look(number, [line])
        self._settle()

    # ---- where things are

    def _columns(self) -> int:
        room = self.viewport().width() - self._grid.before(times=self._times) - GAPS[1]
        return max(8, int(room / self._grid.width))

    def page(self) -> int:
        """The number of rows that fit into the view."""
        return max(1, (self.viewport().height() - _TOP) // self._grid.height)

    def _count(self) -> None:
        """Recount all rows."""
        self._rows.fill(self._lines.lines(), self._columns() if self._wraps else None)
        self._widest = max((cells(line.text) for line in self._lines.lines()), default=0)
        self._settle()

    def _settle(self) -> None:
        """Update the ranges of the scroll bars, and keep the visible rows in place."""
        is_live, top = self._is_live, self._top
        page, columns = self.page(), self._columns()
        bar, across = self.verticalScrollBar(), self.horizontalScrollBar()
        bar.setPageStep(page)
        bar.setRange(0, max(0, self._rows.total - page))
        across.setPageStep(columns)
        across.setRange(0, 0 if self._wraps else max(0, self._widest + 1 - columns))
        bar.setValue(bar.maximum() if is_live else self._row_of(top))
        self._note_top()
        self.viewport().update()

    def _row_of(self, top: OutputPosition) -> int:
        """The row of the line that was at the top, or of the first one if that is gone."""
        line = top.line - self._lines.dropped
        if line < 0 or not len(self._lines):
            return 0
        line = min(line, len(self._lines) - 1)
        below = self._rows.first_of(line + 1) - 1
        return min(self._rows.first_of(line) + top.at, below)

    def _note_top(self) -> None:
        """Record the top position, and whether it is the end."""
        bar = self.verticalScrollBar()
        if len(self._lines):
            line = self._rows.line_of(bar.value())
            self._top = OutputPosition(self._lines.dropped + line, bar.value() - self._rows.first_of(line))
        is_live = bar.value() >= bar.maximum()
        if is_live != self._is_live:
            self._is_live = is_live
            self.live_changed.emit(is_live)

    @override
    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self._note_top()
        self.viewport().update()

    def _line_at(self, row: int) -> int:
        """The number of the line in a row."""
        return self._lines.dropped + (self._rows.line_of(row) if len(self._lines) else 0)

    def _row(self, number: int) -> PaintedRow:
        """A row as it is painted, without its background."""
        at = self._rows.line_of(number)
        line, columns = self._lines.line(at), self._columns()
        if self._rows.columns is None:
            return PaintedRow(line, 0, len(line.text), self.horizontalScrollBar().value(), columns)
        begins = breaks(line.text, self._rows.columns)
        which = min(number - self._rows.first_of(at), len(begins) - 1)
        end = begins[which + 1] if which + 1 < len(begins) else len(line.text)
        return PaintedRow(line, begins[which], end, 0, columns)

    def _in_sight(self) -> Iterator[tuple[int, int]]:
        """The rows that are at least partly visible, with their upper edges."""
        first = self.verticalScrollBar().value()
        for number in range(first, min(self._rows.total, first + self.page() + 1)):
            yield number, _TOP + (number - first) * self._grid.height

    def _below(self) -> int:
        """The number of the first line below the visible ones."""
        return self._line_at(self.verticalScrollBar().value() + self.page()) + 1

    def _found_other(self) -> None:
        self.viewport().update()
        self.found_changed.emit()

    def place_of(self, point: QPoint) -> OutputPosition:
        """The place that is nearest to a point of the viewport."""
        if not len(self._lines):
            return OutputPosition(0, 0)
        row = self.verticalScrollBar().value() + (point.y() - _TOP) // self._grid.height
        row = max(0, min(row, self._rows.total - 1))
        shown = self._row(row)
        cell = (point.x() - self._grid.before(times=self._times)) / self._grid.width + shown.from_cell
        at = shown.begin + place_at(shown.line.text[shown.begin : shown.end], cell)
        return OutputPosition(self._line_at(row), at)

    def show_place(self, place: OutputPosition) -> None:
        """Scroll by as little as is needed for a position to be visible."""
        line = place.line - self._lines.dropped
        if not 0 <= line < len(self._lines):
            return
        if self.folds.reveal(place.line):
            self._count()
        text, row = self._lines.line(line).text, self._rows.first_of(line)
        if self._rows.columns is not None:
            row += sum(begin <= place.at for begin in breaks(text, self._rows.columns)[1:])
        bar, across = self.verticalScrollBar(), self.horizontalScrollBar()
        if not bar.value() <= row < bar.value() + self.page():
            bar.setValue(row if row < bar.value() else row - self.page() + 1)
        cell = cells(text[: place.at])
        if self._rows.columns is None and not across.value() <= cell < across.value() + self._columns():
            across.setValue(max(0, cell - self._columns() // 2))

    # ---- painting

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self._appearance.palette
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), colour(palette.panel))
        rows = RowPainter(painter, self._grid, palette, self.viewport().width(), times=self._times)
        for number, y in self._in_sight():
            self._paint_row(painter, rows, number, y)
        if self.hasFocus() and self._by_key:
            painter.setPen(QPen(colour(palette.text), 1.0, Qt.PenStyle.DashLine))
            painter.drawRect(QRectF(self.viewport().rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        painter.end()

    def _paint_row(self, painter: QPainter, rows: RowPainter, number: int, y: int) -> None:
        row, line = self._row(number), self._line_at(number)
        found = [(one.begin, one.end, one == self.finder.current) for one in self.finder.within(line, line)]
        behind = grounds(self._appearance.palette, found, self._selected_in(line, len(row.line.text)))
        rows.paint(PaintedRow(row.line, row.begin, row.end, row.from_cell, row.most, behind), y)
        if row.begin == 0:
            self.folds.paint(painter, line, y, self._grid.height, self._appearance.palette)
        caret = self.marks.caret
        is_here = caret.line == line and row.begin <= caret.at <= row.end
        if self.hasFocus() and is_here and rows.x_of(row, caret.at) >= MARGIN:
            box = QRectF(rows.x_of(row, caret.at), y, 1, self._grid.height)
            painter.fillRect(box, colour(self._appearance.palette.text))

    def _selected_in(self, number: int, length: int) -> tuple[int, int] | None:
        low, high = self.marks.selected
        if low == high or not low.line <= number <= high.line:
            return None
        return (low.at if number == low.line else 0, high.at if number == high.line else length)

    def _repaint(self) -> None:
        self.viewport().update()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._wraps and self._columns() != self._rows.columns:
            self._count()
        else:
            self._settle()

    @override
    def sizeHint(self) -> QSize:
        return QSize(640, 252)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        self._by_key = event.reason() in _BY_KEY
        super().focusInEvent(event)
        self.viewport().update()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def _line_under(self, point: QPoint) -> int | None:
        """The number of the line in whose row a point of the viewport is; None: it is below all."""
        row = self.verticalScrollBar().value() + (point.y() - _TOP) // self._grid.height
        return self._line_at(row) if 0 <= row < self._rows.total else None
