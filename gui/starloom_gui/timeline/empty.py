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

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.theme.palette import Palette
    from starloom_gui.timeline.model import TimelineModel


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

    def arrange(self, model: TimelineModel) -> None:
        """Show the button below the sentence, if that is there and the run or plan can still be started."""
        button, port = self._button, self._view.viewport()
        button.setVisible(model.is_empty and _may_be_started(model.run) and button.defaultAction() is not None)
        wide = button.sizeHint().width()
        button.setGeometry((port.width() - wide) // 2, port.height() // 2 + GAPS[-1], wide, CONTROL)

    def paint(self, painter: QPainter, palette: Palette, model: TimelineModel) -> None:
        """Paint the sentence.

        Args:
            painter: of the port, in logical pixels.
            palette: the colours.
            model: of the timeline, which has no bars.
        """
        painter.fillRect(self._view.viewport().rect(), colour(palette.panel))
        painter.setPen(QPen(colour(palette.muted)))
        painter.setFont(font(Role.BODY))
        box = self._view.viewport().rect().adjusted(24, 0, -24, 0)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), empty_words(model))


def empty_words(model: TimelineModel) -> str:
    """The sentence of a timeline without bars: whether anything has run, is foreseen, or still can be.

    Args:
        model: of the timeline.
    """
    if model.run.state.has_ended:
        return translate("LaneArea", "Nothing has run.")
    is_unforeseen = model.projection is not None and not model.is_foreseen  # it was tried to foresee the run
    if not _may_be_started(model.run):
        return (
            translate("LaneArea", "Nothing has run yet, and nothing is foreseen. Attempts will be here.")
            if is_unforeseen
            else translate(
                "LaneArea", "Nothing has run yet. Every attempt will be a bar here, in the lane of its slot."
            )
        )
    if is_unforeseen:
        return translate(
            "LaneArea", "Nothing is foreseen: nothing that can start by itself has an estimate. Attempts will be here."
        )
    return translate("LaneArea", "Nothing has started yet. Every attempt will be a bar here, in the lane of its slot.")


def _may_be_started(run: RunFacts) -> bool:
    """Whether it is a plan, or a run that is created and not started."""
    return run.run_started_at is None and not run.state.has_ended
