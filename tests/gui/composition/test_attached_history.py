"""A window over a server shows the journals of that server: those of its folder, or says on which machine they are."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.gui.composition.conftest import Desktop, at_rest, served
from tests.gui.composition.test_console import front, small
from tests.gui.composition.test_history import names, shown
from tests.unit.journal.test_library import keep, two_runs
from tests.waiting import until

from starloom.journal.library import Library
from starloom.model.status import RunState
from starloom.server.links import SocketLink
from starloom.server.messages import Welcome
from starloom.settings import journal_path
from starloom_gui.app import attached
from starloom_gui.attachment import Attachment
from starloom_gui.gateway.attaching import attached_engine
from starloom_gui.gateway.remote_engine import EngineAccess, RemoteEngine, remote_engine
from starloom_gui.settings import RecentFile, Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from starloom_gui.composition.console import Console

pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture
def elsewhere(tmp_path: Path, desktop: Desktop) -> Path:
    """Another folder of journals; those of this user have two runs, `r1` and `r2`."""
    with Library(journal_path()) as library:
        keep(library, two_runs())
    return tmp_path / "elsewhere"


@asynccontextmanager
async def over(
    desktop: Desktop, folder: Path, reached: AbstractAsyncContextManager[RemoteEngine]
) -> AsyncIterator[Console]:
    """A console over a server of a folder, in which a run has ended."""
    async with AsyncExitStack() as stack:
        there = await stack.enter_async_context(served("there", replace(small(), name="there"), folder))
        await there.run("there").finished()
        await there.start(small(seconds=3600.0), run_id="goes-on")
        engine = await stack.enter_async_context(reached)
        console = await stack.enter_async_context(attached(desktop.frame("there"), engine))
        console.window.show()
        await at_rest(console)
        yield console
        console.window.asks_before_closing = False
        console.window.close()
        await console.closed()


def test_history_and_earlier_runs_are_those_of_the_folder_that_is_attached(desktop: Desktop, elsewhere: Path) -> None:
    async def main() -> None:
        async with over(desktop, elsewhere, attached_engine(Attachment(str(elsewhere)))) as console:
            dialog = await shown(console)
            assert sorted(names(dialog)) == ["goes-on", "there"]
            dialog.reject()
            console.plan_runs.ask("there")
            await console.plan_runs.settled()
            reading = console.plan_runs.of("there")
            assert reading is not None
            assert [column.run_id for column in reading.columns] == ["there"]
            baseline = console.window_actions.controllers.baseline
            baseline.choose()
            await baseline.settled()
            assert baseline.dialog is not None
            grid = baseline.dialog.grid
            offered = [grid.record(row).run_id for row in range(grid.shown.rowCount())]
            assert offered == ["there"]
            baseline.dialog.reject()

            console.actions["time_travel"].trigger()
            await until(lambda: console.actions["to_begin"].isEnabled())
            console.actions["to_begin"].trigger()
            await until(lambda: front(console).reader.is_past)
            assert console.strip.shown is None
            await console.running_plans.look()

    desktop.run(main)


def test_of_a_server_of_an_earlier_version_on_another_machine_it_is_said_why_there_is_no_past(
    desktop: Desktop, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Welcome, "sends_kept", False)

    async def main() -> None:
        access = EngineAccess(SocketLink(elsewhere), "lab-7", "ada")
        async with over(desktop, elsewhere, remote_engine(access)) as console:
            console.actions.refresh()
            said = "The server on lab-7 is of version"
            for key in ("history", "compare"):
                assert not console.actions[key].isEnabled(), key
                assert said in console.actions[key].statusTip()
            view = front(console)
            console.window.workbench.show_pane("grid")
            foot = view.views["grid"].widget.foot
            await until(lambda: said in foot.text())
            console.window_actions.controllers.baseline.choose()
            assert console.strip.shown is not None
            assert said in console.strip.shown.reason
            console.files.exporting.export(view.source.run_id, "small")
            assert "`starloom report` makes one" in console.strip.shown.reason

    desktop.run(main)


def test_whoever_is_attached_is_not_asked_to_go_on_with_runs_which_a_server_does(
    desktop: Desktop, elsewhere: Path
) -> None:
    async def main() -> None:
        async with over(desktop, elsewhere, attached_engine(Attachment(str(elsewhere)))) as console:
            console.actions.refresh()
            assert not console.actions["resume_runs"].isEnabled()
            assert console.actions["resume_runs"].statusTip().startswith("A server goes on with its runs by itself.")

    desktop.run(main)


@pytest.mark.parametrize("is_far", [False, True], ids=["this machine", "another machine"])
def test_the_welcome_page_says_which_plans_run_at_the_server(
    desktop: Desktop, elsewhere: Path, *, is_far: bool
) -> None:
    name = small(seconds=3600.0).name
    Settings(desktop.store, "there").remember(RecentFile(path="/there.yaml", state=RunState.EXECUTING, name=name))

    async def main() -> None:
        access = EngineAccess(SocketLink(elsewhere), "lab-7", "ada")
        reached = remote_engine(access) if is_far else attached_engine(Attachment(str(elsewhere)))
        async with over(desktop, elsewhere, reached) as console:
            console.running_plans.begin()
            for tab in console.documents.runs:
                console.documents.close(tab.key)
            await until(lambda: console.window.is_welcoming)
            (row,) = console.window.welcome.rows
            await until(lambda: row.state == "Running")

    desktop.run(main)


def test_a_window_that_only_watches_deletes_nothing(desktop: Desktop, elsewhere: Path) -> None:
    async def main() -> None:
        reached = attached_engine(Attachment(str(elsewhere), watches=True))
        async with over(desktop, elsewhere, reached) as console:
            dialog = await shown(console)
            dialog.grid.selectAll()
            assert names(dialog)
            for made in (dialog.delete, dialog.tidy, dialog.bring):
                assert not made.isEnabled()
                assert "only watches" in made.toolTip()
            dialog.show_trash(3)
            assert not dialog.empty.isVisible()
            dialog.reject()

    desktop.run(main)
