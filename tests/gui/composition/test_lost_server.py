"""A server that dies and is started again, with and without what it ran: the window over it tells what is true."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QGuiApplication
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import front
from tests.waiting import POLL, until

from starloom.devices.kinds import make_device
from starloom.journal.library import run_folder
from starloom.model.device import DeviceSpec
from starloom.scheduling import commands as c
from starloom.settings import journal_path
from starloom_gui.app import attached
from starloom_gui.attachment import Attachment
from starloom_gui.gateway import remote_devices
from starloom_gui.gateway.attaching import attached_engine, look_at
from starloom_gui.shell.stale_overlay import StaleOverlay
from starloom_gui.widgets.message_bar import ErrorMessage
from starloom_gui.workspace.unset import unset_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from pathlib import Path

    from starloom_gui.composition.console import Console
    from starloom_gui.gateway.remote_engine import RemoteEngine

pytestmark = pytest.mark.usefixtures("app")
PLAN = """
starloom: 1
name: NAME
devices: [{id: here, kind: local, slots: 2}]
tasks:
  one: {shell: COMMAND}
"""


async def submitted(folder: Path, name: str, command: str) -> None:
    """Submit a plan of one task."""
    path = folder / f"{name}.yaml"
    path.write_text(PLAN.replace("NAME", name).replace("COMMAND", command), encoding="utf-8")
    words = [sys.executable, "-m", "starloom.cli", "submit", str(path), "--as", "carl"]
    done = await asyncio.create_subprocess_exec(*words, stdout=subprocess.DEVNULL)
    assert not await done.wait()


@pytest.fixture
def serve() -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Starts servers; they are killed afterwards."""
    servers: list[subprocess.Popen[bytes]] = []

    def start(*words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "starloom.cli", "serve", *words]
        servers.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        return servers[-1]

    yield start
    for server in servers:
        server.kill()
        server.wait()


@asynccontextmanager
async def window(desktop: Desktop) -> AsyncIterator[tuple[RemoteEngine, Console]]:
    """A window over the server here, and its engine; it is closed afterwards."""
    async with (
        attached_engine(Attachment("here")) as engine,
        attached(desktop.frame("here"), engine) as console,
    ):
        console.window.show()
        yield engine, console
        console.window.asks_before_closing = False
        console.window.close()
        await console.closed()


async def listens() -> bool:
    """Whether a server does."""
    try:
        await look_at("here")
    except Exception:  # noqa: BLE001 - none does yet
        return False
    return True


def said(console: Console) -> str:
    """The message in front."""
    return console.strip.shown.text if console.strip.shown is not None else ""


async def see_that_time_stands_still(console: Console, *, foresees: bool = True) -> None:
    """See that nothing is told of what nobody hears of, and that nothing is offered."""

    def elapsed() -> float:
        console.front.refresh()
        figures = console.window.header.line.figures
        assert figures is not None
        assert figures.elapsed is not None
        return figures.elapsed

    await until(lambda: not console.actions["pause"].isEnabled())
    await until(lambda: console.staleness.is_stale)
    foresee = front(console).source.foresee
    assert foresee is not None
    before, ahead = elapsed(), await foresee() if foresees else None
    await asyncio.sleep(1.0)
    assert elapsed() < before + 0.5
    assert ahead is None or (await foresee()).at == ahead.at, "nor does its finish move on"
    for ground in (console.devices, console.window.header.line):
        assert any(veil.is_shown for veil in ground.findChildren(StaleOverlay))


def type_by_hand(console: Console) -> None:
    """Type into a field of the run in front, and set nothing."""
    front(console).selection.select(0)
    console.window.workbench.show_pane("inspector")
    front(console).views["inspector"].widget.fields.value("description").write("typed by hand")
    assert [one.text for one in unset_of(front(console))] == ["typed by hand"]


def copy_what_was_typed(console: Console) -> None:
    """Have it from the message that is in front, which goes."""
    assert said(console).startswith("What you typed there was not set: ")
    assert console.strip.shown is not None
    assert console.strip.shown.act is not None
    console.strip.shown.act()
    assert QGuiApplication.clipboard().text() == "typed by hand"
    console.strip.withdraw(console.strip.shown)


@pytest.mark.parametrize("looks", [False, True])
def test_the_tab_of_a_run_that_a_new_server_has_not_taken_up_is_closed_until_one_does(
    desktop: Desktop, serve: Callable[..., subprocess.Popen[bytes]], tmp_path: Path, looks: bool
) -> None:
    async def main() -> None:
        first = serve()
        await until(listens, every=POLL)
        async with window(desktop) as (engine, console):
            await submitted(tmp_path, "short", "sleep 1")
            await until(lambda: engine.run_ids)
            (ended,) = engine.run_ids
            console.documents.put_run(ended, None, "short")
            await until(lambda: not engine.live)
            await submitted(tmp_path, "long", "sleep 3600")
            await until(lambda: engine.live)
            assert said(console) == "carl has started “long”."
            (run_id,) = engine.live
            console.documents.put_run(run_id, None, "long")
            await at_rest(console)
            tabs = console.documents.runs
            type_by_hand(console)

            first.kill()
            await until(lambda: engine.follower.lost_since is not None)
            assert console.documents.runs == tabs, "they may be there again"
            await see_that_time_stands_still(console)
            second = serve()
            await until(lambda: engine.follower.lost_since is None)
            assert not console.documents.runs
            copy_what_was_typed(console)
            assert said(console).startswith("“long” is not at the server any more: The server was started anew")
            if looks:
                assert console.strip.shown is not None
                assert console.strip.shown.act is not None
                console.strip.shown.act()
                await until(lambda: console.documents.runs)
                await console.recorded.settled()
                assert console.documents.runs[0].folder == run_folder(journal_path(), run_id)

            second.kill()
            await until(lambda: engine.follower.lost_since is not None)
            serve("--resume")
            await until(lambda: [tab.folder for tab in console.documents.runs] == [None])
            assert console.documents.runs == tabs[1:]
            assert said(console).startswith("“short” had ended, and the server was started anew since."), (
                "only that is so"
            )
            console.commands.do(c.CancelRun(run_id=run_id))
            await until(lambda: not engine.live)

    desktop.run(main)


