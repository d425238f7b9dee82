"""`starloom.connect`: a served engine for programs in Python, here and through a login."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.end2end.test_cli_served import pytestmark, served, serving

from starloom import Plan, RunState, SettingsError, Task, connect
from starloom.scheduling.commands import SetRunLimit

if TYPE_CHECKING:
    from tests.end2end.shell import Shell

__all__ = ["pytestmark", "served"]


def test_plans_are_submitted_steered_and_waited_for(served: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    wait = "import os, time\nwhile not os.path.exists('go'): time.sleep(0.01)"
    plan = Plan(name="two", tasks=(Task(id="a", command=(sys.executable, "-c", wait)), Task(id="b", shell="echo b")))
    monkeypatch.setenv("XDG_RUNTIME_DIR", served.env["XDG_RUNTIME_DIR"])

    async def main() -> None:
        async with connect(served.journal, name="ada") as engine:
            run_id = await engine.submit(plan)
            ends = asyncio.ensure_future(engine.finished(run_id))
            await engine.command(run_id, SetRunLimit(run_id=run_id, max_concurrency=1))
            await engine.command(run_id, "pause")
            await engine.command("", {"drain_device": "local"})
            await engine.command("", {"resume_device": "local"})
            await engine.command(run_id, "resume")
            listed = await asyncio.gather(*(engine.runs() for _ in range(5)))
            assert all([one.run_id for one in runs] == [run_id] for runs in listed)
            (served.folder / "go").touch()
            assert (await ends).state is RunState.COMPLETED
            assert (await engine.output(run_id, "b", 0, 0)).data == b"b\n"
            await engine.stop()

    with serving(served):
        asyncio.run(main())


@pytest.mark.parametrize(
    "where", ["http://box", "ssh://", "ssh://box:port", "ssh://a:secret@box", "ssh://box/x?y", "ssh://-oProxyCommand=x"]
)
def test_what_names_no_server_is_refused(where: str) -> None:
    with pytest.raises(SettingsError, match="names no server"):
        connect(where)


@pytest.mark.parametrize(
    ("where", "command"),
    [
        ("ssh://box", "ssh -T ALIVE -- box starloom attach --stdio"),
        (
            "ssh://ada@box:2222/srv/runs",
            "ssh -T ALIVE -p 2222 -- ada@box starloom attach --stdio --journal /srv/runs",
        ),
        (
            "ssh://box/a%20b",
            "ssh -T ALIVE -- box starloom attach --stdio --journal '/a b'",
        ),
    ],
)
def test_a_machine_is_reached_by_the_users_own_ssh(where: str, command: str) -> None:
    link = connect(where)._connection.link
    alive = "-o ServerAliveInterval=15 -o ServerAliveCountMax=2"
    assert " ".join(link._command) == command.replace("ALIVE", alive)  # type: ignore[attr-defined]
    assert Path(command.split()[0]).name == "ssh"
