"""The command palette: it finds every action by its name, and shows why one is not possible."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

import shiboken6
from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QVBoxLayout,
)
from typing_extensions import override

from starloom_gui.text.words import fill, tip, translate
from starloom_gui.theme.compositing import blends, rounded
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.metrics import CONTROL, DIALOG_RADIUS, GAPS
from starloom_gui.theme.palette import colour
from starloom_gui.widgets.controls import sheet, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtCore import QPersistentModelIndex
    from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
    from PySide6.QtWidgets import QMenu, QMenuBar, QStyleOptionViewItem, QWidget

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

WIDTH: Final = 560
ROWS: Final = 12
ROW: Final = 32
_WORD: Final = re.compile(r"\w+")
_STEPS: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -ROWS, Qt.Key.Key_PageDown: ROWS}


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """An action with the path of its menus, as text: "View: Panes: Events"."""

    path: str
    action: QAction

    @property
    def name(self) -> str:
        """The text of the action in its menu."""
        return _plain(self.action.text())

    @property
    def keys(self) -> str:
        """Its keys, of the window or of a view that its menu names."""
        return self.shortcut or self.action.text().partition("\t")[2]

    @property
    def shortcut(self) -> str:
        """Its keys of the window as this system writes them."""
        return self.action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)

    @property
    def also(self) -> str:
        """Other words by which it is found, with spaces between them."""
        data = self.action.data()
        return data if isinstance(data, str) else ""

    @property
    def why_not(self) -> str:
        """The reason why it is not possible at present; empty: it is."""
        return "" if self.action.isEnabled() else self.action.statusTip()


def verbs_of(bar: QMenuBar) -> list[PaletteEntry]:
    """Every action in the menus of a window, in their order."""
    found: list[PaletteEntry] = []
    for action in bar.actions():
        menu = action.menu()
        if menu is not None:
            found += _verbs_in(menu, _plain(action.text()))  # type: ignore[arg-type]  # the stubs take it for an object
    return found


def _verbs_in(menu: QMenu, path: str) -> Iterable[PaletteEntry]:
    for action in menu.actions():
        inner: Any = action.menu()
        name = fill(translate("Palette", "%1: %2"), path, _plain(action.text()))
        if inner is not None:
            inner.aboutToShow.emit()  # upon which its entries say how things are
            yield from _verbs_in(inner, name)
        elif not action.isSeparator() and action.text():
            yield PaletteEntry(name, action)


def _plain(text: str) -> str:
    """A text of a menu without its mnemonic and the keys behind it."""
    return text.partition("\t")[0].replace("&&", "\0").replace("&", "").replace("\0", "&")


def meant(verbs: Sequence[PaletteEntry], words: str) -> list[PaletteEntry]:
    """The actions that match all words; first those whose names begin with the first one.

    Where there is none, a word may be misspelt: the words that look most like it are sought in its place.
    """
    wanted = words.casefold().split()
    if not wanted:
        return list(verbs)
    said = [f"{verb.path} {verb.also}".casefold() for verb in verbs]
    found = [verb for verb, text in zip(verbs, said, strict=True) if all(word in text for word in wanted)]
    if found:
        return sorted(found, key=lambda verb: not _plain(verb.action.text()).casefold().startswith(wanted[0]))
    known = {word for text in said for word in _WORD.findall(text)}
    alike = [get_close_matches(word, known) for word in wanted]
    return [
        verb
        for verb, text in zip(verbs, said, strict=True)
        if all(any(one in text for one in (word, *near)) for word, near in zip(wanted, alike, strict=True))
    ]


class _Verbs(QAbstractListModel):
    """The model of the matching actions."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.shown: list[PaletteEntry] = []

    def show(self, verbs: list[PaletteEntry]) -> None:
        self.beginResetModel()
        self.shown = verbs
        self.endResetModel()

    @override
    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.shown)

    @override
    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        verb = self.shown[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return verb.path
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            said = ". ".join(part for part in (verb.path, verb.keys, verb.why_not) if part)
            return tip(said) if role == Qt.ItemDataRole.ToolTipRole else said
        return verb if role == Qt.ItemDataRole.UserRole else None


class _Rows(QStyledItemDelegate):
    """Paints a verb: its icon and name at the left, its keys or why it is not possible at the right."""

    def __init__(self, appearance: Appearance, parent: QObject) -> None:
        super().__init__(parent)
        self._appearance = appearance

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(WIDTH, ROW)

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        palette, verb = self._appearance.palette, index.data(Qt.ItemDataRole.UserRole)
        box = QRectF(option.rect)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, colour(palette.selected))
            painter.fillRect(QRectF(box.left(), box.top(), 2, box.height()), colour(palette.text))
        ink = palette.muted if verb.why_not else palette.text
        side = round((ROW - 16) / 2)
        verb.action.icon().paint(painter, round(box.left()) + 12, round(box.top()) + side, 16, 16)
        right = verb.why_not or verb.keys
        small, body = font(Role.SMALL), font(Role.BODY)
        name = QFontMetricsF(body).horizontalAdvance(verb.path)
        room = box.width() - 40 - 12
        words = elided(right, QFontMetricsF(small), max(0.0, room - name - 16)) if right else ""
        painter.setFont(body)
        painter.setPen(colour(ink))
        painter.drawText(box.adjusted(40, 0, -12, 0), Qt.AlignmentFlag.AlignVCenter, verb.path)
        painter.setFont(small)
        painter.setPen(colour(palette.muted))
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(box.adjusted(40, 0, -12, 0), flags, words)


