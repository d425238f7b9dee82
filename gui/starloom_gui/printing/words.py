"""Printed text: broken into lines once, and painted as it was broken, so that no font's rounding can cut it."""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QTextLayout, QTextOption

from starloom.reporting.marks import MUTED, TEXT
from starloom.reporting.text import clean
from starloom_gui.printing.structure import StructurePainter, content

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

BAD: Final = "#B3150D"
_LINE: Final = 1.4
_BREAK: Final = "\u2028"


class Face(Enum):
    """The face of a text: its size in units, whether it is bold, whether it is monospaced."""

    TITLE = (26, True, False)
    VERDICT = (16, True, False)
    LEAD = (15, False, False)
    VALUE = (20, True, False)
    SECTION = (15, True, False)
    NAME = (14, True, False)
    BODY = (13, False, False)
    SMALL = (12, False, False)
    OUTPUT = (12, False, True)


_ROLES: Final = {Face.TITLE: "H1", Face.SECTION: "H2", Face.NAME: "H3"}
"""What a text of a face is in the structure of the document; all others are paragraphs."""


@cache
def font(face: Face) -> QFont:
    """The font of a face; its digits have one width."""
    size, is_heavy, is_fixed = face.value
    kind = QFontDatabase.SystemFont.FixedFont if is_fixed else QFontDatabase.SystemFont.GeneralFont
    made = QFontDatabase.systemFont(kind)
    made.setPixelSize(size)
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    if is_heavy:
        made.setWeight(QFont.Weight.DemiBold)
    made.setFeature(QFont.Tag("tnum"), 1)
    made.setFeature(QFont.Tag("liga"), 0)  # "fi" as one glyph is not found by who searches for a name
    return made


def wide(text: str, face: Face = Face.BODY) -> float:
    """The width of a line of text, in units."""
    return QFontMetricsF(font(face)).horizontalAdvance(clean(text))


def shortened(text: str, width: float, face: Face = Face.BODY) -> str:
    """A line of text, elided in its middle to a width.

    Args:
        text: one line; whatever is in it, it is only text.
        width: units of the paper.
        face: what it is printed in.
    """
    return QFontMetricsF(font(face)).elidedText(clean(text), Qt.TextElideMode.ElideMiddle, width)


class Words:
    """A text of one face, broken at a width; a block.

    Args:
        text: what is said; whatever is in it, it is only text.
        width: where lines are broken, in words that are too long also within.
        colour: of the letters.
        most: lines; the last of more ends in an ellipsis.
        align: where lines stand within the width.
    """

    def __init__(
        self,
        text: str,
        width: float,
        face: Face = Face.BODY,
        *,
        colour: str = TEXT,
        most: int = 1_000,
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    ) -> None:
        self._colour, self._role = QColor(colour), _ROLES.get(face, "P")
        metrics = QFontMetricsF(font(face))
        self.line = metrics.height() * _LINE / 1.164  # as a style sheet counts the line of the usual font
        self.ascent = (self.line - metrics.height()) / 2
        said = clean(text).replace("\t", "    ").replace("\r", "").replace("\n", _BREAK)
        self._layout = self._broken(said, width, face, align, most)
        self.is_cut = self._layout.lineCount() > most
        if self.is_cut:
            last = self._layout.lineAt(most - 1)
            rest = said[last.textStart() :].replace(_BREAK, " ")
            end = metrics.elidedText(rest, Qt.TextElideMode.ElideRight, width - 1)
            self._layout = self._broken(said[: last.textStart()] + end, width, face, align, most)
        lines = range(min(most, self._layout.lineCount()))
        self.height = self.line * max(1, len(lines))
        self.width = max((self._layout.lineAt(number).naturalTextWidth() for number in lines), default=0.0)
        self.lines = [self._text_of(number) for number in lines]

    def _broken(self, text: str, width: float, face: Face, align: Qt.AlignmentFlag, most: int) -> QTextLayout:
        layout = QTextLayout(text, font(face))
        option = QTextOption(align)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setUseDesignMetrics(True)
        layout.setTextOption(option)
        layout.beginLayout()
        while layout.lineCount() <= most:  # one more tells that there is more
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(max(1.0, width))
            line.setPosition(QPointF(0, self.line * (layout.lineCount() - 1) + self.ascent))
        layout.endLayout()
        self._shown = min(most, layout.lineCount())
        return layout

    def _text_of(self, number: int) -> str:
        line = self._layout.lineAt(number)
        return self._layout.text()[line.textStart() : line.textStart() + line.textLength()].strip(_BREAK)

    def paint(self, painter: QPainter) -> None:
        """Paint it from its upper left corner."""
        with content(painter, self._role):
            if isinstance(painter, StructurePainter):
                painter.say(" ".join(line.strip() for line in self.lines))
            painter.setPen(self._colour)
            for number in range(self._shown):
                self._layout.lineAt(number).draw(painter, QPointF(0, 0))


def note(text: str, width: float, *, most: int = 1_000) -> Words:
    """A remark, small and grey, of at most `most` lines."""
    return Words(text, width, Face.SMALL, colour=MUTED, most=most)
