"""The field that edits the name of a node in place. Enter sets the name, Escape restores the old one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit
from typing_extensions import override

from starloom_gui.theme.fonts import font
from starloom_gui.theme.metrics import CONTROL, RADIUS

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QFocusEvent, QKeyEvent
    from PySide6.QtWidgets import QWidget

    from starloom_gui.theme.palette import Palette

LEAST: Final = 160
MOST_CHARACTERS: Final = 200


class RenameField(QLineEdit):
    """A line edit for one name. It ends once: by Enter, by Escape, or when it loses the focus, which sets the name.

    Signals:
        ended(str | None): the name that is wanted; None: the old one. Where the keyboard has left the field, it may be
            one that cannot be given any more.
        refused(str): why the name cannot be given now; what was written stays until Escape, to be copied.
    """

    ended = Signal(object)
    refused = Signal(str)

    def __init__(
        self,
        name: str,
        box: QRectF,
        palette: Palette,
        parent: QWidget,
        asks: str = "",
        *,
        why_not: Callable[[], str] = lambda: "",
    ) -> None:
        """Ask for a name at a node.

        Args:
            name: the one there is.
            box: the node, in the viewport.
            palette: the colours.
            parent: the viewport.
            asks: what is asked for; empty: the name of the task.
            why_not: says why no name can be given now; empty: it can.
        """
        super().__init__(name, parent)
        self._below, self._before, self._is_over = parent, name, False
        self._why_not = why_not
        self.setAccessibleName(asks or self.tr("Name of the task"))
        self.setPlaceholderText(asks)
        self.setMaxLength(max(MOST_CHARACTERS, len(name)))
        self.setFont(font())
        self.setStyleSheet(
            f"QLineEdit {{ border: 2px solid {palette.text}; border-radius: {RADIUS}px; padding: 0 5px;"
            f" color: {palette.text}; background: {palette.panel};"
            f" selection-background-color: {palette.text}; selection-color: {palette.panel}; }}"
        )
        self.stand_over(box)
        self.selectAll()
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def stand_over(self, box: QRectF) -> None:
        """Cover a node."""
        width = max(LEAST, round(box.width()))
        self.setGeometry(round(box.center().x() - width / 2), round(box.center().y() - CONTROL / 2), width, CONTROL)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._end(None)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._end(self.text())
        else:
            super().keyPressEvent(event)
        event.accept()  # the canvas must not take what was written for its own keys

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:  # its own menu
            self._end(self.text())

    def _end(self, name: str | None) -> None:
        if self._is_over:
            return
        reason = self._why_not() if name not in (None, self._before) and self.hasFocus() else ""
        if reason:
            self.setReadOnly(True)
            self.refused.emit(reason)
            return
        self._is_over = True
        if self.window().focusWidget() is self:  # else the keyboard already is where the user wants it
            self._below.setFocus()
        unchanged = name is None or not name.strip() or name.strip() == self._before
        self.hide()
        self.ended.emit(None if unchanged else name)
        self.deleteLater()
