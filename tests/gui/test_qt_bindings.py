"""The console uses PySide6, whatever the user's shell says that qasync and pyqtgraph are to use."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
SHELLS: Final = [
    {"QT_API": "pyqt5", "PYQTGRAPH_QT_LIB": "PyQt5"},
    {"QT_API": "PyQt6", "PYQTGRAPH_QT_LIB": "PyQt6"},
    {"QT_API": "nonsense", "PYQTGRAPH_QT_LIB": "nonsense"},
    {},
]


def python(shell: dict[str, str], *arguments: str) -> str:
    """What a Python in a shell with these variables writes; it has to succeed."""
    kept = {name: value for name, value in os.environ.items() if name not in ("QT_API", "PYQTGRAPH_QT_LIB")}
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**kept, **shell, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("shell", SHELLS, ids=lambda shell: shell.get("QT_API", "nothing"))
def test_both_libraries_use_pyside6_and_the_users_own_tasks_get_the_users_environment(shell):
    code = """
import os
before = dict(os.environ)
from starloom_gui.qt_bindings import pyqtgraph, qasync
from starloom_gui.event_loop import QtEventLoop
assert issubclass(QtEventLoop, qasync.QEventLoop)
assert dict(os.environ) == before
print(qasync.QtModuleName, pyqtgraph.Qt.QT_LIB)
"""
    assert python(shell, "-c", code).split() == ["PySide6", "PySide6"]


def test_modules_are_imported_without_reading_their_source():
    code = """
import linecache
import starloom_gui.app
print([name for name in linecache.cache if "starloom_gui" in name])
"""
    assert python({}, "-c", code).strip() == "[]"


def test_a_library_that_is_no_qt_library_is_not_found():
    with pytest.raises(ImportError, match="numpy"):
        from starloom_gui.qt_bindings import numpy  # noqa: F401


@pytest.mark.parametrize("shell", SHELLS[:3], ids=lambda shell: shell["QT_API"])
def test_the_console_starts(shell):
    assert "starloom console" in python(shell, "-m", "starloom_gui", "--help")


def test_the_tests_of_the_loop_run():
    tests = "tests/gui/event_loop/test_event_loop_ends.py::test_stop_lets_everything_run_that_was_due"
    assert "2 passed" in python(SHELLS[0], "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", tests)
