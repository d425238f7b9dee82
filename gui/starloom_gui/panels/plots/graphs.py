"""The drawn curves, by pyqtgraph. This is the one module that has it loaded, which takes half a second: import it late.

Curves are given in pixels from the left, so that moving in time changes no range and only hands over other points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from typing_extensions import override

from starloom_gui.panels.plots.frame import BOX, FIGURES, TITLE, row_boxes
from starloom_gui.panels.plots.look import WIDTH, pen_of
from starloom_gui.qt_bindings import pyqtgraph as pg

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QMouseEvent, QPainter, QResizeEvent, QWheelEvent
    from PySide6.QtWidgets import QWidget

    from starloom_gui.panels.plots.frame import PlotRow
    from starloom_gui.panels.plots.painting import PlotFramePainter
    from starloom_gui.theme.palette import Palette

pg.setConfigOptions(antialias=False, useOpenGL=False, exitCleanup=False)  # all of it ends with its widgets
_WIDE: Final = 600
"""Points up to which a line may be wider than a pixel; stroking wider lines takes a hundred times as long."""
_SLIP: Final = 4.0
"""Pixels the pointer may move within a click."""
_ABOVE: Final = 0.04
"""What is free above the greatest value of an axis, as a share of it, so that lines lie inside."""


class _Box:
    """The room of one plot: a view box of pyqtgraph and a curve for each series in it."""

    def __init__(self, scene: pg.GraphicsScene) -> None:
        self.view = pg.ViewBox(enableMouse=False, enableMenu=False, defaultPadding=0)
        self.view.setAcceptHoverEvents(False)
        self.view.disableAutoRange()
        scene.addItem(self.view)
        self.curves: dict[str, pg.PlotCurveItem] = {}

    def keep(self, keys: Sequence[str]) -> None:
        """Create and remove curves so that there is one for each of these keys."""
        for key in [key for key in self.curves if key not in keys]:
            self.view.removeItem(self.curves.pop(key))
        for key in keys:
            if key not in self.curves:
                curve = self.curves[key] = pg.PlotCurveItem()
                self.view.addItem(curve, ignoreBounds=True)


class Graphs(pg.GraphicsView):  # type: ignore[misc]  # pyqtgraph has no types
    """The pyqtgraph widget of all plots, and its mouse input.

    Signals:
        pointed(object): the pointer is at this many pixels from the left of the plots; None: it has gone.
        clicked(float): the user clicked there.
        dragged(float): the user drags the plots so many pixels to the right.
        turned(float, float): the wheel asks for so much larger, with what is at that pixel staying where it is.
        pushed(float): the wheel moves time by so many pixels.
        resized(): it is of another size.

    Args:
        palette: gives the colours.
        painter: paints what is around the curves.
        parent: the widget it lies in.
    """

    pointed = Signal(object)
    clicked = Signal(float)
    dragged = Signal(float)
    turned = Signal(float, float)
    pushed = Signal(float)
    resized = Signal()

    def __init__(
        self, palette: Callable[[], Palette], painter: PlotFramePainter, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, background=None)
        self.setCentralItem(None)  # its layout would make a window of its own for asking styles
        self.centralLayout = None
        self._palette, self._painter = palette, painter
        self._rows: Sequence[PlotRow] = ()
        self._boxes: list[_Box] = []
        self._pressed: QPointF | None = None
        self._held = 0.0
        self._is_dragging = False
        self.setCacheMode(pg.GraphicsView.CacheModeFlag.CacheNone)
        self.setViewportUpdateMode(pg.GraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(pg.GraphicsView.Shape.NoFrame)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    @property
    def plot_width(self) -> int:
        """Pixels to the right of the figures."""
        return max(1, int(self.viewport().width()) - FIGURES)

    def show_rows(self, rows: Sequence[PlotRow]) -> None:
        """Show these plots; to be called when plots or curves come or go, or another palette holds."""
        self._rows = rows
        while len(self._boxes) > len(rows):
            self.scene().removeItem(self._boxes.pop().view)
        while len(self._boxes) < len(rows):
            self._boxes.append(_Box(self.scene()))
        for box, row in zip(self._boxes, rows, strict=True):
            box.keep([shown.series.key for shown in row.shown])
        self._place()

    def draw(self) -> None:
        """Show the points that the rows' lines hold now."""
        palette = self._palette()
        for box, row in zip(self._boxes, self._rows, strict=True):
            box.view.setYRange(0, row.top * (1 + _ABOVE), padding=0)
            for shown in row.shown:
                curve, line = box.curves[shown.series.key], shown.line
                is_wide = len(line.x) <= _WIDE
                curve.setPen(pen_of(shown.series.style, palette, WIDTH if is_wide else 1.0))
                curve.setData(line.x, line.y, connect="finite", antialias=is_wide)
        self.viewport().update()

    def _place(self) -> None:
        """Lay out the plots."""
        for box, rect in zip(self._boxes, row_boxes(len(self._rows), self.viewport().height()), strict=True):
            box.view.setGeometry(QRectF(FIGURES, rect.top() + TITLE, self.plot_width, rect.height() - TITLE - BOX))
            box.view.setXRange(0, self.plot_width, padding=0)

    # ---- painting around the curves

    @override
    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:
        self._painter.background(painter, self.viewport().rect())

    @override
    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:
        self._painter.foreground(painter, self.viewport().rect())

    @override
    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if event is not None:  # else it is pyqtgraph's own call, before anything of ours is there
            self._place()
            self.resized.emit()

    # ---- the mouse; nothing of it reaches pyqtgraph

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._pressed, self._is_dragging = event.position(), False
            self._held = event.position().x()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._pressed is not None and not self._is_dragging:
            self._is_dragging = abs(at.x() - self._pressed.x()) > _SLIP
        if self._pressed is not None and self._is_dragging:
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
            self.dragged.emit(at.x() - self._held)
            self._held = at.x()
        self.pointed.emit(max(0.0, at.x() - FIGURES))

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        was_click = self._pressed is not None and not self._is_dragging
        self._pressed, self._is_dragging = None, False
        self.viewport().unsetCursor()
        if was_click and event.button() == Qt.MouseButton.LeftButton and event.position().x() >= FIGURES:
            self.clicked.emit(event.position().x() - FIGURES)

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Handle a double click as two clicks."""

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        turned, at = event.angleDelta(), event.position()
        if at.x() < FIGURES:  # over the figures the plots are scrolled
            event.ignore()
            return
        is_along = abs(turned.x()) > abs(turned.y())
        if is_along or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.pushed.emit(-(turned.x() if is_along else turned.y()) / 2)
        elif turned.y():
            self.turned.emit(turned.y() / 120, at.x() - FIGURES)
        event.accept()

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(None)

    @override
    def keyPressEvent(self, event: object) -> None:
        event.ignore()  # type: ignore[attr-defined]  # keys are the pane's
