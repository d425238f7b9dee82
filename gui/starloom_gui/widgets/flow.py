"""A row of widgets that goes on in the next line where there is no room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout
from typing_extensions import override

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLayoutItem


class Flow(QLayout):
    """Each widget has the size it wants, or the whole line where that is less.

    Args:
        gap: pixels between two widgets, and between two lines.
    """

    def __init__(self, gap: int) -> None:
        super().__init__()
        self._gap = gap
        self._items: list[QLayoutItem] = []

    @override
    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    @override
    def count(self) -> int:
        return len(self._items)

    @override
    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    @override
    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    @override
    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        places = self._places(width)
        return places[-1].bottom() + 1 if places else 0

    @override
    def sizeHint(self) -> QSize:
        hints = [item.sizeHint() for item in self._items]
        wide = sum(hint.width() for hint in hints) + self._gap * max(0, len(hints) - 1)
        return QSize(wide, max((hint.height() for hint in hints), default=0))

    @override
    def minimumSize(self) -> QSize:
        return QSize(1, max((item.minimumSize().height() for item in self._items), default=0))

    @override
    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        for item, place in zip(self._items, self._places(rect.width()), strict=True):
            item.setGeometry(place.translated(rect.topLeft()))

    def _places(self, width: int) -> list[QRect]:
        found: list[QRect] = []
        at = QPoint()
        for item in self._items:
            size = item.sizeHint().boundedTo(QSize(max(1, width), 10_000))
            if at.x() and at.x() + size.width() > width:
                at = QPoint(0, found[-1].bottom() + 1 + self._gap)
            found.append(QRect(at, size))
            at = QPoint(at.x() + size.width() + self._gap, at.y())
        return found
