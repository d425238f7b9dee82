"""What a console wrote in November 2026 is taken up for ever: its settings and where its panes were."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from tests.gui.shell.conftest import furnished

from starloom_gui.settings import RecentFile, Settings
from starloom_gui.shell.main_window import MainWindow
from starloom_gui.shell.perspectives import DockKey
from starloom_gui.theme.appearance import Appearance, Theme

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.widgets.actions import Actions

GOLDEN = Path(__file__).with_name("golden") / "console.ini"


def test_settings_that_were_written_then_are_read(store: Path):
    shutil.copy(GOLDEN, store)
    settings = Settings(store)
    assert (settings.theme, settings.language) == (Theme.DARK, "de")
    assert settings.reduced_motion
    assert settings.shows_utc
    assert not settings.snaps
    assert not settings.tells_desktop
    assert settings.hidden_notices == ("task_failed", "device_lost")
    build = RecentFile(
        path="/plans/build.yaml", tasks=12, state="completed", failed=1, at=1.76e9, name="build", run_id="r1"
    )
    assert settings.recent == (RecentFile(path="/plans/tests.yaml"), build)
    assert (settings.fleet_file, settings.export_folder, settings.export_format) == (
        "/plans/fleet.yaml",
        "/reports",
        "pdf",
    )
    assert settings.looked_at == ("d1", "d2")
    assert settings.declined_runs == ("r7", "r8")


def test_a_layout_that_was_saved_then_comes_back(
    app: QApplication, actions: Actions, appearance: Appearance, store: Path
):
    shutil.copy(GOLDEN, store)
    window = MainWindow(actions, appearance, Settings(store), furnished())
    window.show()
    window.show_workbench()
    app.processEvents()
    window.restore_layout()
    app.processEvents()
    docks = window.workbench.docks
    assert {key: docks[key].keys for key in DockKey} == {
        DockKey.OUTLINE: ("outline", "palette"),
        DockKey.DEVICES: ("devices",),
        DockKey.INSPECTOR: ("inspector", "changes", "yaml", "events"),
        DockKey.BOTTOM: ("timeline", "output", "tasks", "plots", "grid", "agents"),
        DockKey.BESIDE: ("queue",),
    }
    assert [docks[key].front for key in DockKey] == ["palette", "devices", "changes", "tasks", "queue"]
    assert all(docks[key].isVisible() for key in DockKey)
