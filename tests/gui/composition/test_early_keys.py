"""Keys pressed before the file of `starloom console FILE` is read act on no other document, and say why."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.test_last_tabs import titles, written
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom_gui.documents.files import read

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from tests.gui.composition.conftest import Desktop

    from starloom_gui.documents.document import Loaded


def test_start_before_the_file_is_read_starts_nothing_and_says_so(
    desktop: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, wanted, may_go = written(tmp_path, "old"), written(tmp_path, "wanted"), threading.Event()

    def slowly(path: Path) -> Loaded:
        assert may_go.wait(60)
        return read(path)

    async def main() -> None:
        async with desktop.console() as console:
            console.files.opening.open(old)
            await console.files.opening.settled()
            console.files.last_tabs.begin()
            await console.files.last_tabs.settled()
        async with desktop.console() as console:
            monkeypatch.setattr(console.files.opening, "_reads", slowly)
            console.files.begin([str(wanted)])
            await until(lambda: console.files.opening.background_tasks)
            QTest.keyClick(console.window, Qt.Key.Key_F5)
            shown = console.strip.shown
            assert shown is not None
            assert shown.reason == "wanted.yaml is still being opened. Press the key again once it is there."
            may_go.set()
            await console.files.last_tabs.settled()
            await at_rest(console)
            assert titles(console) == ["old", "wanted"]
            assert console.documents.front is not None
            assert console.documents.front.title == "wanted"
            assert not list(orchestrator_of(console).runs)
            QTest.keyClick(console.window, Qt.Key.Key_F5)
            await until(lambda: orchestrator_of(console).runs or QApplication.activeModalWidget())
            assert all(run.title == "wanted" for run in console.documents.runs)

    desktop.run(main)
