"""Pausing a feed while its view is hidden, by the view's own show and hide events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from starloom_gui.gateway.feed import Feed


class Watch(QObject):
    """Calls `tell` with whether a widget can be seen, at once and whenever that changes. It ends with the widget."""

    def __init__(self, widget: QWidget, tell: Callable[[bool], None]) -> None:
        super().__init__(widget)
        self._widget, self._tell = widget, tell
        widget.installEventFilter(self)
        tell(widget.isVisible())

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._widget and event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self._tell(event.type() == QEvent.Type.Show)
        return False


def feed_while_seen(widget: QWidget, feed: Feed) -> Feed:
    """Let a feed notify a view only while that is visible."""
    Watch(widget, feed.set_shown)
    return feed
