"""Selecting and copying output by mouse and by keys, and the keys with which a search begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent
from typing_extensions import override

from starloom_gui.text.words import plain
from starloom_gui.viewmodel.keys import typed_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QPoint
    from PySide6.QtWidgets import QAbstractScrollArea

    from starloom_gui.models.output_lines import OutputLines
    from starloom_gui.panels.output_marks import Marks, OutputPosition

_SCROLL_MS: Final = 40
_Key = QKeySequence.StandardKey
_MOVES: Final[tuple[tuple[tuple[QKeySequence.StandardKey, ...], Callable[[Marks, int], OutputPosition]], ...]] = (
    ((_Key.MoveToNextChar, _Key.SelectNextChar), lambda marks, _: marks.beside(1)),
    ((_Key.MoveToPreviousChar, _Key.SelectPreviousChar), lambda marks, _: marks.beside(-1)),
    ((_Key.MoveToNextLine, _Key.SelectNextLine), lambda marks, _: marks.above(-1)),
    ((_Key.MoveToPreviousLine, _Key.SelectPreviousLine), lambda marks, _: marks.above(1)),
    ((_Key.MoveToNextPage, _Key.SelectNextPage), lambda marks, page: marks.above(-page)),
    ((_Key.MoveToPreviousPage, _Key.SelectPreviousPage), lambda marks, page: marks.above(page)),
    ((_Key.MoveToStartOfLine, _Key.SelectStartOfLine), lambda marks, _: marks.home()),
    ((_Key.MoveToEndOfLine, _Key.SelectEndOfLine), lambda marks, _: marks.end()),
    ((_Key.MoveToStartOfDocument, _Key.SelectStartOfDocument), lambda marks, _: marks.first()),
    ((_Key.MoveToEndOfDocument, _Key.SelectEndOfDocument), lambda marks, _: marks.last()),
)


def _caret_target(event: QKeyEvent, marks: Marks, page: int) -> OutputPosition | None:
    """The position to which a key moves the caret; None: it does not move it.

    Args:
        event: the key.
        marks: the caret.
        page: how many lines a page has.
    """
    for keys, move in _MOVES:
        if any(event.matches(key) for key in keys):
            return move(marks, page)
    return None


class OutputInput(QObject):
    """Handles the mouse and the keys of an output view.

    Args:
        area: the view.
        lines: what it shows.
        marks: the caret, and what is selected.
        place_of: gives the place that is nearest to a point of the viewport.
        show: scrolls to a place.
        page: gives how many rows are in sight at once.

    Signals:
        find_asked(): by key.
        typed(str): a character, with which a search begins.
        step_asked(bool): by key, the next place that was found, or the one before.
    """

    find_asked = Signal()
    typed = Signal(str)
    step_asked = Signal(bool)

    def __init__(
        self,
        area: QAbstractScrollArea,
        lines: OutputLines,
        marks: Marks,
        place_of: Callable[[QPoint], OutputPosition],
        show: Callable[[OutputPosition], None],
        page: Callable[[], int],
    ) -> None:
        super().__init__(area)
        self._area, self._lines, self._marks = area, lines, marks
        self._place_of, self._show, self._page = place_of, show, page
        self._pressed = False
        self._pull = QTimer(self)
        self._pull.setInterval(_SCROLL_MS)
        self._pull.timeout.connect(self._pull_on)
        area.installEventFilter(self)
        area.viewport().installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and watched is self._area.viewport():
            return self._mouse(event)
        if isinstance(event, QKeyEvent) and watched is self._area:
            if event.type() == QEvent.Type.ShortcutOverride and event.matches(_Key.Find):
                event.accept()  # here it is the output that is searched, not the window's tasks
                return True
            return event.type() == QEvent.Type.KeyPress and self._key(event)
        return False

    # ---- copying

    def copy(self) -> None:
        """Copy the selection to the clipboard."""
        if not self._marks.is_empty:
            QGuiApplication.clipboard().setText(self._marks.text())

    def select_all(self) -> None:
        """Select all lines."""
        self._marks.select_all()
        self._area.viewport().update()

    # ---- the mouse

    def _mouse(self, event: QMouseEvent) -> bool:
        """Handle a mouse event; returns whether it was a button or a move."""
        kind, at = event.type(), event.position().toPoint()
        if kind == QEvent.Type.MouseButtonPress:
            if event.button() == Qt.MouseButton.LeftButton and len(self._lines):
                self._pressed = True
                self._select_to(at, extends=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif kind == QEvent.Type.MouseMove:
            if self._pressed:
                self._drag(at)
        elif kind == QEvent.Type.MouseButtonRelease:
            self._pressed = False
            self._pull.stop()
        elif kind == QEvent.Type.MouseButtonDblClick:
            self._marks.select_word(self._place_of(at))
            self._area.viewport().update()
        else:
            return False
        return True

    def _select_to(self, at: QPoint, *, extends: bool) -> None:
        self._marks.move(self._place_of(at), extends=extends)
        self._area.viewport().update()

    def _drag(self, at: QPoint) -> None:
        is_outside = not 0 <= at.y() < self._area.viewport().height()
        if is_outside != self._pull.isActive():
            self._pull.start() if is_outside else self._pull.stop()
        self._select_to(at, extends=True)

    def _pull_on(self) -> None:
        """Extend the selection while the pointer is held above or below the lines."""
        port = self._area.viewport()
        at = port.mapFromGlobal(port.cursor().pos())
        bar = self._area.verticalScrollBar()
        bar.setValue(bar.value() + (-1 if at.y() < 0 else 1))
        self._marks.move(self._place_of(at), extends=True)

    # ---- keys

    def _key(self, event: QKeyEvent) -> bool:
        """Handle a key event; returns whether it was used."""
        extends = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        place = _caret_target(event, self._marks, self._page()) if len(self._lines) else None
        if event.matches(_Key.Copy):
            self.copy()
        elif event.matches(_Key.SelectAll):
            self.select_all()
        elif event.matches(_Key.Find):
            self.find_asked.emit()
        elif event.matches(_Key.FindNext) or event.matches(_Key.FindPrevious):
            self.step_asked.emit(event.matches(_Key.FindNext))
        elif place is not None:
            self._marks.move(place, extends=extends)
            self._show(self._marks.caret)
            self._tell_line()
            self._area.viewport().update()
        elif (typed := typed_text(event)) and not typed.isspace():
            self.typed.emit(typed)
        else:
            return False
        return True

    def _tell_line(self) -> None:
        """Announce the caret's line to screen readers."""
        row = self._marks.caret.line - self._lines.dropped
        self._area.setAccessibleDescription(plain(self._lines.line(row).text, 1_000))
        QAccessible.updateAccessibility(QAccessibleEvent(self._area, QAccessible.Event.DescriptionChanged))
