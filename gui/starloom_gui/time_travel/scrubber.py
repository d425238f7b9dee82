"""The scrubber: a run's time as one line with the moment that is shown and the interventions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleValueChangeEvent, QHelpEvent, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget
from typing_extensions import override

from starloom_gui.gateway.run_reader import Availability
from starloom_gui.text.words import fill, took
from starloom_gui.theme.metrics import CONTROL, FLAG, RADIUS
from starloom_gui.theme.palette import colour

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.time_travel.travel import Travel
    from starloom_gui.viewmodel.flags import Flag

_KNOB: Final = 12
_LINE: Final = 4
_MARGIN: Final = 10
_PAGE: Final = 0.05
_NEAR: Final = 5


class Scrubber(QWidget):
    """The slider over a run's time. A press goes to a moment, dragging goes along, keys step.

    Args:
        appearance: the colours.

    Signals:
        asked(float): the user wants to see this moment, in seconds on the run's clock.
        stepped(int): the user wants to go so many events forth, or back.
        toggled(): the user wants to play, or to pause.
    """

    asked = Signal(float)
    stepped = Signal(int)
    toggled = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._travel: Travel | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFixedHeight(CONTROL)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(self.tr("Moment of the run"))
        appearance.changed.connect(self.update)

    def show_travel(self, travel: Travel | None) -> None:
        """Show another run's time; None: there is none."""
        self._travel = travel
        self.refresh()

    def refresh(self) -> None:
        """Update the whole scrubber."""
        is_ready = self._travel is not None and self._travel.availability is Availability.READY
        self.setEnabled(is_ready)
        if self._travel is not None and is_ready:
            said = took(self._travel.marks.elapsed.at(self._travel.at))
            if said != self.accessibleDescription():
                self.setAccessibleDescription(said)
                if self.hasFocus():
                    QAccessible.updateAccessibility(QAccessibleValueChangeEvent(self, said))
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(320, CONTROL)

    # ---- where times lie

    def x_of(self, at: float) -> float:
        """The pixel of a time."""
        travel = self._travel
        if travel is None or travel.end <= travel.begin:
            return self._left
        return self._left + (at - travel.begin) / (travel.end - travel.begin) * self._room

    def time_at(self, x: float) -> float:
        """The time of a pixel."""
        travel = self._travel
        if travel is None:
            return 0.0
        share = min(1.0, max(0.0, (x - self._left) / self._room))
        return travel.begin + share * (travel.end - travel.begin)

    @property
    def _left(self) -> float:
        return float(_MARGIN)

    @property
    def _room(self) -> float:
        return max(1.0, self.width() - 2.0 * _MARGIN)

    # ---- input

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.asked.emit(self.time_at(event.position().x()))

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.asked.emit(self.time_at(event.position().x()))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        travel, key = self._travel, event.key()
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: -1, Qt.Key.Key_Up: 1}
        pages = {Qt.Key.Key_PageDown: -_PAGE, Qt.Key.Key_PageUp: _PAGE}
        if travel is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif key in steps:
            self.stepped.emit(steps[Qt.Key(key)])
        elif key in pages:
            self.asked.emit(travel.at + pages[Qt.Key(key)] * (travel.end - travel.begin))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.stepped.emit(-travel.count if key == Qt.Key.Key_Home else travel.count)
        elif key == Qt.Key.Key_Space:
            self.toggled.emit()
        else:
            super().keyPressEvent(event)

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip_at(event.pos().x()), self)
            return True
        return super().event(event)

    def tip_at(self, x: float) -> str:
        """The tooltip of a place: the time, and the interventions there."""
        travel = self._travel
        if travel is None or travel.availability is not Availability.READY:
            return self.tr("The journal is being read.")
        at, elapsed = self.time_at(x), travel.marks.elapsed
        is_begun = elapsed.started is not None and at >= elapsed.started
        said = [fill(self.tr("%1 after the start"), took(elapsed.at(at))) if is_begun else self.tr("Before the start")]
        said += [flag.text for flag in travel.marks.flags if abs(self.x_of(flag.at) - x) <= _NEAR][:5]
        return "\n".join(said)

    # ---- how it looks

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        palette, travel = self._appearance.palette, self._travel
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = self.height() / 2 + 3
        line = QRectF(self._left, middle - _LINE / 2, self._room, _LINE)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(palette.border))
        painter.drawRoundedRect(line, _LINE / 2, _LINE / 2)
        if travel is not None and travel.availability is Availability.READY:
            self._paint_moment(painter, travel, line, palette)
        if self.hasFocus():
            painter.setPen(QPen(colour(palette.text), 1.0, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.end()

    def _paint_moment(self, painter: QPainter, travel: Travel, line: QRectF, palette: Palette) -> None:
        x = self.x_of(travel.at)
        painter.setBrush(colour(palette.outline))
        painter.drawRoundedRect(QRectF(line.left(), line.top(), max(0.0, x - line.left()), _LINE), 2, 2)
        for flag in travel.marks.flags:
            self._paint_flag(painter, flag, line.top() - 1, palette)
        is_past = travel.reader.past is not None
        painter.setPen(QPen(colour(palette.text), 2.0))
        painter.setBrush(colour(palette.text if is_past else palette.window))
        knob = QRectF(0, 0, _KNOB, _KNOB)
        knob.moveCenter(QPointF(min(max(x, line.left()), line.right()), line.center().y()))
        painter.drawEllipse(knob)
        painter.setPen(Qt.PenStyle.NoPen)

    def _paint_flag(self, painter: QPainter, flag: Flag, bottom: float, palette: Palette) -> None:
        """A pennant on its pole, as on the axis of the timeline; an agent's has a dot."""
        x = round(self.x_of(flag.at)) + 0.5
        painter.setPen(QPen(colour(palette.text), 1.0))
        painter.drawLine(QPointF(x, bottom), QPointF(x, bottom - FLAG - 2))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(palette.text))
        top = bottom - FLAG - 2
        painter.drawPolygon(QPolygonF([QPointF(x, top), QPointF(x + 6, top + 2.5), QPointF(x, top + 5)]))
        if flag.by_agent:
            painter.drawEllipse(QPointF(x + 8, top + 2.5), 1.5, 1.5)
