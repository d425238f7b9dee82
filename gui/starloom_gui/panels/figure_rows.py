"""Rows of figures: a mark, a name, a bar and a value, each painted by one button that the keyboard reaches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.panels.task_marks import BAR_HEIGHT, TILE, paint_bar, paint_tile
from starloom_gui.text.words import fill, tip
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.metrics import RADIUS, ROW
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.widgets.controls import MARGIN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QKeyEvent, QPaintEvent

    from starloom_gui.panels.sections import Section
    from starloom_gui.theme.palette import Palette

_GAP: Final = 8
_SECOND: Final = 15
"""Pixels that a second line takes."""
_LEAST_BAR: Final = 24
OUT: Final = 4
"""Pixels by which the ground of a row stands out of the column of its text."""
_ARROWS: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One row of figures.

    Attributes:
        name: what it is about; elided where there is no room.
        value: the figure at the right; never elided.
        detail: a second line; empty: there is none.
        form: the status whose mark it has, and whose colour its bar; None: no mark, and a muted bar.
        share: the length of the bar, 0 to 1; None: there is no bar.
        hint: what a click does, for the tooltip.
        refused: why a click can do nothing; empty: it can.
    """

    name: str
    value: str = ""
    detail: str = ""
    form: StatusForm | None = None
    share: float | None = None
    hint: str = ""
    refused: str = ""


class FigureRow(QAbstractButton):
    """One row of figures as a button.

    Args:
        colours: gives the colours.

    Attributes:
        figure: what it shows.
        column: pixels that the names of all rows have beside the bars.
    """

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__()
        self._colours = colours
        self.figure = Figure(name="")
        self.column = 0
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_figure(self, figure: Figure, column: int) -> None:
        """Show a figure; `column` is the width of all names beside bars, in pixels."""
        if (figure, column) == (self.figure, self.column):
            return
        if bool(figure.detail) != bool(self.figure.detail):
            self.updateGeometry()
        self.figure, self.column = figure, column
        said = fill("%1: %2", figure.name, figure.value) if figure.value else figure.name
        self.setAccessibleName(said)
        self.setAccessibleDescription("\n".join(filter(None, (figure.detail, figure.refused or figure.hint))))
        whole = "\n".join(filter(None, (said, figure.detail, figure.refused or figure.hint)))
        self.setToolTip(tip(whole))
        self.setEnabled(not figure.refused)
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(1, ROW + (_SECOND if self.figure.detail else 0))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _ARROWS and isinstance(rows := self.parent(), FigureRows):
            rows.move_from(self, _ARROWS[key])
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    # ---- painting

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, palette, shown = QPainter(self), self._colours(), self.figure
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if self.isEnabled() and (self.underMouse() or self.isDown()):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(palette.selected if self.isDown() else palette.raised))
            painter.drawRoundedRect(ground, RADIUS, RADIUS)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour(palette.text), 1, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(ground, RADIUS, RADIUS)
        line = QRectF(OUT, 0, self.width() - 2 * OUT, ROW)
        left = line.left()
        if shown.form is not None:
            paint_tile(painter, QPointF(left, (ROW - TILE) / 2), shown.form, palette)
            left += TILE + _GAP
        ends = self._paint_value(painter, line, palette)
        if shown.share is not None and ends - left - self.column - _GAP >= _LEAST_BAR:
            self._paint_bar(
                painter, QRectF(left + self.column + _GAP, (ROW - BAR_HEIGHT) / 2, 0, BAR_HEIGHT), ends, palette
            )
            ends = left + self.column
        ink = palette.text if self.isEnabled() else palette.muted
        _write(painter, QRectF(left, 0, ends - left, ROW), shown.name, Role.BODY, ink)
        if shown.detail:
            second = QRectF(left, ROW - 3, line.right() - left, _SECOND)
            _write(painter, second, shown.detail, Role.SMALL, palette.muted)
        painter.end()

    def _paint_value(self, painter: QPainter, line: QRectF, palette: Palette) -> float:
        """Paint the value; returns where what is left of it has to end."""
        if not self.figure.value:
            return line.right()
        is_count = self.figure.share is not None
        face = font(Role.BODY if is_count else Role.SMALL)
        painter.setFont(face)
        painter.setPen(colour(palette.text if is_count else palette.muted))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self.figure.value)
        return line.right() - QFontMetricsF(face).horizontalAdvance(self.figure.value) - _GAP

    def _paint_bar(self, painter: QPainter, box: QRectF, ends: float, palette: Palette) -> None:
        """Paint the bar; a share above 0 is at least two pixels long."""
        share, form = self.figure.share or 0.0, self.figure.form
        if share <= 0:
            return
        box.setWidth(max(2.0, share * (ends - box.left())))
        if form is None:
            painter.fillRect(box, colour(palette.muted))
        else:
            paint_bar(painter, box, [int(one == form) for one in StatusForm], palette)


def rows_in(section: Section) -> FigureRows:
    """Make rows in a section whose text stands in the column of the heading, and their ground out of it."""
    section.inner.setContentsMargins(MARGIN - OUT, 10, MARGIN - OUT, 14)
    section.top.setContentsMargins(OUT, 0, OUT, 0)
    made = FigureRows(section.colours)
    section.inner.addWidget(made)
    return made


def _write(painter: QPainter, box: QRectF, words: str, role: Role, ink: str) -> None:
    face = font(role)
    painter.setFont(face)
    painter.setPen(colour(ink))
    shown = elided(words, QFontMetricsF(face), box.width(), Qt.TextElideMode.ElideRight)
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, shown)


class FigureRows(QWidget):
    """Rows of figures below each other; rows are kept while their figures change, and Up and Down go through them.

    Signals:
        chosen(int): the row at this place was clicked.

    Args:
        colours: gives the colours.
    """

    chosen = Signal(int)

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__()
        self._colours = colours
        self._rows: list[FigureRow] = []
        self._count = 0
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)

    @property
    def shown(self) -> list[FigureRow]:
        """The rows that are shown, from top to bottom."""
        return self._rows[: self._count]

    def show_figures(self, figures: Sequence[Figure]) -> None:
        """Show these figures."""
        while len(self._rows) < len(figures):
            self._add()
        metrics = QFontMetricsF(font(Role.BODY))
        names = (metrics.horizontalAdvance(one.name) for one in figures if one.share is not None)
        column = round(max(names, default=0)) + 1
        self._count = len(figures)
        for row, figure in zip(self._rows, figures, strict=False):
            row.show_figure(figure, column)
        for at, row in enumerate(self._rows):
            row.setVisible(at < self._count)
        self.setVisible(self._count > 0)

    def move_from(self, row: FigureRow, by: int) -> None:
        """Give the keyboard to the next row that can be chosen; at an end it stays."""
        there = [one for one in self.shown if one.isEnabled()]
        at = there.index(row) + by if row in there else -1
        if 0 <= at < len(there):
            there[at].setFocus(Qt.FocusReason.TabFocusReason)

    def _add(self) -> None:
        row, at = FigureRow(self._colours), len(self._rows)
        row.clicked.connect(lambda: self.chosen.emit(at))
        self._rows.append(row)
        self._column.addWidget(row)

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() in {QEvent.Type.StyleChange, QEvent.Type.PaletteChange}:
            for row in self._rows:
                row.update()
        super().changeEvent(event)
