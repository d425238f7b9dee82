"""The heads of the grid: names of tasks with their flags at the left, the runs' times and states at the top."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QHeaderView, QWidget
from typing_extensions import override

from starloom_gui.panels.grid.shades import BOUNDS, shade_ink
from starloom_gui.panels.grid.words import column_form, flaky_words, slower_words, times
from starloom_gui.text import wall_clock
from starloom_gui.text.words import fill, translate
from starloom_gui.theme import glyphs
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.metrics import GAPS, HAIRLINE, RING, ROW
from starloom_gui.theme.palette import colour

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from starloom_gui.panels.grid.rows import GridRows
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.drawings import Drawing

CELL: Final = 22
"""The width of a column; a cell's form is as high as it is wide, with a gap around it."""
TOP: Final = 66
_DAY: Final = 14
_TIME: Final = 34
_GLYPH: Final = 12
_FLAG: Final = 12
_LEAST_NAME: Final = 110
_MOST_NAME: Final = 280
_LEAST_FLAGS: Final = 110
_SWATCH: Final = 12
_VERTICAL: Final = Qt.Orientation.Vertical


class TaskHead(QHeaderView):
    """The names of the tasks; right of them what is told of each: flaky, slower.

    Args:
        rows: the model.
        appearance: the colours.
    """

    def __init__(self, rows: GridRows, appearance: Appearance) -> None:
        super().__init__(_VERTICAL)
        self._rows, self._appearance = rows, appearance
        self._body, self._small = font(Role.BODY), font(Role.SMALL)
        self._metrics, self._small_metrics = QFontMetricsF(self._body), QFontMetricsF(self._small)
        self._flags = 0.0
        self.marked: frozenset[str] = frozenset()
        self.current = -1
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(ROW)
        self.setDefaultSectionSize(ROW)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)

    def fit(self, room: int, least: int) -> None:
        """Take the width that names and flags need, as far as the runs leave it.

        Args:
            room: pixels of the whole grid.
            least: pixels that are taken at any rate.
        """
        history = self._rows.history
        told = [row for row in self._rows.rows if history.flaky[row] or history.slower[row]] if self._rows.rows else []
        self._flags = max((self._width_of_flags(row) for row in told[:_MOST_NAME]), default=0.0)
        some = self._rows.rows[:_MOST_NAME]
        names = max((self._metrics.horizontalAdvance(history.title(row)) for row in some), default=0.0)
        left = max(room - self._rows.columnCount() * CELL - GAPS[3], _LEAST_NAME + min(self._flags, _LEAST_FLAGS))
        name = max(_LEAST_NAME, min(names + 3 * GAPS[1], _MOST_NAME, left - self._flags))
        self._flags = min(self._flags, left - name)
        self.setFixedWidth(max(least, round(name + self._flags)))

    def _flags_of(self, row: int) -> list[tuple[Drawing, str]]:
        history = self._rows.history
        told = ((glyphs.RETRY, flaky_words(history, row)), (glyphs.OVERDUE, slower_words(history, row)))
        return [(glyph, said) for glyph, said in told if said]

    def _width_of_flags(self, row: int) -> float:
        told = self._flags_of(row)
        return sum(_FLAG + GAPS[0] + self._small_metrics.horizontalAdvance(said) + GAPS[1] for _, said in told)

    @override
    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        palette, box = self._appearance.palette, QRectF(rect)
        if logicalIndex >= len(self._rows.rows):
            return
        row, history = self._rows.rows[logicalIndex], self._rows.history
        is_marked, is_current = history.ids[row] in self.marked, logicalIndex == self.current
        painter.save()
        painter.setClipRect(box)
        painter.fillRect(
            box, colour(palette.selected if is_marked else palette.raised if is_current else palette.panel)
        )
        if is_marked:
            painter.fillRect(QRectF(box.left(), box.top(), RING, box.height()), colour(palette.text))
        is_removed = history.is_removed(row)
        face = self._body
        if is_removed:
            face = font(Role.BODY)
            face.setStrikeOut(True)
        painter.setFont(face)
        painter.setPen(colour(palette.muted if is_removed else palette.text))
        name = box.adjusted(GAPS[1], 0, -self._flags - GAPS[0], 0)
        aligned = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        painter.drawText(name, aligned, elided(history.title(row), self._metrics, name.width()))
        left = box.right() - self._flags
        painter.setFont(self._small)
        painter.setPen(colour(palette.text))
        for glyph, said in self._flags_of(row):
            place = QRectF(left, box.center().y() - _FLAG / 2, _FLAG, _FLAG)
            glyph.paint(painter, place, colour(palette.text))
            left += _FLAG + GAPS[0]
            room = QRectF(left, box.top(), box.right() - left - GAPS[0], box.height())
            painter.drawText(
                room, aligned, elided(said, self._small_metrics, room.width(), Qt.TextElideMode.ElideRight)
            )
            left += self._small_metrics.horizontalAdvance(said) + GAPS[1]
        painter.setPen(QPen(colour(palette.border), HAIRLINE))
        painter.drawLine(QPointF(box.right() - 0.5, box.top()), QPointF(box.right() - 0.5, box.bottom()))
        painter.restore()


