"""How a packaged program runs Python for tasks: the same entry, run here by an interpreter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import starloom
from starloom.agents import python_child as agent_child
from starloom.devices import python_child, schema_child
from starloom.journal import import_child
from starloom.reporting import digests_child, export_child

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[2]
ENGINE = Path(starloom.__file__).parents[1]
BOOT = f"import sys; sys._MEIPASS = {str(ENGINE)!r}; sys.path.insert(0, {str(ROOT / 'packaging')!r})"
BOOT += "; import frozen_entry; frozen_entry.main()"


def enter(*arguments: str | Path, folder: Path, said: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the entry as the packaged program would, with this as its input."""
    command = [sys.executable, "-c", BOOT, *arguments]
    return subprocess.run(
        command,
        cwd=folder,
        env=os.environ | environment,
        input=said,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)


@pytest.mark.usefixtures("frozen")
def test_children_of_a_packaged_program_are_the_program_again():
    hidden = (sys.executable, "--starloom-child")
    assert python_child.command_line("a:b", "in", "err")[:3] == (*hidden, python_child.__file__)
    assert agent_child.command_line("a:b")[:3] == (*hidden, agent_child.__file__)


@pytest.mark.usefixtures("frozen")
def test_a_function_of_the_users_is_called_from_where_the_task_runs(tmp_path: Path):
    (tmp_path / "here.py").write_text("import there\ndef call(n):\n    print('said')\n    return there.twice(n)\n")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "there.py").write_text("def twice(n):\n    return 2 * n\n")
    (tmp_path / "inputs").write_text(json.dumps({"n": 21}))
    arguments = python_child.command_line("here:call", "inputs", "error")[1:]
    done = enter(
        *arguments, folder=tmp_path, STARLOOM_RESULT=str(tmp_path / "result"), PYTHONPATH=str(tmp_path / "elsewhere")
    )
    assert (done.returncode, done.stdout) == (0, "said\n"), done.stderr
    assert (tmp_path / "result").read_text() == "42"


@pytest.mark.usefixtures("frozen")
@pytest.mark.parametrize("child", [export_child, import_child])
def test_what_the_console_has_done_apart_is_a_file_of_the_program(child: ModuleType, tmp_path: Path):
    program, *arguments = child.command_line()
    assert program == sys.executable
    done = enter(*arguments, tmp_path / "nothing", tmp_path / "x.starloom", folder=tmp_path)
    assert done.returncode == 2
    assert "runs files of this program only" not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("frozen")
def test_runs_of_a_plan_are_read_by_a_file_of_the_program(tmp_path: Path):
    program, *arguments = digests_child.command_line(digests_child.DigestsRequest(str(tmp_path), "p"))
    assert program == sys.executable
    done = enter(*arguments, folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


@pytest.mark.usefixtures("frozen")
def test_schemas_are_checked_by_a_file_of_the_program(tmp_path: Path):
    program, *arguments = schema_child.command_line()
    assert program == sys.executable
    done = enter(*arguments, folder=tmp_path, said=json.dumps(['{"type":"string"}', 1]))
    assert (done.returncode, json.loads(done.stdout)) == (0, ': 1 is not of type "string"'), done.stderr


def test_nothing_but_files_of_the_program_is_run(tmp_path: Path):
    (tmp_path / "evil.py").write_text("print('run')")
    done = enter("--starloom-child", tmp_path / "evil.py", folder=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "evil.py" in done.stderr


def test_other_programs_get_the_library_path_that_the_user_has_given(tmp_path: Path):
    for name in ("starloom", "starloom/devices"):
        (tmp_path / name).mkdir()
    shown = tmp_path / "starloom" / "devices" / "python_child.py"
    shown.write_text("import os\nprint(os.environ.get('LD_LIBRARY_PATH'))")
    boot = BOOT.replace(str(ENGINE), str(tmp_path))
    for given, kept in (({"LD_LIBRARY_PATH_ORIG": "/mine"}, "/mine"), ({}, "None")):
        environment = os.environ | {"LD_LIBRARY_PATH": "/ours"} | given
        command = [sys.executable, "-c", boot, "--starloom-child", str(shown)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
        assert done.stdout == f"{kept}\n", done.stderr
