"""Every example of the README runs as it stands there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.integration.test_wrapped import stand_in as stand_in
from tests.ssh_servers import AsyncsshServer

from starloom.formats import parse_plan
from starloom.formats.native import read_fleet
from starloom.formats.source import read_document

if TYPE_CHECKING:
    from collections.abc import Sequence

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def commands() -> list[list[str]]:
    return [line.removeprefix("$ ").split() for line in blocks("console")[0].splitlines() if line.startswith("$ ")]


def starloom(arguments: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "starloom.cli", *arguments],
        cwd=folder,
        env={**os.environ, "STARLOOM_JOURNAL": str(folder / "journal"), "STARLOOM_DEMO_SPEED": "20"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "plan.yaml").write_text(blocks("yaml")[0], encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("command", commands(), ids=lambda command: " ".join(command))
def test_a_command_of_the_readme_succeeds(command: list[str], folder: Path) -> None:
    assert command[0] == "starloom"
    done = starloom(command[1:], folder)
    assert done.returncode == 0, done.stderr
    if "--json" in command:
        assert json.loads(done.stdout)["state"] == "completed"


def test_the_plan_of_the_readme_ends_as_its_text_says(folder: Path) -> None:
    """`count` gets the value of `fetch`, the condition holds, and nothing raises the alarm."""
    assert {task.id for task in parse_plan(blocks("yaml")[0]).tasks} == {"fetch", "count", "migrate", "tidy", "alarm"}
    done = starloom(["run", "plan.yaml", "--json", "--output", "out"], folder)
    tasks = json.loads(done.stdout)["tasks"]
    assert tasks == {"total": 5, "completed": 4, "failed": 0, "cancelled": 0, "skipped": 1}
    counted = [path.read_text() for path in (folder / "out").rglob("count-*.log")]
    assert counted == ["3\n"]


PRINTED = (
    ["a", "b", "completed completed {'n': 16}"],
    ["{'place': 'cellar', 'mean': 4.0}", "measure#2 failed: nobody has a key"],
)


@pytest.mark.parametrize("number", range(len(PRINTED)))
def test_a_program_of_the_readme_prints_what_it_promises(number: int, tmp_path: Path) -> None:
    assert len(blocks("python")) == len(PRINTED)
    program = tmp_path / "program.py"
    program.write_text(blocks("python")[number], encoding="utf-8")
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines() == PRINTED[number]
    assert not done.stderr


def test_the_fleet_of_the_readme_copies_the_files_of_its_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """The machine of the fleet file is a server on loopback, and a program that behaves as Docker's stands in."""
    _, fleet, plan = blocks("yaml")
    container, folder = tmp_path / "container", tmp_path / "here"
    container.mkdir()
    (folder / "bin").mkdir(parents=True)
    monkeypatch.chdir(container)
    request.getfixturevalue("stand_in")
    (folder / "bin" / "clean").write_text("#!/bin/sh\ngrep -v '^#' \"$1\"\n")
    (folder / "bin" / "clean").chmod(0o755)
    (folder / "data.csv").write_text("# comment\n1,2\n3,4\n")
    (folder / "plan.yaml").write_text(plan, encoding="utf-8")
    with AsyncsshServer(tmp_path / "ssh") as server:
        assert {device.kind for device in read_fleet(read_document(fleet, "fleet.yaml"))[0]} == {
            "local",
            "ssh",
            "wrapped",
        }
        options = server.options(working_directory=str(server.folder / "work"), files_directory=str(folder))
        there = "".join(f"    {name}: {json.dumps(value)}\n" for name, value in options.items())
        of_the_readme = "    host: lab.example\n    user: me\n    working_directory: survey\n"
        assert of_the_readme in fleet
        (folder / "fleet.yaml").write_text(fleet.replace(of_the_readme, there), encoding="utf-8")
        done = starloom(["run", "plan.yaml", "--fleet", "fleet.yaml", "--json"], folder)
        assert json.loads(done.stdout)["state"] == "completed", done.stderr
        assert (server.folder / "work" / "tools" / "clean").exists()
    assert (folder / "clean.csv").read_text() == "1,2\n3,4\n"
    assert (folder / "results" / "lines").read_text().split() == ["2"]
