"""The curves there are, by plot: a tick each and a sample of its line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QLineF,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QPolygonF, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem
from typing_extensions import override

from starloom_gui.panels.plots.look import pen_of
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.metrics import ROW
from starloom_gui.theme.palette import colour
from starloom_gui.widgets.controls import sheet
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtCore import QAbstractItemModel, QPointF
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QWidget

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

    Index = QModelIndex | QPersistentModelIndex

WIDTH: Final = 200
KEY: Final = Qt.ItemDataRole.UserRole + 1
STYLE: Final = Qt.ItemDataRole.UserRole + 2
"""The place of the line's look in `look.STYLES`; None: the entry has no line."""
_BOX: Final = 14
_SAMPLE: Final = 40
_LEFT: Final = 12


class SeriesEntry:
    """One row of the list of series: a heading, or a series that can be switched on and off.

    Args:
        key: its name for programs; empty: it is a heading.
        name: what it says.
        tip: its tooltip.
        style: the look of its line; None: it has none.
    """

    __slots__ = ("key", "name", "style", "tip")

    def __init__(self, key: str, name: str, tip: str = "", style: int | None = None) -> None:
        self.key, self.name, self.tip, self.style = key, name, tip, style

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, SeriesEntry) and self._all() == other._all()

    @override
    def __hash__(self) -> int:
        return hash(self._all())

    def _all(self) -> tuple[object, ...]:
        return self.key, self.name, self.tip, self.style


class _Rows(QStyledItemDelegate):
    """Paints headings muted, and the others with their tick and their line."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance, self._list = appearance, parent

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(WIDTH, ROW)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        palette, box = self._appearance.palette, QRectF(option.rect)
        state = option.state
        is_chosen = bool(index.data(KEY))
        painter.save()
        if is_chosen and state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            is_selected = bool(state & QStyle.StateFlag.State_Selected)
            painter.fillRect(box, colour(palette.selected if is_selected else palette.raised))
            if is_selected:
                painter.fillRect(QRectF(box.left(), box.top(), 2, box.height()), colour(palette.text))
        painter.setFont(font(Role.BODY if is_chosen else Role.SMALL))
        metrics = QFontMetricsF(painter.font())
        is_on = index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked.value
        left = box.left() + _LEFT
        if is_chosen:
            self._tick(painter, QRectF(left, round(box.center().y() - _BOX / 2), _BOX, _BOX), is_on=is_on)
            left += _BOX + 8
        style = index.data(STYLE)
        room = box.right() - left - (_SAMPLE + 20 if style is not None else 8)
        painter.setPen(colour(palette.text if is_chosen and is_on else palette.muted))
        words = elided(str(index.data()), metrics, room)
        painter.drawText(QRectF(left, box.top(), room, box.height()), Qt.AlignmentFlag.AlignVCenter, words)
        if style is not None:
            pen = pen_of(style, palette)
            painter.setPen(pen)
            y = round(box.center().y()) + 0.5
            painter.drawLine(QLineF(box.right() - 12 - _SAMPLE, y, box.right() - 12, y))
        if state & QStyle.StateFlag.State_HasFocus and self._list.hasFocus():
            painter.setPen(QPen(colour(palette.text), 1, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
        painter.restore()

    def _tick(self, painter: QPainter, box: QRectF, *, is_on: bool) -> None:
        palette = self._appearance.palette
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour(palette.text if is_on else palette.outline), 1))
        painter.setBrush(colour(palette.text if is_on else palette.panel))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        if is_on:
            painter.setPen(QPen(colour(palette.panel), 1.5))
            corner: QPointF = box.topLeft()
            painter.drawPolyline(
                QPolygonF([corner + type(corner)(x, y) for x, y in ((3.5, 7.5), (6, 10), (10.5, 4.5))])
            )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    @override
    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        """A click anywhere in the row switches it, not only one on its tick."""
        if event.type() == QEvent.Type.MouseButtonRelease and index.data(KEY):
            _switch(model, index)
            return True
        return event.type() == QEvent.Type.MouseButtonDblClick


def _switch(model: QAbstractItemModel, index: Index) -> None:
    is_on = index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked.value
    state = Qt.CheckState.Unchecked if is_on else Qt.CheckState.Checked
    model.setData(index, state.value, Qt.ItemDataRole.CheckStateRole)  # as a number, as the item itself keeps it


class SeriesList(QListView):
    """The list of the series. Up and Down choose an entry, Space switches it; other keys are its pane's.

    Signals:
        switched(str, bool): an entry of this key was switched on, or off.
        chosen(str): the entry of this key is the current one.
        pressed_key(object): a key that is not the list's own.

    Args:
        appearance: the colours.
        parent: the widget it lies in.
    """

    switched = Signal(str, bool)
    chosen = Signal(str)
    pressed_key = Signal(object)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._entries: tuple[SeriesEntry, ...] = ()
        self._is_filling = False
        self.rows = QStandardItemModel(self)
        self.setModel(self.rows)
        self.setItemDelegate(_Rows(appearance, self))
        self.setFixedWidth(WIDTH)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.itemChanged.connect(self._tell_switched)
        self.selectionModel().currentChanged.connect(self._tell_chosen)
        Restyling(self, appearance, self._apply_theme)

    def show_entries(self, entries: Sequence[SeriesEntry], chosen: Iterable[str]) -> None:
        """Show these, with those ticked; the current one stays current."""
        if tuple(entries) == self._entries:
            return
        current, on = self.current, frozenset(chosen)
        self._is_filling = True
        self._entries = tuple(entries)
        self.rows.clear()
        for entry in entries:
            item = QStandardItem(entry.name)
            item.setToolTip(entry.tip)
            item.setData(entry.key, KEY)
            item.setData(entry.style, STYLE)
            if entry.key:
                flag = Qt.ItemFlag
                item.setFlags(flag.ItemIsEnabled | flag.ItemIsSelectable | flag.ItemIsUserCheckable)
                item.setCheckState(Qt.CheckState.Checked if entry.key in on else Qt.CheckState.Unchecked)
            else:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.rows.appendRow(item)
        self._is_filling = False
        self._go_to(current)

    @property
    def current(self) -> str:
        """The key of the current entry; empty: there is none."""
        return self.currentIndex().data(KEY) or ""

    def _go_to(self, key: str) -> None:
        keys = [entry.key for entry in self._entries]
        place = keys.index(key) if key and key in keys else next((at for at, known in enumerate(keys) if known), None)
        if place is not None:
            chosen = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.selectionModel().setCurrentIndex(self.rows.index(place, 0), chosen)

    def _tell_switched(self, item: QStandardItem) -> None:
        if not self._is_filling:
            self.switched.emit(item.data(KEY), item.checkState() == Qt.CheckState.Checked)

    def _tell_chosen(self, index: QModelIndex, _before: QModelIndex) -> None:
        if not self._is_filling and index.data(KEY):
            self.chosen.emit(index.data(KEY))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.current:
            _switch(self.rows, self.currentIndex())
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and not event.modifiers():
            super().keyPressEvent(event)
        else:
            event.ignore()
            self.pressed_key.emit(event)

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(sheet(palette))
        self.viewport().update()
