"""What a change of the theme does to what is in a window: at once where it is seen, elsewhere when it is shown.

To set a style sheet has Qt polish and lay out all that is in the widget, seen or not: a window's took half a second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakMethod

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette


class Recolouring(QObject):
    """Has Qt read the application's palette anew for all that is in a window, which it omits under a style sheet.

    Args:
        window: its style sheet is the same in all themes, and takes its colours from the palette.
        appearance: tells of other themes.
    """

    def __init__(self, window: QWidget, appearance: Appearance) -> None:
        super().__init__(window)
        self._window = window
        appearance.changed.connect(self._recolour)

    def _recolour(self) -> None:
        hidden = []
        for widget in self._window.findChildren(QWidget):
            if widget.isVisible():
                _polish((widget,))
            elif widget.isHidden():  # by itself, and with it all that is in it
                hidden.append(widget)
        for widget in hidden:
            widget.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget):
            watched.removeEventFilter(self)
            _polish((watched, *watched.findChildren(QWidget)))
        return False


def _polish(widgets: Iterable[QWidget]) -> None:
    for widget in widgets:
        widget.style().polish(widget)
        widget.update()


class Restyling(QObject):
    """Has a widget style itself for the theme: now, and after each change.

    Args:
        widget: what is styled.
        appearance: tells of other themes.
        restyle: a method of the widget.
    """

    def __init__(self, widget: QWidget, appearance: Appearance, restyle: Callable[[Palette], None]) -> None:
        super().__init__(widget)
        self._widget, self._appearance, self._restyle = widget, appearance, WeakMethod(restyle)
        appearance.changed.connect(self._changed)
        restyle(appearance.palette)

    def _changed(self, palette: Palette) -> None:
        if not self._widget.isVisible():
            self._widget.installEventFilter(self)
        elif (restyle := self._restyle()) is not None:
            restyle(palette)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            watched.removeEventFilter(self)
            self._changed(self._appearance.palette)
        return False
