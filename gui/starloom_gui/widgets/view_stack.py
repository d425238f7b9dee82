"""A stack of views of one kind, one of which is visible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QStackedWidget, QWidget
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QShowEvent


class ViewStack(QStackedWidget):
    """A stack of views of one kind, one of which is visible and gets the keyboard focus.

    A new view is made and added once the stack is seen: Qt then works out the style of all that is in it, which takes
    5 ms, and many a view is never looked at.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(0, 0)
        self._next: tuple[object, Callable[[], QWidget]] | None = None

    def bring(self, view: QWidget) -> None:
        """Show a view, which is added if it is new."""
        if self.indexOf(view) < 0 and not self.isVisible():
            # until it is added, it has no parent
            self.destroyed.connect(view.deleteLater, Qt.ConnectionType.UniqueConnection)
            self._next = view, lambda: view
            return
        self._next = None
        if self.indexOf(view) < 0:
            self.addWidget(view)
        self.setCurrentWidget(view)
        self.setFocusProxy(view)

    def bring_made(self, owner: object, make: Callable[[], QWidget]) -> None:
        """Show the view of an owner, which a function makes or has made before; it is called once the stack is seen."""
        if self.isVisible():
            self.bring(make())
        else:
            self._next = owner, make

    def forget(self, owner: object) -> None:
        """Make no view of this owner any more."""
        if self._next is not None and self._next[0] is owner:
            self._next = None

    def drop(self, view: QWidget) -> None:
        """Remove a view."""
        self.forget(view)
        if self.focusProxy() is view:
            self.setFocusProxy(None)  # type: ignore[arg-type]  # None takes the proxy away, which the stubs don't know
        self.removeWidget(view)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._next is not None:
            view = self._next[1]()
            self.bring(view)
            view.setGeometry(self.contentsRect())  # at once, not with the next event

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    @override
    def sizeHint(self) -> QSize:
        shown = self.currentWidget()
        return shown.sizeHint() if shown is not None else QSize(0, 0)
