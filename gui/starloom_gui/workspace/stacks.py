"""A pane that shows the view of whichever sheet is in front."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QStackedWidget, QWidget
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom_gui.workspace.document_view import DocumentView


PANES: Final = ("outline", "inspector", "changes", "timeline", "output", "events", "tasks", "queue", "plots", "agents")
"""The panes of which each sheet has a view of its own."""
CORNERS: Final = ("timeline", "output", "events", "tasks", "plots", "agents")


class Stack(QStackedWidget):
    """Views of one kind, one of which can be seen; the keyboard goes to that one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(0, 0)

    def bring(self, view: QWidget) -> None:
        """Show this one, which may be new here."""
        if self.indexOf(view) < 0:
            self.addWidget(view)
        self.setCurrentWidget(view)
        self.setFocusProxy(view)

    def drop(self, view: QWidget) -> None:
        """Know of this one no more."""
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


class Stacks:
    """The stacks of all panes that sheets have views for.

    Attributes:
        canvas: the stack of the middle.
        panes, corners: the others, by key.
    """

    def __init__(self) -> None:
        self.canvas = Stack()
        self.panes = {key: Stack() for key in PANES}
        self.corners = {key: Stack() for key in CORNERS}

    def bring(self, sheet: DocumentView) -> None:
        """Have a sheet's views in front everywhere; the keyboard never comes into a field by that."""
        before = QApplication.focusWidget()
        self.canvas.bring(sheet.canvas)
        for stack, view in self._pairs(sheet):
            stack.bring(view)
        now = QApplication.focusWidget()
        if now is not before and isinstance(now, QLineEdit | QAbstractSpinBox):  # Qt took the first it found
            sheet.canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def drop(self, sheet: DocumentView) -> None:
        """Let go of a sheet's views."""
        self.canvas.drop(sheet.canvas)
        for stack, view in self._pairs(sheet):
            stack.drop(view)

    def _pairs(self, sheet: DocumentView) -> Iterator[tuple[Stack, QWidget]]:
        for key, stack in self.panes.items():
            yield stack, sheet.pane(key)
        for key, stack in self.corners.items():
            corner = sheet.views[key].corner
            assert corner is not None, f"{key} has a corner"
            yield stack, corner
