"""The list of hits: a tick, the task and the place in it, and the text before and after."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractListModel, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate
from typing_extensions import override

from starloom_gui.editing.replacing import is_tried_again, spot_words, why_not
from starloom_gui.text.words import fill, translate
from starloom_gui.theme import glyphs
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.metrics import GAPS, RADIUS
from starloom_gui.theme.palette import blended, colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.roles import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from PySide6.QtCore import QObject
    from PySide6.QtGui import QKeyEvent, QMouseEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from starloom_gui.editing.replacing import Hit, TextLocation
    from starloom_gui.editing.seeking import Mark
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.roles import Facts, Index

_HIGH: Final = 46
_BOX: Final = 16
_TICK: Final = 36
"""Pixels at the left that belong to the tick."""
_NAMES: Final = 220
_BEFORE: Final = 12
"""Characters that are shown before the first place, where not everything can be."""
_MOST_SAID: Final = 2_000
_SHOWN_AS: Final = str.maketrans({"\n": "\N{PILCROW SIGN}", "\t": " ", "\r": " "})
_CHECK = Qt.ItemDataRole.CheckStateRole


class HitTable(QAbstractListModel):
    """The item model of the hits and their ticks. Whether a task may still be changed is read when it is shown.

    Args:
        facts: gives what the user sees.
        parent: of the object.

    Attributes:
        hits: all of them, from top to bottom.

    Signals:
        ticked(): another one is ticked, or one is no longer.
    """

    ticked = Signal()

    def __init__(self, facts: Facts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._facts = facts
        self.hits: list[Hit] = []
        self._turned: set[tuple[int, TextLocation]] = set()
        """What is ticked otherwise than at first."""

    # ---- reading

    def reason(self, hit: Hit) -> str:
        """The reason why a hit cannot be replaced, as a sentence; empty: it can."""
        run = self._facts()
        return why_not(run, hit) if run is not None else translate("Replace", "It is not there any more.")

    def is_ticked(self, hit: Hit) -> bool:
        """Whether a hit is to be replaced; one that makes its task run again only if the user has ticked it."""
        return (hit.key in self._turned) is self.is_again(hit) and not self.reason(hit)

    def is_again(self, hit: Hit) -> bool:
        """Whether a hit's task has failed or was cancelled, so that a replacement runs it again."""
        run = self._facts()
        return run is not None and is_tried_again(run, hit)

    def where(self, hit: Hit) -> str:
        """The place of a hit in its task, and whether that runs again."""
        words = spot_words(hit.spot)
        return fill(translate("Replace", "%1 · is tried again"), words) if self.is_again(hit) else words

    def chosen(self) -> Iterator[Hit]:
        """The hits that are to be replaced."""
        return (hit for hit in self.hits if self.is_ticked(hit))

    def title(self, hit: Hit) -> str:
        """The name of its task."""
        run = self._facts()
        task = run.graph.tasks[hit.number] if run is not None and hit.number < len(run.graph.tasks) else None
        return task.title if task is not None else hit.task_id

    def said(self, hit: Hit) -> str:
        """A row in words, for screen readers."""
        change = fill(translate("Replace", "%1 → %2"), hit.before, hit.replaced.text)[:_MOST_SAID]
        where = fill("%1, %2", self.title(hit), self.where(hit))
        return fill("%1: %2. %3", where, change, self.reason(hit)).strip()

    # ---- changing

    def clear(self, *, forget: bool) -> None:
        """Remove all hits; `forget`: and the ticks, as another text is searched."""
        self.beginResetModel()
        self.hits = []
        if forget:
            self._turned = set()
        self.endResetModel()

    def add(self, hits: Sequence[Hit]) -> None:
        """Append hits."""
        if hits:
            self.beginInsertRows(NOWHERE, len(self.hits), len(self.hits) + len(hits) - 1)
            self.hits.extend(hits)
            self.endInsertRows()

    def tick(self, rows: Collection[int], *, on: bool) -> None:
        """Tick or untick these rows."""
        for hit in (self.hits[row] for row in rows):
            (self._turned.add if on is self.is_again(hit) else self._turned.discard)(hit.key)
        self.look_again()
        self.ticked.emit()

    def look_again(self) -> None:
        """Update the rows, as other tasks may be changed now."""
        if self.hits:
            self.dataChanged.emit(self.index(0), self.index(len(self.hits) - 1))

    # ---- what Qt asks

    @override
    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.hits)

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index) | Qt.ItemFlag.ItemIsUserCheckable

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.hits):
            return None
        hit = self.hits[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.said(hit)
        if role == Qt.ItemDataRole.ToolTipRole:
            texts = (hit.before, hit.replaced.text, self.reason(hit))
            return "<br>".join(f"<pre>{escape(text[:_MOST_SAID])}</pre>" for text in texts if text)
        if role == _CHECK:
            return Qt.CheckState.Checked if self.is_ticked(hit) else Qt.CheckState.Unchecked
        return None


class HitList(QListView):
    """The list of the hits. A click at the left, or Space, ticks one; Ctrl+A selects all of them.

    Args:
        table: the hits.
        appearance: the colours.
    """

    def __init__(self, table: HitTable, appearance: Appearance) -> None:
        super().__init__()
        self._table, self._appearance = table, appearance
        self.setModel(table)
        self.setItemDelegate(_Painter(self, table, appearance))
        self.setAccessibleName(self.tr("What would be replaced"))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        appearance.changed.connect(self._apply_theme)
        self._apply_theme(appearance.palette)

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(
            f"QListView {{ background: {palette.panel}; border: 1px solid {palette.border};"
            f" border-radius: {RADIUS}px; outline: none; }}"
            f"QListView:focus {{ border: 1px dashed {palette.text}; }}"
        )

    def tick(self, *, on: bool) -> None:
        """Tick all rows, or none."""
        self._table.tick(range(len(self._table.hits)), on=on)

    def _turn(self, rows: Sequence[int]) -> None:
        """Tick these rows; if all that can be are ticked, none of them."""
        free = [row for row in rows if not self._table.reason(self._table.hits[row])]
        if free:
            self._table.tick(free, on=not all(self._table.is_ticked(self._table.hits[row]) for row in free))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            self._turn([index.row() for index in self.selectedIndexes()] or [self.currentIndex().row()])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()  # the dialog's default button is meant
        else:
            super().keyPressEvent(event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton and event.position().x() < _TICK:
            self._turn([index.row()])
        else:
            super().mousePressEvent(event)


class _Painter(QStyledItemDelegate):
    """The delegate that paints a row: removed text is struck through, new text is underlined, without a hue."""

    def __init__(self, view: HitList, table: HitTable, appearance: Appearance) -> None:
        super().__init__(view)
        self._view, self._table, self._appearance = view, table, appearance
        self._body, self._small, self._code = font(Role.BODY), font(Role.SMALL), font(Role.MONOSPACE)

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(1, _HIGH)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        palette, box, hit = self._appearance.palette, QRect(option.rect), self._table.hits[index.row()]
        state: QStyle.StateFlag = option.state
        reason = self._table.reason(hit)
        ink = palette.muted if reason else palette.text
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, colour(palette.selected))
            painter.fillRect(box.left(), box.top(), 2, box.height(), colour(palette.text))
        elif state & QStyle.StateFlag.State_MouseOver and not reason:
            painter.fillRect(box, colour(palette.raised))
        if not reason:
            self._paint_tick(painter, box, is_on=self._table.is_ticked(hit))
        left = QRectF(box.left() + _TICK, box.top() + 5, _NAMES, (box.height() - 10) / 2)
        self._put(painter, left, self._table.title(hit), self._body, ink)
        self._put(painter, left.translated(0, left.height()), self._table.where(hit), self._small, palette.muted)
        right = QRectF(left.right() + GAPS[2], left.top(), box.right() - left.right() - 2 * GAPS[2], left.height())
        self._put_marked(painter, right, (hit.before, hit.replaced.old), palette.muted, goes=True)
        below = right.translated(0, right.height())
        if reason:
            self._put(painter, below, reason, self._small, palette.muted)
        else:
            self._put_marked(painter, below, (hit.replaced.text, hit.replaced.new), ink, goes=False)
        self._paint_edges(painter, box, index)
        painter.restore()

    def _paint_edges(self, painter: QPainter, box: QRect, index: Index) -> None:
        palette = self._appearance.palette
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.fillRect(box.left(), box.bottom(), box.width(), 1, colour(palette.border))
        if self._view.hasFocus() and index == self._view.currentIndex():
            painter.setPen(QPen(colour(palette.text), 1, Qt.PenStyle.DashLine))
            painter.drawRect(box.adjusted(3, 2, -4, -4))

    def _paint_tick(self, painter: QPainter, row: QRect, *, is_on: bool) -> None:
        palette = self._appearance.palette
        box = QRectF(row.left() + 10.5, row.center().y() - _BOX / 2 + 0.5, _BOX - 1, _BOX - 1)
        painter.setPen(QPen(colour(palette.text if is_on else palette.outline), 1.0))
        painter.setBrush(colour(palette.text if is_on else palette.panel))
        painter.drawRoundedRect(box, 3, 3)
        if is_on:
            glyphs.STATUS[StatusForm.COMPLETED].paint(painter, box, colour(palette.panel))

    def _put(self, painter: QPainter, room: QRectF, words: str, face: Any, ink: str) -> None:
        painter.setFont(face)
        painter.setPen(colour(ink))
        shown = elided(words, QFontMetricsF(face), room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)

    def _put_marked(
        self, painter: QPainter, room: QRectF, what: tuple[str, Sequence[Mark]], ink: str, *, goes: bool
    ) -> None:
        """Paint one line of a text with its matches marked, from where the first match is visible."""
        words, marks = what
        metrics = QFontMetricsF(self._code)
        fits = max(8, int(room.width() / metrics.horizontalAdvance("0")))
        first = 0 if len(words) <= fits else max(0, min(marks[0][0] - _BEFORE, len(words) - fits + 1))
        shown = words[first : first + fits].translate(_SHOWN_AS)
        if first:
            shown = "…" + shown[1:]
        if first + fits < len(words):
            shown = shown[:-1] + "…"
        painter.setFont(self._code)
        palette = self._appearance.palette
        ground = blended(palette.text, palette.panel, 0.14)
        for begin, end in marks:
            low, high = max(0, begin - first), min(len(shown), end - first)
            if high <= low:
                continue
            x = room.left() + metrics.horizontalAdvance(shown[:low])
            wide = metrics.horizontalAdvance(shown[low:high])
            painter.fillRect(QRectF(x, room.top() + 1, wide, room.height() - 2), colour(ground))
            line = room.center().y() if goes else room.bottom() - 2
            painter.fillRect(QRectF(x, line, wide, 1), colour(palette.text))
        painter.setPen(colour(ink))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
