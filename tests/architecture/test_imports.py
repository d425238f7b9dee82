"""The import contracts of pyproject.toml hold, and each of them can be seen to break."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"

LAYERS = "A room of the engine imports only from the rooms below it"
PURE = "The rooms that decide know no loop, clock, chance, thread, process or network"
HEADLESS = "The engine knows neither Qt nor the console"
VOCABULARY = "Of the constellation, the events know the edits and nothing else"


@dataclass
class Copy:
    """A copy of the engine's source, with the real contracts, in which a test may sin."""

    root: Path

    def offend(self, module: str, line: str) -> None:
        """Put a line at the end of a module; makes the module, and the room it is in, when there is none."""
        path = self.root / "engine" / "starloom" / module
        for room in reversed(path.relative_to(self.root / "engine" / "starloom").parents[:-1]):
            (self.root / "engine" / "starloom" / room).mkdir(exist_ok=True)
            (self.root / "engine" / "starloom" / room / "__init__.py").touch()
        with path.open("a") as file:
            file.write(f"\n{line}\n")

    def broken(self) -> set[str]:
        """The names of the contracts that do not hold in it."""
        done = subprocess.run(
            [sys.executable, "-c", LINT, "--no-cache", "--no-logo"],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": str(self.root / "engine"), "NO_COLOR": "1", "COLUMNS": "200"},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        verdicts = dict(re.findall(r"^(.+) (KEPT|BROKEN)\b", done.stdout, re.MULTILINE))
        assert set(verdicts) == {LAYERS, PURE, HEADLESS, VOCABULARY}, done.stdout + done.stderr
        return {name for name, verdict in verdicts.items() if verdict == "BROKEN"}


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    shutil.copytree(
        ROOT / "engine" / "starloom",
        tmp_path / "engine" / "starloom",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return Copy(tmp_path)


def test_the_contracts_hold(copy: Copy) -> None:
    assert copy.broken() == set()


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("model/task.py", "import starloom.constellation.edits", LAYERS),
        ("constellation/edits.py", "import starloom.events", LAYERS),
        ("errors.py", "import starloom.model.result", LAYERS),
        ("devices/base.py", "import starloom.testing.clock", LAYERS),
        ("journal/offender.py", "import starloom.devices.base", LAYERS),
        ("scheduling/offender.py", "import starloom.orchestration.offender", LAYERS),
        ("a_new_room/offender.py", "", LAYERS),
        ("model/task.py", "import asyncio", PURE),
        ("model/task.py", "from time import monotonic", PURE),
        ("constellation/edits.py", "import random", PURE),
        ("scheduling/offender.py", "def late():\n    import threading", PURE),
        ("scheduling/offender.py", "import subprocess", PURE),
        ("scheduling/offender.py", "import socket", PURE),
        ("orchestration/offender.py", "from PySide6 import QtCore", HEADLESS),
        ("devices/base.py", "import starloom_gui.app", HEADLESS),
        ("events.py", "import starloom.constellation", VOCABULARY),
    ],
)
def test_an_offending_import_breaks_just_its_contract(copy: Copy, module: str, line: str, contract: str) -> None:
    if "orchestration.offender" in line:
        copy.offend("orchestration/offender.py", "")
    copy.offend(module, line)
    assert copy.broken() == {contract}
