"""Pans and zooms the canvas. The view moves only when one of these methods is called."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QTransform
from PySide6.QtWidgets import QFrame, QGraphicsScene, QGraphicsView

from starloom_gui.canvas.camera import FULL_FROM, NODE, Level, level_of
from starloom_gui.canvas.item import EVERYWHERE
from starloom_gui.canvas.motion import Glide, ViewPosition
from starloom_gui.theme.metrics import CANVAS_FOOT, STRIP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtGui import QWheelEvent

LARGEST: Final = 3.0
SMALLEST: Final = 0.005
"""The least scale, but where a graph is only seen whole at a smaller one."""
STEP: Final = 1.2
NOTCH: Final = 120
"""What one notch of a mouse wheel is worth."""
TOP: Final = 56
BOTTOM: Final = 48 - CANVAS_FOOT
SIDE: Final = 20
FOCUS_SCALE: Final = 0.6


class PanZoom(QObject):
    """Pans and zooms a graphics view over a scene without bounds.

    What is wholly in sight stays so when the window changes; a view that was fitted, and not moved since, is fitted
    again.

    Args:
        view: the view; it is set up for this, and its strip below is left free.
        bounds: gives what there is to be seen, in the scene; empty: nothing.
        reduced_motion: whether the view jumps instead of gliding.

    Attributes:
        reduced_motion: see above.

    Signals:
        moved(): the view looks elsewhere now.
    """

    moved = Signal()

    def __init__(self, view: QGraphicsView, bounds: Callable[[], QRectF], *, reduced_motion: bool = False) -> None:
        super().__init__(view)
        _prepare(view)
        self._view, self._bounds, self.reduced_motion = view, bounds, reduced_motion
        self._glide = Glide(self, self._put)
        self._left_over = QPointF()
        self._size = QSize()
        self._wanted: float | None = None  # the user's scale, while the window is too small for all of it
        self._fitted: float | None = None  # the least scale of the fit that nobody has moved away from
        self._is_held = self._is_unseen = False

    # ---- where it looks

    @property
    def place(self) -> ViewPosition:
        """The position of the view."""
        middle = self.scene_at(QPointF(self._view.viewport().width() / 2, self._view.viewport().height() / 2))
        return ViewPosition(self._view.transform().m11(), middle.x(), middle.y())

    @property
    def zoom(self) -> float:
        """The logical pixels for each unit of the scene; 1 is 100 %."""
        return self._view.transform().m11()

    @property
    def level(self) -> Level:
        """The level of detail at this scale."""
        return level_of(self.zoom)

    @property
    def seen(self) -> QRectF:
        """The visible part of the scene."""
        size = self._view.viewport().size()
        return QRectF(self.scene_at(QPointF(0, 0)), self.scene_at(QPointF(size.width(), size.height())))

    @property
    def share_in_sight(self) -> float:
        """The visible share of the bounding rectangle of all nodes and notes, 0 to 1."""
        whole = self._bounds()
        part = whole & self.seen
        return part.width() * part.height() / (whole.width() * whole.height()) if not whole.isEmpty() else 0.0

    def scene_at(self, at: QPoint | QPointF) -> QPointF:
        """The point of the scene at a viewport position."""
        return self._view.viewportTransform().inverted()[0].map(QPointF(at))

    def look(self, place: ViewPosition, *, at_once: bool = False) -> None:
        """Move the view to a position, whose scale is clamped."""
        self._fitted = None
        target = ViewPosition(self._in_range(place.scale), place.x, place.y)
        if at_once or self.reduced_motion or not self._view.isVisible():
            self._glide.stop()
            self._put(target)
        else:
            self._glide.start(self.place, target)

    def _put(self, place: ViewPosition) -> None:
        self._wanted, self._is_unseen = None, False
        if place.scale != self.zoom:
            self._view.setTransform(QTransform.fromScale(place.scale, place.scale))
        size = self._size = self._view.viewport().size()
        self._view.horizontalScrollBar().setValue(round(place.x * place.scale - size.width() / 2))
        self._view.verticalScrollBar().setValue(round(place.y * place.scale - size.height() / 2))
        self._view.viewport().update()
        self.moved.emit()

    def stop(self) -> None:
        """Stop the animation of the view, if there is one."""
        self._glide.stop()

    # ---- asked for by the user

    def scroll_by(self, dx: int, dy: int) -> None:
        """Scroll to the right and down, by logical pixels."""
        self.stop()
        self._fitted = self._wanted = None
        self._is_unseen = False
        self._view.horizontalScrollBar().setValue(self._view.horizontalScrollBar().value() + dx)
        self._view.verticalScrollBar().setValue(self._view.verticalScrollBar().value() + dy)
        self.moved.emit()

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom around a viewport position (its middle if none is given).

        Args:
            factor: over 1: larger.
            at: a place of the viewport; None: its middle.
        """
        self.stop()
        self._fitted = None
        now = self.place
        size = self._view.viewport().size()
        point = at if at is not None else QPointF(size.width() / 2, size.height() / 2)
        fixed = self.scene_at(point)
        scale = self._in_range(now.scale * factor)
        x = fixed.x() + (size.width() / 2 - point.x()) / scale
        y = fixed.y() + (size.height() / 2 - point.y()) / scale
        self._put(ViewPosition(scale, x, y))

    def fit(self, bounds: QRectF, *, least: float = 0.0, at_once: bool = False) -> None:
        """Fit the view to a part of the scene, not enlarged.

        Where there are as many, 56 pixels are free above, and 48 below with the strip.

        Args:
            bounds: the part.
            least: the smallest scale; what does not fit then is seen from its left.
            at_once: don't glide there.
        """
        if bounds.isEmpty():
            return
        size = self._view.viewport().size()
        scale = max(least, min(1.0, self._fitting(bounds)))
        spare = size.height() - bounds.height() * scale
        down = min((TOP - BOTTOM) / 2, max(0.0, spare / 2 - BOTTOM))  # the room at the top gives way first
        x, y = bounds.center().x(), bounds.center().y() - down / scale
        if bounds.width() * scale > size.width():
            x = bounds.left() + (size.width() / 2 - SIDE) / scale
        self.look(ViewPosition(scale, x, y), at_once=at_once)

    def _fitting(self, bounds: QRectF) -> float:
        """The scale at which a part of the scene, which is not empty, fits the viewport."""
        size = self._view.viewport().size()
        wide, high = max(1, size.width() - 2 * SIDE), max(1, size.height() - TOP - BOTTOM)
        return min(wide / bounds.width(), high / bounds.height())

    def _in_range(self, scale: float) -> float:
        bounds = self._bounds()
        least = SMALLEST if bounds.isEmpty() else min(SMALLEST, self._fitting(bounds))
        return min(max(scale, least), LARGEST)

    def fit_all(self) -> None:
        """Fit the view to all nodes and notes."""
        self._fit_whole()

    def look_first(self) -> None:
        """Fit the view to all nodes and notes, but not below the scale at which text can be read."""
        self._fit_whole(FULL_FROM, at_once=True)
        self._is_unseen = self._bounds().isEmpty() or not self._view.isVisible()

    def _fit_whole(self, least: float = 0.0, *, at_once: bool = False) -> None:
        """Fit the view to all there is, now and whenever the window changes, until the view is moved otherwise."""
        self.fit(self._bounds(), least=least, at_once=at_once)
        self._fitted = least

    def catch_up(self) -> None:
        """Look first once there is something to be seen, and the view is, unless all of it is in sight as it is.

        A run may begin without tasks, and be drawn behind another tab, whose window has another size when it is raised.
        """
        if self._is_unseen and self._view.isVisible() and not self._bounds().isEmpty():
            self._is_unseen = False
            if not self.is_whole(self._view.viewport().size()):
                self.look_first()

    def zoom_in(self) -> None:
        """Zoom in by a step."""
        self.zoom_by(STEP)

    def zoom_out(self) -> None:
        """Zoom out by a step."""
        self.zoom_by(1 / STEP)

    def scroll_at_border(self, dx: int, dy: int) -> None:
        """Scroll to the right and down, by logical pixels, while some nodes stay visible."""
        seen, bounds = self.seen, self._bounds()
        wide, high = seen.width() / 2, seen.height() / 2
        if not (bounds.left() - wide < seen.left() if dx < 0 else seen.right() < bounds.right() + wide):
            dx = 0
        if not (bounds.top() - high < seen.top() if dy < 0 else seen.bottom() < bounds.bottom() + high):
            dy = 0
        if dx or dy:
            self.scroll_by(dx, dy)

    def focus(self, x: float, y: float) -> None:
        """Centre a point of the scene, at a scale at which text can be read."""
        self.look(ViewPosition(max(self.zoom, FOCUS_SCALE), x, y))

    def reveal(self, x: float, y: float) -> None:
        """Scroll by as little as is needed for the node at a point to be visible; one that is in sight stays there."""
        seen, margin = self.seen, SIDE / self.zoom
        box = QRectF(x - NODE[0] / 2, y - NODE[1] / 2, *NODE)
        if seen.adjusted(0, STRIP / self.zoom, 0, 0).contains(box):
            return
        wide, high = NODE[0] / 2 + margin, NODE[1] / 2 + margin
        dx = _needed(x - wide, x + wide, seen.left(), seen.right())
        dy = _needed(y - high, y + high, seen.top() + TOP / self.zoom, seen.bottom() - BOTTOM / self.zoom)
        if dx or dy:
            now = self.place
            self.look(ViewPosition(now.scale, now.x + dx, now.y + dy))

    def turn_wheel(self, event: QWheelEvent) -> None:
        """Pan by a touch pad, or zoom by the wheel of a mouse."""
        pixels = event.pixelDelta()
        zooms = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if not pixels.isNull() and not zooms:
            self.scroll_by(-pixels.x(), -pixels.y())
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            turned = event.angleDelta()
            self.scroll_by(-(turned.x() or turned.y()) // 2, 0)
        else:
            self.zoom_by(STEP ** (event.angleDelta().y() / NOTCH), event.position())

    # ---- another size of the window

    def resized(self, now: QSize) -> None:
        """Adapt to another size of the viewport."""
        before, self._size = self._size, now  # Qt's old size is none where it was resized while hidden
        if before.isValid() and not before.isEmpty() and not self._is_held:
            if self._fitted is not None and not self._bounds().isEmpty():
                self._fit_whole(self._fitted, at_once=True)
            else:
                was_whole = self._wanted is not None or self.is_whole(before)
                self._keep_middle(before, now)
                if was_whole:
                    self._keep_whole()
        self.moved.emit()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the scene where it is on the screen while a bar is shown or hidden beside the view.

        A click that was aimed at a node before would go to another one else.
        """
        port = self._view.viewport()
        before, fitted, self._is_held = port.mapToGlobal(QPoint()), self._fitted, True
        try:
            yield
        finally:
            self._is_held = False
        moved = port.mapToGlobal(QPoint()) - before
        if not moved.isNull():
            self.scroll_by(moved.x(), moved.y())
            self._fitted = fitted  # it is the bar that has moved it

    def is_whole(self, size: QSize) -> bool:
        """Whether all nodes and notes would be visible in a viewport of this size."""
        bounds = self._bounds()
        area = QRectF(0, 0, size.width(), size.height() - BOTTOM).adjusted(-1, -1, 1, 1)
        return not bounds.isEmpty() and area.contains(self._view.viewportTransform().mapRect(bounds))

    def _keep_whole(self) -> None:
        """Keep all nodes and notes visible: at the scale of the user, or the largest at which they fit.

        But not so small that names could not be read: then the middle stays in the middle.
        """
        bounds, size, now = self._bounds(), self._view.viewport().size(), self.place
        wanted = scale = self._wanted or now.scale
        wide, high = size.width(), size.height() - BOTTOM
        if bounds.width() * wanted > wide or bounds.height() * wanted > high:
            fitting = min(max(1, wide - 2 * SIDE) / bounds.width(), max(1, high - TOP) / bounds.height())
            scale = min(wanted, max(FULL_FROM, fitting) if wanted >= FULL_FROM else fitting)
        if scale != now.scale:
            self._put(ViewPosition(scale, now.x, now.y))
        box = self._view.viewportTransform().mapRect(bounds)
        if box.width() <= wide and box.height() <= high:
            dx, dy = _needed(box.left(), box.right(), 0, wide), _needed(box.top(), box.bottom(), 0, high)
            self.scroll_by(round(dx), round(dy))
        self._wanted = wanted if scale < wanted else None

    def _keep_middle(self, before: QSize, now: QSize) -> None:
        """Keep the centre of the view, as Qt keeps its upper left corner."""
        dx = self._left_over.x() + (before.width() - now.width()) / 2
        dy = self._left_over.y() + (before.height() - now.height()) / 2
        self._left_over = QPointF(dx - int(dx), dy - int(dy))  # half pixels of many small steps add up
        self._view.horizontalScrollBar().setValue(self._view.horizontalScrollBar().value() + int(dx))
        self._view.verticalScrollBar().setValue(self._view.verticalScrollBar().value() + int(dy))


def _needed(low: float, high: float, from_: float, to: float) -> float:
    """The distance to scroll so that a range is visible; of one that is too long, its beginning is."""
    if low < from_:
        return low - from_
    return min(high - to, low - from_) if high > to else 0.0


def _prepare(view: QGraphicsView) -> None:
    """Set a view up without scroll bars or bounds of the scene, so that only a `PanZoom` moves it."""
    scene = QGraphicsScene(EVERYWHERE, view)
    scene.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
    view.setScene(scene)
    view.setFrameShape(QFrame.Shape.NoFrame)
    view.setViewportMargins(0, 0, 0, CANVAS_FOOT)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
    view.setResizeAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
    view.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.SmartViewportUpdate)
    view.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontSavePainterState)
    view.setRenderHint(QPainter.RenderHint.Antialiasing)
    view.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
