"""Selecting and copying output by mouse and by keys, and the keys with which a search begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent
from typing_extensions import override

from starloom_gui.panels.output_keys import target
from starloom_gui.text.words import plain
from starloom_gui.viewmodel.keys import typed_text

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint

    from starloom_gui.panels.output_view import OutputView

_SCROLL_MS: Final = 40
_Key = QKeySequence.StandardKey


class OutputInput(QObject):
    """Takes the mouse and the keys of a view of lines.

    Args:
        view: the lines on the screen.

    Signals:
        find_asked(): by key.
        typed(str): a character, with which a search begins.
        step_asked(bool): by key, the next place that was found, or the one before.
    """

    find_asked = Signal()
    typed = Signal(str)
    step_asked = Signal(bool)

    def __init__(self, view: OutputView) -> None:
        super().__init__(view)
        self._view = view
        self._pressed = False
        self._pull = QTimer(self)
        self._pull.setInterval(_SCROLL_MS)
        self._pull.timeout.connect(self._pull_on)
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and watched is self._view.viewport():
            return self._mouse(event)
        if isinstance(event, QKeyEvent) and watched is self._view:
            if event.type() == QEvent.Type.ShortcutOverride and event.matches(_Key.Find):
                event.accept()  # here it is the output that is searched, not the window's tasks
                return True
            return event.type() == QEvent.Type.KeyPress and self._key(event)
        return False

    # ---- copying

    def copy(self) -> None:
        """Put what is selected on the clipboard."""
        if not self._view.marks.is_empty:
            QGuiApplication.clipboard().setText(self._view.marks.text())

    def select_all(self) -> None:
        """Select all lines."""
        self._view.marks.select_all()
        self._view.viewport().update()

    # ---- the mouse

    def _mouse(self, event: QMouseEvent) -> bool:
        """Take an event of the mouse; whether it was one of a button, or a move."""
        kind, at = event.type(), event.position().toPoint()
        if kind == QEvent.Type.MouseButtonPress:
            if event.button() == Qt.MouseButton.LeftButton and len(self._view.lines):
                self._pressed = True
                self._select_to(at, extends=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif kind == QEvent.Type.MouseMove:
            if self._pressed:
                self._drag(at)
        elif kind == QEvent.Type.MouseButtonRelease:
            self._pressed = False
            self._pull.stop()
        elif kind == QEvent.Type.MouseButtonDblClick:
            self._view.marks.select_word(self._view.place_of(at))
            self._view.viewport().update()
        else:
            return False
        return True

    def _select_to(self, at: QPoint, *, extends: bool) -> None:
        self._view.marks.move(self._view.place_of(at), extends=extends)
        self._view.viewport().update()

    def _drag(self, at: QPoint) -> None:
        is_outside = not 0 <= at.y() < self._view.viewport().height()
        if is_outside != self._pull.isActive():
            self._pull.start() if is_outside else self._pull.stop()
        self._select_to(at, extends=True)

    def _pull_on(self) -> None:
        """What is selected grows while the pointer is held above or below the lines."""
        port = self._view.viewport()
        at = port.mapFromGlobal(port.cursor().pos())
        bar = self._view.verticalScrollBar()
        bar.setValue(bar.value() + (-1 if at.y() < 0 else 1))
        self._view.marks.move(self._view.place_of(at), extends=True)

    # ---- keys

    def _key(self, event: QKeyEvent) -> bool:
        """Take a key; whether it meant something."""
        view, extends = self._view, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        place = target(event, view.marks, view.page()) if len(view.lines) else None
        if event.matches(_Key.Copy):
            self.copy()
        elif event.matches(_Key.SelectAll):
            self.select_all()
        elif event.matches(_Key.Find):
            self.find_asked.emit()
        elif event.matches(_Key.FindNext) or event.matches(_Key.FindPrevious):
            self.step_asked.emit(event.matches(_Key.FindNext))
        elif place is not None:
            view.marks.move(place, extends=extends)
            view.show_place(view.marks.caret)
            self._tell_line()
            view.viewport().update()
        elif (typed := typed_text(event)) and not typed.isspace():
            self.typed.emit(typed)
        else:
            return False
        return True

    def _tell_line(self) -> None:
        """Let screen readers say the caret's line."""
        view = self._view
        row = view.marks.caret.line - view.lines.dropped
        view.setAccessibleDescription(plain(view.lines.line(row).text, 1_000))
        QAccessible.updateAccessibility(QAccessibleEvent(view, QAccessible.Event.DescriptionChanged))
