"""Runs of the history are put into the trash, had back, and removed for good."""

from __future__ import annotations

import threading
from itertools import count
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.composition.test_history import answered, choose, directory, names, shown
from tests.waiting import until

from starloom.journal.records import records
from starloom.journal.tidying import trashed
from starloom_gui.gateway import run_archive
from starloom_gui.history import history
from starloom_gui.widgets.question import ChoiceDialog

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.gui.composition.conftest import Desktop

    from starloom.journal.records import RunRecord

__all__ = ["directory"]

pytestmark = pytest.mark.usefixtures("app")


def test_a_run_is_put_into_the_trash_after_a_question_and_comes_back(desktop: Desktop, directory: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            dialog = await shown(console)
            choose(dialog, "r1")
            dialog.do()
            await console.recorded.settled()
            dialog = await shown(console)
            choose(dialog, "r1")
            dialog.delete.click()
            await answered(dialog, console, "")
            assert set(names(dialog)) == {"r1", "r2"}
            QTest.keyClick(dialog.grid, Qt.Key.Key_Delete)
            await answered(dialog, console, history.DO)
            assert names(dialog) == ["r2"]
            assert console.documents.front is None
            assert dialog.restore.isVisible()
            dialog.restore.click()
            await console.history.settled()
            assert set(names(dialog)) == {"r1", "r2"}
            assert not dialog.restore.isVisible()
            assert {one.run_id for one in records(directory)} == {"r1", "r2"}

    desktop.run(main)


def test_a_run_that_is_there_again_keeps_no_other_from_coming_back(desktop: Desktop, directory: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            dialog = await shown(console)
            for run_id in ("r1", "r2"):
                choose(dialog, run_id)
                dialog.delete.click()
                await answered(dialog, console, history.DO)
            assert names(dialog) == []
            (directory / "runs" / "r2").mkdir()  # as if it were imported
            dialog.restore.click()
            await console.history.settled()
            assert names(dialog) == ["r1"]
            dialog.restore.click()
            await console.history.settled()
            assert "There is another run" in dialog._trouble.text()

    desktop.run(main)


def test_a_run_put_into_the_trash_while_others_are_read_is_not_listed_again(
    desktop: Desktop, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "BATCH", 1)
    first, go_on, calls = threading.Event(), threading.Event(), count()
    read = run_archive.looked_at

    def slowly(folders: Sequence[Path]) -> list[RunRecord]:
        if next(calls) == 1:  # one of the two has been shown
            first.set()
            assert go_on.wait(10)
        return read(folders)

    monkeypatch.setattr(run_archive, "looked_at", slowly)

    async def main() -> None:
        async with desktop.console() as console:
            console.actions["history"].trigger()
            dialog = console.history.dialog
            assert dialog is not None
            await until(first.is_set)
            (gone,) = names(dialog)
            choose(dialog, gone)
            dialog.delete.click()
            await until(lambda: [one for one in dialog.findChildren(ChoiceDialog) if one.isVisible()])
            next(one for one in dialog.findChildren(ChoiceDialog) if one.isVisible()).choices.choose(history.DO)
            await until(lambda: trashed(directory))
            go_on.set()
            await console.history.settled()
            assert names(dialog) == [*({"r1", "r2"} - {gone})]

    desktop.run(main)


def test_the_trash_is_emptied_after_a_question(desktop: Desktop, directory: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            dialog = await shown(console)
            choose(dialog, "r1", "r2")
            dialog.delete.click()
            await answered(dialog, console, history.DO)
            assert len(trashed(directory)) == 2
            dialog.empty.click()
            await answered(dialog, console, history.DO)
            assert trashed(directory) == []
            assert names(dialog) == []

    desktop.run(main)
