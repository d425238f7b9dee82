"""A stack of views of one kind, one of which is visible."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget, QWidget
from typing_extensions import override


class ViewStack(QStackedWidget):
    """A stack of views of one kind, one of which is visible and gets the keyboard focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(0, 0)

    def bring(self, view: QWidget) -> None:
        """Show a view, which is added if it is new."""
        if self.indexOf(view) < 0:
            self.addWidget(view)
        self.setCurrentWidget(view)
        self.setFocusProxy(view)

    def drop(self, view: QWidget) -> None:
        """Remove a view."""
        if self.focusProxy() is view:
            self.setFocusProxy(None)  # type: ignore[arg-type]  # None takes the proxy away, which the stubs don't know
        self.removeWidget(view)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    @override
    def sizeHint(self) -> QSize:
        shown = self.currentWidget()
        return shown.sizeHint() if shown is not None else QSize(0, 0)
