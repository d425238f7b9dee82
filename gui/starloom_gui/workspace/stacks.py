"""A pane that shows the view of whichever sheet is in front."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QWidget

from starloom_gui.widgets.view_stack import ViewStack

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom_gui.workspace.document_view import DocumentView


PANES: Final = ("outline", "inspector", "changes", "timeline", "output", "events", "tasks", "queue", "plots", "agents")
"""The panes of which each sheet has a view of its own."""
CORNERS: Final = ("timeline", "output", "events", "tasks", "plots", "agents")


class Stacks:
    """The stacks of all panes that sheets have views for.

    Attributes:
        canvas: the stack of the middle.
        panes, corners: the others, by key.
    """

    def __init__(self) -> None:
        self.canvas = ViewStack()
        self.panes = {key: ViewStack() for key in PANES}
        self.corners = {key: ViewStack() for key in CORNERS}

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

    def _pairs(self, sheet: DocumentView) -> Iterator[tuple[ViewStack, QWidget]]:
        for key, stack in self.panes.items():
            yield stack, sheet.pane(key)
        for key, stack in self.corners.items():
            corner = sheet.views[key].corner
            assert corner is not None, f"{key} has a corner"
            yield stack, corner
