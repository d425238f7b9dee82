"""An SSH server that is killed while its machine works for a run: what the console shows, what became of the tasks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tests.driver import plan, task
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.device_sight import absences, card, told
from tests.gui.engines import orchestrator_of
from tests.integration.ssh_harness import alive, left_of
from tests.integration.ssh_harness import mortal_server as mortal_server
from tests.waiting import POLL, until

from starloom.devices.kinds import make_device
from starloom.model.device import DeviceSpec
from starloom.model.status import RunState
from starloom.model.task import Retry
from starloom_gui.panels.device_figures import standing
from starloom_gui.viewmodel.lane_bars import NEVER

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from tests.gui.composition.conftest import Desktop
    from tests.ssh_servers import OpensshServer

    from starloom.model.task import Task
    from starloom.orchestration.run import Run
    from starloom_gui.composition.console import Console

LONG = 60.0
"""Seconds between heartbeats where the device is not to be found lost, however slow this machine is."""


async def begun(console: Console, server: OpensshServer, tasks: list[Task], **options: Any) -> Run:
    """A run on the server's machine, in front; returns when its device is busy."""
    spec = DeviceSpec(id="there", kind="ssh", slots=2, trip_after=0, options=server.options(**options))
    console.commands.add_device(make_device(spec))
    await console.commands.answered()
    run = await orchestrator_of(console).start(replace(plan(tasks), name="far away"))
    console.documents.put_run(run.id)
    await until(lambda: card(console).status == "busy", every=POLL)
    await at_rest(console)
    return run


def lines(path: Path) -> list[str]:
    return path.read_text().split() if path.exists() else []


def test_what_ended_while_nobody_could_ask_has_ended_as_its_marker_says(
    desktop: Desktop, mortal_server: OpensshServer
) -> None:
    work = mortal_server.folder / "work"
    tasks = [
        task("good", shell="echo $$ >>good; while [ ! -e go.on ]; do sleep 0.02; done; echo [7]"),
        task("bad", shell="echo $$ >>bad; while [ ! -e go.on ]; do sleep 0.02; done; exit 3", retry=Retry(attempts=1)),
    ]

    async def main() -> None:
        async with desktop.console() as console:
            run = await begun(console, mortal_server, tasks, heartbeat_interval=LONG)
            await until(lambda: bool(lines(work / "good") and lines(work / "bad")), every=POLL)
            mortal_server.kill()
            (work / "go.on").touch()
            pids = [int(pid) for name in ("good", "bad") for pid in lines(work / name)]
            await until(lambda: not any(map(alive, pids)), every=POLL)
            assert run.state is RunState.EXECUTING, "nobody can know yet"
            mortal_server.start()
            await run.finished()
            assert (run.results["good"].value, run.results["bad"].exit_code) == ([7], 3)
            assert [len(lines(work / name)) for name in ("good", "bad")] == [1, 1]
            await until(lambda: card(console).status == "idle", every=POLL)
            await at_rest(console)
            assert not absences(console, "there"), "a short outage is none of the device's"

    desktop.run(main)
    assert left_of(mortal_server) == []


def test_a_machine_that_stays_away_is_shown_as_lost_and_its_task_is_ended_there_before_it_is_tried_again(
    desktop: Desktop, mortal_server: OpensshServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("starloom.devices.ssh.remote_steps.PATIENCE", 0.05)
    work = mortal_server.folder / "work"
    # An attempt that finds an earlier one alive says so.
    shell = (
        "for pid in $(cat began 2>/dev/null); do kill -0 $pid 2>/dev/null && echo $pid >>overlaps; done; "
        "echo $$ >>began; until [ -e go.on ]; do sleep 0.02; done; echo [7]"
    )
    tasks = [task("once", shell=shell, retry=Retry(attempts=9))]

    async def main() -> None:
        async with desktop.console() as console:
            run = await begun(console, mortal_server, tasks, heartbeat_interval=0.4, lost_after=0.1)
            await until(lambda: bool(lines(work / "began")), every=POLL)
            mortal_server.kill()
            await until(lambda: card(console).status == "disconnected" and not run.facts.running, every=POLL)
            await at_rest(console)
            assert standing(card(console)).startswith(("Unreachable since", "Last heard", "Disconnected"))
            assert [one.end for one in absences(console, "there")] == [NEVER]
            assert any("is unreachable, what runs there is waited for" in text for text in told(console, "there"))
            assert alive(int(lines(work / "began")[0])), "what runs there goes on without us"

            mortal_server.start()
            await until(lambda: len(lines(work / "began")) > 1, every=POLL)
            (work / "go.on").touch()
            await run.finished()
            assert (run.state, run.results["once"].value) == (RunState.COMPLETED, [7])
            await until(lambda: card(console).status == "idle", every=POLL)
            await at_rest(console)
            assert all(one.end < NEVER for one in absences(console, "there"))
            assert "there is connected" in told(console, "there")

    desktop.run(main)
    assert not (work / "overlaps").exists()
    assert left_of(mortal_server) == []
