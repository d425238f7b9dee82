"""The icons of actions on a grid of 20, one shape for each action, in the colours of the palette."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap

from starloom_gui.theme.drawings import Drawing
from starloom_gui.theme.forms import glyph_of, ink_of
from starloom_gui.theme.metrics import ICON_GRID, ICON_SIZES, ICON_STROKE
from starloom_gui.theme.palette import blended, colour

if TYPE_CHECKING:
    from starloom_gui.theme.palette import Palette

_RATIOS: Final = (1.0, 1.5, 2.0, 3.0)
_MARGIN: Final = 0.125
"""Of an icon's side, at each side of a glyph, which fills its box where other icons do not."""


class Icon(StrEnum):
    """The icons, named by their meaning."""

    START = "start"
    PAUSE = "pause"
    CANCEL = "cancel"
    RETRY = "retry"
    UNDO = "undo"
    REDO = "redo"
    CRITICAL_PATH = "critical_path"
    FILTER = "filter"
    SEARCH = "search"
    NEXT = "next"
    PREVIOUS = "previous"
    FIT = "fit"
    ZOOM_IN = "zoom_in"
    ZOOM_OUT = "zoom_out"
    ADD = "add"
    REMOVE = "remove"
    CLOSE = "close"
    MORE = "more"
    HOLD = "hold"
    RELEASE = "release"
    SKIP = "skip"
    BREAKPOINT = "breakpoint"
    NO_BREAKPOINT = "no_breakpoint"
    BYPASS = "bypass"
    NO_BYPASS = "no_bypass"
    UNTIL = "until"
    RUN_ALL = "run_all"
    STEP = "step"
    PIN = "pin"
    UNPIN = "unpin"
    HIGHEST = "highest"
    DRAIN = "drain"
    RESUME = "resume"
    ENABLE = "enable"
    DISABLE = "disable"
    RERUN = "rerun"
    MARK_DONE = "mark_done"
    RAISE = "raise"
    LOWER = "lower"
    EDIT = "edit"
    COPY = "copy"
    SAVE = "save"
    OPEN = "open"
    FILE = "file"
    RUN = "run"
    DEVICE = "device"
    LIVE = "live"
    SETTINGS = "settings"
    HELP = "help"
    WRAP = "wrap"
    TIMES = "times"
    COLLAPSED = "collapsed"
    EXPANDED = "expanded"
    WARNING = "warning"
    COMMAND = "command"
    SHELL = "shell"
    PYTHON = "python"
    CALL = "call"
    PROMPT = "prompt"
    SIMULATE = "simulate"
    MILESTONE = "milestone"
    ANY = "any"
    GATE = "gate"
    TEMPLATE = "template"
    STEP_BACK = "step_back"
    STEP_FORTH = "step_forth"
    TO_BEGIN = "to_begin"
    TO_END = "to_end"
    AGENT = "agent"
    ACCEPT = "accept"
    REJECT = "reject"
    COMPARE = "compare"
    LINKED = "linked"
    OUTLINE = "outline"
    KEY = "key"
    KEY_BACK = "key_back"
    KEY_BROKEN = "key_broken"


