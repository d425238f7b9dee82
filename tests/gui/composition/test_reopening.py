"""A run that has ended is reopened in a later session: what failed is retried, and nothing starts by itself."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest, served
from tests.gui.composition.test_committing import editor_of, staged
from tests.gui.composition.test_console import LONG, front, small
from tests.gui.composition.test_history import choose, shown
from tests.gui.composition.test_what_goes_wrong import left_behind
from tests.gui.composition.test_without_a_mouse import begun
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.journal.names import IMPORTED, STAGED
from starloom.journal.records import find_folder, record
from starloom.model.device import DeviceSpec
from starloom.model.status import RunState
from starloom.settings import journal_path
from starloom_gui.app import attached
from starloom_gui.attachment import Attachment
from starloom_gui.gateway.attaching import attached_engine

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.model.plan import Plan
    from starloom_gui.composition.console import Console
    from starloom_gui.time_travel.banner import PastBanner

pytestmark = pytest.mark.usefixtures("app")

DONE = {"a": "completed", "b": "completed", "c": "completed"}
FAILED = {"a": "completed", "b": "failed", "c": "skipped"}


def fails(good: Path) -> Plan:
    """a, then b, which fails unless a file is there, then c."""
    tasks = [task("a", shell="true"), task("b", shell=f"test -e {good}"), task("c", shell="true")]
    made = plan(tasks, ["a>b", "b>c"]).named("chain")
    return replace(made, devices=(DeviceSpec(id="box", kind="local", slots=1),))


async def ended(desktop: Desktop, good: Path) -> str:
    """The id of a run that has ended with a failure in a console that is closed."""
    async with desktop.console() as console:
        run_id = await console.starter.start(fails(good), None, "chain")
        await orchestrator_of(console).run(run_id).finished()
        await at_rest(console)
    return run_id


async def opened(console: Console, run_id: str) -> PastBanner:
    """The banner of a run that is shown from its journal."""
    console.recorded.open(find_folder(journal_path(), run_id), "chain")
    await console.recorded.settled()
    await until(lambda: console.views.front is not None)
    await at_rest(console)
    console.actions.refresh(thoroughly=True)
    return front(console).banner


def statuses(console: Console) -> dict[str, str]:
    run = front(console).reader.view()
    assert run is not None
    return {name: str(run.task(run.facts.graph.place[name]).status) for name in "abc"}


def ended_at(console: Console) -> float:
    """When the run in front has ended, as the header says; seconds since 1970."""
    figures = console.window.header.line.figures
    assert figures is not None
    assert figures.finish is not None
    return figures.finish


async def reopened(console: Console) -> None:
    await until(lambda: console.views.front is not None and not console.views.front.reader.is_past)
    await console.starter.reopener.background_tasks.settled()
    await at_rest(console)
    console.actions.refresh(thoroughly=True)


def test_the_banner_reopens_it_and_what_failed_is_retried(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        run_id = await ended(desktop, tmp_path / "good")
        (tmp_path / "good").touch()
        async with desktop.console() as console:
            banner = await opened(console, run_id)
            assert banner.isVisible()
            assert banner.back.text() == "Reopen"
            said, gap = ended_at(console), 1.5
            await asyncio.sleep(gap)
            assert "Reopen it first" in console.actions["retry_failed"].toolTip()
            banner.back.click()
            await reopened(console)
            assert [tab.title for tab in console.documents.runs] == ["chain"]
            assert console.strip.shown is not None
            assert "Nothing starts by itself" in console.strip.shown.reason
            assert not front(console).banner.isVisible()
            assert statuses(console) == FAILED
            assert ended_at(console) == pytest.approx(said, abs=gap / 3)
            assert console.actions["retry_failed"].isEnabled()
            console.actions["retry_failed"].trigger()
            await orchestrator_of(console).run(run_id).finished()
            await at_rest(console)
            await until(lambda: statuses(console) == DONE)
        assert record(find_folder(journal_path(), run_id)).state == "completed"

    desktop.run(main)


def test_the_key_reopens_it_once_and_a_failed_task_is_changed_and_retried(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        run_id = await ended(desktop, tmp_path / "good")
        async with desktop.console() as console:
            await opened(console, run_id)
            assert console.actions["reopen"].isEnabled()
            console.actions["reopen"].trigger()
            console.actions["reopen"].trigger()
            await reopened(console)
            assert not console.actions["reopen"].isEnabled()
            run = orchestrator_of(console).run(run_id)
            await run.retry("b", shell="true")
            await run.finished()
            await at_rest(console)
            await until(lambda: statuses(console) == DONE)

    desktop.run(main)


def test_history_reopens_it_and_it_is_rerun_from_the_middle(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        (tmp_path / "good").touch()
        run_id = await ended(desktop, tmp_path / "good")
        async with desktop.console() as console:
            dialog = await shown(console)
            choose(dialog, run_id)
            assert (dialog.resume.text(), dialog.resume.isEnabled()) == ("Reopen", True)
            dialog.resume.click()
            await reopened(console)
            assert statuses(console) == DONE
            run = orchestrator_of(console).run(run_id)
            await run.rerun_from("b")
            await run.finished()
            assert [len(run.task(name).attempts) for name in "abc"] == [1, 2, 2]

    desktop.run(main)


def test_one_that_came_from_elsewhere_or_has_not_ended_is_not_reopened(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        run_id = await ended(desktop, tmp_path / "good")
        (find_folder(journal_path(), run_id) / IMPORTED).touch()
        async with desktop.console() as console:
            banner = await opened(console, run_id)
            assert not banner.back.isVisible()
            assert "came from elsewhere" in console.actions["reopen"].toolTip()
            dialog = await shown(console)
            choose(dialog, run_id)
            assert (dialog.resume.text(), dialog.resume.isEnabled()) == ("Resume", False)

    desktop.run(main)


def test_one_that_another_program_has_is_shown_and_said_to_be_open_there(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        run_id = await ended(desktop, tmp_path / "good")
        async with served("other", fails(tmp_path / "good"), tmp_path / "elsewhere") as there:
            pass
        assert there is not None
        async with desktop.console() as console:
            await opened(console, run_id)
            folder = find_folder(journal_path(), run_id)
            shutil.move(folder / "journal.db", folder / "gone.db")
            console.actions["reopen"].trigger()
            await console.starter.reopener.background_tasks.settled()
            assert console.strip.shown is not None
            assert "was not reopened" in console.strip.shown.what
            assert "There is no journal" in console.strip.shown.reason, "not that it has not ended"

    desktop.run(main)


def test_a_window_over_a_server_reopens_what_an_earlier_server_has_run(desktop: Desktop, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"

    async def main() -> None:
        async with served("before", fails(tmp_path / "good"), folder) as there:
            await there.run("before").finished()
        (tmp_path / "good").touch()
        async with (
            served("now", fails(tmp_path / "good"), folder) as there,
            attached_engine(Attachment(str(folder))) as engine,
            attached(desktop.frame("there"), engine) as console,
        ):
            console.window.show()
            await at_rest(console)
            dialog = await shown(console)
            choose(dialog, "before")
            assert (dialog.resume.text(), dialog.resume.isEnabled()) == ("Reopen", True)
            dialog.resume.click()
            await reopened(console)
            assert front(console).source.run_id == "before"
            assert statuses(console) == FAILED
            console.actions["retry_failed"].trigger()
            await until(lambda: statuses(console) == DONE)
            assert there.run("before").state is RunState.COMPLETED
            console.window.asks_before_closing = False
            console.window.close()
            await console.closed()

    desktop.run(main)


def test_an_interrupted_one_is_resumed_and_not_reopened(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        await left_behind(tmp_path)
        async with desktop.console() as console:
            (folder,) = (journal_path() / "runs").iterdir()
            console.recorded.open(folder, "left")
            await console.recorded.settled()
            await until(lambda: console.views.front is not None)
            await at_rest(console)
            console.actions.refresh(thoroughly=True)
            assert not console.actions["reopen"].isEnabled()
            assert not front(console).banner.back.isVisible()

    desktop.run(main)


def test_what_was_staged_when_it_ended_is_there_again_once_it_is_reopened(desktop: Desktop, tmp_path: Path) -> None:
    async def first() -> str:
        async with desktop.console() as console:
            keyboard, run = await begun(console, small(seconds=LONG))
            await staged(console, keyboard)
            await run.cancel()
            await run.finished()
            await until((find_folder(journal_path(), run.id) / STAGED).exists)
            return run.id

    async def second(run_id: str) -> None:
        async with desktop.console() as console:
            await opened(console, run_id)
            assert console.strip.shown is not None
            assert "Reopen it to have them back." in console.strip.shown.reason
            console.actions["reopen"].trigger()
            await reopened(console)
            await until(lambda: len(editor_of(console).staging.steps) == 1)

    run_id: list[str] = []

    async def kept() -> None:
        run_id.append(await first())

    desktop.run(kept)
    desktop.run(lambda: second(run_id[0]))


def test_the_timeline_is_live_again_though_it_was_not_looked_at_meanwhile(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        run_id = await ended(desktop, tmp_path / "good")
        async with desktop.console() as console:
            await opened(console, run_id)
            console.window.workbench.show_pane("plots")
            console.actions["reopen"].trigger()
            await reopened(console)
            run = orchestrator_of(console).run(run_id)
            await run.retry("b", shell="sleep 3600")
            await until(lambda: run.state is RunState.EXECUTING)
            console.window.workbench.show_pane("timeline")
            corner = front(console).views["timeline"].corner
            await until(lambda: corner.live.text() == "Live")  # type: ignore[union-attr]
            await run.cancel()
            await run.finished()
            await until(lambda: corner.live.text() == "Ended")  # type: ignore[union-attr]

    desktop.run(main)
