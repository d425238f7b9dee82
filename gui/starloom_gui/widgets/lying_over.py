"""Places strips over the top of a widget, as wide as it is, and as high as their texts need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QFrame, QWidget
from shiboken6 import isValid

from starloom_gui.theme.metrics import GAPS, STRIP

if TYPE_CHECKING:
    from collections.abc import Iterable

STAGED: Final = "staged"
"""The name of the strip of staged edits: its buttons are what other strips ask for, so they lie below it."""
MESSAGE, BANNER, PROGRESS = "strip", "banner", "pane"
"""The names of the bar of messages, of banners, and of what tells of something that goes on or is done."""
_BELOW_MESSAGES: Final = (BANNER, PROGRESS)
"""What is still to be read, and can be cancelled, while there is a message."""
_LYING: Final[WeakKeyDictionary[QWidget, QWidget]] = WeakKeyDictionary()
"""Over what each strip lies."""


def lie_over(strip: QWidget, over: QWidget) -> None:
    """Place a strip over the top of a widget, at most half as high as it, below a strip of staged edits.

    Args:
        strip: its layout says how high it has to be; one line has the usual height.
        over: its parent.
    """
    layout, width = strip.layout(), over.width()
    assert layout is not None
    layout.invalidate()
    high = STRIP
    if layout.hasHeightForWidth() and (wanted := layout.heightForWidth(width)) > STRIP - GAPS[1]:
        high = max(STRIP, wanted + GAPS[1])
    _LYING[strip] = over
    above: list[QWidget] = [one for one in over.findChildren(QFrame, STAGED) if one.isVisible()]
    high = max(STRIP, min(high, over.height() // 2))
    if strip.objectName() in _BELOW_MESSAGES:
        place = QRect(0, _end_of(above, over), width, high)
        above += [one for one in _LYING if isValid(one) and one.objectName() == MESSAGE and _lies_on(one, over, place)]
    strip.setGeometry(0, _end_of(above, over), width, high)


def _end_of(strips: Iterable[QWidget], over: QWidget) -> int:
    """How far down strips reach over a widget."""
    ends = (over.mapFromGlobal(one.mapToGlobal(QPoint(0, one.height()))).y() for one in strips)
    return max(0, max(ends, default=0))


def _lies_on(strip: QWidget, over: QWidget, place: QRect) -> bool:
    """Whether a strip over another widget covers a part of a place on this one."""
    box = QRect(over.mapFromGlobal(strip.mapToGlobal(QPoint())), strip.size())
    return strip.isVisible() and strip.window() is over.window() and place.intersects(box)


def lie_again() -> None:
    """Place all strips again, as one of them was shown or hidden."""
    for strip, over in list(_LYING.items()):
        if isValid(strip) and isValid(over):
            lie_over(strip, over)
