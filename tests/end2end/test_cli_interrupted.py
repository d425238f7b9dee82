"""Interrupted tasks of agents on the command line: whoever resumes is asked; where nobody answers the run is kept."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.end2end.test_cli_agents import ask
from tests.integration.acp_harness import AGENT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.end2end.shell import Shell

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="programs are killed")
WAITS = "The task a was interrupted on coder: whether it did its work is not known."


def killed(shell: Shell) -> Path:
    """The folder with the journal of a run whose program was killed while an agent worked."""
    command = json.dumps([sys.executable, "-I", "-S", "-u", str(AGENT), "stubborn", str(shell.folder / "begun")])
    plan = shell.plan(
        f"""
starloom: 1
devices: [{{id: coder, kind: acp, options: {{command: {command}, grace: 0.1}}}}]
tasks:
  a: {{prompt: go}}
  b: {{shell: echo b, device: here}}
""".replace("devices: [", "devices: [{id: here, kind: local}, ")
    )
    program = subprocess.Popen(
        [sys.executable, "-m", "starloom.cli", "run", plan, "--journal", "runs", "--quiet"],
        cwd=shell.folder,
        env=shell.env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while not (shell.folder / "begun").exists():
            assert program.poll() is None
            with pytest.raises(subprocess.TimeoutExpired):
                program.wait(0.05)
    finally:
        program.send_signal(signal.SIGKILL)
        program.wait()
    return shell.folder / "runs"


def test_whoever_resumes_is_asked_what_becomes_of_it(shell: Shell) -> None:
    killed(shell)
    done = ask(shell, "\nmaybe\nn\n", "resume", "--journal", "runs", "--json")
    assert WAITS in done.stderr
    assert done.stderr.count("Run it again? y, or n to cancel it") == 3, "nothing runs by Enter"
    tasks = json.loads(done.stdout)["tasks"]
    assert (done.returncode, tasks["completed"], tasks["cancelled"]) == (0, 1, 1), done.stderr


def test_where_nobody_answers_the_run_is_kept_and_it_says_how_it_goes_on(shell: Shell) -> None:
    killed(shell)
    left = ask(shell, "", "resume", "--journal", "runs")
    assert left.returncode == 1
    assert WAITS in left.stderr
    assert "Nobody answers: what was interrupted is not run again, and waits." in left.stderr
    assert "It is kept as it is: `starloom resume " in left.stderr
    again = ask(shell, "n\n", "resume", "--journal", "runs")
    assert WAITS in again.stderr


def test_rejecting_all_cancels_it_and_asks_nobody(shell: Shell) -> None:
    killed(shell)
    done = ask(shell, "", "resume", "--journal", "runs", "--gates", "reject", "--json")
    assert json.loads(done.stdout)["tasks"]["cancelled"] == 1, done.stderr
    assert WAITS not in done.stderr
