"""The tabs of a dock: where there is little room, long names give it up before short ones do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QTabBar
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Iterable


class PaneTabs(QTabBar):
    """The tabs of a dock; Qt would take as much from each of them, so that of eight names none was read whole."""

    @override
    def minimumTabSizeHint(self, index: int) -> QSize:
        wanted, least = self.tabSizeHint(index), super().minimumTabSizeHint(index)
        most = longest([self.tabSizeHint(at).width() for at in range(self.count())], self.width())
        return QSize(max(least.width(), min(wanted.width(), most)), least.height())

    @override
    def minimumSizeHint(self) -> QSize:
        least = (super(PaneTabs, self).minimumTabSizeHint(at).width() for at in range(self.count()))
        return QSize(sum(least), super().minimumSizeHint().height())


def longest(widths: Iterable[int], room: int) -> int:
    """The width that none may exceed, in pixels, so that all of them fit."""
    ascending = sorted(widths)
    left = room
    for at, wide in enumerate(ascending):
        share = left // (len(ascending) - at)
        if wide > share:
            return share
        left -= wide
    return ascending[-1] if ascending else 0
