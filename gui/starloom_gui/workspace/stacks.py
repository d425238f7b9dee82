"""Panes that show the view of the document in front."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QWidget

from starloom_gui.widgets.view_stack import ViewStack

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom_gui.workspace.document_view import DocumentView


PANES: Final = (
    *("outline", "inspector", "changes", "yaml"),
    *("timeline", "output", "events", "tasks", "queue", "plots", "grid", "agents"),
)
"""The panes of which each document has a view of its own."""
CORNERS: Final = ("timeline", "output", "events", "tasks", "plots", "grid", "agents")


class Stacks:
    """The stacks of all panes that document views have views for.

    Attributes:
        canvas: the stack of the middle.
        panes, corners: the others, by key.
    """

    def __init__(self) -> None:
        self.canvas = ViewStack()
        self.panes = {key: ViewStack() for key in PANES}
        self.corners = {key: ViewStack() for key in CORNERS}

    def bring(self, document_view: DocumentView) -> None:
        """Raise the views of a document in all panes; no field gets the keyboard focus by that."""
        before = QApplication.focusWidget()
        self.canvas.bring(document_view.canvas)
        for stack, view in self._pairs(document_view):
            stack.bring(view)
        now = QApplication.focusWidget()
        if now is not before and isinstance(now, QLineEdit | QAbstractSpinBox):  # Qt took the first it found
            document_view.canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def drop(self, document_view: DocumentView) -> None:
        """Remove the views of a document."""
        self.canvas.drop(document_view.canvas)
        for stack, view in self._pairs(document_view):
            stack.drop(view)

    def _pairs(self, document_view: DocumentView) -> Iterator[tuple[ViewStack, QWidget]]:
        for key, stack in self.panes.items():
            yield stack, document_view.pane(key)
        for key, stack in self.corners.items():
            corner = document_view.views[key].corner
            assert corner is not None, f"{key} has a corner"
            yield stack, corner
