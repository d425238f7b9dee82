"""Lines of output to be searched, selected and copied, by mouse and by keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QGuiApplication, QKeySequence
from typing_extensions import override

from starloom_gui.panels.output_keys import target
from starloom_gui.panels.output_marks import Place
from starloom_gui.panels.output_scroll import LinesView
from starloom_gui.text.words import plain
from starloom_gui.viewmodel.keys import typed_text

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from starloom_gui.models.output_lines import OutputLines
    from starloom_gui.panels.output_find import Found
    from starloom_gui.theme.appearance import Appearance

_SCROLL_MS: Final = 40
_Key = QKeySequence.StandardKey


class OutputView(LinesView):
    """The lines of a model, and what hands do with them.

    Signals:
        find_asked(): by key.
        typed(str): a character, with which a search begins.
        step_asked(bool): by key, the next place that was found, or the one before.

    Args:
        lines: what is shown.
        appearance: the colours.
    """

    find_asked = Signal()
    typed = Signal(str)
    step_asked = Signal(bool)

    def __init__(self, lines: OutputLines, appearance: Appearance) -> None:
        super().__init__(lines, appearance)
        self._pressed = False
        self._pull = QTimer(self)
        self._pull.setInterval(_SCROLL_MS)
        self._pull.timeout.connect(self._pull_on)

    # ---- searching

    def seek(self, sought: str, *, is_pattern: bool) -> None:
        """Seek this; the last place above the lower edge is the current one at once, and is shown."""
        self.finder.seek(sought, is_pattern=is_pattern)
        self.finder.look(self._lines.dropped, self._lines.lines())
        if self.finder.found:
            bottom = self._line_at(self.verticalScrollBar().value() + self._page()) + 1
            self._show_found(self.finder.step(bottom, 0, forward=False))
        self._found_other()

    def step(self, *, forward: bool) -> None:
        """Go to the next place that was found, or to the one before."""
        caret = self.marks.caret
        self._show_found(self.finder.step(caret.line, caret.at, forward=forward))
        self._found_other()

    def _show_found(self, found: Found | None) -> None:
        if found is not None:
            self.marks.move(Place(found.line, found.begin))
            self.show_place(Place(found.line, found.end))
            self.show_place(Place(found.line, found.begin))

    def _found_other(self) -> None:
        self.viewport().update()
        self.found_changed.emit()

    # ---- copying

    def copy(self) -> None:
        """Put what is selected on the clipboard."""
        if not self.marks.is_empty:
            QGuiApplication.clipboard().setText(self.marks.text())

    def select_all(self) -> None:
        """Select all lines."""
        self.marks.select_all()
        self.viewport().update()

    # ---- hands

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or not len(self._lines):
            return
        self._pressed = True
        extends = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self.marks.move(self.place_of(event.position().toPoint()), extends=extends)
        self.viewport().update()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not self._pressed:
            return
        at = event.position().toPoint()
        self.marks.move(self.place_of(at), extends=True)
        is_outside = not 0 <= at.y() < self.viewport().height()
        if is_outside != self._pull.isActive():
            self._pull.start() if is_outside else self._pull.stop()
        self.viewport().update()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pressed = False
        self._pull.stop()

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.marks.select_word(self.place_of(event.position().toPoint()))
        self.viewport().update()

    def _pull_on(self) -> None:
        """What is selected grows while the pointer is held above or below the lines."""
        at = self.viewport().mapFromGlobal(self.viewport().cursor().pos())
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + (-1 if at.y() < 0 else 1))
        self.marks.move(self.place_of(at), extends=True)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        extends = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        place = target(event, self.marks, self._page()) if len(self._lines) else None
        if event.matches(_Key.Copy):
            self.copy()
        elif event.matches(_Key.SelectAll):
            self.select_all()
        elif event.matches(_Key.Find):
            self.find_asked.emit()
        elif event.matches(_Key.FindNext) or event.matches(_Key.FindPrevious):
            self.step_asked.emit(event.matches(_Key.FindNext))
        elif place is not None:
            self.marks.move(place, extends=extends)
            self.show_place(self.marks.caret)
            self._tell_line()
            self.viewport().update()
        elif (typed := typed_text(event)) and not typed.isspace():
            self.typed.emit(typed)
        else:
            super().keyPressEvent(event)

    def _tell_line(self) -> None:
        """Let screen readers say the caret's line."""
        row = self.marks.caret.line - self._lines.dropped
        self.setAccessibleDescription(plain(self._lines.line(row).text, 1_000))
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == event.Type.ShortcutOverride and event.matches(_Key.Find):  # type: ignore[attr-defined]  # a key
            event.accept()  # here it is the output that is searched, not the window's tasks
            return True
        return super().event(event)
