"""The placeholder of a timeline without bars: a sentence, and a button for what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QToolButton

from starloom_gui.text.words import translate
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import CONTROL, GAPS, RADIUS
from starloom_gui.theme.palette import colour

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QAbstractScrollArea

    from starloom_gui.theme.palette import Palette


class EmptyTimeline:
    """The placeholder of an empty timeline.

    Args:
        view: the one that it stands in.
    """

    def __init__(self, view: QAbstractScrollArea) -> None:
        # Not its viewport: that is Qt's own, and PySide is not told when it goes.
        self._view = view
        self._button = QToolButton(view.viewport())
        self._button.setFont(font(Role.BODY))
        self._button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._button.hide()

    def set_action(self, action: QAction) -> None:
        """Set the action of the button; without one there is no button."""
        self._button.setDefaultAction(action)

    def set_palette(self, palette: Palette) -> None:
        """Use other colours."""
        self._button.setStyleSheet(
            f"QToolButton {{ border: 1px solid {palette.outline}; border-radius: {RADIUS}px; padding: 0 {GAPS[2]}px;"
            f" color: {palette.text}; background: {palette.panel}; }}"
            f"QToolButton:hover {{ background: {palette.raised}; }}"
            f"QToolButton:disabled {{ border-color: {palette.border}; color: {palette.muted}; }}"
            f"QToolButton:focus {{ border: 2px dashed {palette.text}; }}"
        )

    def arrange(self, *, is_wanted: bool) -> None:
        """Show the button below the sentence, if that is there."""
        button, port = self._button, self._view.viewport()
        button.setVisible(is_wanted and button.defaultAction() is not None)
        wide = button.sizeHint().width()
        button.setGeometry((port.width() - wide) // 2, port.height() // 2 + GAPS[-1], wide, CONTROL)

    def paint(self, painter: QPainter, palette: Palette, *, is_unforeseen: bool) -> None:
        """Paint the sentence.

        Args:
            painter: of the port, in logical pixels.
            palette: the colours.
            is_unforeseen: whether it was tried to foresee the run, and no attempt was.
        """
        painter.fillRect(self._view.viewport().rect(), colour(palette.panel))
        painter.setPen(QPen(colour(palette.muted)))
        painter.setFont(font(Role.BODY))
        text = translate(
            "LaneArea", "Nothing has started yet. Every attempt will be a bar here, in the lane of its slot."
        )
        if is_unforeseen:
            text = translate(
                "LaneArea",
                "Nothing is foreseen: nothing that can start by itself has an estimate. Attempts will be here.",
            )
        box = self._view.viewport().rect().adjusted(24, 0, -24, 0)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), text)
