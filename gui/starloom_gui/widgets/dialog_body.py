"""The fields of a dialog: they scroll where the screen has less room than they need, so that its buttons stay on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QVBoxLayout, QWidget
from shiboken6 import isValid
from typing_extensions import override

from starloom_gui.theme.metrics import CONTROL

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QLayoutItem

_LEAST: Final = 3 * CONTROL
"""Pixels of height that the fields have on any screen."""
_AROUND: Final = CONTROL
"""Pixels above and below a field that are in sight with it, such as its help or its error."""


class DialogBody(QScrollArea):
    """The room for the fields of a dialog. As long as they have the height they need, it adds nothing to them.

    Args:
        most: gives the height that there is for them, in logical pixels.

    Attributes:
        ground: what scrolls.
        column: where the fields go.
    """

    def __init__(self, most: Callable[[], int]) -> None:
        super().__init__()
        self._most = most
        self.setObjectName("body")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the fields have the focus, and are scrolled into view with it
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.ground = QWidget()
        self.column = _Column(self.ground, self)
        self.setWidget(self.ground)
        self.ground.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow_focus)

    # ---- its size: that of the fields, as if they stood in the dialog's own layout

    @override
    def hasHeightForWidth(self) -> bool:
        return self.column.hasHeightForWidth()

    @override
    def heightForWidth(self, width: int) -> int:
        return self._within(self.column.heightForWidth(width))

    @override
    def sizeHint(self) -> QSize:
        hint = self.column.sizeHint()
        return QSize(hint.width(), self._within(hint.height()))

    @override
    def minimumSizeHint(self) -> QSize:
        least = self.column.minimumSize()
        return QSize(least.width(), self._within(least.height()))

    def _within(self, height: int) -> int:
        """The height that the fields get of the one that they need."""
        return min(height, max(_LEAST, self._most()))

    def scroll_if_needed(self) -> None:
        """Show a scroll bar where the fields need more than they have; to be called when either has changed."""
        is_short = height_of(self.column, self.width()) > self.height()
        shows = Qt.ScrollBarPolicy.ScrollBarAsNeeded if is_short else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        if shows is not self.verticalScrollBarPolicy():
            self.setVerticalScrollBarPolicy(shows)

    def _follow_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now is not None and isValid(self) and self.ground.isAncestorOf(now):
            self.ensureWidgetVisible(now, 0, _AROUND)


def height_of(item: QLayoutItem, width: int) -> int:
    """The height that something in a layout wants at a width."""
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()


class _Column(QVBoxLayout):
    """The layout of the fields; tells the dialog's at once when they need another size."""

    def __init__(self, ground: QWidget, body: DialogBody) -> None:
        super().__init__(ground)
        self._body = body

    @override
    def invalidate(self) -> None:
        super().invalidate()
        body = getattr(self, "_body", None)  # Qt calls this before there is one, and after it has gone
        if body is not None and isValid(body):
            body.updateGeometry()
