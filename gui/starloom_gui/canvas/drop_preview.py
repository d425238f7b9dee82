"""What is seen on the canvas while something is dragged over it: where it would go, and why it cannot go there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from starloom_gui.canvas.camera import NODE
from starloom_gui.editing.reason_note import note_box, paint_note
from starloom_gui.theme.fonts import font
from starloom_gui.theme.metrics import CONTROL, NODE_RADIUS, RING
from starloom_gui.theme.palette import colour

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from starloom_gui.theme.appearance import Appearance

_CRITICAL: Final = 2.5
_DIM: Final = 0.3
_SLACK: Final = 6
_LEAST_WIDTH: Final = 96.0


@dataclass(frozen=True, slots=True)
class DropSight:
    """What is to be seen, in logical pixels of the viewport.

    Attributes:
        at: where the pointer is.
        title: of what is dragged.
        words: what would happen, or why it cannot.
        wrong: it cannot.
        scale: of the canvas.
        node: the node it would come after; empty: none.
        line: the dependency it would come into; empty: none.
    """

    at: QPointF
    title: str
    words: str
    wrong: bool = False
    scale: float = 1.0
    node: QRectF | None = None
    line: QPainterPath | None = None

    def ghost(self) -> QRectF:
        """Where the new node is drawn: around the pointer."""
        wide, high = max(_LEAST_WIDTH, NODE[0] * self.scale), max(float(CONTROL), NODE[1] * self.scale)
        return QRectF(self.at.x() - wide / 2, self.at.y() - high / 2, wide, high)


class DropPreview(QWidget):
    """Lies over a canvas, takes no clicks, and paints what a drop would do.

    Args:
        over: the canvas' viewport.
        appearance: the colours.
    """

    def __init__(self, over: QWidget, appearance: Appearance) -> None:
        super().__init__(over)
        self._appearance = appearance
        self.sight: DropSight | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        over.installEventFilter(self)
        self.hide()

    def show_sight(self, sight: DropSight | None) -> None:
        """Show this; None: nothing."""
        before, self.sight = self.sight, sight
        if before is None and sight is not None:
            parent = self.parentWidget()
            assert parent is not None, "it lies over a viewport"
            self.setGeometry(parent.rect())
            self.show()
            self.raise_()
        for one in (before, sight):
            if one is not None:  # the canvas below is painted again as far as this, and no further
                self.update(self._bounds(one).toAlignedRect())
        if sight is None:
            self.hide()

    def _bounds(self, sight: DropSight) -> QRectF:
        box = sight.ghost() | note_box(sight.words, self._note_at(sight), QRectF(self.rect()))
        for one in (sight.node, sight.line.controlPointRect() if sight.line is not None else None):
            if one is not None:
                box = box | one
        return box.adjusted(-_SLACK, -_SLACK, _SLACK, _SLACK)

    def _note_at(self, sight: DropSight) -> QPointF:
        return QPointF(sight.at.x() - 12, sight.ghost().bottom() - 10)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            parent = self.parentWidget()
            assert parent is not None, "it lies over a viewport"
            self.setGeometry(parent.rect())
        return False

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        sight = self.sight
        if sight is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette = self._appearance.palette
        painter.setOpacity(_DIM if sight.wrong else 1.0)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if sight.line is not None:
            painter.strokePath(sight.line, QPen(colour(palette.text), _CRITICAL))
        if sight.node is not None:
            painter.setPen(QPen(colour(palette.text), RING))
            painter.drawRoundedRect(sight.node.adjusted(-3, -3, 3, 3), NODE_RADIUS + 2, NODE_RADIUS + 2)
        self._paint_ghost(painter, sight)
        painter.setOpacity(1.0)
        box = note_box(sight.words, self._note_at(sight), QRectF(self.rect()))
        paint_note(painter, sight.words, box, palette, wrong=sight.wrong)
        painter.end()

    def _paint_ghost(self, painter: QPainter, sight: DropSight) -> None:
        palette, box = self._appearance.palette, sight.ghost()
        pen = QPen(colour(palette.text), 1.5)
        pen.setDashPattern([3.0, 2.0])
        painter.setPen(pen)
        painter.setBrush(colour(palette.panel))
        painter.drawRoundedRect(box, NODE_RADIUS, NODE_RADIUS)
        painter.setFont(font())
        title = QFontMetricsF(font()).elidedText(sight.title, Qt.TextElideMode.ElideMiddle, box.width() - 16)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, title)
