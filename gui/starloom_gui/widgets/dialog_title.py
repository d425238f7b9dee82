"""The title of a dialog: whole on one line or two; a very long name within it is elided, and not what is said of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QTextLayout, QTextOption
from PySide6.QtWidgets import QLabel, QSizePolicy
from typing_extensions import override

from starloom_gui.text.words import straight, tip
from starloom_gui.theme.fonts import Role, font

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QFont, QPaintEvent

_LINES: Final = 2
_NAME: Final = re.compile("[“„](.+)[”“]", re.DOTALL)


class DialogTitle(QLabel):
    """A label that is as wide as its text where there is room, and else wraps onto a second line.

    Args:
        height: of one line with the room around it, in logical pixels.
        most: the width that it asks for at most.
    """

    def __init__(self, height: int, most: int) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(font(Role.TITLE))
        self.setMinimumSize(1, height)
        self.setMaximumWidth(most)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def shown(self) -> str:
        """What is read of the text at the present width."""
        return self._within(self.contentsRect().width())

    def _within(self, width: int) -> str:
        return shortened(straight(self.text()), lambda text: _lines(text, self.font(), width) <= _LINES)

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        more = _lines(self._within(width), self.font(), width) - 1
        return self.minimumHeight() + more * QFontMetrics(self.font()).lineSpacing()

    @override
    def sizeHint(self) -> QSize:
        wide = QFontMetrics(self.font()).horizontalAdvance(straight(self.text())) + 2
        return QSize(min(wide, self.maximumWidth()), self.minimumHeight())

    @override
    def minimumSizeHint(self) -> QSize:
        return self.minimumSize()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.shown
        self.setToolTip(tip(self.text()) if shown != straight(self.text()) else "")
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(QRectF(self.contentsRect()), shown, _option())
        painter.end()


def _option() -> QTextOption:
    option = QTextOption(Qt.AlignmentFlag.AlignVCenter)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    return option


def _lines(text: str, face: QFont, width: int) -> int:
    """The number of lines that a text takes; more than are shown are not counted."""
    layout, count = QTextLayout(text, face), 0
    layout.setTextOption(_option())
    layout.beginLayout()
    while count <= _LINES and (line := layout.createLine()).isValid():
        line.setLineWidth(max(1, width))
        count += 1
    layout.endLayout()
    return max(1, count)


def shortened(title: str, fits: Callable[[str], bool]) -> str:
    """The title, or the same with the middle of the name in it left out; without a name with its own middle left out.

    Args:
        title: what a dialog is for; a name in it stands in quotation marks.
        fits: tells whether a text has room.
    """
    if fits(title):
        return title
    found = _NAME.search(title)
    before, name, after = (title[: found.start(1)], found[1], title[found.end(1) :]) if found else ("", title, "")
    least, most = 0, len(name)  # characters of the name that are kept
    while least < most:
        kept = (least + most + 1) // 2
        if fits(f"{before}{_kept(name, kept)}{after}"):
            least = kept
        else:
            most = kept - 1
    return f"{before}{_kept(name, least)}{after}"


def _kept(name: str, count: int) -> str:
    end = count // 2
    return f"{name[: count - end]}…{name[len(name) - end :]}"
