"""Runs that change hands between real programs: what runs goes on, nothing runs twice, and rules stay in force."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.end2end.shell import PATIENCE, Shell, is_gone, numbers, until
from tests.end2end.test_cli_served import effects, listed, pytestmark, served, serving, submitted

from starloom import CommandRefused, LocalDevice, Orchestrator, RunSummary
from starloom.journal.library import Library
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom.orchestration.handover import resume_handed, take_over
from starloom.server.client import EngineClient

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["pytestmark", "served"]

HANDED = """
starloom: 1
name: handed
devices: [{id: here, kind: local, slots: 4, options: {grace: 1}}]
rules:
  - on: {task: second}
    do:
      - add_task: {id: by-rule, shell: 'echo by-rule >> effects'}
tasks:
  first: {shell: 'echo first >> effects'}
  second: {shell: 'echo second >> effects; echo $$ > pid; until test -e go; do sleep 0.05; done', needs: [first]}
  third: {shell: 'echo third >> effects', needs: [second]}
"""
PRETENDING = """
  pretended: {simulate: 5s}
  after: {shell: 'echo after >> effects', needs: [pretended]}
"""


def hand_over(shell: Shell, plan: str) -> str:
    """Have a program start a plan, and hand it over as its second task runs; returns what it said."""
    child = Path(__file__).with_name("handing_over.py")
    done = subprocess.run(
        [sys.executable, str(child), str(shell.journal), shell.plan(plan)],
        cwd=shell.folder,
        env={**shell.env, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def handed_over(shell: Shell, plan: str = HANDED) -> Iterator[str]:
    """What a program said that has handed its run over to a server, which is stopped in the end."""
    said = hand_over(shell, plan)
    until(lambda: shell.run("ps").returncode == 0, "the server listens")
    try:
        yield said
    finally:
        (shell.folder / "go").touch()
        shell.run("stop", "--cancel")


def kinds(shell: Shell) -> list[str]:
    """The kinds of the run's events, once it has ended."""
    done = shell.run("watch", "handed")
    assert done.returncode == 0, done.stderr
    with StreamFile(shell.journal / "runs" / "handed" / JOURNAL, read_only=True) as file:
        return [type(event).__name__ for turn in file.turns() for event in turn.events]


def test_a_run_goes_on_in_a_server_when_its_program_has_handed_it_over(served: Shell) -> None:
    with handed_over(served) as said:
        assert not said
        (one,) = listed(served)
        (pid,) = numbers(served.folder / "pid")
        assert (one["run_id"], one["state"], one["running"]) == ("handed", "executing", 1)
        assert not is_gone(pid), "the attempt is not ended"
        (served.folder / "go").touch()
        told = kinds(served)
    assert sorted(effects(served)) == ["by-rule", "first", "second", "third"]
    assert "AgentDetached" not in told, "its rules have gone on"
    assert told.count("TaskStarted") == 4, "nothing began twice"


def test_what_would_be_interrupted_keeps_a_run_until_it_has_ended(served: Shell) -> None:
    with handed_over(served, HANDED + PRETENDING) as said:
        assert said.startswith("This would interrupt 'pretended' on 'here', of which nothing goes on")
        (served.folder / "go").touch()
        told = kinds(served)
    assert sorted(effects(served)) == ["after", "by-rule", "first", "second", "third"]
    assert told.count("RunPaused") == told.count("RunResumed") == 1, "it was paused for that alone"
    assert "TaskFailed" not in told


def test_a_program_that_dies_before_it_has_handed_over_leaves_a_server_that_takes_up_nothing(served: Shell) -> None:
    half = served.folder / "half"
    half.write_text('{"runs": [{"run_id": "hand')
    with half.open() as stdin, served.started("serve", "--take-over", "--give-way", stdin=stdin):
        until(lambda: served.run("ps").returncode == 0, "the server listens")
        assert listed(served) == []


def test_a_server_that_gives_way_hands_its_runs_on(served: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", served.env["XDG_RUNTIME_DIR"])
    monkeypatch.chdir(served.folder)

    async def taken() -> RunSummary:
        async with EngineClient(served.journal, "console") as client:
            assert client.welcome.gives_way
            handover = await client.take_over()
        with Library(served.journal) as library:
            assert not library.notice, "the journal of the fleet is free"
            async with Orchestrator([LocalDevice("spare")], journal=library) as engine:
                refused: list[object] = []
                await take_over(
                    handover, partial(resume_handed, engine, served.journal), lambda *told: refused.append(told)
                )
                assert not refused
                (run,) = engine.runs.values()
                (pid,) = numbers(served.folder / "pid")
                assert not is_gone(pid)
                (served.folder / "go").touch()
                return await run.finished()

    with handed_over(served):
        summary = asyncio.run(taken())
    assert summary.tasks.completed == 4
    assert sorted(effects(served)) == ["by-rule", "first", "second", "third"]


def test_a_server_that_was_started_by_name_keeps_its_runs(served: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", served.env["XDG_RUNTIME_DIR"])

    async def refused() -> None:
        async with EngineClient(served.journal, "console") as client:
            assert not client.welcome.gives_way
            with pytest.raises(CommandRefused, match="was started to stay"):
                await client.take_over()

    with serving(served):
        submitted(served)
        asyncio.run(refused())
        (served.folder / "go").touch()
        until(lambda: effects(served)[-1:] == ["third"], "the run goes on")
