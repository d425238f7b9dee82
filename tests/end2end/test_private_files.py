"""Nobody but the user who started a run can read what it leaves: its folders are 0700, its files and exports 0600."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")

PLAN = """\
starloom: 1
name: secretive
tasks:
  a: {shell: 'echo $PASSWORD; echo oops >&2', env: {PASSWORD: hunter2}}
  b: {python: 'os.path:basename', inputs: {p: a/b}, needs: [a], upstream: true}
  c: {shell: 'exit 3', needs: [b]}
layout: {a: [0, 0]}
"""


@pytest.fixture(autouse=True)
def _generous_umask() -> Iterator[None]:
    """Whoever opens files to everybody by default must not open these."""
    before = os.umask(0o000)
    try:
        yield
    finally:
        os.umask(before)


def starloom(folder: Path, *arguments: str) -> None:
    command = (sys.executable, "-m", "starloom.cli", *arguments)
    subprocess.run(command, cwd=folder, check=False, capture_output=True, timeout=120)


def open_to_others(folder: Path) -> dict[str, str]:
    """Everything in a folder that somebody else could read or write, with its rights."""
    found = [folder, *folder.rglob("*")]
    modes = {str(path.relative_to(folder)): stat.S_IMODE(path.lstat().st_mode) for path in found}
    return {name: oct(mode) for name, mode in modes.items() if mode & 0o077}


def test_everything_that_a_run_leaves_is_its_users_alone(tmp_path: Path) -> None:
    (tmp_path / "plan.yaml").write_text(PLAN)
    journal, output = tmp_path / "deep" / "journals", tmp_path / "out" / "puts"
    starloom(tmp_path, "run", "plan.yaml", "--journal", str(journal))
    starloom(tmp_path, "run", "plan.yaml", "--journal", str(journal), "--output", str(output))
    kept = {path.suffix for path in journal.rglob("*") if path.is_file()}
    assert kept >= {".db", ".lock", ".log"}, "there is something to look at"
    assert any(output.rglob("*.log"))
    assert open_to_others(tmp_path / "deep") == {}
    assert open_to_others(tmp_path / "out") == {}


def test_exports_are_too_unless_the_file_they_replace_was_not(tmp_path: Path) -> None:
    (tmp_path / "plan.yaml").write_text(PLAN)
    journal = tmp_path / "journals"
    starloom(tmp_path, "run", "plan.yaml", "--journal", str(journal))
    (run,) = (journal / "runs").iterdir()
    shared = tmp_path / "shared.html"
    shared.touch()
    shared.chmod(0o644)
    made = ("report.html", "report.json", "report.xml", "run.starloom")
    for name in made:
        (tmp_path / "exports").mkdir(mode=0o700, exist_ok=True)
        verb = "export" if name.endswith(".starloom") else "report"
        starloom(tmp_path, verb, str(run), "--output", f"exports/{name}")
    starloom(tmp_path, "report", str(run), "--output", str(shared))
    assert {path.name for path in (tmp_path / "exports").iterdir()} == set(made)
    assert open_to_others(tmp_path / "exports") == {}
    assert stat.S_IMODE(shared.stat().st_mode) == 0o644
    assert shared.stat().st_size > 0


def test_folders_that_an_earlier_version_made_are_closed(tmp_path: Path) -> None:
    runs = tmp_path / "journals" / "runs"
    runs.mkdir(parents=True, mode=0o755)
    (tmp_path / "plan.yaml").write_text(PLAN)
    starloom(tmp_path, "run", "plan.yaml", "--journal", str(tmp_path / "journals"))
    assert stat.S_IMODE(runs.stat().st_mode) == 0o700
