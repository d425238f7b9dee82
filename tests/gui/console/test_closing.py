"""Closing while a run goes on: what was paused is there to be resumed in the next session."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication
from tests.driver import plan, task
from tests.waiting import until

from starloom.journal.records import records
from starloom.model.device import DeviceSpec
from starloom.model.status import RunState, TaskStatus
from starloom_gui.dialogs.closing import KEEP, ClosingDialog

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gui.console.conftest import Desktop


def test_a_run_that_was_paused_at_the_end_is_resumed_in_the_next_session(desktop: Desktop, tmp_path: Path) -> None:
    device = DeviceSpec(id="d", kind="simulated", slots=1)
    made = replace(plan([task("a", simulate=0.5), task("b", simulate=0.01)], ["a>b"]), name="kept", devices=(device,))

    async def first() -> None:
        async with desktop.console() as console:
            console.window.asks_before_closing = True
            run = await console.engine.start(made)
            console.desk.put_run(run.id, None, "Run 1")
            await until(lambda: run.task("a").status is TaskStatus.RUNNING)
            console.window.close()
            await until(lambda: isinstance(QApplication.activeModalWidget(), ClosingDialog))
            dialog = QApplication.activeModalWidget()
            assert isinstance(dialog, ClosingDialog)
            dialog.choose(KEEP)
            await console.closed()
            assert run.task("a").status is TaskStatus.COMPLETED, "what ran has ended"

    async def second() -> None:
        (known,) = records(tmp_path / "journal")
        assert (known.state, known.can_resume, known.done) == ("interrupted", True, 1)
        async with desktop.console() as console:
            await console._resume(known)
            (facts,) = console.runs()
            assert facts.state is RunState.PAUSED
            run = console.engine.run(facts.run_id)
            await run.resume()
            await run.finished()
            assert run.state is RunState.COMPLETED

    desktop.run(first)
    desktop.run(second)
