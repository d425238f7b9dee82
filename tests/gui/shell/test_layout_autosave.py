"""A console that is killed comes back as it was when another program was turned to, or half a minute before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from tests.gui.shell.conftest import furnished

from starloom_gui.settings import Settings
from starloom_gui.shell.layout_autosave import LayoutAutosave
from starloom_gui.shell.main_window import MainWindow

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.actions import Actions


def test_the_layout_is_on_disk_before_the_console_is_closed(
    app: QApplication, actions: Actions, appearance: Appearance, store: Path
):
    settings = Settings(store)
    window = MainWindow(actions, appearance, settings, furnished())
    window.show()
    window.show_workbench()
    app.processEvents()
    autosave = LayoutAutosave(window)
    autosave.begin()
    autosave.turn(Qt.ApplicationState.ApplicationActive)
    window.resize(1111, 777)
    window.workbench.turn_to("events")
    app.processEvents()
    autosave.turn(Qt.ApplicationState.ApplicationInactive)
    app.processEvents()  # in which Qt writes settings that have changed
    written = store.read_bytes()
    again = MainWindow(actions, appearance, Settings(store), furnished())
    again.show_workbench()
    assert again.restore_layout()
    assert Settings(store).blob("window") == window.saveGeometry()
    assert "events" in {dock.front for dock in again.workbench.docks.values()}
    autosave.turn(Qt.ApplicationState.ApplicationActive)
    autosave.turn(Qt.ApplicationState.ApplicationInactive)
    app.processEvents()
    assert store.read_bytes() == written, "nothing has changed"
    window.close()
    autosave.turn(Qt.ApplicationState.ApplicationInactive)