class RunHead(QHeaderView):
    """The runs: the day where it begins, the time upright, and the state as a glyph.

    Args:
        rows: the model.
        appearance: the colours.
    """

    def __init__(self, rows: GridRows, appearance: Appearance) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._rows, self._appearance = rows, appearance
        self._small = font(Role.SMALL)
        self._metrics = QFontMetricsF(self._small)
        self.own = ""
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(CELL)
        self.setDefaultSectionSize(CELL)
        self.setFixedHeight(TOP)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)

    @override
    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        palette, box = self._appearance.palette, QRectF(rect)
        if logicalIndex >= self._rows.columnCount():
            return
        column = self._rows.column(logicalIndex)
        is_own = column.run_id == self.own
        painter.save()
        painter.setClipRect(box)
        painter.fillRect(box, colour(palette.selected if is_own else palette.panel))
        if is_own:
            painter.fillRect(QRectF(box.left(), box.bottom() - RING, box.width(), RING), colour(palette.text))
        painter.setFont(self._small)
        painter.setPen(colour(palette.text if is_own else palette.muted))
        if column.since:
            painter.save()
            painter.translate(box.center().x(), box.top() + _DAY + _TIME)
            painter.rotate(-90)
            upright = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
            painter.drawText(QRectF(0, -CELL / 2, _TIME, CELL), upright, f"{wall_clock.shown(column.since):%H:%M}")
            painter.restore()
        form = column_form(column)
        if form is not None:
            place = QRectF(box.center().x() - _GLYPH / 2, box.bottom() - _GLYPH - GAPS[0], _GLYPH, _GLYPH)
            glyphs.STATUS[form].paint(painter, place, colour(palette.status[form].text))
        painter.restore()

    @override
    def paintEvent(self, e: QPaintEvent) -> None:
        super().paintEvent(e)
        painter = QPainter(self.viewport())
        painter.setFont(self._small)
        painter.setPen(colour(self._appearance.palette.text))
        for first, last in self._days():
            left = self.sectionViewportPosition(first)
            right = self.sectionViewportPosition(last) + self.sectionSize(last)
            painter.drawLine(QPointF(left + 0.5, 0), QPointF(left + 0.5, _DAY))
            room = QRectF(left + GAPS[0], 0, right - left - GAPS[0], _DAY)
            day = wall_clock.shown(self._rows.column(first).since)
            said = fill(translate("Grid", "%1/%2", "day, month"), day.day, day.month)
            if self._metrics.horizontalAdvance(said) > room.width():
                said = str(day.day)
            painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, said)
        painter.end()

    def _days(self) -> list[tuple[int, int]]:
        """The first and the last column of each day."""
        found: list[tuple[int, int]] = []
        before = None
        for at, column in enumerate(self._rows.history.columns):
            day = wall_clock.shown(column.since).date() if column.since else None
            if day is not None and day == before:
                found[-1] = (found[-1][0], at)
            elif day is not None:
                found.append((at, at))
            before = day
        return found


class ShadeLegend(QWidget):
    """What the shades mean, in the corner between the heads.

    Args:
        appearance: the colours.
        parent: the grid.
    """

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._small = font(Role.SMALL)
        bounds = [times(bound) for bound in BOUNDS]
        said = translate(
            "Grid",
            "Shade: what a task took, by what it usually takes: up to %1×, %2×, %3×, %4×, and more. Corner: retried.",
        )
        self.setToolTip(fill(said, *bounds))

    @property
    def least(self) -> int:
        """The pixels in width that all of it takes."""
        words = (translate("Grid", "faster"), translate("Grid", "slower"))
        swatches = (len(BOUNDS) + 1) * (_SWATCH + 2) - 2 + GAPS[0]
        wide = sum(map(QFontMetricsF(self._small).horizontalAdvance, words)) + GAPS[0] + swatches
        return round(wide) + 2 * GAPS[1]

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        palette, box = self._appearance.palette, QRectF(self.rect())
        painter = QPainter(self)
        painter.fillRect(box, colour(palette.panel))
        painter.setFont(self._small)
        metrics = QFontMetricsF(self._small)
        faster, slower = translate("Grid", "faster"), translate("Grid", "slower")
        left, middle = float(GAPS[1]), box.bottom() - GAPS[2]
        for part in (faster, *range(len(BOUNDS) + 1), slower):
            if isinstance(part, str):
                painter.setPen(colour(palette.muted))
                wide = metrics.horizontalAdvance(part)
                room = QRectF(left, middle - ROW / 2, wide + 1, ROW)
                painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, part)
                left += wide + GAPS[0]
            else:
                place = QRectF(left, middle - _SWATCH / 2, _SWATCH, _SWATCH)
                painter.fillRect(place, colour(shade_ink(part, palette).shape))
                painter.setPen(QPen(colour(palette.border), HAIRLINE))
                painter.drawRect(place.adjusted(0.5, 0.5, -0.5, -0.5))
                left += _SWATCH + (2 if part < len(BOUNDS) else GAPS[0])
        painter.end()
