"""A run that was paused when the program ended was not interrupted, and is not called so."""

from __future__ import annotations

import asyncio
import shutil
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget
from tests.driver import plan, task

from starloom.journal.library import Library
from starloom.journal.records import RunRecord, records
from starloom.orchestration.orchestrator import Orchestrator
from starloom_gui.shell.resuming import RESUME, ResumeDialog
from starloom_gui.text import words

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance


def left_behind(folder: Path) -> list[RunRecord]:
    """What is told of a run that was paused, and of one that went on, when their program was killed."""

    async def main() -> None:
        with Library(folder / "alive") as library:
            engine = Orchestrator(journal=library)
            await engine.open()
            for name in ("paused", "went on"):
                run = await engine.start(plan([task("a", simulate=600)]), run_id=name)
                if name == "paused":
                    await run.pause()
            shutil.copytree(folder / "alive" / "runs", folder / "journal" / "runs")
            await engine.shutdown("now")

    asyncio.run(main())
    return sorted(records(folder / "journal"), key=lambda one: one.run_id)


def test_a_run_that_was_paused_is_called_so(app: QApplication, appearance: Appearance, tmp_path: Path) -> None:
    paused, other = left_behind(tmp_path)
    assert (paused.state, paused.is_paused, other.is_paused) == ("interrupted", True, False)
    window, now = QWidget(), paused.updated
    titles = {1: "Open 1 paused run(s) again?", 2: "Go on with 2 interrupted run(s)?"}
    buttons = {1: "Open 1 run(s)", 2: "Go on with 2 run(s)"}
    for found in ([paused], [paused, other]):
        dialog = ResumeDialog(appearance, found, now, window)
        assert dialog.windowTitle() == titles[len(found)]
        assert dialog.choices.buttons[RESUME].text() == buttons[len(found)]
        assert "What was paused stays so until you resume it." in dialog.choices.sentence.text()
        assert ("the rest goes on" in dialog.choices.sentence.text()) is (len(found) > 1)
        assert f"last change: {words.hour(other.updated, now)}" in dialog._line(other, now).lines[0]
        assert dialog._standing(paused)[0] == "paused"
        assert "paused" not in dialog._standing(other)
        dialog.deleteLater()
    window.deleteLater()
