"""The past of a server on another machine, through a real sshd: a run of an earlier server, with a large output."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_comparing import offered
from tests.gui.composition.test_console import front
from tests.gui.composition.test_exporting import export_into
from tests.gui.composition.test_history import choose, names, shown
from tests.gui.composition.test_time_travel import settled
from tests.ssh_servers import OpensshServer
from tests.waiting import POLL, until

from starloom.formats import parse_plan
from starloom.journal.library import output_path
from starloom.journal.records import record
from starloom.journal.taking_in import take_in
from starloom.server.client import EngineClient
from starloom.server.links import ProgramLink
from starloom_gui.app import attached
from starloom_gui.gateway.remote_engine import EngineAccess, remote_engine

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [
    pytest.mark.usefixtures("app"),
    pytest.mark.skipif(shutil.which("ssh") is None, reason="there is no ssh"),
]
SIZE = 6_000_000
"""Bytes that a task prints."""
PLAN = {
    "starloom": 1,
    "name": "nightly",
    "devices": [{"id": "here", "kind": "local", "slots": 2}],
    "tasks": {"long": {"shell": f"yes | head -c {SIZE}"}, "then": {"shell": "echo [7]", "needs": ["long"]}},
}


class Machine:
    """Another machine: a folder of journals, servers for it, and an sshd on loopback that leads there.

    Attributes:
        journals: the folder.
    """

    def __init__(self, folder: Path, runtime: Path, sshd: OpensshServer) -> None:
        self.journals, self._sshd = folder / "there", sshd
        self._environment = {
            **{name: text for name, text in os.environ.items() if not name.startswith("STARLOOM_")},
            "STARLOOM_JOURNAL": str(self.journals),
            "STARLOOM_SETTINGS": os.devnull,
            "XDG_RUNTIME_DIR": str(runtime),
        }
        self._servers: list[subprocess.Popen[bytes]] = []
        self._bin = folder / "bin"
        self._bin.mkdir()
        program = self._bin / "starloom"
        given = ("STARLOOM_JOURNAL", "STARLOOM_SETTINGS", "XDG_RUNTIME_DIR")
        wanted = " ".join(f"{name}={shlex.quote(self._environment[name])}" for name in given)
        program.write_text(f'#!/bin/sh\n{wanted} exec {shlex.quote(sys.executable)} -m starloom.cli "$@"\n')
        program.chmod(0o755)

    @property
    def link(self) -> ProgramLink:
        """The way there by ssh."""
        known, key = f"UserKnownHostsFile={self._sshd.known_hosts}", str(self._sshd.key_file)
        options = ["-F", "none", "-o", known, "-o", "BatchMode=yes", "-i", key, "-p", str(self._sshd.port)]
        path = f"PATH={shlex.quote(str(self._bin))}:$PATH"
        return ProgramLink(["ssh", *options, "127.0.0.1", path], "lab-7")

    def _start(self) -> None:
        command = [sys.executable, "-m", "starloom.cli", "serve"]
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._servers.append(subprocess.Popen(command, env=self._environment, **quiet))

    async def serve(self) -> None:
        """Have a server, and no other one."""
        self.end()
        self._start()
        await until(self._answers, every=POLL)

    async def _answers(self) -> bool:
        try:
            async with EngineClient(self.link, "ada"):
                return True
        except Exception:  # noqa: BLE001 - none does yet
            return False

    async def run(self, run_id: str) -> None:
        """Have the plan run there to its end."""
        async with EngineClient(self.link, "ada") as client:
            await client.submit(parse_plan(json.dumps(PLAN), format="json"), run_id)
            await client.finished(run_id)

    def end(self) -> None:
        """End the server."""
        while self._servers:
            server = self._servers.pop()
            server.terminate()
            server.wait(60)


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    with tempfile.TemporaryDirectory(prefix="sl") as runtime, OpensshServer(tmp_path / "ssh") as sshd:
        there = Machine(tmp_path, Path(runtime), sshd)
        yield there
        there.end()


def logins() -> list[psutil.Process]:
    """The programs that have logged in for this one, and not ended."""
    found = []
    for one in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):  # it has ended just now
            found += [one] if one.name() == "ssh" else []
    return found


def test_a_run_of_an_earlier_server_is_listed_opened_compared_and_exported_over_ssh(
    desktop: Desktop, machine: Machine, tmp_path: Path
) -> None:
    async def main() -> None:
        await machine.serve()
        await machine.run("first")
        await machine.run("second")
        await machine.serve()
        async with AsyncExitStack() as stack:
            engine = await stack.enter_async_context(remote_engine(EngineAccess(machine.link, "lab-7", "ada")))
            console = await stack.enter_async_context(attached(desktop.frame("lab-7"), engine))
            console.window.show()
            dialog = await shown(console)
            assert names(dialog) == ["second", "first"]
            choose(dialog, "second")
            assert dialog._about.text() == f"lab-7:{machine.journals}/runs/second"
            dialog.do()
            await console.recorded.settled()
            await at_rest(console)
            view = front(console)
            assert view.source.run_id == "second"
            assert view.source.travel is not None
            view.source.travel.go_to_begin()
            await settled(console, view.source.travel)
            assert view.source.travel.position < view.source.travel.count

            compare = await offered(console)
            QTest.keyClick(compare.search, Qt.Key.Key_Return)
            await console.window_actions.controllers.baseline.settled()
            assert view.compared.earlier is not None
            assert view.compared.earlier.run.run_id == "first"

            console.plan_runs.ask("nightly")
            await console.plan_runs.settled()
            reading = console.plan_runs.of("nightly")
            assert reading is not None
            assert {column.run_id: column.state for column in reading.columns} == {
                "first": "completed",
                "second": "completed",
            }

            await export_into(console, tmp_path / "second.html")
            await console.files.exporting.settled()
            assert "nightly" in (tmp_path / "second.html").read_text(encoding="utf-8")
            assert not list(engine.archive.directory.rglob("output/*")), "a report needs no output"
            await export_into(console, tmp_path / "second.starloom")
            await console.files.exporting.settled()
            folder = take_in(tmp_path / "second.starloom", tmp_path / "mine")
            assert record(folder).state == "completed"
            assert output_path(folder, "long", 1).stat().st_size == SIZE

            console.window.asks_before_closing = False
            console.window.close()
            await console.closed()
        await until(lambda: not logins(), every=POLL)
        await asyncio.sleep(POLL)  # the loop is told by a thread that they have ended

    desktop.run(main)
