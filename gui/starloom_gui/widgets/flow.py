"""A row of widgets that wraps into further lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QRect, QSize
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

_MOST: Final = 10_000


class Flow(QWidget):
    """A layout in lines that wrap: each widget has its preferred size, at most the whole line.

    No `QLayout` of our own: PySide takes a layout item of one that is gone for a new one at the same address.

    Args:
        gap: pixels between two widgets, and between two lines.
    """

    def __init__(self, gap: int) -> None:
        super().__init__()
        self._gap = gap
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, widget: QWidget) -> None:
        """Append a widget."""
        widget.setParent(self)
        widget.show()
        self.updateGeometry()

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        places = self._places(width)
        return places[-1].bottom() + 1 if places else 0

    @override
    def sizeHint(self) -> QSize:
        hints = [self._wanted(each) for each in self._shown()]
        wide = sum(hint.width() for hint in hints) + self._gap * max(0, len(hints) - 1)
        return QSize(wide, max((hint.height() for hint in hints), default=0))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(1, max((self._wanted(each).height() for each in self._shown()), default=0))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # a widget in it wants another size
            self.updateGeometry()
            self._place()
        return super().event(event)

    def _place(self) -> None:
        for each, place in zip(self._shown(), self._places(self.width()), strict=True):
            each.setGeometry(place)

    def _shown(self) -> list[QWidget]:
        return [each for each in self.children() if isinstance(each, QWidget) and not each.isHidden()]

    def _wanted(self, widget: QWidget) -> QSize:
        size = widget.sizeHint().expandedTo(widget.minimumSizeHint())
        return size.expandedTo(widget.minimumSize()).boundedTo(widget.maximumSize())

    def _places(self, width: int) -> list[QRect]:
        found: list[QRect] = []
        at = QPoint()
        for each in self._shown():
            size = self._wanted(each).boundedTo(QSize(max(1, width), _MOST))
            if at.x() and at.x() + size.width() > width:
                at = QPoint(0, found[-1].bottom() + 1 + self._gap)
            found.append(QRect(at, size))
            at = QPoint(at.x() + size.width() + self._gap, at.y())
        return found
