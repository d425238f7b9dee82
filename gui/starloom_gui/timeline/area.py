"""The painted area of the timeline: what is visible, and when it is painted. `TimelineView` handles input.

It never zooms by itself, and it moves by itself only while it follows the present.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractScrollArea
from typing_extensions import override

from starloom_gui.theme.metrics import GHOST_LANE, LANE, LANE_COLUMN
from starloom_gui.theme.styles import scroll_bars
from starloom_gui.timeline.empty import EmptyTimeline
from starloom_gui.timeline.geometry import AXIS, Geometry
from starloom_gui.timeline.initial_span import InitialSpan
from starloom_gui.timeline.painting import TimelineFrame, TimelinePainter
from starloom_gui.timeline.spots import spot_now
from starloom_gui.viewmodel.absences import within
from starloom_gui.viewmodel.movement import STEP, Movement
from starloom_gui.viewmodel.span import Span
from starloom_gui.widgets.hairline import Hairline

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from PySide6.QtGui import QAction, QPaintEvent, QResizeEvent, QShowEvent
    from PySide6.QtWidgets import QWidget

    from starloom_gui.diff.baseline_run import BaselineRun
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.timeline.gestures import TimelineGesture
    from starloom_gui.timeline.model import TimelineModel
    from starloom_gui.timeline.spots import Spot
    from starloom_gui.viewmodel.absences import Absence
    from starloom_gui.viewmodel.flags import Flag

_OFTEN_MS: Final = 16
_SELDOM_MS: Final = 1000


class LaneArea(QAbstractScrollArea):
    """Paints a `TimelineModel`: after each change, and for an executing run whenever the present moves by a pixel.

    Attributes:
        movement: which time is shown.
        hairline: the moment that is pointed at, which other views can share.
        gesture: what the mouse is about to do; None: nothing. While it lasts, the present is not followed.
        selected: numbers of the tasks that get a ring.
        ring: the bar that gets a dashed ring where it is painted, as keys act on it.

    Signals:
        following_changed(bool): it follows the present from now on, or no longer.
        ended_changed(bool): the run that is shown has ended, or goes on again.
        compared(bool): an earlier run's bars are shown from now on, or no longer.

    Args:
        model: what is shown.
        appearance: the colours, and whether things may move.
        clock: the present, in seconds on the engine's clock.
        parent: the widget it lies in.
    """

    following_changed = Signal(bool)
    ended_changed = Signal(bool)
    compared = Signal(bool)

    def __init__(
        self, model: TimelineModel, appearance: Appearance, clock: Callable[[], float], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._model, self._appearance, self._clock = model, appearance, clock
        self.movement, self.hairline = Movement(appearance, self.present, self), Hairline(self)
        self.gesture: TimelineGesture | None = None
        self.selected: Collection[int] = frozenset()
        self.ring: Spot | None = None
        self._strip: QWidget | None = None
        self._flags: list[Flag] = []
        self._absences: Mapping[str, Sequence[Absence]] = {}
        self._initial, self._empty = InitialSpan(self.movement), EmptyTimeline(self)
        self._painter: TimelinePainter | None = None
        self._painted_for: tuple[str, float] | None = None
        self._tick = QTimer(self, singleShot=True)
        self._tick.timeout.connect(self._pass_time)
        self.movement.moved.connect(self._pass_time)
        self.hairline.moved.connect(self.viewport().update)
        self.movement.following_changed.connect(self.following_changed)
        self.movement.set_present(there=self.is_live())
        self._set_up()
        appearance.changed.connect(self._apply_theme)
        self._apply_theme(appearance.palette)

    def _set_up(self) -> None:
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.verticalScrollBar().valueChanged.connect(self.viewport().update)

    def _apply_theme(self, palette: Palette) -> None:
        self.verticalScrollBar().setStyleSheet(scroll_bars(palette))
        self._empty.set_palette(palette)
        self.viewport().update()

    # ---- what is shown

    @property
    def model(self) -> TimelineModel:
        """The model that is shown."""
        return self._model

    @property
    def span(self) -> Span:
        """The time that is shown."""
        return self.movement.span

    @property
    def flags(self) -> tuple[Flag, ...]:
        """The interventions on the axis."""
        return tuple(self._flags)

    def show_model(self, model: TimelineModel) -> None:
        """Show another run, from its initial span on."""
        self._model, self._flags, self._absences, self.ring = model, [], {}, None
        self._initial.begin_anew()
        self.refresh()

    def set_empty_action(self, action: QAction) -> None:
        """Set the action of the button that is shown while there are no bars."""
        self._empty.set_action(action)
        self.changed()

    def refresh(self, numbers: Iterable[int] = (), run_id: str | None = None) -> None:
        """Update these tasks; to be called once after a frame's changes. Neither moves nor zooms.

        Args:
            numbers: of the tasks that may have changed.
            run_id: whose they are; None: of the run that is shown.
        """
        self._model.update(numbers, run_id)
        self.changed()

    def changed(self) -> None:
        """Repaint, as the model was changed from outside."""
        self._place()
        self._arrange()
        self._empty.arrange(self._model)
        self._keep_ticking()
        self.viewport().update()

    def set_flags(self, flags: Iterable[Flag]) -> None:
        """Show these interventions on the axis."""
        self._flags = list(flags)
        self.viewport().update()

    def set_absences(self, absences: Mapping[str, Sequence[Absence]]) -> None:
        """Show in the lanes of these devices when they could not be used."""
        self._absences = absences
        self.viewport().update()

    def absence_at(self, row: int, moment: float) -> Absence | None:
        """The absence of a lane's device at a moment; none of what has not happened yet at the one that is shown."""
        known = () if self._model.is_planned else self._absences.get(self._model.lanes[row].device_id, ())
        return next((one for one in within(known, moment, self.present()) if one.start <= moment), None)

    def geometry_now(self) -> Geometry:
        """The present geometry."""
        port = self.viewport()
        ratio = port.devicePixelRatioF()
        return Geometry(
            self.span, port.width(), port.height(), self.scrolled(), len(self._model.lanes), ratio, self._lane()
        )

    def _lane(self) -> int:
        """The height of a lane, which also has the baseline bars while an earlier run is shown."""
        return GHOST_LANE if self._model.earlier is not None else LANE

    def set_strip(self, strip: QWidget) -> None:
        """Add a bar above the axis, shown while it is visible; to be called once."""
        self._strip = strip
        strip.setParent(self)
        strip.hide()

    def compare(self, earlier: BaselineRun | None) -> None:
        """Show an earlier run's bars below those of the same tasks; None: hide them."""
        row = self.scrolled() / self._lane()
        self._model.compare(earlier)
        self.setViewportMargins(0, self._strip_height(), 0, 0)
        self.changed()
        self.verticalScrollBar().setValue(round(row * self._lane()))
        self.compared.emit(earlier is not None)

    def _strip_height(self) -> int:
        strip = self._strip
        if strip is None or strip.isHidden():
            return 0
        high = strip.height()
        strip.setGeometry(0, 0, self.viewport().width(), high)
        return high

    # ---- moving, asked for by the user

    def zoom_in(self) -> None:
        """Show less time, larger."""
        self.movement.zoom(STEP, self.movement.anchor())

    def zoom_out(self) -> None:
        """Show more time, smaller."""
        self.movement.zoom(1 / STEP, self.movement.anchor())

    def fit(self) -> None:
        """Show the whole run, with its projection."""
        extent = self._model.extent(self.present())
        if extent is not None:
            self.movement.glide_to(Span.fitted(*extent, self.plot_width()), is_whole=True)

    def go_live(self) -> None:
        """Follow the present from now on, wherever one has been."""
        self.movement.go_live()

    def pan_to(self, span: Span, top: int) -> None:
        """Show the span to which the user has moved; the present is no longer followed."""
        self.movement.pan_to(span)
        self.verticalScrollBar().setValue(top)

    def zoom_to(self, span: Span) -> None:
        """Show an area the user has chosen."""
        self.movement.glide_to(span)

    def scrolled(self) -> int:
        """The scroll position of the lanes, in pixels."""
        return self.verticalScrollBar().value()

    def plot_width(self) -> int:
        """Pixels to the right of the column."""
        return max(1, self.viewport().width() - LANE_COLUMN)

    # ---- time passes

    def is_live(self) -> bool:
        """Whether the run is executing, so that there is a present."""
        run = self._model.run
        return run.run_started_at is not None and not run.state.has_ended

    def present(self) -> float:
        """The present, or when the run has ended."""
        run = self._model.run
        ended = run.run_ended_at
        return ended if ended is not None and run.state.has_ended else self._clock()

    def _pass_time(self) -> None:
        self.viewport().update()
        self._keep_ticking()

    def _keep_ticking(self) -> None:
        """Schedule the next painting for when the present has moved by a pixel, at most once a second."""
        if not (self.isVisible() and self.is_live()):
            self._tick.stop()
        elif not self._tick.isActive():
            pixel = self.span.per_px * 1000 / self.viewport().devicePixelRatioF()
            self._tick.start(int(min(_SELDOM_MS, max(_OFTEN_MS, pixel))))

    # ---- arranging

    def _arrange(self) -> None:
        page = max(1, self.viewport().height() - AXIS)
        bar = self.verticalScrollBar()
        bar.setPageStep(page)
        bar.setSingleStep(self._lane())
        bar.setRange(0, max(0, len(self._model.lanes) * self._lane() - page))

    def _place(self) -> None:
        if self.isVisible():
            self._initial.place(self._model, self.present(), is_live=self.is_live())

    def place_unseen(self, width: int) -> None:
        """Set the time that is shown before the view is first visible, as another view shows the same.

        Args:
            width: of that view, in pixels.
        """
        self._initial.place_unseen(self._model, self.present(), width, is_live=self.is_live())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        extent = self._model.extent(self.present()) if self.movement.is_whole else None
        is_asked = self.movement.is_touched or not self.is_live()  # while a run goes on, only Fit changes the scale
        self.movement.resize(self.plot_width(), extent if is_asked else None)
        self._strip_height()
        self._place()
        self._arrange()
        self._empty.arrange(self._model)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.changed()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        self.render_frame(painter)
        painter.end()
        if event.rect() == self.viewport().rect():
            self._tick.stop()  # what was painted for another reason shows the present, too
            self._keep_ticking()
        elif self.is_live():
            self.viewport().update()  # the rest still shows the moment before

    def render_frame(self, painter: QPainter) -> None:
        """Paint the timeline, on the viewport or a picture."""
        geometry, palette = self.geometry_now(), self._appearance.palette
        wanted = (palette.name, geometry.ratio)
        if self._painter is None or wanted != self._painted_for:
            self._painter, self._painted_for = TimelinePainter(palette, geometry.ratio), wanted
        if self.is_live() and self.gesture is None:
            self.movement.follow(geometry.ratio)
            geometry = replace(geometry, span=self.span)
        if self._model.is_empty:
            self._empty.paint(painter, palette, self._model)
            return
        self._painter.paint(painter, self._frame(geometry))
        if self.gesture is not None:
            self.gesture.paint(painter, geometry.height, palette)
        elif self.hairline.is_shared and self.hairline.at is not None:
            self._painter.point(painter, geometry, self.hairline.at, self._model.wall)

    def _frame(self, geometry: Geometry) -> TimelineFrame:
        ring = spot_now(self._model, self.ring) if self.ring is not None else None
        return TimelineFrame(
            self._model,
            geometry,
            self.present(),
            self.is_live() or self._model.is_planned,
            self._flags,
            self.selected,
            ring,
            self._absences if not self._model.is_planned else {},
        )
