"""What an attempt on another machine prints after it was given up is read once the machine is there again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.integration.ssh_harness import BOUND, folders_of
from tests.integration.ssh_harness import mortal_server as mortal_server
from tests.integration.test_ssh_outages import device_of, lines, until_silent
from tests.waiting import POLL, until

from starloom import Orchestrator, Plan, Task
from starloom.devices.ssh import following
from starloom.journal.library import Library, output_path
from starloom.settings import SchedulerSettings

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from tests.ssh_servers import OpensshServer

COUNTS = "n=0; while :; do n=$((n+1)); echo line $n; echo $n >>counted; {more}sleep 0.02; done"
MUCH = "if [ -e much ]; then rm much; head -c 3000000 /dev/zero | tr '\\0' x; echo; fi; "


async def cancelled_out_of_reach(server: OpensshServer, folder: Path, more: str = "") -> str:
    """Cancel a task that counts lines while its machine is out of reach; gives what is kept of its output at last."""
    with Library(folder) as library:
        async with (
            asyncio.timeout(2 * BOUND),
            Orchestrator([device_of(server)], settings=SchedulerSettings(), journal=library) as orchestrator,
        ):
            run = await orchestrator.start(Plan(tasks=(Task(id="t", shell=COUNTS.format(more=more)),)), run_id="r")
            await until(lambda: len(lines(server, "counted")) > 3, every=POLL)
            server.kill()
            await until_silent(orchestrator)
            before = len(lines(server, "counted"))
            (server.folder / "work" / "much").touch()
            await run.cancel()
            await run.finished()
            await until(lambda: len(lines(server, "counted")) > before + 10, every=POLL)
            server.start()
            await until(lambda: run.facts.reasons[0] == "ended once its device was reached", every=POLL)
            await until(lambda: not folders_of(server), every=POLL)
            return output_path(folder / "runs" / "r", "t", 1).read_text()


def test_what_it_prints_until_it_is_ended_is_there(mortal_server: OpensshServer, tmp_path: Path) -> None:
    kept = asyncio.run(cancelled_out_of_reach(mortal_server, tmp_path / "journal"))
    counted = [f"line {n}" for n in lines(mortal_server, "counted")]
    assert kept.splitlines()[: len(counted)] == counted, "each once, in order; one more may have been printed"


def test_of_very_much_the_end_is_there_and_what_is_missing_is_said(
    mortal_server: OpensshServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "HURRY", 0.0)
    kept = asyncio.run(cancelled_out_of_reach(mortal_server, tmp_path / "journal", MUCH))
    last = lines(mortal_server, "counted")[-1]
    assert f"line {last}" in kept
    assert "bytes of stdout were not brought over]" in kept
