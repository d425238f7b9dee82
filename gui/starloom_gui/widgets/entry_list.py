"""A short list of entries with an icon, a name and a second line, under headings that cannot be selected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate
from typing_extensions import override

from starloom_gui.text.words import tip
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.metrics import GAPS, GLYPH, RING, ROW
from starloom_gui.theme.palette import colour
from starloom_gui.viewmodel.roles import NOWHERE
from starloom_gui.widgets.typed_find import TypedFind, find_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QPersistentModelIndex
    from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.drawings import Drawing
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.roles import Index

Key = tuple[Any, ...]
HIGH: Final = 40
_LEFT: Final = GAPS[2] + GLYPH + GAPS[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListEntry:
    """One row of an entry list.

    Attributes:
        key: what makes it the same row with other words; empty: it is a heading.
        title: its name.
        detail: the line below; may be empty.
        sign: what stands before it; None: nothing.
        is_faint: whether it is over.
    """

    key: Key = ()
    title: str
    detail: str = ""
    sign: Drawing | None = None
    is_faint: bool = False


class _Entries(QAbstractListModel):
    """The Qt model of the rows."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.entries: tuple[ListEntry, ...] = ()

    def show(self, entries: tuple[ListEntry, ...]) -> bool:
        """Set the entries; returns whether rows were added, removed or reordered."""
        if entries == self.entries:
            return False
        if [one.key for one in entries] != [one.key for one in self.entries]:
            self.beginResetModel()
            self.entries = entries
            self.endResetModel()
            return True
        self.entries = entries
        self.dataChanged.emit(self.index(0, 0), self.index(len(entries) - 1, 0))
        return False

    @override
    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.entries)

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid() or not self.entries[index.row()].key:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.entries):
            return None
        entry = self.entries[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return entry
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.title
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            said = f"{entry.title}\n{entry.detail}" if entry.detail else entry.title
            return tip(said) if role == Qt.ItemDataRole.ToolTipRole else said
        return None


class EntryList(QListView):
    """A list of entries, in which the selected one stays selected while others come and go.

    Signals:
        chosen(object): another row is current: its key; empty: none is.

    Args:
        appearance: the colours.
        name: what a screen reader calls it.
        parent: the widget it lies in.
        always: whether a row is chosen whenever there is one.
    """

    chosen = Signal(object)

    def __init__(
        self, appearance: Appearance, name: str, parent: QWidget | None = None, *, always: bool = True
    ) -> None:
        super().__init__(parent)
        self._always = always
        self._entries = _Entries(self)
        self._key: Key = ()
        self.setModel(self._entries)
        TypedFind(self, find_rows(self, 0), appearance)
        self.setItemDelegate(_Painter(self, appearance))
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.selectionModel().currentChanged.connect(self._turned)
        appearance.changed.connect(self._apply_theme)

    def _apply_theme(self, _palette: Palette) -> None:
        self.viewport().update()

    @property
    def key(self) -> Key:
        """The key of the selected entry; empty: none is selected."""
        return self._key

    @property
    def entries(self) -> tuple[ListEntry, ...]:
        """All rows."""
        return self._entries.entries

    def show_entries(self, entries: Sequence[ListEntry]) -> None:
        """Set the entries; if the selected one is gone, the first is selected, or none where none has to be."""
        before = self._key
        if self._entries.show(tuple(entries)):
            known = [one.key for one in entries if one.key]
            first = next(iter(known), ()) if self._always else ()
            self.choose(before if before in known else first)

    def choose(self, key: Key) -> None:
        """Select an entry by its key; an unknown key selects none."""
        row = next((at for at, one in enumerate(self._entries.entries) if key and one.key == key), None)
        self.setCurrentIndex(QModelIndex() if row is None else self._entries.index(row, 0))
        self._turned()

    def _turned(self, *_: object) -> None:
        entry = self.currentIndex().data(Qt.ItemDataRole.UserRole)
        key = entry.key if entry is not None else ()
        if key != self._key:
            self._key = key
            self.chosen.emit(key)


class _Painter(QStyledItemDelegate):
    """The delegate that paints an entry: icon, name, second line, and a bar if it is selected."""

    def __init__(self, view: EntryList, appearance: Appearance) -> None:
        super().__init__(view)
        self._view, self._appearance = view, appearance

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        entry: ListEntry | None = index.data(Qt.ItemDataRole.UserRole)
        return QSize(100, HIGH if entry is not None and entry.key else ROW)

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        entry: ListEntry | None = index.data(Qt.ItemDataRole.UserRole)
        if entry is None:
            return
        palette, box = self._appearance.palette, QRectF(option.rect)
        small = font(Role.SMALL)
        if not entry.key:
            painter.setFont(small)
            painter.setPen(colour(palette.muted))
            room = box.adjusted(GAPS[2], 0, -GAPS[2], 0)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, entry.title)
            return
        state: QStyle.StateFlag = option.state
        is_current = index == self._view.currentIndex()
        if is_current:
            painter.fillRect(box, colour(palette.selected))
            painter.fillRect(QRectF(box.x(), box.y(), RING, box.height()), colour(palette.text))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, colour(palette.raised))
        ink = palette.muted if entry.is_faint else palette.text
        if entry.sign is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            entry.sign.paint(painter, QRectF(box.x() + GAPS[2], box.y() + 4, GLYPH, GLYPH), colour(ink))
        room_wide = box.width() - _LEFT - GAPS[2]
        for face, words, top, shade in (
            (font(Role.BODY), entry.title, 3, ink),
            (small, entry.detail, 20, palette.muted),
        ):
            painter.setFont(face)
            painter.setPen(colour(shade))
            line = QRectF(box.x() + _LEFT, box.y() + top, room_wide, 18)
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, elided(words, QFontMetricsF(face), room_wide))
        if is_current and self._view.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour(palette.text), 1.0, Qt.PenStyle.DashLine))
            painter.drawRect(box.adjusted(2.5, 2.5, -2.5, -2.5))
