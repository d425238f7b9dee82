"""Closing while a run goes on: what was paused is there to be resumed in the next session, and its file tells of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication
from tests.driver import plan, task
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.constellation.edits import AddTask
from starloom.formats import save_plan
from starloom.journal.records import records
from starloom.model.device import DeviceSpec
from starloom.model.status import RunState, TaskStatus
from starloom_gui.dialogs.changes import APPLY, ChangesDialog
from starloom_gui.dialogs.closing import KEEP, ClosingDialog
from starloom_gui.documents.document import Document, RunTab
from starloom_gui.settings import Settings
from starloom_gui.shell.recent_row import ended_words
from starloom_gui.text.words import run_word

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gui.composition.conftest import Desktop

    from starloom.orchestration.run import Run
    from starloom_gui.composition.console import Console


async def carried_back(console: Console, run: Run, path: Path) -> None:
    """What is edited in a run of an earlier session is applied to its plan, once that is open."""
    await run.edit(AddTask(task("c", simulate=0.01)))
    await until(lambda: console.actions["apply_to_plan"].statusTip().startswith("The run's plan is not open."))
    assert console.actions["compare_plan"].statusTip().startswith("The run's plan is not open.")
    console.files.opening.open(path)
    await until(lambda: console.documents.documents)
    console.documents.turn_to(console.documents.runs[0].key)
    await until(lambda: console.actions["apply_to_plan"].isEnabled() and console.actions["compare_plan"].isEnabled())
    console.actions["apply_to_plan"].trigger()
    await until(lambda: isinstance(QApplication.activeModalWidget(), ChangesDialog))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, ChangesDialog)
    dialog.choices.choose(APPLY)
    await until(lambda: console.documents.documents[0].is_dirty)
    applied = console.documents.documents[0]
    assert applied.saved is not None
    added = (*applied.saved.tasks, task("c", simulate=0.01))
    assert applied.plan == replace(applied.saved, tasks=added)


def test_a_run_that_was_paused_at_the_end_is_resumed_in_the_next_session(desktop: Desktop, tmp_path: Path) -> None:
    device = DeviceSpec(id="d", kind="simulated", slots=1)
    made = replace(plan([task("a", simulate=4.0), task("b", simulate=0.01)], ["a>b"]), name="kept", devices=(device,))

    save_plan(made, tmp_path / "kept.yaml")
    known_of_file = lambda: Settings(desktop.store).recent[0]  # noqa: E731

    async def first() -> None:
        async with desktop.console() as console:
            console.window.asks_before_closing = True
            console.files.opening.open(tmp_path / "kept.yaml")
            await until(lambda: isinstance(console.documents.front, Document))
            console.actions["start"].trigger()
            await until(lambda: isinstance(console.documents.front, RunTab))
            run = orchestrator_of(console).run(console.documents.runs[0].run_id)
            await until(lambda: ended_words(known_of_file()) == run_word("interrupted"))
            await until(lambda: run.task("a").status is TaskStatus.RUNNING)
            console.window.close()
            await until(lambda: isinstance(QApplication.activeModalWidget(), ClosingDialog))
            dialog = QApplication.activeModalWidget()
            assert isinstance(dialog, ClosingDialog)
            dialog.choices.choose(KEEP)
            await console.closed()
            assert run.task("a").status is TaskStatus.COMPLETED, "what ran has ended"
        assert known_of_file().state == RunState.PAUSED

    async def second() -> None:
        (known,) = records(tmp_path / "journal")
        assert (known.state, known.can_resume, known.done) == ("interrupted", True, 1)
        async with desktop.console() as console:
            await console.starter.resume(known)
            (facts,) = console.bridge.all_runs()
            assert facts.state is RunState.PAUSED
            run = orchestrator_of(console).run(facts.run_id)
            await carried_back(console, run, tmp_path / "kept.yaml")
            await run.resume()
            await run.finished()
            assert run.state is RunState.COMPLETED
            await until(lambda: known_of_file().state == RunState.COMPLETED)

    desktop.run(first)
    desktop.run(second)
