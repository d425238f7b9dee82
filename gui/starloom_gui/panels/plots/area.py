"""The plots under one time axis, the hairline, and their input by mouse and keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from starloom_gui.panels.plots.durations_view import DurationsView
from starloom_gui.panels.plots.frame import ROW, PlotFrame, rows_of
from starloom_gui.panels.plots.painting import PlotFramePainter, values_at
from starloom_gui.panels.plots.time_axis import HEIGHT, TimeAxis
from starloom_gui.panels.plots.time_range import TimeRange
from starloom_gui.text.words import time_of_day
from starloom_gui.theme.palette import colour
from starloom_gui.viewmodel.wall_time import WallTime

if TYPE_CHECKING:
    from starloom_gui.panels.plots.curves import RunCurves
    from starloom_gui.panels.plots.graphs import Graphs
    from starloom_gui.panels.plots.steps import CurvePoints
    from starloom_gui.panels.plots.time_range import TimeView
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

UPDATE_MS: Final = 100
"""Milliseconds between two updates that nobody asked for, at least."""
_SELDOM_MS: Final = 1000


class PlotArea(QWidget):
    """Draws curves over the time it shares with another view. pyqtgraph is loaded with the first of them.

    Attributes:
        axis: the times.
        graphs: the drawn curves; None: nothing has been shown yet.
        durations: the distributions, below the plots.
        frame: what is shown; None: nothing yet.
        time: which time is shown.

    Signals:
        travel_asked(float): the user wants to see that moment, in seconds on the engine's clock.
        said(str): what screen readers are to say of the hairline.

    Args:
        curves: their values.
        view: whose time and hairline are shared.
        appearance: the colours.
        parent: the widget it lies in.
    """

    travel_asked = Signal(float)
    said = Signal(str)

    def __init__(
        self, curves: RunCurves, view: TimeView, appearance: Appearance, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._curves, self._view, self._appearance = curves, view, appearance
        self.graphs: Graphs | None = None
        self.frame: PlotFrame | None = None
        self._lines: dict[str, CurvePoints] = {}
        self._painter = PlotFramePainter(self._palette, lambda: self.frame)
        self.time = TimeRange(view, appearance, curves.now, self)
        self.axis = TimeAxis(self._palette, lambda: self.frame)
        self.durations = DurationsView(self._palette)
        self._tick = QTimer(self)
        self._tick.setSingleShot(True)
        self._tick.timeout.connect(self.draw)
        self._arrange()
        self.time.moved.connect(self.draw)
        view.hairline.moved.connect(self._show_hairline)

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.axis)
        self._scroll, inner = QScrollArea(), QWidget()
        inner.setObjectName("pane")
        self._below = QVBoxLayout(inner)
        self._below.setContentsMargins(0, 0, 0, 0)
        self._below.setSpacing(0)
        self._below.addWidget(self.durations)
        self._below.addStretch()
        self.durations.hide()
        self._scroll.setWidget(inner)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column.addWidget(self._scroll, 1)

    def _palette(self) -> Palette:
        return self._appearance.palette

    # ---- drawing

    def show_curves(self, chosen: frozenset[str]) -> None:
        """Show a plot for each kind of curve among these, and a line for each curve."""
        run = self._curves.run
        if run is None:
            return
        graphs = self._loaded()
        rows = rows_of(self._curves, chosen, self._lines)
        self.frame = PlotFrame(
            rows=rows,
            span=self.time.span,
            now=self._curves.now(),
            is_live=not run.state.has_ended,
            hairline=self._view.hairline.at,
            wall=WallTime(run.sessions),
            flags=self._curves.flags,
        )
        graphs.setMinimumHeight(ROW * len(rows))
        graphs.setVisible(bool(rows))
        graphs.show_rows(rows)
        self.draw()

    def _loaded(self) -> Graphs:
        """The widget that draws the curves; the first import takes half a second."""
        if self.graphs is None:
            from starloom_gui.panels.plots.graphs import Graphs

            graphs = self.graphs = Graphs(self._palette, self._painter)
            self._below.insertWidget(0, graphs, 100)
            graphs.pointed.connect(self._point)
            graphs.clicked.connect(lambda x: self.travel_asked.emit(self.time.span.time_at(x)))
            graphs.dragged.connect(lambda px: self.time.push(-px))
            graphs.pushed.connect(self.time.push)
            graphs.turned.connect(self.time.zoom)
            graphs.resized.connect(self._resize)
        return self.graphs

    def draw(self) -> None:
        """Draw the visible time, and the curves as far as they were read."""
        frame, graphs = self.frame, self.graphs
        if frame is None or graphs is None or not self.isVisible():
            return
        frame.now = self._curves.now()
        if frame.is_live:
            self.time.follow(self.devicePixelRatioF())
        span = frame.span = self.time.span
        for row in frame.rows:
            for shown in row.shown:
                shown.line.show(shown.steps, span.left, span.per_px, graphs.plot_width, frame.now, shown.gaps)
        graphs.draw()
        self.axis.update()
        self._keep_ticking(frame)

    def _keep_ticking(self, frame: PlotFrame) -> None:
        """Schedule the next drawing for when the present has moved by a pixel, at most ten times a second."""
        if not frame.is_live:
            self._tick.stop()
        elif not self._tick.isActive():
            pixel = frame.span.per_px * 1000 / self.devicePixelRatioF()
            self._tick.start(int(min(_SELDOM_MS, max(UPDATE_MS, pixel))))

    def rest(self) -> None:
        """Stop drawing until the next call of `draw`, as the pane is hidden."""
        self._tick.stop()

    def _resize(self) -> None:
        if self.graphs is not None:
            self.time.resize(self.graphs.plot_width)
            self.draw()

    def show_plot_of(self, key: str) -> None:
        """Scroll the plot of a curve into sight."""
        if self.graphs is None or self.frame is None:
            return
        for at, row in enumerate(self.frame.rows):
            if any(shown.series.key == key for shown in row.shown):
                each = self.graphs.height() / len(self.frame.rows)
                bar, port = self._scroll.verticalScrollBar(), self._scroll.viewport().height()
                low = round((at + 1) * each) - port
                bar.setValue(min(round(at * each), max(bar.value(), low)))

    def show_durations(self) -> None:
        """Scroll the distributions into sight."""
        if not self.durations.isHidden():
            self._scroll.ensureWidgetVisible(self.durations, 0, 0)

    def picture(self) -> QImage:
        """All plots with their axis, also those that are scrolled away, at twice their size on the screen."""
        graphs, ratio = self.graphs, 2.0
        parts = [part for part in (graphs, self.durations) if part is not None and not part.isHidden()]
        size = QSize(self.axis.width(), HEIGHT + sum(part.height() for part in parts))
        image = QImage(size * ratio, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        image.fill(colour(self._palette().panel))
        painter = QPainter(image)
        top = HEIGHT
        for part in parts:
            QWidget.render(part, painter, QPoint(0, top))
            top += part.height()
        self.axis.render(painter, QPoint(0, 0))
        painter.end()
        return image

    # ---- the hairline

    def _point(self, x: float | None) -> None:
        self._view.hairline.move_to(None if x is None else self.time.span.time_at(x))

    def _show_hairline(self) -> None:
        if self.frame is not None and self.graphs is not None and self.isVisible():
            self.frame.hairline = self._view.hairline.at
            self.graphs.viewport().update()
            self.axis.update()

    def step_hairline(self, px: float) -> None:
        """Move the hairline by so many pixels; if it is nowhere, to the present, or else to the middle."""
        span, width, at = self.time.span, self.time.width, self._view.hairline.at
        if at is None:
            x = span.x_of(self._curves.now())
            at = span.time_at(x if 0 <= x <= width else width / 2)
        else:
            at += px * span.per_px
        x = span.x_of(at)
        if not 0 <= x <= width:
            self.time.push(x - width / 2)
        self._view.hairline.move_to(at)
        frame = self.frame
        if frame is not None:
            shown = [one for row in frame.rows for one in row.shown]
            self.said.emit(f"{time_of_day(at + frame.wall.ahead(at))}: {values_at(shown, at)}")

    def travel_to_hairline(self) -> None:
        """Request the moment at the hairline."""
        at = self._view.hairline.at
        if at is not None:
            self.travel_asked.emit(at)

    def hide_hairline(self) -> None:
        """Hide the hairline."""
        self._view.hairline.move_to(None)

    def share_hairline(self, is_shared: bool) -> None:
        """Set whether the other view shares the position of its pointer."""
        self._view.hairline.is_shared = is_shared and self.time.is_linked
