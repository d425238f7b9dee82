"""The theme of tests that check pictures, and a fixture that closes their windows."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QListView

from starloom_gui.theme.appearance import Appearance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Theme


@contextmanager
def looks(app: QApplication, theme: Theme) -> Iterator[Appearance]:
    """A theme without animations; afterwards every window is closed and deleted."""
    yield Appearance(app, theme, reduced_motion=True)
    for widget in app.topLevelWidgets():
        widget.close()
        if not isinstance(widget, QListView):  # the list of a completer, which deletes it without looking
            widget.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
