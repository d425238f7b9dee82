"""Tool calls of agents in printed text: lines that open, and the lines below them that are in sight only then.

The engine writes both, see `starloom.model.activity_lines`: to a file of output they are lines like all others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip
from typing_extensions import override

from starloom.model.activity_lines import DETAIL, MARK, MOST_DETAILS
from starloom_gui.panels.output_painter import MARGIN
from starloom_gui.theme.icons import Icon, drawing
from starloom_gui.theme.palette import colour

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QAbstractScrollArea

    from starloom_gui.models.output_lines import OutputLine, OutputLines
    from starloom_gui.panels.output_marks import Marks, OutputPosition
    from starloom_gui.theme.palette import Palette

_FARTHEST: Final = MOST_DETAILS + 1  # one says how many more there are
_ENTER: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class Folds:
    """Which lines of an output are out of sight. Lines are known by their numbers, see `OutputLines.dropped`.

    Args:
        lines: the output.
    """

    def __init__(self, lines: OutputLines) -> None:
        self._lines = lines
        self._open: set[int] = set()

    def close_all(self) -> bool:
        """Close all tool calls; returns whether one was open."""
        had, self._open = bool(self._open), set()
        return had

    def opens(self, number: int) -> bool:
        """Whether a line opens: it tells of a tool call, and something stands below it."""
        return self._text(number).startswith(MARK) and self._text(number + 1).startswith(DETAIL)

    def is_open(self, number: int) -> bool:
        """Whether it was opened."""
        return number in self._open

    def toggle(self, number: int) -> None:
        """Open or close a line that opens."""
        self._open ^= {number}

    def reveal(self, number: int) -> bool:
        """Bring a line into sight; returns whether it was out of sight."""
        if not self.hides(number):
            return False
        head = self._head_of(number)
        assert head is not None, "it is hidden by one"
        self._open.add(head)
        return True

    def hides(self, number: int) -> bool:
        """Whether a line is out of sight."""
        head = self._head_of(number)
        return head is not None and head not in self._open

    def hidden(self, first: int, lines: Iterable[OutputLine]) -> Iterator[bool]:
        """For each of these lines whether it is out of sight.

        Args:
            first: the place of the first of them among those that are kept.
            lines: one after the other, in `OutputLines` already.
        """
        number = self._lines.dropped + first
        head = self._head_of(number - 1) if first else None
        if first and head is None and self._text(number - 1).startswith(MARK):
            head = number - 1
        for at, line in enumerate(lines, number):
            if not line.text.startswith(DETAIL):
                head = at if line.text.startswith(MARK) else None
                yield False
            else:
                yield head is not None and at - head <= _FARTHEST and head not in self._open

    def _head_of(self, number: int) -> int | None:
        """The line that opens a line of details; None: it is none, or nothing opens it."""
        if not self._text(number).startswith(DETAIL):
            return None
        for head in range(number - 1, number - _FARTHEST - 1, -1):
            text = self._text(head)
            if not text.startswith(DETAIL):
                return head if text.startswith(MARK) else None
        return None

    def _text(self, number: int) -> str:
        row = number - self._lines.dropped
        return self._lines.line(row).text if 0 <= row < len(self._lines) else ""

    def paint(self, painter: QPainter, number: int, y: int, height: int, palette: Palette) -> None:
        """Paint the mark of a line that opens into the margin."""
        if self.opens(number):
            shape = drawing(Icon.EXPANDED if self.is_open(number) else Icon.COLLAPSED)
            shape.paint(painter, QRectF(1, y + (height - MARGIN + 2) / 2, MARGIN - 2, MARGIN - 2), colour(palette.text))


class MarginInput(QObject):
    """Opens and closes tool calls by click and by Enter, and tells what stands in the margin of an output view.

    Args:
        area: the view.
        lines: what it shows.
        folds: what is out of sight.
        marks: the caret.
        line_under: gives the number of the line under a point of the viewport; None: none is.
        place_of: gives the place that is nearest to such a point.

    Signals:
        toggled(): another line is open now, or closed.
    """

    toggled = Signal()

    def __init__(
        self,
        area: QAbstractScrollArea,
        lines: OutputLines,
        folds: Folds,
        marks: Marks,
        line_under: Callable[[QPoint], int | None],
        place_of: Callable[[QPoint], OutputPosition],
    ) -> None:
        super().__init__(area)
        self._area, self._lines, self._folds, self._marks = area, lines, folds, marks
        self._line_under, self._place_of = line_under, place_of
        area.installEventFilter(self)
        area.viewport().installEventFilter(self)
        area.viewport().setMouseTracking(True)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self._area:
            is_enter = isinstance(event, QKeyEvent) and kind == QEvent.Type.KeyPress and event.key() in _ENTER
            return is_enter and self._toggle(self._marks.caret.line)
        if isinstance(event, QHelpEvent) and kind == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self._tip(event.pos()), self._area)
            return True
        if isinstance(event, QMouseEvent):
            return self._mouse(event)
        return False

    def _mouse(self, event: QMouseEvent) -> bool:
        number = self._mark_under(event.position().toPoint())
        if event.type() == QEvent.Type.MouseMove and not event.buttons():
            shape = Qt.CursorShape.IBeamCursor if number is None else Qt.CursorShape.PointingHandCursor
            self._area.viewport().setCursor(shape)
        is_press = event.type() in {QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick}
        if not is_press or event.button() != Qt.MouseButton.LeftButton or number is None:
            return False
        self._marks.move(self._place_of(event.position().toPoint()))
        return self._toggle(number)

    def _mark_under(self, at: QPoint) -> int | None:
        """The line that opens whose mark is under a point; None: none is."""
        number = self._line_under(at)
        is_beside = self._place_of(at).at < len(MARK)
        return number if number is not None and is_beside and self._folds.opens(number) else None

    def _toggle(self, number: int) -> bool:
        if not self._folds.opens(number):
            return False
        self._folds.toggle(number)
        self.toggled.emit()
        return True

    def _tip(self, at: QPoint) -> str:
        number = self._mark_under(at)
        if number is not None:
            is_open = self._folds.is_open(number)
            return self.tr("Close it (Enter)") if is_open else self.tr("Show what exactly it does (Enter)")
        number = self._line_under(at)
        is_error = number is not None and self._lines.line(number - self._lines.dropped).stream == "stderr"
        return self.tr("Written to stderr") if is_error and at.x() < MARGIN else ""
