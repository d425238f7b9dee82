"""Where strips lie: over the top of a widget, as wide as that and as high as their texts need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.theme.metrics import GAPS, STRIP

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def lie_over(strip: QWidget, over: QWidget) -> None:
    """Give a strip its place over another widget, of which it covers at most half.

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
    strip.setGeometry(0, 0, width, max(STRIP, min(high, over.height() // 2)))
