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

from starloom.formats import parse_plan

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
