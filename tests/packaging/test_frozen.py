"""The packaged program, run as people run it. `make test-package` builds it first and names it; else all is skipped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = os.environ.get("STARLOOM_PACKAGED", "")
PATIENCE = 170.0

pytestmark = [
    pytest.mark.skipif(not PROGRAM, reason="Nothing is packaged; `make test-package` builds the program and tests it."),
    pytest.mark.timeout(400),
]

PLAN = """
starloom: 1
tasks:
  - id: words
    command: [printf, 'a b c']
  - id: environment
    shell: 'test -z "$LD_LIBRARY_PATH" && echo clean'
  - id: mean
    python: statistics:fmean
    inputs: {data: [1, 2, 6]}
    needs: [words]
  - id: own
    python: users_module:shout
    inputs: {word: hello}
"""


def run(*arguments: str | Path, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the program there, with journals and settings of its own."""
    own = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "DISPLAY", "WAYLAND_DISPLAY")
    }
    own |= {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "STARLOOM_JOURNAL": str(folder / "journal")}
    return subprocess.run(
        [PROGRAM, *arguments],
        cwd=folder,
        env=own | environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_it_says_which_version_it_is(tmp_path: Path):
    done = run("--version", folder=tmp_path)
    assert (done.returncode, done.stdout[:9]) == (0, "starloom "), done.stderr
    assert "not installed" not in done.stdout


def test_it_runs_commands_shell_text_and_python_of_its_own_and_of_the_user(tmp_path: Path):
    (tmp_path / "plan.yaml").write_text(PLAN, encoding="utf-8")
    (tmp_path / "users_module.py").write_text("def shout(word):\n    return word.upper()\n", encoding="utf-8")
    done = run("run", "plan.yaml", "--json", folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["state"] == "completed"


def test_a_python_task_that_fails_tells_its_own_traceback_and_nothing_of_ours(tmp_path: Path):
    (tmp_path / "plan.yaml").write_text("starloom: 1\ntasks: [{id: t, python: 'broken:fail'}]", encoding="utf-8")
    (tmp_path / "broken.py").write_text("def fail():\n    raise ValueError('no such luck')\n", encoding="utf-8")
    done = run("run", "plan.yaml", folder=tmp_path)
    assert done.returncode == 1
    assert "no such luck" in done.stdout + done.stderr
    assert "frozen_entry" not in done.stdout + done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Elsewhere there is always a display.")
def test_without_a_display_the_console_runs_the_demo_and_leaves_a_picture(tmp_path: Path):
    done = run("console", "--demo", folder=tmp_path, STARLOOM_DEMO_SPEED="20")
    assert done.returncode == 0, done.stdout + done.stderr
    picture = tmp_path / "starloom-demo.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size > 20_000


def test_the_hidden_argument_runs_nothing_but_files_of_the_program(tmp_path: Path):
    (tmp_path / "evil.py").write_text("print('run')", encoding="utf-8")
    done = run("--starloom-child", tmp_path / "evil.py", folder=tmp_path)
    assert done.returncode != 0
    assert "run\n" not in done.stdout


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Menus are filled otherwise elsewhere.")
def test_the_entry_for_menus_and_its_icons_lie_beside_it():
    share = Path(PROGRAM).parent / "share"
    assert "Exec=starloom console" in (share / "applications" / "starloom.desktop").read_text(encoding="utf-8")
    assert (share / "icons" / "hicolor" / "256x256" / "apps" / "starloom.png").exists()
