"""What an operator has to be told, asked or offered: interrupted runs, a journal that fails, closing too early."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtWidgets import QApplication
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, meant, small, started
from tests.gui.engines import orchestrator_of
from tests.waiting import POLL, until

from starloom.journal.base import JournalError
from starloom.journal.library import Library
from starloom.model.device import DeviceSpec
from starloom.model.status import RunState
from starloom.orchestration.orchestrator import Orchestrator
from starloom.scheduling import commands as c
from starloom_gui.dialogs.closing import CANCEL, ClosingDialog
from starloom_gui.dialogs.ticks import TickList
from starloom_gui.documents.document import RunTab
from starloom_gui.shell.resuming import NEVER, RESUME, ResumeDialog

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QDialog

    from starloom_gui.composition.console import Console


async def asked(kind: type[QDialog]) -> QDialog:
    """The dialog of a kind, once it is open."""
    await until(lambda: isinstance(QApplication.activeModalWidget(), kind), every=POLL)  # or its thread may starve
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, kind)
    return dialog


async def left_behind(folder: Path, *, unstarted: bool = False) -> None:
    """A run as a program leaves it behind that is killed: its journal as it was while it went on.

    Args:
        folder: where its journal is made.
        unstarted: whether there is another one, which nobody has started.
    """
    with Library(folder / "alive") as library:
        engine = Orchestrator(journal=library)
        await engine.open()
        if not unstarted:
            await engine.start(small(seconds=LONG), run_id="r")
        else:
            await engine.start(replace(meant(seconds=LONG), devices=(DeviceSpec(id="local"),)), run_id="r")
            await engine.start(meant(seconds=LONG), run_id="late", paused=True)
        shutil.copytree(folder / "alive" / "runs", folder / "journal" / "runs")
        await engine.shutdown("now")


def test_a_run_that_was_interrupted_is_offered_and_goes_on(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        await left_behind(tmp_path)
        async with desktop.console() as console:
            console.files.resuming.offer()
            dialog = await asked(ResumeDialog)
            assert isinstance(dialog, ResumeDialog)
            dialog.choices.choose(RESUME)
            await until(lambda: isinstance(console.documents.front, RunTab))
            await until(lambda: orchestrator_of(console).run("r").state is RunState.EXECUTING)
            await at_rest(console)

    desktop.run(main)


def test_a_run_that_nobody_has_started_is_called_so_and_is_not_started_by_going_on(
    desktop: Desktop, tmp_path: Path
) -> None:
    async def main() -> None:
        await left_behind(tmp_path, unstarted=True)
        async with desktop.console() as console:
            console.files.resuming.offer()
            dialog = await asked(ResumeDialog)
            assert isinstance(dialog, ResumeDialog)
            assert isinstance(dialog.rows, TickList)
            told = [tick.accessibleDescription() for tick in dialog.rows.ticks]
            assert [one.startswith("not started") for one in told] == [one.run_id == "late" for one in dialog.chosen]
            assert "What was not started stays so" in dialog.choices.sentence.text()
            dialog.choices.choose(RESUME)
            await console.files.resuming.settled()
            late = orchestrator_of(console).run("late")
            await until(lambda: orchestrator_of(console).run("r").facts.running > 0)
            assert (late.state, late.facts.running) == (RunState.READY, 0)
            await orchestrator_of(console).run("r").cancel()
            await orchestrator_of(console).run("r").finished()
            await at_rest(console)

    desktop.run(main)


def test_only_the_interrupted_runs_that_are_ticked_go_on(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        await left_behind(tmp_path, unstarted=True)
        async with desktop.console() as console:
            console.files.resuming.offer()
            dialog = await asked(ResumeDialog)
            assert isinstance(dialog, ResumeDialog)
            assert isinstance(dialog.rows, TickList)
            wanted = [one.run_id for one in dialog.chosen]
            for tick in dialog.rows.ticks:
                tick.setChecked(False)
            assert not dialog.choices.buttons[RESUME].isEnabled()
            dialog.rows.ticks[wanted.index("late")].setChecked(True)
            assert "1" in dialog.choices.buttons[RESUME].text()
            dialog.choices.choose(RESUME)
            await console.files.resuming.settled()
            assert list(orchestrator_of(console).runs) == ["late"]

    desktop.run(main)


def test_a_run_of_a_plan_without_devices_names_those_it_may_run_on_to_go_on_there_in_another_program(
    desktop: Desktop, tmp_path: Path
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            plans = meant(seconds=0.01), meant(seconds=LONG)
            for each in plans:
                console.files.plan_verbs.trust(each)
            await orchestrator_of(console).run((await started(console, plans[0])).run_id).finished()
            console.documents.put_plan(plans[1])  # now there is a device from the run before
            console.actions["start"].trigger()
            await until(lambda: len(orchestrator_of(console).runs) == 2)
            *_, run = orchestrator_of(console).runs.values()
            await until(lambda: run.facts.running == 2)
            shutil.copytree(tmp_path / "journal" / "runs" / run.id, tmp_path / "killed" / run.id)
            await run.cancel()
            await run.finished()
        shutil.rmtree(tmp_path / "journal")
        shutil.move(tmp_path / "killed", tmp_path / "journal" / "runs")
        async with desktop.console() as console:
            console.files.resuming.offer()
            dialog = await asked(ResumeDialog)
            assert isinstance(dialog, ResumeDialog)
            dialog.choices.choose(RESUME)
            await until(lambda: bool(orchestrator_of(console).runs))
            (run,) = orchestrator_of(console).runs.values()
            await until(lambda: run.facts.running == 2)
            assert list(orchestrator_of(console).fleet.devices) == ["local"]
            await run.cancel()
            await run.finished()
            await at_rest(console)

    desktop.run(main)


def test_a_run_that_is_not_wanted_is_not_offered_again_but_found_when_asked_for(
    desktop: Desktop, tmp_path: Path
) -> None:
    async def main() -> None:
        await left_behind(tmp_path)
        async with desktop.console() as console:
            console.files.resuming.offer()
            dialog = await asked(ResumeDialog)
            assert isinstance(dialog, ResumeDialog)
            dialog.choices.choose(NEVER)
            await console.files.resuming.settled()
            console.files.resuming.offer()
            await console.files.resuming.settled()
            console.actions["resume_runs"].trigger()
            assert isinstance(await asked(ResumeDialog), ResumeDialog)

    desktop.run(main)


@pytest.mark.expects_log
def test_a_journal_that_cannot_be_written_is_said_until_it_can(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit, is_full = Library.commit, [False]

    def commit_if_there_is_room(self: Library, events: Any) -> Any:
        if is_full[0]:
            raise JournalError("The disk is full. Make room.")
        return commit(self, events)

    monkeypatch.setattr(Library, "commit", commit_if_there_is_room)

    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            await at_rest(console)
            is_full[0] = True
            console.commands.do(c.PauseRun(run_id=tab.run_id))
            await until(lambda: stays(console))
            assert "Make room" in said(console)
            console.strip.dismiss()
            assert "Make room" in said(console)
            is_full[0] = False
            assert console.strip.shown is not None
            assert console.strip.shown.act is not None
            console.strip.shown.act()
            await until(lambda: orchestrator_of(console).halted is None)
            assert not stays(console)
            console.commands.do(c.PauseRun(run_id=tab.run_id))
            await until(lambda: orchestrator_of(console).run(tab.run_id).state is RunState.PAUSED)

    desktop.run(main)


def stays(console: Console) -> bool:
    trouble = console.strip.shown
    return trouble is not None and trouble.stays


def said(console: Console) -> str:
    assert console.strip.shown is not None
    return console.strip.shown.text


def test_closing_with_work_running_asks_once_and_can_cancel_it(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            document = console.documents.documents[0]
            console.documents.close(document.key)
            await at_rest(console)
            console.window.close()
            dialog = await asked(ClosingDialog)
            assert console.window.isVisible()
            assert isinstance(dialog, ClosingDialog)
            dialog.choices.choose(CANCEL)
            await until(lambda: orchestrator_of(console).run(tab.run_id).state is RunState.CANCELLED)
            await console.closed()

    desktop.run(main)
