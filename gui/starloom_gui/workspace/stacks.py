"""Panes that show the view of the document in front."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit

from starloom_gui.widgets.view_stack import ViewStack

if TYPE_CHECKING:
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
        for key, stack in self.panes.items():
            stack.bring_made(document_view, partial(document_view.pane, key))
        for key, stack in self.corners.items():
            stack.bring_made(document_view, partial(document_view.corner, key))
        now = QApplication.focusWidget()
        if now is not before and isinstance(now, QLineEdit | QAbstractSpinBox):  # Qt took the first it found
            document_view.canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def drop(self, document_view: DocumentView) -> None:
        """Remove the views of a document."""
        self.canvas.drop(document_view.canvas)
        for stack in (*self.panes.values(), *self.corners.values()):
            stack.forget(document_view)
        for key, view in document_view.views.made.items():
            self.panes[key].drop(view.widget)
            if view.corner is not None:
                self.corners[key].drop(view.corner)
