"""What a file's last run has come to in another program is said on the welcome page."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.driver import plan, task
from tests.waiting import until

from starloom.formats import save_plan
from starloom.journal.library import Library
from starloom.model.device import DeviceSpec
from starloom.model.status import RunState, TaskStatus
from starloom.model.task import Simulate
from starloom.orchestration.handover import HandedRun, Handover
from starloom.orchestration.orchestrator import Orchestrator
from starloom.settings import SchedulerSettings, journal_path
from starloom_gui.settings import RecentFile, Settings
from starloom_gui.shell.recent_row import ended_words
from starloom_gui.workspace.running import going_on

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.gui.composition.conftest import Desktop

    from starloom.model.plan import Plan
    from starloom.orchestration.run import Run
    from starloom_gui.composition.console import Console

pytestmark = pytest.mark.usefixtures("app")
LONG = 3600.0


def made(seconds: float, *, fails: bool = False) -> Plan:
    """A plan of two tasks."""
    tasks = [
        task("a", simulate=Simulate(duration=0.01, outcome="failed" if fails else "completed")),
        task("b", simulate=seconds),
    ]
    return replace(plan(tasks), name="hand", devices=(DeviceSpec(id="d", kind="simulated", slots=2),))


def remembered(desktop: Desktop, path: Path, state: RunState) -> None:
    """Have a file's last run be remembered."""
    save_plan(made(0.01), path)
    settings = Settings(desktop.store)
    settings.remember(RecentFile(path=str(path), tasks=2, state=state, at=1.0, name="hand", run_id="r", ran_at=1.0))
    settings.remember(RecentFile(path=str(path.with_name("other.yaml")), at=2.0, name="other"))
    settings.sync()


@asynccontextmanager
async def elsewhere(plan: Plan) -> AsyncIterator[Run]:
    """A run of a plan in another program."""
    with Library(journal_path()) as library:
        async with Orchestrator(settings=SchedulerSettings(), journal=library) as orchestrator:
            yield await orchestrator.start(plan, run_id="r")
            await orchestrator.shutdown("now")


def said(console: Console) -> str:
    """What the page says of the file."""
    assert console.window.is_welcoming
    (row,) = (row for row in console.window.welcome.rows if row.file.run_id == "r")
    return row.state


@pytest.mark.parametrize("state", [RunState.PAUSED, RunState.EXECUTING])
@pytest.mark.parametrize(("fails", "words"), [(False, "Done"), (True, "1 failed")])
def test_a_run_that_another_program_has_brought_to_its_end_has_ended(
    desktop: Desktop, tmp_path: Path, state: RunState, words: str, *, fails: bool
) -> None:
    remembered(desktop, tmp_path / "hand.yaml", state)

    async def main() -> None:
        async with elsewhere(made(0.01, fails=fails)) as run:
            await until(lambda: run.facts.state.has_ended)
        async with desktop.console() as console:
            console.running_plans.begin()
            await until(lambda: said(console) == words)
            first, known = console.window.welcome.rows
            assert first.file.name == "other", "it was neither opened nor run anew"
            assert known.file.ran_at > 1.0
        assert ended_words(Settings(desktop.store).recent[1]) == words

    desktop.run(main)


def test_a_run_that_another_program_has_runs_until_it_ends_there(desktop: Desktop, tmp_path: Path) -> None:
    remembered(desktop, tmp_path / "hand.yaml", RunState.PAUSED)

    async def main() -> None:
        async with desktop.console() as console:
            async with elsewhere(made(LONG)) as run:
                await until(lambda: bool(going_on(journal_path())))
                await console.running_plans.look()
                assert said(console) == "Running"
                await run.cancel()
                await until(lambda: run.facts.state.has_ended)
            await console.running_plans.look()
            assert said(console) == "Cancelled"

    desktop.run(main)


async def left_behind(folder: Path, *, pauses: bool) -> None:
    """Have a program start the run and die."""
    async with elsewhere(made(LONG)) as run:
        await until(lambda: run.task("a").status is TaskStatus.COMPLETED)
        if pauses:
            await run.pause()
        shutil.copytree(journal_path(), folder)
    shutil.rmtree(journal_path())
    folder.rename(journal_path())


@pytest.mark.parametrize("pauses", [False, True])
def test_a_run_that_another_program_has_left_is_as_it_was_left(
    desktop: Desktop, tmp_path: Path, *, pauses: bool
) -> None:
    remembered(desktop, tmp_path / "hand.yaml", RunState.COMPLETED)

    async def main() -> None:
        await left_behind(tmp_path / "copy", pauses=pauses)
        async with desktop.console() as console:
            await console.running_plans.look()
            assert said(console) == ("Paused" if pauses else "Interrupted")

    desktop.run(main)


def test_a_run_that_changes_hands_is_not_said_to_be_interrupted(desktop: Desktop, tmp_path: Path) -> None:
    remembered(desktop, tmp_path / "hand.yaml", RunState.EXECUTING)

    async def main() -> None:
        await left_behind(tmp_path / "copy", pauses=False)
        async with desktop.console() as console:
            plans, heard, fleet = console.running_plans, list[object](), asyncio.Event()
            plans._tell = heard.append
            console.window_actions.controllers.fleet.background_tasks.begin(fleet.wait())  # which it waits for
            console.starter.take_over(Handover(runs=(HandedRun("r"),)))
            plans.begin()
            await asyncio.sleep(0.3)
            assert not heard
            assert said(console) == "Reading…"
            fleet.set()
            await until(lambda: not console.window.is_welcoming)

    desktop.run(main)


def test_a_run_that_is_not_there_any_more_is_remembered_as_it_was(desktop: Desktop, tmp_path: Path) -> None:
    remembered(desktop, tmp_path / "hand.yaml", RunState.PAUSED)

    async def main() -> None:
        async with desktop.console() as console:
            await console.running_plans.look()
            assert said(console) == "Paused"

    desktop.run(main)
