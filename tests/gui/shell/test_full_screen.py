"""The window takes the whole screen, and gives it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.widgets.actions import Actions


def test_the_window_takes_the_whole_screen_and_gives_it_back(app: QApplication, window: MainWindow, actions: Actions):
    before = window.size()
    actions["full_screen"].trigger()
    app.processEvents()
    assert window.isFullScreen()
    assert actions["full_screen"].isChecked()
    actions["full_screen"].trigger()
    app.processEvents()
    assert not window.isFullScreen()
    assert not actions["full_screen"].isChecked()
    assert window.size() == before