_BARS: Final = "M 7 4.5 L 7 15.5 M 13 4.5 L 13 15.5"
_ARROW_AROUND: Final = "A 10 10.5 5.5 60 -300 M 12.75 2.5 L 12.75 6 L 9.25 6"
_PIN: Final = "M 7 3.5 L 13 3.5 M 8 3.5 L 8 8.5 L 5.5 12 L 14.5 12 L 12 8.5 L 12 3.5 M 10 12 L 10 17"
_OCTAGON: Final = "M 7.3 3.5 L 12.7 3.5 L 16.5 7.3 L 16.5 12.7 L 12.7 16.5 L 7.3 16.5 L 3.5 12.7 L 3.5 7.3 Z"
_CIRCLE: Final = "O 10 10 6.5"
_PAST: Final = "M 3 13.5 L 3 9 C 3 4 16 4 16 9 L 16 13 M 13 10.25 L 16 13.5 L 19 10.25 R 7 10.5 5 5 1"
_KEY: Final = "O 6.75 13.25 3.25 M 9.05 10.95 L 16.25 3.75 M 12.25 7.75 L 14.75 10.25 M 14.75 5.25 L 16.75 7.25"
_KEY_BROKEN: Final = (
    "O 6 14 3 M 8.15 11.85 L 9.5 10.5 M 12 8 L 16.5 3.5 M 14.5 5.5 L 16.5 7.5 M 8.5 7.5 L 7 6 M 12.5 11.5 L 14 13"
)
LINES: Final[dict[Icon, str]] = {
    Icon.START: "M 6 4 L 16 10 L 6 16 Z",
    Icon.PAUSE: _BARS,
    Icon.CANCEL: "R 4.5 4.5 11 11 1",
    Icon.RETRY: _ARROW_AROUND,
    Icon.UNDO: "M 7.5 4 L 4 7.5 L 7.5 11 M 4 7.5 L 12 7.5 C 17.5 7.5 17.5 15.5 12 15.5 L 8 15.5",
    Icon.REDO: "M 12.5 4 L 16 7.5 L 12.5 11 M 16 7.5 L 8 7.5 C 2.5 7.5 2.5 15.5 8 15.5 L 12 15.5",
    Icon.CRITICAL_PATH: "O 4.5 14.5 2 O 15.5 5.5 2 M 6.5 14.5 L 9 14.5 L 11 5.5 L 13.5 5.5",
    Icon.FILTER: "M 3.5 4.5 L 16.5 4.5 L 11.75 10.5 L 11.75 16 L 8.25 14 L 8.25 10.5 Z",
    Icon.SEARCH: "O 8.5 8.5 5 M 12.25 12.25 L 16.5 16.5",
    Icon.NEXT: "M 5 7.5 L 10 12.5 L 15 7.5",
    Icon.PREVIOUS: "M 5 12.5 L 10 7.5 L 15 12.5",
    Icon.FIT: "M 4 8 L 4 4 L 8 4 M 12 4 L 16 4 L 16 8 M 16 12 L 16 16 L 12 16 M 8 16 L 4 16 L 4 12",
    Icon.ZOOM_IN: "M 10 4.5 L 10 15.5 M 4.5 10 L 15.5 10",
    Icon.ZOOM_OUT: "M 4.5 10 L 15.5 10",
    Icon.ADD: "R 3.5 3.5 13 13 2 M 10 6.5 L 10 13.5 M 6.5 10 L 13.5 10",
    Icon.REMOVE: "R 3.5 3.5 13 13 2 M 6.5 10 L 13.5 10",
    Icon.CLOSE: "M 5.5 5.5 L 14.5 14.5 M 14.5 5.5 L 5.5 14.5",
    Icon.HOLD: "M 5.5 17 L 5.5 3.5 M 5.5 4 L 15.5 4 L 13 7.5 L 15.5 11 L 5.5 11",
    Icon.RELEASE: "M 5.5 17 L 5.5 11 M 5.5 8 L 5.5 3.5 M 8 4 L 15.5 4 L 13 7.5 L 15.5 11 L 10 11 M 3 15 L 16 3",
    Icon.SKIP: "M 4.5 5 L 9.5 10 L 4.5 15 M 10.5 5 L 15.5 10 L 10.5 15",
    Icon.BREAKPOINT: _OCTAGON,
    Icon.NO_BREAKPOINT: _OCTAGON + " M 7 7 L 13 13 M 13 7 L 7 13",
    Icon.BYPASS: _PAST,
    Icon.NO_BYPASS: _PAST + " M 3.5 4.5 L 16.5 15.5",
    Icon.UNTIL: "M 3 10 L 12.5 10 M 9 6.5 L 12.5 10 L 9 13.5 M 16 4.5 L 16 15.5",
    Icon.RUN_ALL: "M 4 5 L 10 10 L 4 15 Z M 10.5 5 L 16.5 10 L 10.5 15 Z",
    Icon.STEP: "M 3.5 10 C 4 3.5 13 3.5 15 9.5 M 11 9 L 15 9.75 L 16.5 6 O 10 14 2",
    Icon.PIN: _PIN,
    Icon.UNPIN: _PIN + " M 3.5 4.5 L 16.5 15.5",
    Icon.HIGHEST: "M 4.5 4 L 15.5 4 M 10 16.5 L 10 7.5 M 6 11 L 10 7 L 14 11",
    Icon.DRAIN: "M 10 3.5 L 10 11.5 M 6.5 8.5 L 10 12 L 13.5 8.5 M 3.5 12.5 L 3.5 16.5 L 16.5 16.5 L 16.5 12.5",
    Icon.RESUME: "M 4.5 4.5 L 4.5 15.5 M 8.5 4.5 L 16 10 L 8.5 15.5 Z",
    Icon.ENABLE: "A 10 10.5 6 125 290 M 10 3.5 L 10 10",
    Icon.DISABLE: _CIRCLE + " M 5.5 14.5 L 14.5 5.5",
    Icon.RERUN: _ARROW_AROUND + " M 8.5 8.5 L 12 10.75 L 8.5 13 Z",
    Icon.MARK_DONE: _CIRCLE + " M 7 10.25 L 9.25 12.5 L 13.25 7.75",
    Icon.RAISE: "M 5 9.5 L 10 4.5 L 15 9.5 M 5 15.5 L 10 10.5 L 15 15.5",
    Icon.LOWER: "M 5 4.5 L 10 9.5 L 15 4.5 M 5 10.5 L 10 15.5 L 15 10.5",
    Icon.EDIT: "M 4 16 L 4.75 12.5 L 13.5 3.75 L 16.25 6.5 L 7.5 15.25 Z M 11.5 5.75 L 14.25 8.5",
    Icon.COPY: "R 7 7 9.5 9.5 1.5 M 4.5 13 L 3.5 13 L 3.5 3.5 L 13 3.5 L 13 4.5",
    Icon.SAVE: "M 10 3.5 L 10 12 M 6.5 8.5 L 10 12 L 13.5 8.5 M 4 16 L 16 16",
    Icon.OPEN: "M 3.5 15.5 L 3.5 4.5 L 8 4.5 L 9.75 6.5 L 16.5 6.5 L 16.5 15.5 Z",
    Icon.FILE: "M 5 3 L 11.5 3 L 15 6.5 L 15 17 L 5 17 Z M 11.5 3 L 11.5 6.5 L 15 6.5",
    Icon.RUN: "M 6 4 L 16 10 L 6 16 Z",
    Icon.DEVICE: "R 3.5 4 13 9 1.5 M 10 13 L 10 16.5 M 6.5 16.5 L 13.5 16.5",
    Icon.SETTINGS: "M 3.5 6 L 16.5 6 M 3.5 14 L 16.5 14 O 7 6 2 O 13 14 2",
    Icon.HELP: _CIRCLE + " A 10 8.5 2 200 -230 C 11.5 10 10 10 10 11.5 M 10 13.75 L 10 13.8",
    Icon.WRAP: "M 3.5 5 L 16.5 5 M 3.5 10 L 14 10 C 17.5 10 17.5 15 14 15 L 10 15 M 12 13 L 10 15 L 12 17",
    Icon.TIMES: _CIRCLE + " M 10 6 L 10 10.25 L 12.75 12",
    Icon.COLLAPSED: "M 7.5 5 L 12.5 10 L 7.5 15",
    Icon.EXPANDED: "M 5 7.5 L 10 12.5 L 15 7.5",
    Icon.WARNING: "M 10 3.5 L 17 16 L 3 16 Z M 10 8 L 10 11.5 M 10 13.75 L 10 13.8",
    Icon.COMMAND: "R 3.5 4.5 13 11 1.5 M 3.5 8 L 16.5 8",
    Icon.SHELL: "M 4.5 5.5 L 8.5 9.5 L 4.5 13.5 M 10 14.5 L 16 14.5",
    Icon.PYTHON: "M 8 4 C 4.5 4 8 9.5 4 10 C 8 10.5 4.5 16 8 16 M 12 4 C 15.5 4 12 9.5 16 10 C 12 10.5 15.5 16 12 16",
    Icon.CALL: "M 7 4 C 3.5 7 3.5 13 7 16 M 13 4 C 16.5 7 16.5 13 13 16 O 10 10 1.25",
    Icon.PROMPT: "M 3.5 4.5 L 16.5 4.5 L 16.5 13 L 9.5 13 L 6 16 L 6 13 L 3.5 13 Z",
    Icon.SIMULATE: "M 5 4 L 15 4 M 5 16 L 15 16 M 6.5 4 L 13.5 16 M 13.5 4 L 6.5 16",
    Icon.MILESTONE: "M 10 3.5 L 16.5 10 L 10 16.5 L 3.5 10 Z",
    Icon.ANY: "M 3.5 5 L 7.5 5 L 12 10 L 16.5 10 M 3.5 15 L 7.5 15 L 9.75 12.5 M 14 7.5 L 16.5 10 L 14 12.5",
    Icon.AGENT: "R 4 7 12 9 2 M 10 7 L 10 3.5 M 7.5 10.5 L 7.5 12.5 M 12.5 10.5 L 12.5 12.5",
    Icon.ACCEPT: "M 4 10.5 L 8 14.5 L 16 5.5",
    Icon.COMPARE: "R 3.5 4 9.5 4.5 1 R 7 11.5 9.5 4.5 1",
    Icon.LINKED: "R 2.5 6.5 9 7 3.5 R 8.5 6.5 9 7 3.5",
    Icon.OUTLINE: "M 3.5 5 L 9.5 5 M 6.5 10 L 16.5 10 M 6.5 15 L 16.5 15 M 4 8 L 4 15.5",
    Icon.KEY: _KEY,
    Icon.KEY_BACK: _KEY + " M 3.5 4.5 L 16.5 15.5",
    Icon.KEY_BROKEN: _KEY_BROKEN,
    Icon.REJECT: "M 5 5 L 15 15 M 15 5 L 5 15",
    Icon.GATE: "M 4.5 4 L 4.5 16 M 15.5 4 L 15.5 16 M 4.5 8 L 15.5 8 M 4.5 12.5 L 15.5 12.5",
    Icon.TEMPLATE: "M 5.5 3.5 L 14.5 3.5 L 14.5 16.5 L 10 13 L 5.5 16.5 Z",
    Icon.STEP_BACK: "M 6 4.5 L 6 15.5 M 15 4.5 L 9 10 L 15 15.5",
    Icon.STEP_FORTH: "M 14 4.5 L 14 15.5 M 5 4.5 L 11 10 L 5 15.5",
    Icon.TO_BEGIN: "M 4 4.5 L 4 15.5 M 10.5 4.5 L 5.5 10 L 10.5 15.5 M 16.5 4.5 L 11.5 10 L 16.5 15.5",
    Icon.TO_END: "M 16 4.5 L 16 15.5 M 9.5 4.5 L 14.5 10 L 9.5 15.5 M 3.5 4.5 L 8.5 10 L 3.5 15.5",
}
FILLED: Final[dict[Icon, str]] = {
    Icon.MORE: "O 4.5 10 1.5 O 10 10 1.5 O 15.5 10 1.5",
    Icon.LIVE: "O 10 10 4",
}


