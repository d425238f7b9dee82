"""Where the canvas looks: zoom, pan, fit and focus. It looks elsewhere only when one of these methods is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QTransform
from PySide6.QtWidgets import QFrame, QGraphicsScene, QGraphicsView, QWidget
from typing_extensions import override

from starloom_gui.canvas.camera import FULL_FROM, NODE
from starloom_gui.canvas.item import EVERYWHERE
from starloom_gui.canvas.motion import Glide, Place
from starloom_gui.theme.metrics import CANVAS_FOOT

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QWheelEvent

LARGEST: Final = 3.0
SMALLEST: Final = 0.005
STEP: Final = 1.2
NOTCH: Final = 120
"""What one notch of a mouse wheel is worth."""
TOP: Final = 56
BOTTOM: Final = 48 - CANVAS_FOOT
SIDE: Final = 20
FOCUS_SCALE: Final = 0.6


class Viewport(QGraphicsView):
    """A view on a scene without bounds, above a strip for controls, which then lie on nothing.

    What is wholly in sight stays so when the window changes.

    Attributes:
        reduced_motion: whether it jumps instead of gliding.

    Signals:
        moved(): it looks elsewhere now.
    """

    moved = Signal()

    def __init__(self, parent: QWidget | None = None, *, reduced_motion: bool = False) -> None:
        super().__init__(parent)
        self.reduced_motion = reduced_motion
        scene = QGraphicsScene(EVERYWHERE, self)
        scene.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        self.setScene(scene)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setViewportMargins(0, 0, 0, CANVAS_FOOT)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.SmartViewportUpdate)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontSavePainterState)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._glide = Glide(self, self._put)
        self._left_over = QPointF()
        self._size = QSize()
        self._wanted: float | None = None  # the user's scale, while the window is too small for all of it

    # ---- where it looks

    @property
    def place(self) -> Place:
        """Where it looks."""
        middle = self._scene_at(QPointF(self.viewport().width() / 2, self.viewport().height() / 2))
        return Place(self.transform().m11(), middle.x(), middle.y())

    @property
    def zoom(self) -> float:
        """Logical pixels for each unit of the scene; 1 is 100 %."""
        return self.transform().m11()

    @property
    def seen(self) -> QRectF:
        """What is in sight, in the scene."""
        size = self.viewport().size()
        return QRectF(self._scene_at(QPointF(0, 0)), self._scene_at(QPointF(size.width(), size.height())))

    @property
    def share_in_sight(self) -> float:
        """How much of the rectangle around all there is can be seen, 0 to 1."""
        whole = self._bounds()
        part = whole & self.seen
        return part.width() * part.height() / (whole.width() * whole.height()) if not whole.isEmpty() else 0.0

    def _scene_at(self, at: QPointF) -> QPointF:
        return self.viewportTransform().inverted()[0].map(at)

    def look(self, place: Place, *, at_once: bool = False) -> None:
        """Look elsewhere; a scale out of range is brought into it."""
        target = Place(min(max(place.scale, SMALLEST), LARGEST), place.x, place.y)
        if at_once or self.reduced_motion or not self.isVisible():
            self._glide.stop()
            self._put(target)
        else:
            self._glide.start(self.place, target)

    def _put(self, place: Place) -> None:
        self._wanted = None
        if place.scale != self.zoom:
            self.setTransform(QTransform.fromScale(place.scale, place.scale))
        size = self._size = self.viewport().size()
        self.horizontalScrollBar().setValue(round(place.x * place.scale - size.width() / 2))
        self.verticalScrollBar().setValue(round(place.y * place.scale - size.height() / 2))
        self.viewport().update()
        self.moved.emit()

    def stop(self) -> None:
        """Stay here, if it is on its way somewhere."""
        self._glide.stop()

    # ---- asked for by the user

    def scroll_by(self, dx: int, dy: int) -> None:
        """Look further to the right and below, by logical pixels."""
        self.stop()
        self._wanted = None
        self.horizontalScrollBar().setValue(self.horizontalScrollBar().value() + dx)
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() + dy)
        self.moved.emit()

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom; what is at a point of the viewport (its middle if none is given) stays there."""
        self.stop()
        now = self.place
        size = self.viewport().size()
        point = at if at is not None else QPointF(size.width() / 2, size.height() / 2)
        fixed = self._scene_at(point)
        scale = min(max(now.scale * factor, SMALLEST), LARGEST)
        x = fixed.x() + (size.width() / 2 - point.x()) / scale
        y = fixed.y() + (size.height() / 2 - point.y()) / scale
        self._put(Place(scale, x, y))

    def fit(self, bounds: QRectF, *, least: float = SMALLEST, at_once: bool = False) -> None:
        """Look at all of a part of the scene, not enlarged; 56 pixels are free above, 48 below with the strip.

        Args:
            bounds: the part.
            least: the smallest scale; what does not fit then is seen from its left.
            at_once: don't glide there.
        """
        if bounds.isEmpty():
            return
        size = self.viewport().size()
        wide, high = max(1, size.width() - 2 * SIDE), max(1, size.height() - TOP - BOTTOM)
        scale = max(least, min(1.0, wide / bounds.width(), high / bounds.height()))
        x, y = bounds.center().x(), bounds.center().y() + (BOTTOM - TOP) / 2 / scale
        if bounds.width() * scale > wide:
            x = bounds.left() + (size.width() / 2 - SIDE) / scale
        self.look(Place(scale, x, y), at_once=at_once)

    def focus(self, x: float, y: float) -> None:
        """Bring a point of the scene to the middle, near enough to read what is there."""
        self.look(Place(max(self.zoom, FOCUS_SCALE), x, y))

    def reveal(self, x: float, y: float) -> None:
        """Move as little as is needed for the node there to be seen; not at all if it is."""
        seen, margin = self.seen, SIDE / self.zoom
        wide, high = NODE[0] / 2 + margin, NODE[1] / 2 + margin
        dx = _needed(x - wide, x + wide, seen.left(), seen.right())
        dy = _needed(y - high, y + high, seen.top() + TOP / self.zoom, seen.bottom() - BOTTOM / self.zoom)
        if dx or dy:
            now = self.place
            self.look(Place(now.scale, now.x + dx, now.y + dy))

    # ---- events of Qt

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        pixels = event.pixelDelta()
        zooms = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if not pixels.isNull() and not zooms:
            self.scroll_by(-pixels.x(), -pixels.y())
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            turned = event.angleDelta()
            self.scroll_by(-(turned.x() or turned.y()) // 2, 0)
        else:
            self.zoom_by(STEP ** (event.angleDelta().y() / NOTCH), event.position())
        event.accept()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        before, self._size = self._size, event.size()  # Qt's old size is none where it was resized while hidden
        if before.isValid() and not before.isEmpty():
            was_whole = self._wanted is not None or self.is_whole(before)
            self._keep_middle(before, event.size())
            if was_whole:
                self._keep_whole()
        self.moved.emit()

    def _bounds(self) -> QRectF:
        """What there is to be seen, in the scene; empty: nothing."""
        return QRectF()

    def is_whole(self, size: QSize) -> bool:
        """Whether all there is would be in sight in a viewport of this size."""
        bounds = self._bounds()
        area = QRectF(0, 0, size.width(), size.height() - BOTTOM).adjusted(-1, -1, 1, 1)
        return not bounds.isEmpty() and area.contains(self.viewportTransform().mapRect(bounds))

    def _keep_whole(self) -> None:
        """Have all there is in sight as before: at the scale the user wants, or the largest at which it fits.

        But not so small that names could not be read: then the middle stays in the middle.
        """
        bounds, size, now = self._bounds(), self.viewport().size(), self.place
        wanted = scale = self._wanted or now.scale
        wide, high = size.width(), size.height() - BOTTOM
        if bounds.width() * wanted > wide or bounds.height() * wanted > high:
            fitting = min(max(1, wide - 2 * SIDE) / bounds.width(), max(1, high - TOP) / bounds.height())
            scale = min(wanted, max(FULL_FROM, fitting) if wanted >= FULL_FROM else fitting)
        if scale != now.scale:
            self._put(Place(scale, now.x, now.y))
        box = self.viewportTransform().mapRect(bounds)
        if box.width() <= wide and box.height() <= high:
            dx, dy = _needed(box.left(), box.right(), 0, wide), _needed(box.top(), box.bottom(), 0, high)
            self.scroll_by(round(dx), round(dy))
        self._wanted = wanted if scale < wanted else None

    def _keep_middle(self, before: QSize, now: QSize) -> None:
        """Have what stood in the middle of the view do so again, though Qt keeps its upper left corner."""
        dx = self._left_over.x() + (before.width() - now.width()) / 2
        dy = self._left_over.y() + (before.height() - now.height()) / 2
        self._left_over = QPointF(dx - int(dx), dy - int(dy))  # half pixels of many small steps add up
        self.horizontalScrollBar().setValue(self.horizontalScrollBar().value() + int(dx))
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() + int(dy))


def _needed(low: float, high: float, from_: float, to: float) -> float:
    """By how much a window has to move for a stretch to be within; its beginning wins where it is too long."""
    if low < from_:
        return low - from_
    return min(high - to, low - from_) if high > to else 0.0


def first_look(viewport: Viewport, bounds: QRectF) -> None:
    """How a graph is seen first: all of it, if its text can be read then."""
    viewport.fit(bounds, least=FULL_FROM, at_once=True)
