"""Paints the preview of a drop: where the dragged task would be inserted, or why it cannot be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from starloom_gui.theme.drawings import Drawing
from starloom_gui.theme.metrics import NODE_RADIUS, RING
from starloom_gui.theme.palette import colour
from starloom_gui.widgets.reason_note import note_box, paint_note

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent
    from PySide6.QtWidgets import QAbstractScrollArea

    from starloom_gui.theme.appearance import Appearance

_CRITICAL: Final = 2.5
_FADED: Final = 0.7
"""Of the ground over a target that is not possible, so that 30 % of it can be seen."""
_BADGE: Final = 16.0
_SLACK: Final = 12
_PLUS: Final = Drawing("M 8 4.5 L 8 11.5 M 4.5 8 L 11.5 8")
_NOTE_AT: Final = QPointF(-2, 28)
"""From the pointer: below what hangs there."""


@dataclass(frozen=True, slots=True)
class DropSight:
    """The content of a drop preview, in logical pixels of the viewport.

    Attributes:
        at: where the pointer is.
        words: what would happen, or why it cannot.
        wrong: it cannot.
        node: the node it would come after; None: none.
        line: the dependency it would come into; None: none.
        downwards: the graph's dependencies leave nodes at the bottom, not at the right.
    """

    at: QPointF
    words: str
    wrong: bool = False
    node: QRectF | None = None
    line: QPainterPath | None = None
    downwards: bool = False

    def badge(self) -> QPointF | None:
        """The position of the plus: on the dependency at the pointer, or at the node's output port."""
        if self.node is not None:
            middle = self.node.center()
            ends = QPointF(middle.x(), self.node.bottom()), QPointF(self.node.right(), middle.y())
            return ends[0] if self.downwards else ends[1]
        return self.at if self.line is not None else None


class DropPreview(QWidget):
    """A widget over a canvas that paints the preview of a drop and takes no clicks.

    Args:
        view: the canvas.
        appearance: the colours.
    """

    def __init__(self, view: QAbstractScrollArea, appearance: Appearance) -> None:
        super().__init__(view)  # and not of the viewport: over the mini-map, too
        # The viewport is Qt's own, and PySide is not told when it goes: it is asked for each time.
        self._view, self._appearance = view, appearance
        self.sight: DropSight | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        view.viewport().installEventFilter(self)
        self.hide()

    def show_sight(self, sight: DropSight | None) -> None:
        """Show a preview; None: hide it."""
        before, self.sight = self.sight, sight
        if before is None and sight is not None:
            self.setGeometry(self._view.viewport().geometry())
            self.show()
            self.raise_()
        for one in (before, sight):
            if one is not None:  # the canvas below is painted again as far as this, and no further
                self.update(self._bounds(one).toAlignedRect())
        if sight is None:
            self.hide()

    def _bounds(self, sight: DropSight) -> QRectF:
        box = self._note(sight)
        for one in (sight.node, sight.line.controlPointRect() if sight.line is not None else None):
            if one is not None:
                box = box | one
        if (badge := sight.badge()) is not None:
            box = box | QRectF(badge, badge).adjusted(-1, -1, 1, 1)
        return box.adjusted(-_SLACK, -_SLACK, _SLACK, _SLACK)

    def _note(self, sight: DropSight) -> QRectF:
        return note_box(sight.words, sight.at + _NOTE_AT, QRectF(self.rect()))

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self.setGeometry(self._view.viewport().geometry())
        return False

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        sight = self.sight
        if sight is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if sight.wrong:
            self._fade(painter, sight)
        else:
            self._mark(painter, sight)
        paint_note(painter, sight.words, self._note(sight), self._appearance.palette, wrong=sight.wrong)
        painter.end()

    def _fade(self, painter: QPainter, sight: DropSight) -> None:
        """Dim a target that is not possible."""
        ground = colour(self._appearance.palette.canvas, _FADED)
        if sight.line is not None:
            painter.strokePath(sight.line, QPen(ground, 2 * _CRITICAL))
        if sight.node is not None:
            painter.fillRect(sight.node.adjusted(-1, -1, 1, 1), ground)

    def _mark(self, painter: QPainter, sight: DropSight) -> None:
        """Highlight a target."""
        palette = self._appearance.palette
        ink = colour(palette.text)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if sight.line is not None:
            painter.strokePath(sight.line, QPen(ink, _CRITICAL))
        if sight.node is not None:
            painter.setPen(QPen(ink, RING))
            painter.drawRoundedRect(sight.node.adjusted(-3, -3, 3, 3), NODE_RADIUS + 2, NODE_RADIUS + 2)
        badge = sight.badge()
        if badge is not None:
            box = QRectF(0, 0, _BADGE, _BADGE)
            box.moveCenter(badge)
            painter.setPen(QPen(colour(palette.canvas), RING))
            painter.setBrush(ink)
            painter.drawEllipse(box.adjusted(-1, -1, 1, 1))
            _PLUS.paint(painter, box, colour(palette.canvas))
