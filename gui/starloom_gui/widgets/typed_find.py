"""Find as you type: a field at the top right of a view shows the text, and the next match becomes current.

The field never takes the focus, so every other key still means what it means in the view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent, QFontMetricsF, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QWidget
from typing_extensions import override

from starloom_gui.text.words import fill
from starloom_gui.theme.fonts import elided, font
from starloom_gui.theme.icons import Icon, drawing
from starloom_gui.theme.metrics import CONTROL, GAPS, RADIUS
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.keys import TYPED, typed_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QModelIndex
    from PySide6.QtGui import QPaintEvent
    from PySide6.QtWidgets import QAbstractItemView

    from starloom_gui.theme.appearance import Appearance

LEAST_WIDE: Final = 140
_ICON: Final = 16
_ENDS: Final = frozenset({Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter})
_MOST_TYPED: Final = 100


class TypedFind(QWidget):
    """The find-as-you-type field of one view, shown until Escape, Enter, a click or another focus.

    F3 and Shift+F3 go to the next place and to the one before.

    Args:
        view: whose keys it reads.
        find: makes the next place with a text current and says whether there is one; it is given the text and 0 for
            the current place or the first after it, 1 for the first after it, -1 for the first before it.
        appearance: the colours.
        is_busy: whether something that goes on in the view has its keys for now.
    """

    def __init__(
        self,
        view: QAbstractScrollArea,
        find: Callable[[str, int], bool],
        appearance: Appearance,
        is_busy: Callable[[], bool] = lambda: False,
    ) -> None:
        super().__init__(view)
        self._view, self._find, self._appearance, self._is_busy = view, find, appearance, is_busy
        self.text, self.is_found = "", True
        self._before = ""
        self.setFont(font())
        self.setFixedHeight(CONTROL)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)
        appearance.changed.connect(self.update)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if isinstance(event, QKeyEvent) and watched is self._view:  # in this order: a view that goes is no more
            if kind == QEvent.Type.ShortcutOverride and self.text and typed_text(event):
                event.accept()  # a shortcut such as `?` would take what is being typed
                return True
            return kind == QEvent.Type.KeyPress and self._takes(event)
        if kind in (QEvent.Type.FocusOut, QEvent.Type.MouseButtonPress, QEvent.Type.Hide):
            self.end()
        elif kind == QEvent.Type.Resize and self.text:
            self._place()
        return False

    def _takes(self, event: QKeyEvent) -> bool:
        """Handle a key event; returns whether it was for the field."""
        text, key = typed_text(event), event.key()
        if self._is_busy():
            self.end()  # Enter ends what the view is busy with, and not what was found before
        if not self.text and self._before and key == Qt.Key.Key_F3:
            self._find(self._before, _way(event))
            return True
        if not self.text:
            begins = bool(text) and not text.isspace() and text not in TYPED and not self._is_busy()
            if begins:
                self._show(text, 0)
            return begins
        if key in _ENDS:
            self.end()
        elif key == Qt.Key.Key_Backspace:
            self._show(self.text[:-1], 0)
        elif key == Qt.Key.Key_F3:
            self._show(self.text, _way(event))
        elif text:
            self._show((self.text + text)[:_MOST_TYPED], 0)
        else:
            return False
        return True

    def remember(self, text: str) -> None:
        """Set the text that F3 searches for, as another field has found it."""
        self.end()
        self._before = text[:_MOST_TYPED]

    def end(self) -> None:
        """Hide the field and clear its text; the current match stays current."""
        self.text, self.is_found = "", True
        self.hide()

    def _show(self, text: str, step: int) -> None:
        if not text:
            self.end()
            return
        is_longer = text != self.text and text.startswith(self.text)
        if self.is_found or not is_longer:  # what is not there is not there with more behind it
            self.is_found = self._find(text, step)
        self.text = text
        said = text if self.is_found else fill(self.tr("%1: not found"), text)
        self.setAccessibleName(said)
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.NameChanged))
        self._place()
        self.show()
        self.raise_()
        self.update()

    @property
    def words(self) -> str:
        """The displayed text."""
        return self.text if self.is_found else fill(self.tr("%1 (not found)"), self.text)

    def _place(self) -> None:
        box, wide = self._view.viewport().geometry(), QFontMetricsF(self.font()).horizontalAdvance(self.words)
        most = max(0, box.width() - 2 * GAPS[1])
        self.setFixedWidth(min(max(LEAST_WIDE, round(wide) + _ICON + 4 * GAPS[1]), most))
        self.move(box.right() + 1 - GAPS[1] - self.width(), box.top() + GAPS[1])

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        palette, box = self._appearance.palette, QRectF(self.rect())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour(palette.text), 1.0))
        painter.setBrush(colour(palette.panel))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        drawing(Icon.SEARCH).paint(painter, QRectF(GAPS[1], (CONTROL - _ICON) / 2, _ICON, _ICON), colour(palette.muted))
        painter.setPen(colour(palette.text if self.is_found else palette.status[StatusForm.FAILED].text))
        painter.setFont(self.font())
        room = box.adjusted(_ICON + 2 * GAPS[1], 0, -GAPS[1], 0)
        words = elided(self.words, QFontMetricsF(self.font()), room.width(), Qt.TextElideMode.ElideLeft)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, words)
        painter.end()


def _way(event: QKeyEvent) -> int:
    return -1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1


def find_rows(view: QAbstractItemView, *columns: int) -> Callable[[str, int], bool]:
    """Make the search function of an item view: it compares the texts of each row, ignores case, and wraps around.

    Args:
        view: a list, a table, or a tree; in a tree, closed branches are looked through, too.
        columns: those whose texts are looked at.
    """

    def find(text: str, step: int) -> bool:
        rows = list(_rows_of(view))
        current = view.currentIndex()
        here = current.siblingAtColumn(0) if current.isValid() else current
        begin = rows.index(here) if here in rows else (0 if step >= 0 else len(rows))
        begin += step if here in rows else 0
        wanted = text.casefold()
        for away in range(len(rows)):
            index = rows[(begin + (away if step >= 0 else -away)) % len(rows)]
            if any(wanted in str(index.siblingAtColumn(each).data() or "").casefold() for each in columns):
                shown = current.column() if current.isValid() else _first_column(view)
                found = index.siblingAtColumn(shown)
                view.setCurrentIndex(found if found.isValid() else index)
                view.scrollTo(view.currentIndex())
                return True
        return False

    return find


def _first_column(view: QAbstractItemView) -> int:
    """The first visible column, as Qt makes no hidden one current."""
    return max(0, view.indexAt(view.viewport().rect().topLeft()).column())


def _rows_of(view: QAbstractItemView) -> list[QModelIndex]:
    """The rows of a view in their order, including those in branches."""
    model, found = view.model(), []
    stack = [model.index(row, 0, view.rootIndex()) for row in reversed(range(model.rowCount(view.rootIndex())))]
    while stack:
        index = stack.pop()
        found.append(index)
        stack += [model.index(row, 0, index) for row in reversed(range(model.rowCount(index)))]
    return found
