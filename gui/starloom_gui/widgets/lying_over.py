"""Places strips over the top of a widget, as wide as it is, and as high as their texts need."""

from __future__ import annotations

from typing import Final
from weakref import WeakKeyDictionary

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QFrame, QWidget
from shiboken6 import isValid

from starloom_gui.theme.metrics import GAPS, STRIP

STAGED: Final = "staged"
"""The name of the strip of staged edits: its buttons are what other strips ask for, so they lie below it."""
MESSAGE, BANNER = "strip", "banner"
"""The names of the bar of messages and of banners: a banner says what is shown, and is read below a message."""
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
    if strip.objectName() == BANNER:
        above += [one for one in _LYING if isValid(one) and one.objectName() == MESSAGE and _lies_on(one, over)]
    top = max((over.mapFromGlobal(one.mapToGlobal(QPoint(0, one.height()))).y() for one in above), default=0)
    strip.setGeometry(0, max(0, top), width, max(STRIP, min(high, over.height() // 2)))


def _lies_on(strip: QWidget, over: QWidget) -> bool:
    """Whether a strip over another widget covers a part of this one."""
    box = QRect(over.mapFromGlobal(strip.mapToGlobal(QPoint())), strip.size())
    return strip.isVisible() and strip.window() is over.window() and over.rect().intersects(box)


def lie_again() -> None:
    """Place all strips again, as one of them was shown or hidden."""
    for strip, over in list(_LYING.items()):
        if isValid(strip) and isValid(over):
            lie_over(strip, over)
