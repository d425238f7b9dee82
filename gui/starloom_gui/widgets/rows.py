"""A list of texts in a dialog: each row has a mark, a title and muted lines, all of which wrap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QAbstractListModel, QItemSelectionModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeySequence, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate
from typing_extensions import override

from starloom_gui.text.words import straight
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import RADIUS
from starloom_gui.theme.palette import colour

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from PySide6.QtGui import QFont, QKeyEvent, QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

Index = QModelIndex | QPersistentModelIndex
_PAD: Final = 6
_GAP: Final = 10
_WRAPPED: Final = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft)
_BROKEN: Final = _WRAPPED | int(Qt.TextFlag.TextWrapAnywhere)
"""Breaks within words, where one of them is longer than a line."""
_TALLEST: Final = 100_000
_MOST_SHOWN: Final = 340
"""Pixels a list is high before it scrolls."""
_MEASURED: Final = 30
"""So many rows fill that height in any case."""
_USUAL: Final = 462
"""The width of a list in a question, without its scroll bar."""


@dataclass(frozen=True, slots=True)
class ListRow:
    """One row of a row list.

    Attributes:
        mark: what stands in front, e.g. the number of a line.
        title: what it is about.
        lines: more of it, muted.
        is_code: whether the title is something a machine reads.
    """

    mark: str
    title: str
    lines: tuple[str, ...] = ()
    is_code: bool = False

    def said(self) -> str:
        """The row as text, for copying and for screen readers."""
        first = f"{self.mark} {self.title}" if self.mark else self.title
        return "\n".join([first, *(f"    {line}" for line in self.lines)])


class _Lines(QAbstractListModel):
    def __init__(self, lines: Sequence[ListRow], parent: QWidget) -> None:
        super().__init__(parent)
        self.lines = tuple(lines)

    def show(self, lines: Sequence[ListRow]) -> None:
        """Set the rows."""
        self.beginResetModel()
        self.lines = tuple(lines)
        self.endResetModel()

    @override
    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.lines)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if index.isValid() and role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.lines[index.row()].said()
        return None


class _Painter(QStyledItemDelegate):
    """The delegate that paints a row, and computes its height at the width of the list."""

    def __init__(self, rows: RowList, appearance: Appearance) -> None:
        super().__init__(rows)
        self._rows, self._appearance = rows, appearance
        self._left = 0
        self._fonts = {True: font(Role.MONOSPACE), False: font(Role.BODY)}
        self._small = font(Role.SMALL)

    def leave_room(self, lines: Sequence[ListRow]) -> None:
        """Set the left margin to the widest mark of these rows."""
        metrics = QFontMetrics(self._fonts[False])
        widest = max((metrics.horizontalAdvance(mark) for mark in {one.mark for one in lines}), default=0)
        self._left = widest + _GAP if widest else 0

    def _parts(self, one: ListRow) -> list[tuple[QFont, str, bool]]:
        parts = [(self._fonts[one.is_code], one.title, False), *((self._small, each, True) for each in one.lines)]
        return [(face, straight(words), is_muted) for face, words, is_muted in parts]

    def _measured(self, type_face: QFont, words: str, width: int) -> tuple[int, int]:
        """The height of a text at a width, and how it wraps so that nothing is cut."""
        box, metrics = QRect(0, 0, max(40, width), _TALLEST), QFontMetrics(type_face)
        found = metrics.boundingRect(box, _WRAPPED, words)
        if found.width() <= box.width():
            return found.height(), _WRAPPED
        return metrics.boundingRect(box, _BROKEN, words).height(), _BROKEN

    def height_at(self, row: int, width: int) -> int:
        """The height of a row, in logical pixels.

        Args:
            row: its index.
            width: of the list, in logical pixels.
        """
        room = width - self._left - 2 * _PAD
        heights = [self._measured(face, words, room)[0] for face, words, _ in self._parts(self._rows.lines[row])]
        return sum(heights) + 2 * (len(heights) - 1) + 2 * _PAD

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        width = self._rows.viewport().width()
        return QSize(width, self.height_at(index.row(), width))

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        palette, one = self._appearance.palette, self._rows.lines[index.row()]
        box: QRect = option.rect
        state = option.state
        painter.save()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, colour(palette.selected))
            painter.fillRect(box.left(), box.top(), 2, box.height(), colour(palette.text))
        top, room = box.top() + _PAD, box.width() - self._left - 2 * _PAD
        if one.mark:
            painter.setFont(self._fonts[False])
            painter.setPen(colour(palette.muted))
            at = QRect(box.left() + _PAD, top, self._left - _GAP, box.height())
            painter.drawText(at, int(Qt.AlignmentFlag.AlignRight), one.mark)
        for face, words, is_muted in self._parts(one):
            height, wrapped = self._measured(face, words, room)
            painter.setFont(face)
            painter.setPen(colour(palette.muted if is_muted else palette.text))
            painter.drawText(QRect(box.left() + self._left + _PAD, top, room, height), wrapped, words)
            top += height + 2
        if index.row() + 1 < len(self._rows.lines):
            painter.fillRect(box.left(), box.bottom(), box.width(), 1, colour(palette.border))
        painter.restore()


class RowList(QListView):
    """A list of texts; Ctrl+C copies the selected rows, or else all of them.

    Args:
        appearance: the colours.
        lines: the rows.
        name: what a screen reader calls it.
    """

    def __init__(self, appearance: Appearance, lines: Sequence[ListRow], name: str) -> None:
        super().__init__()
        self._appearance = appearance
        self.setFont(font(Role.BODY))
        self.setAccessibleName(name)
        self._lines = _Lines(lines, self)
        self.setModel(self._lines)
        self._painter = _Painter(self, appearance)
        self._painter.leave_room(lines)
        self.setItemDelegate(self._painter)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(200)
        appearance.changed.connect(self._apply_theme)
        self._apply_theme(appearance.palette)

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(
            f"QListView {{ background: {palette.panel}; border: 1px solid {palette.border};"
            f" border-radius: {RADIUS}px; outline: none; }}"
            f"QListView:focus {{ border: 1px dashed {palette.text}; }}"
        )

    @property
    def lines(self) -> tuple[ListRow, ...]:
        """The rows."""
        return self._lines.lines

    def show_lines(self, lines: Sequence[ListRow]) -> None:
        """Set the rows; the current row stays current if it is still there, and the list does not scroll."""
        at, top = self.currentIndex().row(), self.verticalScrollBar().value()
        before = self.lines[at] if 0 <= at < len(self.lines) else None
        self._painter.leave_room(lines)
        self._lines.show(lines)
        if before in self.lines:
            place = self._lines.index(self.lines.index(before))
            self.selectionModel().setCurrentIndex(place, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.verticalScrollBar().setValue(top)
        self.updateGeometry()

    def said(self) -> str:
        """The text that Ctrl+C copies."""
        chosen = sorted(index.row() for index in self.selectedIndexes())
        return "\n".join(self.lines[row].said() for row in chosen or range(len(self.lines)))

    def copy(self) -> None:
        """Copy the text to the clipboard."""
        QGuiApplication.clipboard().setText(self.said())

    @override
    def sizeHint(self) -> QSize:
        known = sum(self._painter.height_at(row, _USUAL) for row in range(min(len(self.lines), _MEASURED)))
        return QSize(_USUAL, min(_MOST_SHOWN, max(60, known + 4)))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()
            self.updateGeometry()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            event.accept()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()  # the dialog's default button is meant
        else:
            super().keyPressEvent(event)
