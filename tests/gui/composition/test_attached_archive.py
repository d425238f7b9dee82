"""A window over a server on another machine has the past of that server: listed, opened, compared and exported here."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest, served
from tests.gui.composition.test_comparing import offered
from tests.gui.composition.test_console import front, small
from tests.gui.composition.test_exporting import export_into
from tests.gui.composition.test_history import choose, names, shown
from tests.gui.composition.test_time_travel import settled
from tests.unit.journal.test_library import keep, two_runs
from tests.waiting import until

from starloom.foresight.projection import Certainty
from starloom.journal.library import Library, output_path
from starloom.journal.records import record
from starloom.journal.sent_rows import BATCH_BYTES
from starloom.model.device import DeviceSpec
from starloom.scheduling.commands import CancelRun
from starloom.server.kept_client import KeptRunsClient
from starloom.server.kept_messages import ListKeptRuns, ReadKeptRows
from starloom.server.links import SocketLink
from starloom.server.messages import Welcome
from starloom.server.sessions import ClientSession
from starloom.server.socket_path import ServerError
from starloom.settings import journal_path
from starloom_gui.app import attached
from starloom_gui.gateway.remote_engine import EngineAccess, RemoteEngine, remote_engine
from starloom_gui.panels.grid.table import GridSpot

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from starloom_gui.composition.console import Console

pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture
def elsewhere(tmp_path: Path, desktop: Desktop) -> Path:
    """The folder of journals of a server, with the runs `past` and `other` of earlier programs; ours has two others."""
    with Library(journal_path()) as library:
        keep(library, two_runs())
    folder = tmp_path / "elsewhere"

    async def main() -> None:
        async with served("past", replace(small(), name="there"), folder) as there:
            await there.run("past").finished()
            await there.start(replace(small(), name="other"), run_id="other")
            await there.run("other").finished()

    asyncio.run(main())
    path = output_path(folder / "runs" / "past", "a", 1)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"".join(b"line %d\n" % number for number in range(BATCH_BYTES // 8)))
    return folder


@asynccontextmanager
async def over(desktop: Desktop, folder: Path) -> AsyncIterator[Console]:
    """A console over the server of a folder as if that was on `lab-7`; a run of the plan `there` goes on."""
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(served("goes-on", replace(small(seconds=3600.0), name="there"), folder))
        access = EngineAccess(SocketLink(folder), "lab-7", "ada")
        engine = await stack.enter_async_context(remote_engine(access))
        console = await stack.enter_async_context(attached(desktop.frame("lab-7"), engine))
        console.window.show()
        await at_rest(console)
        yield console
        console.window.asks_before_closing = False
        console.window.close()
        await console.closed()


async def opened_from_history(console: Console, run_id: str) -> None:
    """Open a run by its row in History."""
    dialog = await shown(console)
    choose(dialog, run_id)
    dialog.do()
    await console.recorded.settled()
    await at_rest(console)


def test_history_lists_the_runs_there_and_says_where_they_are(desktop: Desktop, elsewhere: Path) -> None:
    async def main() -> None:
        async with over(desktop, elsewhere) as console:
            dialog = await shown(console)
            assert sorted(names(dialog)) == ["goes-on", "other", "past"]
            (one,) = [row for row in dialog.table.rows if row.run_id == "past"]
            here = record(elsewhere / "runs" / "past")
            assert (one.state, one.counts, one.created) == (here.state, dict(here.counts), here.created)
            assert one.size is not None
            assert one.size > BATCH_BYTES
            choose(dialog, "past")
            assert dialog._about.text() == f"lab-7:{elsewhere}/runs/past"
            only_read = (dialog.delete, dialog.tidy, dialog.bring)
            for each in only_read:
                assert not each.isEnabled()
                assert each.toolTip() == "These runs are kept on lab-7. Here they can only be looked at."
            assert dialog.resume.isEnabled()
            assert dialog.resume.text() == "Reopen"
            assert dialog.export.isEnabled()
            choose(dialog, "goes-on")
            assert not dialog.resume.isEnabled()
            assert dialog.export.isEnabled()
            dialog.reject()
            assert not list(console.engine.archive.directory.rglob("journal.db")), "lists need no journal here"

    desktop.run(main)


async def end(console: Console) -> None:
    """Cancel the run that goes on."""
    console.commands.do(CancelRun(run_id="goes-on"))
    await until(lambda: not list(console.engine.live))
    await at_rest(console)


@pytest.mark.parametrize("run_id", ["past", "goes-on"])
def test_an_ended_run_is_opened_read_only_with_its_past(desktop: Desktop, elsewhere: Path, run_id: str) -> None:
    """That of a run that has ended since the window was opened, too."""

    async def main() -> None:
        async with over(desktop, elsewhere) as console:
            await end(console)
            await opened_from_history(console, run_id)
            view = front(console)
            assert view.source.run_id == run_id
            assert not console.actions["retry"].isEnabled()
            travel = view.source.travel
            assert travel is not None
            last = travel.position
            travel.go_to_begin()
            await settled(console, travel)
            assert travel.position < last
            assert view.reader.is_past
            assert console.strip.shown is None
        assert not console.engine.archive.directory.exists(), "copies go with the window"

    desktop.run(main)


def test_a_run_that_goes_on_is_opened_as_it_is(desktop: Desktop, elsewhere: Path) -> None:
    async def main() -> None:
        async with over(desktop, elsewhere) as console:
            await opened_from_history(console, "goes-on")
            (tab,) = console.documents.runs
            assert (tab.run_id, tab.folder) == ("goes-on", None)

    desktop.run(main)


def test_the_whole_output_of_an_attempt_is_copied_once_somebody_looks_at_it(desktop: Desktop, elsewhere: Path) -> None:
    async def main() -> None:
        async with over(desktop, elsewhere) as console:
            await opened_from_history(console, "past")
            view = front(console)
            console.window.workbench.show_pane("output")
            number = view.reader.facts().graph.place["a"]  # type: ignore[union-attr]
            view.show_task(number)
            source = view.views["output"].widget.source
            await until(lambda: source.path is not None)
            assert source.path is not None
            assert source.path.read_bytes() == output_path(elsewhere / "runs" / "past", "a", 1).read_bytes()

    desktop.run(main)


def test_a_run_is_compared_with_one_of_there_that_is_over(desktop: Desktop, elsewhere: Path) -> None:
    async def main() -> None:
        async with over(desktop, elsewhere) as console:
            console.documents.put_run("goes-on")
            await at_rest(console)
            dialog = await offered(console)
            found = [dialog.grid.record(row).run_id for row in range(dialog.grid.shown.rowCount())]
            assert found == ["past"], "the earlier ones of the same plan"
            QTest.keyClick(dialog.search, Qt.Key.Key_Return)
            await console.window_actions.controllers.baseline.settled()
            earlier = front(console).compared.earlier
            assert earlier is not None
            assert earlier.has_ended
            assert earlier.run.run_id == "past"
            printed = earlier.output("a", 1)
            assert printed is not None
            await until(printed.is_file)
            assert printed.read_bytes() == output_path(elsewhere / "runs" / "past", "a", 1).read_bytes()

    desktop.run(main)


def test_the_last_runs_of_a_plan_are_those_of_there(desktop: Desktop, elsewhere: Path) -> None:
    (elsewhere / "runs" / "damaged").mkdir()
    (elsewhere / "runs" / "damaged" / "journal.db").write_bytes(b"none")

    async def main() -> None:
        async with over(desktop, elsewhere) as console:
            console.plan_runs.ask("there")
            await console.plan_runs.settled()
            reading = console.plan_runs.of("there")
            assert reading is not None
            assert reading.is_whole, reading.trouble
            states = {column.run_id: column.state for column in reading.columns}
            assert states == {
                "past": "completed",
                "goes-on": "executing",
                "damaged": "unreadable",
            }
            (column,) = [one for one in reading.columns if one.run_id == "past"]
            console.documents.put_run("goes-on")
            await at_rest(console)
            console.window.workbench.show_pane("grid")
            grid = front(console).views["grid"].widget
            spots: list[Any] = []
            grid.opened.connect(spots.append)
            await console.grid._shown(_spot(column.run_id, column.folder))
            await until(lambda: front(console).source.run_id == "past")

    desktop.run(main)


def _spot(run_id: str, folder: str) -> Any:
    return GridSpot(run_id, "there", folder, "a")


def test_what_is_copied_for_long_shows_its_progress_and_can_be_cancelled(
    desktop: Desktop, elsewhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = KeptRunsClient.copy_journal
    goes_on = asyncio.Event()

    async def slow(kept: KeptRunsClient, name: str, folder: Path, tell: Any) -> None:
        tell(0.4)
        await goes_on.wait()
        await copy(kept, name, folder, tell)

    monkeypatch.setattr(KeptRunsClient, "copy_journal", slow)

    async def main() -> None:
        async with over(desktop, elsewhere) as console:
            dialog = await shown(console)
            choose(dialog, "past")
            dialog.do()
            loading = console.files.loading
            await until(loading.isVisible)
            assert loading.said.startswith("Copying “there")
            assert "from lab-7" in loading.said
            assert loading._share == 0.4
            loading.cancel_asked.emit()
            await console.recorded.settled()
            assert not loading.isVisible()
            assert [tab.run_id for tab in console.documents.runs] == ["goes-on"]
            await end(console)
            await export_into(console, tmp_path / "ended.html")
            exporting = console.files.exporting
            await until(exporting._loading.isVisible)
            assert exporting._loading.said.startswith("Exporting ended.html: the run is copied from lab-7")
            exporting.cancel()
            await exporting.settled()
            assert not (tmp_path / "ended.html").exists()
            goes_on.set()
            await opened_from_history(console, "past")
            assert front(console).source.run_id == "past"

    desktop.run(main)


def test_a_plan_that_is_not_run_yet_is_foreseen_by_its_runs_there(
    desktop: Desktop, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = replace(plan([task("a", shell="true"), task("b", shell="true")], ["a>b"]), name="of old")

    async def main() -> None:
        async with served("old", replace(wanted, devices=(DeviceSpec(id="local"),)), elsewhere) as there:
            await there.run("old").finished()
        async with over(desktop, elsewhere) as console:
            document = console.documents.put_plan(wanted)
            console.documents.turn_to(document.key)
            await at_rest(console)
            foresee = front(console).source.foresee
            assert foresee is not None
            assert (await foresee()).certainty is Certainty.EXPECTED
            monkeypatch.setattr(Welcome, "sends_kept", False)
            assert (await foresee()).certainty is Certainty.UNKNOWN

    desktop.run(main)


@pytest.fixture
def link(monkeypatch: pytest.MonkeyPatch) -> Link:
    """The way to servers, which can be broken."""
    broken = Link()
    answered, opened = ClientSession._answered, SocketLink.open

    async def cut(session: ClientSession, request: Any) -> Any:
        if type(request) in (ReadKeptRows, ListKeptRuns) and broken.cuts:
            broken.cuts -= 1
            broken.is_gone = broken.stays
            session.abort()
        return await answered(session, request)

    async def open_unless_gone(link: SocketLink) -> Any:
        if broken.is_gone:
            raise ServerError("There is no route to lab-7.")
        return await opened(link)

    monkeypatch.setattr(ClientSession, "_answered", cut)
    monkeypatch.setattr(SocketLink, "open", open_unless_gone)
    return broken


class Link:
    """How often a link breaks as something kept is asked for, and whether it stays so."""

    cuts = 0
    stays = is_gone = False


def test_a_link_that_is_lost_in_the_middle_is_made_anew_and_one_that_stays_lost_is_told(
    desktop: Desktop, elsewhere: Path, tmp_path: Path, link: Link
) -> None:
    async def main() -> None:
        async with over(desktop, elsewhere) as console:
            engine = console.engine
            assert isinstance(engine, RemoteEngine)
            link.cuts = 1
            await opened_from_history(console, "past")
            assert front(console).source.run_id == "past"
            engine._client._connection._patience = 0.3
            dialog = await shown(console)
            choose(dialog, "other")
            link.cuts, link.stays = 1, True
            dialog.do()
            await console.recorded.settled()
            assert front(console).source.run_id == "past"
            said = console.strip.shown
            assert said is not None
            assert said.what == "“other” was not opened"
            assert "is gone" in said.reason
            await export_into(console, tmp_path / "past.html")
            await console.files.exporting.settled()
            assert console.strip.shown is not None
            assert console.strip.shown.what == "past.html was not written"
            assert "is gone" in console.strip.shown.reason
            assert not (tmp_path / "past.html").exists()
            dialog = await shown(console)
            assert "is gone" in dialog._trouble.text()
            dialog.reject()
            link.stays = link.is_gone = False
            await opened_from_history(console, "other")
            assert front(console).source.run_id == "other"

    desktop.run(main)


def test_a_run_that_is_gone_there_is_told_in_a_sentence(desktop: Desktop, elsewhere: Path) -> None:
    async def main() -> None:
        async with over(desktop, elsewhere) as console:
            dialog = await shown(console)
            choose(dialog, "past")
            (elsewhere / "runs" / "past").rename(elsewhere / "past")
            dialog.do()
            await console.recorded.settled()
            assert console.strip.shown is not None
            assert console.strip.shown.reason == f"There is no run 'past' in {elsewhere} any more."

    desktop.run(main)
