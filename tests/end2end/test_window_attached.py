"""A window over the engine of a server: it shows and steers what runs there, and outlives that server's death."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.end2end.operators import Operator, at_work, with_a_display
from tests.end2end.shell import is_gone, numbers, until

from starloom import events as ev

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
PLAN = """
starloom: 1
name: attached
tasks:
  first: {shell: "echo $$ > pid; while [ ! -e go ]; do sleep 0.05; done; echo first >> effects"}
  second: {shell: "echo second >> effects", needs: [first]}
"""

pytestmark = with_a_display


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """That of a server whose journals an operator's console has too."""
    with tempfile.TemporaryDirectory(prefix="sl") as short:
        monkeypatch.setenv("XDG_RUNTIME_DIR", short)
        (tmp_path / "settings.toml").touch()
        journal, settings = str(tmp_path / "journal"), str(tmp_path / "settings.toml")
        yield {**os.environ, "HOME": str(tmp_path), "STARLOOM_JOURNAL": journal, "STARLOOM_SETTINGS": settings}


def starloom(folder: Path, environment: dict[str, str], *words: str) -> str:
    """What a command of `starloom` prints."""
    command = (sys.executable, "-m", "starloom.cli", *words)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60)
    return done.stdout + done.stderr


@contextmanager
def serving(folder: Path, environment: dict[str, str], *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A server that listens; it is killed afterwards."""
    command = (sys.executable, "-m", "starloom.cli", "serve", *words)
    with (folder / "log").open("ab") as log:
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
    try:
        until(lambda: f"process {server.pid}" in starloom(folder, environment, "ps"), "the server listens")
        yield server
    finally:
        server.kill()
        server.wait()


def closed(operator: Operator) -> None:
    operator.take_keyboard("Starloom")
    operator.press("ctrl+q")
    assert operator.program.wait(60) == 0, operator.errors()
    assert operator.errors() == ""


def test_a_window_over_a_server_steers_it_outlives_its_death_and_ends_nothing(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    (tmp_path / "plan.yaml").write_text(PLAN, encoding="utf-8")
    command = (sys.executable, str(HERE / "pointing_console.py"), "--attach", "here", "--as", "ada")
    with serving(tmp_path, environment) as server:
        run_id = starloom(tmp_path, environment, "submit", "plan.yaml").split()[0]
        (pid,) = until(lambda: numbers(tmp_path / "pid"), "the first task has begun")
        with at_work(tmp_path, command) as operator:
            operator.ask("node", "second")
            operator.take_keyboard("Starloom")
            operator.press("F6")
            operator.wait_for(ev.RunPaused, origin="ada")
            server.kill()
            server.wait()
            with serving(tmp_path, environment, "--resume") as another:
                assert not is_gone(pid), "the task has gone on"
                operator.wait_for(ev.RunRecovered)
                (tmp_path / "go").touch()
                operator.wait_for(ev.TaskCompleted, task_id="first")
                until(lambda: operator.asked("status", "first") == "completed", "the window shows it")
                closed(operator)
                assert another.poll() is None, "its window ends nothing"
                starloom(tmp_path, environment, "do", run_id, "resume")
                until(lambda: (tmp_path / "effects").read_text().split() == ["first", "second"], "the rest has run")