@pytest.mark.parametrize("forgets", [False, True])
def test_devices_that_were_added_are_there_again_and_named_if_a_new_server_is_not_given_them(
    desktop: Desktop, serve: Callable[..., subprocess.Popen[bytes]], forgets: bool
) -> None:
    async def main() -> None:
        first = serve()
        await until(listens, every=POLL)
        async with window(desktop) as (engine, console):
            await engine.add_device(make_device(DeviceSpec(id="box", kind="simulated", slots=1)), c.OPERATOR)
            await until(lambda: "box" in engine.fleet_facts.devices)
            notice = ErrorMessage("", "Something else is so.", is_notice=True)
            console.strip.show_trouble(notice)
            first.terminate()
            await until(lambda: engine.follower.lost_since is not None)
            assert console.strip.holds(notice), "it has nothing to do with that"
            console.strip.withdraw(notice)
            await until(
                lambda: said(console).endswith(
                    " has ended: The next one is looked for; until then nothing can be changed here."
                )
            )
            await asyncio.to_thread(first.wait)
            if forgets:
                (journal_path() / "added-devices.yaml").unlink()
            serve()
            await until(lambda: engine.follower.lost_since is None)
            await at_rest(console)
            assert ("box" in engine.fleet_facts.devices) != forgets
            assert said(console).startswith("Gone from ") == forgets
            assert (": box: Somebody has removed them" in said(console)) == forgets

    desktop.run(main)


def test_an_interrupted_run_that_a_new_server_has_not_taken_up_goes_on_there_from_the_history(
    desktop: Desktop, serve: Callable[..., subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    async def main() -> None:
        first = serve()
        await until(listens, every=POLL)
        async with window(desktop) as (engine, console):
            await submitted(tmp_path, "long", "sleep 3600")
            await until(lambda: engine.live)
            (run_id,) = engine.live
            first.kill()
            await until(lambda: engine.follower.lost_since is not None)
            serve()
            await until(lambda: engine.follower.lost_since is None)
            assert not list(engine.live)
            (run,) = await engine.archive.records([run_folder(journal_path(), run_id)])
            await console.starter.resume(run)
            await until(lambda: list(engine.live) == [run_id])
            assert [(tab.run_id, tab.folder) for tab in console.documents.runs] == [(run_id, None)]
            console.commands.do(c.CancelRun(run_id=run_id))
            await until(lambda: not list(engine.live))

    desktop.run(main)


def test_the_notice_of_a_run_that_an_earlier_server_had_leads_to_what_was_recorded_of_it(
    desktop: Desktop, serve: Callable[..., subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    async def main() -> None:
        first = serve()
        await until(listens, every=POLL)
        async with window(desktop) as (engine, console):
            await submitted(tmp_path, "short", "echo done")
            await until(lambda: len(console.notifications.notices))
            (notice,) = console.notifications.notices
            first.kill()
            await until(lambda: engine.follower.lost_since is not None)
            serve()
            await until(lambda: engine.follower.lost_since is None)
            assert console.bridge.run(notice.run_id) is None
            console.notifications.show(notice)
            await until(lambda: console.documents.runs)
            await console.recorded.settled()
            (tab,) = console.documents.runs
            assert (tab.run_id, tab.folder) == (notice.run_id, run_folder(journal_path(), notice.run_id))

    desktop.run(main)


def test_a_server_that_stands_still_is_said_to_until_it_answers(
    desktop: Desktop, serve: Callable[..., subprocess.Popen[bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_devices, "PATIENCE", 1.0)

    async def main() -> None:
        server = serve()
        await until(listens, every=POLL)
        async with window(desktop) as (engine, console):
            await submitted(tmp_path, "long", "sleep 3600")
            await until(lambda: engine.live)
            (run_id,) = engine.live
            console.documents.put_run(run_id, None, "long")
            await at_rest(console)
            server.send_signal(signal.SIGSTOP)
            await until(lambda: engine.follower.is_silent)
            assert " does not answer: Its program stands still" in said(console)
            await see_that_time_stands_still(console, foresees=False)  # which asks the server
            server.send_signal(signal.SIGCONT)
            await until(lambda: engine.follower.lost_since is None)
            await until(lambda: "does not answer" not in said(console))
            await until(lambda: console.actions["pause"].isEnabled())
            server.send_signal(signal.SIGSTOP)
            await until(lambda: engine.follower.is_silent)
            server.kill()
            await until(lambda: not engine.follower.is_silent)
            assert engine.follower.lost_since is not None
            await until(lambda: " has ended: Its runs go on once it is started with --resume." in said(console))

    desktop.run(main)