def drawing(verb: Icon) -> Drawing:
    """The drawing of a verb."""
    return Drawing(LINES.get(verb, ""), FILLED.get(verb, ""), ICON_STROKE, ICON_GRID)


def pixmap(verb: Icon, ink: str, size: int, ratio: float = 1.0) -> QPixmap:
    """A verb's icon in one colour.

    Args:
        verb: what it stands for.
        ink: `#rrggbb`.
        size: width and height in logical pixels.
        ratio: device pixels for each of these.
    """
    return _pixmap(drawing(verb), QRectF(0, 0, size, size), ink, size, ratio)


def _pixmap(shape: Drawing, place: QRectF, ink: str, size: int, ratio: float) -> QPixmap:
    """A drawing at a place of a pixmap of this size."""
    made = QPixmap(round(size * ratio), round(size * ratio))
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    shape.paint(painter, place, colour(ink))
    painter.end()
    return made


def icon(verb: Icon, palette: Palette, ink: str | None = None) -> QIcon:
    """A verb's icon for buttons and menus: in the text colour, faint where it is disabled.

    Args:
        verb: what it stands for.
        palette: the theme; make the icon anew when it changes.
        ink: another colour than the text's.
    """
    usual = ink or palette.text
    return _drawn(verb, usual, blended(usual, palette.window, 0.4))


@cache
def _drawn(verb: Icon, usual: str, faint: str) -> QIcon:
    """An icon in these colours, drawn once for all buttons and menus of all documents."""
    made = QIcon()
    for size in ICON_SIZES:
        for ratio in _RATIOS:
            made.addPixmap(pixmap(verb, usual, size, ratio), QIcon.Mode.Normal)
            made.addPixmap(pixmap(verb, faint, size, ratio), QIcon.Mode.Disabled)
    return made


def glyph_icon(form: int, palette: Palette) -> QIcon:
    """The glyph of a status form as an icon, in the colour of its status."""
    return _drawn_glyph(form, ink_of(form, palette).text)


@cache
def _drawn_glyph(form: int, ink: str) -> QIcon:
    made = QIcon()
    for size in ICON_SIZES:
        place = QRectF(size * _MARGIN, size * _MARGIN, size * (1 - 2 * _MARGIN), size * (1 - 2 * _MARGIN))
        for ratio in _RATIOS:
            made.addPixmap(_pixmap(glyph_of(form), place, ink, size, ratio))
    return made
