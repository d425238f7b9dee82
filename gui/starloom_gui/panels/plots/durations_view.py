"""The view of distributions of durations, one strip for each group or device, with estimates."""

from __future__ import annotations

from math import ceil, floor, log10
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QToolTip, QWidget
from typing_extensions import override

from starloom_gui.text.words import amount, figure, fill, tip, took, translate
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.metrics import ROW
from starloom_gui.theme.palette import blended, colour

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QPaintEvent

    from starloom_gui.panels.plots.durations import Distribution
    from starloom_gui.theme.palette import Palette

MOST: Final = 12
"""Rows of a table; of more groups the rest is counted below."""
_TITLE: Final = 24
_AXIS: Final = 18
_NAMES: Final = 136
_WORDS: Final = 172
_SHORTEST: Final = 1e-3
"""Seconds at the left end of the axis at least."""

Table = tuple[str, "Sequence[Distribution]"]


class DurationsView(QWidget):
    """Tables of distributions below each other, on one logarithmic axis of seconds.

    Args:
        palette: gives the colours.
        parent: the widget it lies in.
    """

    def __init__(self, palette: Callable[[], Palette], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._palette = palette
        self._tables: Sequence[Table] = ()
        self._font = font(Role.SMALL)
        self._metrics = QFontMetricsF(self._font)

    @property
    def tables(self) -> Sequence[Table]:
        """The tables that are shown: the title of each, and its rows."""
        return self._tables

    def show_tables(self, tables: Sequence[Table]) -> None:
        """Show these; without any it is hidden."""
        self._tables = tables
        self.setFixedHeight(self.sizeHint().height())
        self.setHidden(not tables)
        said = [describe(one) for _, rows in tables for one in rows[:MOST]]
        self.setAccessibleName(". ".join(title for title, _ in tables))
        self.setAccessibleDescription(". ".join(said))
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(240, sum(_height(rows) for _, rows in self._tables))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.render_tables(painter, self.width())
        painter.end()

    def render_tables(self, painter: QPainter, width: int) -> None:
        """Paint the tables at the upper left of a paint device, so many pixels wide."""
        palette = self._palette()
        painter.fillRect(QRectF(0, 0, width, self.height()), colour(palette.panel))
        painter.setFont(self._font)
        top = 0.0
        for title, rows in self._tables:
            painter.save()
            painter.translate(0, top)
            self._table(painter, title, rows, width, palette)
            painter.restore()
            top += _height(rows)

    def _table(self, painter: QPainter, title: str, rows: Sequence[Distribution], width: int, palette: Palette) -> None:
        painter.setPen(QPen(colour(palette.border), 1))
        painter.drawLine(QLineF(0, 0.5, width, 0.5))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(colour(palette.text))
        painter.drawText(QRectF(12, 2, width, _TITLE - 2), middle, title)
        unit = translate("Plots", "seconds a completed attempt took; box: half of them, line: nine of ten, ◇ estimated")
        painter.setPen(colour(palette.muted))
        left = 12 + self._metrics.horizontalAdvance(title) + 8
        painter.drawText(
            QRectF(left, 2, width - left, _TITLE - 2), middle, elided(unit, self._metrics, width - left - 4)
        )
        if not rows:
            painter.drawText(
                QRectF(12, _TITLE, width, ROW), middle, translate("Plots", "No attempt has completed yet.")
            )
            return
        box = QRectF(_NAMES, _TITLE, max(40.0, width - _NAMES - _WORDS), ROW * len(rows[:MOST]))
        low, high = _decades(rows[:MOST])
        self._axis(painter, box, low, high, palette)
        for at, one in enumerate(rows[:MOST]):
            self._row(painter, one, box, _TITLE + at * ROW, (low, high), palette)
        if len(rows) > MOST:
            more = fill(translate("Plots", "%1 more with fewer attempts"), amount(len(rows) - MOST))
            painter.setPen(colour(palette.muted))
            painter.drawText(QRectF(12, box.bottom() + _AXIS, width, ROW), middle, more)

    def _axis(self, painter: QPainter, box: QRectF, low: int, high: int, palette: Palette) -> None:
        for power in range(low, high + 1):
            x = round(box.left() + (power - low) / (high - low) * box.width()) + 0.5
            painter.setPen(QPen(colour(blended(palette.border, palette.panel, 0.4)), 1))
            painter.drawLine(QLineF(x, box.top(), x, box.bottom()))
            painter.setPen(colour(palette.muted))
            painter.drawText(QRectF(x - 40, box.bottom(), 80, _AXIS), Qt.AlignmentFlag.AlignCenter, _seconds(power))

    def _row(
        self,
        painter: QPainter,
        one: Distribution,
        box: QRectF,
        top: float,
        ends: tuple[int, int],
        palette: Palette,
    ) -> None:
        y = round(top + ROW / 2) + 0.5
        low, quarter, half, most, high = (_x_of(seconds, box, *ends) for seconds in one.shares)
        muted, strong = colour(palette.muted), colour(palette.text)
        painter.setPen(QPen(muted, 1))
        painter.drawLine(QLineF(low, y, high, y))
        painter.setBrush(colour(blended(palette.muted, palette.panel, 0.25)))
        painter.drawRect(QRectF(round(quarter) + 0.5, y - 5, max(2.0, round(most - quarter)), 10))
        painter.setPen(QPen(strong, 2))
        painter.drawLine(QLineF(half, y - 5, half, y + 5))
        if one.estimate is not None:
            x = _x_of(one.estimate, box, *ends)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(strong, 1))
            painter.setBrush(colour(palette.panel))
            painter.drawPolygon(QPolygonF([QPointF(x, y - 5), QPointF(x + 4, y), QPointF(x, y + 5), QPointF(x - 4, y)]))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(strong)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(12, top, _NAMES - 20, ROW), middle, elided(one.name, self._metrics, _NAMES - 20))
        painter.setPen(muted)
        painter.drawText(QRectF(box.right() + 12, top, _WORDS - 16, ROW), middle, _short(one))

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            one = self.row_at(event.pos().y())
            QToolTip.showText(event.globalPos(), tip(describe(one)) if one is not None else "", self)
            return True
        return super().event(event)

    def row_at(self, y: float) -> Distribution | None:
        """The row at that height."""
        for _, rows in self._tables:
            place = int((y - _TITLE) // ROW)
            if y < _height(rows):
                return rows[place] if 0 <= place < len(rows[:MOST]) else None
            y -= _height(rows)
        return None


def _height(rows: Sequence[Distribution]) -> int:
    if not rows:
        return _TITLE + ROW
    return _TITLE + ROW * (len(rows[:MOST]) + (len(rows) > MOST)) + _AXIS + 4


def _decades(rows: Sequence[Distribution]) -> tuple[int, int]:
    """The powers of ten at the ends of an axis that shows all of it."""
    least = min(min(one.shares[0], one.estimate if one.estimate is not None else one.shares[0]) for one in rows)
    most = max(max(one.shares[4], one.estimate or 0.0) for one in rows)
    low = floor(log10(max(least, _SHORTEST)) + 1e-9)
    return low, max(low + 1, ceil(log10(max(most, _SHORTEST)) - 1e-9))


def _x_of(seconds: float, box: QRectF, low: int, high: int) -> float:
    share = (log10(max(seconds, 10.0**low)) - low) / (high - low)
    return box.left() + min(1.0, share) * box.width()


def _seconds(power: int) -> str:
    return fill(translate("Words", "%1 s"), figure(f"{10**power:,}" if power >= 0 else f"{10.0**power:g}"))


def _short(one: Distribution) -> str:
    if one.estimate is None:
        return fill(translate("Plots", "%1 · no estimate"), took(one.shares[2]))
    return fill(translate("Plots", "%1 · estimated %2"), took(one.shares[2]), took(one.estimate))


def describe(one: Distribution) -> str:
    """A row in a sentence."""
    quarter, half, most = (took(seconds) for seconds in one.shares[1:4])
    words = translate("Plots", "%1: half of %2 attempts took %3 to %4, the middle one %5")
    said = fill(words, one.name, amount(one.attempts), quarter, most, half)
    if one.estimate is None:
        return fill(translate("Plots", "%1; nothing was estimated."), said)
    return fill(translate("Plots", "%1; estimated were %2."), said, took(one.estimate))
