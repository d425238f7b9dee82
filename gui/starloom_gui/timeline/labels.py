"""Short texts that are drawn again and again: laid out once, elided in the middle where there is no room for all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QStaticText, QTransform

from starloom_gui.text.words import straight
from starloom_gui.theme.fonts import elided

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QFont, QPainter

ROOM: Final = 62.0
"""A bar this wide bears its name even where it has to be elided."""
_KEPT: Final = 4096
_STEP: Final = 4
"""Elided texts are made for widths in such steps, as a running bar grows with every frame."""


class LabelCache:
    """Caches the static texts of one font; emptied when there are too many.

    Args:
        font: what they are set in.
    """

    def __init__(self, font: QFont) -> None:
        self.font = font
        self._metrics = QFontMetricsF(font)
        self.height = self._metrics.height()
        self._widths: dict[str, float] = {}
        self._made: dict[tuple[str, int], QStaticText] = {}

    def width(self, text: str) -> float:
        """Pixels of a text."""
        known = self._widths.get(text)
        if known is None:
            if len(self._widths) > _KEPT:
                self._widths.clear()
            known = self._widths[text] = self._metrics.horizontalAdvance(text)
        return known

    def fitting(self, text: str, room: float, wide: float = ROOM) -> QStaticText | None:
        """The text, or as much of it as fits; None: there is no room that is worth it.

        Args:
            text: what is to be drawn.
            room: pixels that are free.
            wide: pixels of what it is drawn in.
        """
        wanted = self._widths.get(text)  # most bars have no room: this is asked for each of them in each frame
        if (self.width(text) if wanted is None else wanted) <= room:
            return self._text(text, text, 0)
        if wide < ROOM:
            return None
        step = int(room) // _STEP
        return self._text(text, "", step)

    def _text(self, text: str, shown: str, step: int) -> QStaticText:
        made = self._made.get((text, step))
        if made is None:
            if len(self._made) > _KEPT:
                self._made.clear()
            made = QStaticText(straight(shown) or elided(text, self._metrics, step * _STEP))
            made.setTextFormat(Qt.TextFormat.PlainText)
            made.prepare(QTransform(), self.font)  # until then its size is that of another font
            self._made[text, step] = made
        return made

    def draw(self, painter: QPainter, text: str, left: float, top: float, ink: QColor) -> None:
        """Draw all of a text; `top` is that of a lane-high box in whose middle it stands.

        Args:
            painter: in logical pixels.
            text: one line.
            left: logical pixels, as is the top.
            top: of the box.
            ink: the colour of the letters.
        """
        painter.setPen(ink)
        painter.drawStaticText(QPointF(left, top - self.height / 2), self._text(text, text, 0))
