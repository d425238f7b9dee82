"""A console that is killed while its tasks run on another machine, and the one that goes on with them."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.integration.ssh_harness import BOUND, folders_of, left_of
from tests.integration.ssh_harness import server as server
from tests.waiting import POLL, until

if TYPE_CHECKING:
    from pathlib import Path

MOST_PROGRAMS = 5
"""Each of which a slow machine may give too little time to remove what is left."""


@pytest.fixture
def starloom(server, tmp_path):
    """Starts the program with a fleet of one machine reached over SSH."""
    options = server.options()
    fleet = {"starloom": 1, "devices": [{"id": "there", "kind": "ssh", "slots": 2, "options": options}]}
    (tmp_path / "fleet.json").write_text(json.dumps(fleet))
    environment = {**os.environ, "HOME": str(tmp_path), "NO_COLOR": "1", "COLUMNS": "2000"}
    started = []

    def start(*words: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "starloom.cli", *words, "--journal", "runs"]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=pipe, stderr=pipe, text=True)
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def test_what_ended_meanwhile_counts_as_it_ended_and_what_did_not_is_run_again(server, starloom, tmp_path):
    work = server.folder / "work"
    os.mkfifo(work / "go")
    tasks = [
        {"id": "ends", "shell": "echo x >>ends; read -r _ <go; echo '[7]'"},
        {"id": "hangs", "on_interrupt": "rerun", "shell": "echo x >>hangs; test -e again || sleep 1000"},
    ]
    (tmp_path / "plan.json").write_text(json.dumps({"starloom": 1, "name": "p", "tasks": tasks}))
    console = starloom("run", "plan.json", "--fleet", "fleet.json")
    asyncio.run(until(lambda: bool(_lines(work / "ends") and _lines(work / "hangs")), every=POLL))
    console.kill()
    console.communicate()
    (work / "go").write_text("now\n")
    markers = list((server.folder / "state").glob("attempts/*/marker"))
    asyncio.run(until(lambda: any("end 0" in marker.read_text() for marker in markers), every=POLL))
    (work / "again").touch()
    said, complaints = starloom("resume").communicate(timeout=2 * BOUND)
    assert "2 completed" in said, complaints
    assert (_lines(work / "ends"), _lines(work / "hangs")) == (["x"], ["x", "x"])
    (tmp_path / "plan.json").write_text(json.dumps({"starloom": 1, "tasks": {"another": {"shell": "true"}}}))
    for _ in range(MOST_PROGRAMS):
        if folders_of(server):
            starloom("run", "plan.json", "--fleet", "fleet.json").communicate(timeout=BOUND)
    assert (left_of(server), folders_of(server)) == ([], [])


def test_at_first_contact_the_console_says_what_to_compare_and_what_to_add(server, starloom, tmp_path):
    trusted = server.known_hosts.read_text()
    server.known_hosts.unlink()
    (tmp_path / "plan.json").write_text(json.dumps({"starloom": 1, "tasks": [{"id": "a", "shell": "true"}]}))
    console = starloom("run", "plan.json", "--fleet", "fleet.json")
    said = ""
    while "add this line" not in said:
        line = console.stderr.readline()
        assert line, said
        said += line
    assert server.host_key.get_fingerprint() in said
    assert trusted.strip() in said
    server.known_hosts.write_text(trusted)  # and it goes on by itself
    rest, complaints = console.communicate(timeout=2 * BOUND)
    assert console.returncode == 0, rest + complaints
