"""The text of notes as plain text, broken into as many lines as have room."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtGui import QFontMetricsF, QTextLayout, QTextOption

from starloom_gui.theme.fonts import font

PAD: Final = 8.0
"""Between a note's border and its text, in the scene and at least as many pixels."""
MOST_LINES: Final = 30
"""A note is at most so many lines high; the last one says that there is more."""
_MORE: Final = "…"


def line_height(scale: float) -> float:
    """The height of a line at a scale, in logical pixels."""
    return float(QFontMetricsF(font(scale=scale)).lineSpacing())


def height(text: str, width: float) -> float:
    """The height of a note of this width, in the scene.

    Args:
        text: plain.
        width: in the scene.
    """
    return 2 * PAD + len(lines(text, 1.0, width - 2 * PAD, MOST_LINES)) * line_height(1.0)


def lines(text: str, scale: float, width: float, most: int) -> tuple[str, ...]:
    """The lines of a text that are shown.

    Args:
        text: plain; nothing in it means anything.
        scale: of the view: the font gets smaller with it, but not below what can be read.
        width: logical pixels there are for a line.
        most: lines there is room for.
    """
    found = _broken(text, scale, round(width))
    if len(found) <= most:
        return found
    if most <= 0:
        return ()
    room = width - QFontMetricsF(font(scale=scale)).horizontalAdvance(_MORE)
    last = _broken(found[most - 1], scale, round(max(1.0, room)))
    return (*found[: most - 1], (last[0] if last else "").rstrip() + _MORE)


@lru_cache(maxsize=2_000)
def _broken(text: str, scale: float, width: int) -> tuple[str, ...]:
    face, found = font(scale=scale), list[str]()
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    for paragraph in text.expandtabs(4).split("\n"):
        layout = QTextLayout(paragraph, face)
        layout.setTextOption(option)
        units = paragraph.encode("utf-16-le", "surrogatepass")  # Qt counts these
        layout.beginLayout()
        line = layout.createLine()
        if not line.isValid():
            found.append("")
        while line.isValid():
            line.setLineWidth(width)
            begin, end = 2 * line.textStart(), 2 * (line.textStart() + line.textLength())
            found.append(units[begin:end].decode("utf-16-le", "replace").rstrip())
            line = layout.createLine()
        layout.endLayout()
    return tuple(found)
