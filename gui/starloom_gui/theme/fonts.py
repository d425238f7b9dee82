"""The fonts of the console: five roles of the system's font and one of a monospaced font."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF

from starloom_gui.text.words import straight
from starloom_gui.theme.metrics import BASE_FONT, SMALLEST_FONT


class Role(StrEnum):
    """The roles of texts, each with a font of its own."""

    TITLE = "title"
    SECTION = "section"
    BODY = "body"
    SMALL = "small"
    MONOSPACE = "monospace"


_STEPS = {Role.TITLE: 5, Role.SECTION: 0, Role.BODY: 0, Role.SMALL: -1, Role.MONOSPACE: 0}


def font(role: Role = Role.BODY, *, scale: float = 1.0, base: int = BASE_FONT, family: str = "") -> QFont:
    """The font of a role; its digits have one width and it is never smaller than 11 pixels.

    Args:
        role: what the text is for.
        scale: how much larger than at 100 %; smaller ones end at 11 pixels.
        base: the size of the body in logical pixels.
        family: another family than the system's.
    """
    made = QFontDatabase.systemFont(_system(role))
    if family:
        made.setFamily(family)
    made.setPixelSize(max(SMALLEST_FONT, round((base + _STEPS[role]) * scale)))
    if role in (Role.TITLE, Role.SECTION):
        made.setWeight(QFont.Weight.DemiBold)
    made.setFeature(QFont.Tag("tnum"), 1)
    return made


def _system(role: Role) -> QFontDatabase.SystemFont:
    fixed = role is Role.MONOSPACE
    return QFontDatabase.SystemFont.FixedFont if fixed else QFontDatabase.SystemFont.GeneralFont


_AT_END: Final = re.compile("[ ]([\\d.,–\u202f\u00a0-]*\\d)$")
"""A number, or a range of numbers, behind a space at the end of a text."""


def elided(
    text: str, metrics: QFontMetricsF, width: float, where: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle
) -> str:
    """The text elided to a width, without characters that change the direction of the text beside it.

    In the middle no number is cut at which the text ends: of "Levels 14–19" an end "4–19" would be other levels.

    Args:
        text: one line.
        metrics: of the font it is drawn in.
        width: logical pixels.
        where: which part is left out.
    """
    whole = straight(text)
    shown = metrics.elidedText(whole, where, width)
    if where is Qt.TextElideMode.ElideMiddle and shown != whole and (number := _AT_END.search(whole)) is not None:
        head, end = whole[: number.start()], f" {number[1]}"
        room = width - metrics.horizontalAdvance(end)
        if room >= metrics.horizontalAdvance("…"):
            return metrics.elidedText(head, Qt.TextElideMode.ElideRight, room) + end
    return shown
