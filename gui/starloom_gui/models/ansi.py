"""Parses ANSI escapes in output: colours and weights become values, other control sequences are removed."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

_ESCAPE: Final = re.compile(
    r"\x1b\[([0-9;:]*)m"  # colours and weights
    r"|\x1b\[[0-?]*[ -/]*[@-~]"  # other control sequences
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"  # titles, links
    r"|\x1b[PX^_][^\x1b]*(?:\x1b\\)?"  # device strings
    r"|\x1b[ -/]*[0-~]?"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]"
)
_ENDING: Final = frozenset({"", "0", "00"})
"""Codes after which everything is plain, whatever was before."""
_LEVELS: Final = (0, 95, 135, 175, 215, 255)

Colour = int | str
"""0 to 15: a colour of the theme; `#rrggbb`: that one."""


@dataclass(frozen=True, slots=True)
class TextStyle:
    """The style of a piece of text; None: that of the pane."""

    foreground: Colour | None = None
    background: Colour | None = None
    bold: bool = False
    faint: bool = False
    italic: bool = False
    underlined: bool = False
    inverse: bool = False


PLAIN: Final = TextStyle()


@dataclass(frozen=True, slots=True)
class StyledText:
    """A piece of text of one style."""

    text: str
    style: TextStyle = PLAIN


def parse(line: str, style: TextStyle = PLAIN) -> tuple[tuple[StyledText, ...], TextStyle]:
    """The pieces of a line that begins in a style, and the style in which the next line begins."""
    if "\x1b" not in line and line.isprintable():
        return ((StyledText(line, style),) if line else ()), style
    spans: list[StyledText] = []
    at = 0
    for match in _ESCAPE.finditer(line):
        _add(spans, line[at : match.start()], style)
        if match[1] is not None:
            style = _styled(style, match[1])
        at = match.end()
    _add(spans, line[at:], style)
    return tuple(spans), style


def stripped(line: str) -> str:
    """The text of a line without escapes, equal to its joined pieces but much faster."""
    return line if "\x1b" not in line and line.isprintable() else _ESCAPE.sub("", line)


def style_after(line: str, style: TextStyle) -> TextStyle:
    """The style in which the line after one begins, as `parse` tells it, in a fraction of the time."""
    if "\x1b[" not in line:
        return style
    given = [match[1] for match in _ESCAPE.finditer(line) if match[1] is not None]
    if given and given[-1] in _ENDING:
        return PLAIN
    for one in given:
        style = _styled(style, one)
    return style


def _add(spans: list[StyledText], text: str, style: TextStyle) -> None:
    if not text:
        return
    if spans and spans[-1].style == style:
        spans[-1] = StyledText(spans[-1].text + text, style)
    else:
        spans.append(StyledText(text, style))


_ON_OFF: Final[dict[int, dict[str, bool]]] = {
    1: {"bold": True},
    2: {"faint": True},
    3: {"italic": True},
    4: {"underlined": True},
    7: {"inverse": True},
    21: {"bold": False},
    22: {"bold": False, "faint": False},
    23: {"italic": False},
    24: {"underlined": False},
    27: {"inverse": False},
}


@lru_cache(1024)
def _styled(style: TextStyle, given: str) -> TextStyle:
    codes = [int(code[:6]) if code else 0 for code in re.split("[;:]", given)]
    at = 0
    while at < len(codes):
        code = codes[at]
        at += 1
        if code == 0:
            style = PLAIN
        elif code in _ON_OFF:
            style = replace(style, **_ON_OFF[code])
        elif code in {38, 48}:
            colour, taken = _extended(codes[at:])
            at += taken
            style = _coloured(style, code == 48, colour)
        else:
            style = _basic(style, code)
    return style


def _basic(style: TextStyle, code: int) -> TextStyle:
    """The sixteen colours, and back to the pane's own."""
    tens, unit = divmod(code, 10)
    if code in {39, 49}:
        return _coloured(style, code == 49, None)
    if tens in {3, 4} and unit < 8:
        return _coloured(style, tens == 4, unit)
    if tens in {9, 10} and unit < 8:
        return _coloured(style, tens == 10, unit + 8)
    return style


def _coloured(style: TextStyle, is_background: bool, colour: Colour | None) -> TextStyle:
    return replace(style, background=colour) if is_background else replace(style, foreground=colour)


def _extended(codes: list[int]) -> tuple[Colour | None, int]:
    """A colour of 256 or of all, and how many codes it took."""
    if codes[:1] == [5] and len(codes) > 1:
        return _of_256(codes[1]), 2
    if codes[:1] == [2] and len(codes) > 3:
        red, green, blue = (min(255, code) for code in codes[1:4])
        return f"#{red:02x}{green:02x}{blue:02x}", 4
    return None, len(codes)


def _of_256(code: int) -> Colour | None:
    if code < 16:
        return code
    if code > 255:
        return None
    if code >= 232:
        grey = 8 + 10 * (code - 232)
        return f"#{grey:02x}{grey:02x}{grey:02x}"
    red, rest = divmod(code - 16, 36)
    green, blue = divmod(rest, 6)
    return f"#{_LEVELS[red]:02x}{_LEVELS[green]:02x}{_LEVELS[blue]:02x}"