class CommandPalette(QDialog):
    """Finds an action by its name and triggers it. To be shown with `open()`; deletes itself once closed.

    Args:
        verbs: all there are.
        appearance: the colours.
        parent: the window whose verbs they are.

    Attributes:
        line: where one types.
        rows: what that could mean.
        nothing: says that it means nothing.
    """

    def __init__(self, verbs: Sequence[PaletteEntry], appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self._verbs, self._appearance = verbs, appearance
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setWindowTitle(self.tr("Commands"))
        self.setAccessibleName(self.tr("Commands"))
        ground = QFrame(self)
        ground.setObjectName("ground")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(ground)
        self.line, self.rows, self._model = QLineEdit(ground), QListView(ground), _Verbs(self)
        self.nothing = text(self.tr("Nothing found"), look="muted")
        column = QVBoxLayout(ground)
        column.setContentsMargins(1, GAPS[1], 1, GAPS[1])
        column.setSpacing(GAPS[1])
        self._build(column)
        self.setFixedWidth(WIDTH)
        appearance.changed.connect(self._apply_theme)
        for verb in verbs:
            verb.action.destroyed.connect(self._forget)
        self._apply_theme(appearance.palette)
        self._offer("")

    def _build(self, column: QVBoxLayout) -> None:
        self.line.setFont(font(Role.BODY))
        self.line.setFixedHeight(CONTROL)
        self.line.setPlaceholderText(self.tr("What do you want to do?"))
        self.line.setAccessibleName(self.tr("What do you want to do?"))
        self.line.textChanged.connect(self._offer)
        self.line.installEventFilter(self)
        self.rows.setModel(self._model)
        self.rows.setItemDelegate(_Rows(self._appearance, self))
        self.rows.setUniformItemSizes(True)
        self.rows.setFrameShape(QFrame.Shape.NoFrame)
        self.rows.setFixedHeight(ROWS * ROW)
        self.rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.rows.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.rows.setAccessibleName(self.tr("Commands"))
        self.rows.clicked.connect(self._do)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        over = QVBoxLayout(self.rows.viewport())
        over.addWidget(self.nothing)
        for widget, margin in ((self.line, GAPS[1]), (self.rows, 0)):
            inner = QVBoxLayout()
            inner.setContentsMargins(margin, 0, margin, 0)
            inner.addWidget(widget)
            column.addLayout(inner)

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(
            sheet(palette) + f"QFrame#ground {{ background: {palette.panel}; border: 1px solid {palette.outline};"
            f" border-radius: {DIALOG_RADIUS}px; }}"
        )

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not blends():
            self.setMask(rounded(self.rect(), DIALOG_RADIUS))

    def _offer(self, words: str) -> None:
        self._model.show(meant(self._verbs, words))
        first = next((row for row, verb in enumerate(self._model.shown) if verb.action.isEnabled()), 0)
        self.rows.setCurrentIndex(self._model.index(first, 0))  # where none is possible, the first says why
        self.nothing.setVisible(not self._model.shown)
        self.line.setAccessibleDescription("" if self._model.shown else self.nothing.text())

    def _forget(self) -> None:
        """Remove actions that are gone, such as those of recent files when a plan is opened meanwhile."""
        self._verbs = [verb for verb in self._verbs if shiboken6.isValid(verb.action)]
        self._offer(self.line.text())

    def _do(self, index: QModelIndex) -> None:
        verb = index.data(Qt.ItemDataRole.UserRole)
        if verb is not None and verb.action.isEnabled():
            self.accept()
            verb.action.trigger()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.line and event.type() == QEvent.Type.KeyPress:
            return self._steered(event)  # type: ignore[arg-type]  # a key press is a QKeyEvent
        return False

    def _steered(self, event: QKeyEvent) -> bool:
        """Whether a key was for the list and not for the line."""
        key, current = Qt.Key(event.key()), self.rows.currentIndex()
        if key in _STEPS and self._model.shown:
            row = min(len(self._model.shown) - 1, max(0, current.row() + _STEPS[key]))
            self.rows.setCurrentIndex(self._model.index(row, 0))
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._do(current)
            return True
        return False
