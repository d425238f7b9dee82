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
SCHEDULING = "Decisions of the scheduler stand over the fold and the readers, those over its state"
PURE = "The rooms that decide know no loop, clock, chance, thread, process or network"
HEADLESS = "The engine knows neither Qt nor the console"
VOCABULARY = "Of the constellation, the events know the edits and nothing else"
CONSOLE = "A room of the console imports only from the rooms below it"
GATEWAY = "Of the console, only gateway and composition hold on to a running engine"
BINDINGS = "Libraries that choose Qt bindings by the environment are imported from qt_bindings alone"
PACKAGES = {"starloom": "engine/starloom", "starloom_gui": "gui/starloom_gui"}


@dataclass
class Copy:
    """A copy of the engine's and the console's source, with the real contracts, in which a test may sin."""

    root: Path
    known: Path
    """Where the linter keeps what each file imports, by its time: all copies are the same but for the sin."""

    def offend(self, module: str, line: str) -> None:
        """Put a line at the end of a module; makes the module, and the room it is in, when there is none."""
        package, _, rest = module.partition("/")
        path = self.root / PACKAGES[package] / rest
        for room in reversed(path.relative_to(self.root / PACKAGES[package]).parents[:-1]):
            (self.root / PACKAGES[package] / room).mkdir(exist_ok=True)
            (self.root / PACKAGES[package] / room / "__init__.py").touch()
        with path.open("a") as file:
            file.write(f"\n{line}\n")

    def broken(self) -> set[str]:
        """The names of the contracts that do not hold in it."""
        done = subprocess.run(
            [sys.executable, "-c", LINT, "--cache-dir", str(self.known), "--no-logo"],
            cwd=self.root,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join([str(self.root / "engine"), str(self.root / "gui")]),
                "NO_COLOR": "1",
                "COLUMNS": "200",
            },
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        verdicts = dict(re.findall(r"^(.+) (KEPT|BROKEN)\b", done.stdout, re.MULTILINE))
        assert set(verdicts) == {LAYERS, SCHEDULING, PURE, HEADLESS, VOCABULARY, CONSOLE, GATEWAY, BINDINGS}, (
            done.stdout + done.stderr
        )
        return {name for name, verdict in verdicts.items() if verdict == "BROKEN"}


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("known")


@pytest.fixture
def copy(tmp_path: Path, known: Path) -> Copy:
    for folder in PACKAGES.values():
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return Copy(tmp_path, known)


def test_the_contracts_hold(copy: Copy) -> None:
    assert copy.broken() == set()


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("starloom/model/task.py", "import starloom.constellation.edits", LAYERS),
        ("starloom/constellation/edits.py", "import starloom.events", LAYERS),
        ("starloom/errors.py", "import starloom.model.result", LAYERS),
        ("starloom/devices/base.py", "import starloom.testing.clock", LAYERS),
        ("starloom/journal/offender.py", "import starloom.devices.base", LAYERS),
        ("starloom/scheduling/state/offender.py", "import starloom.orchestration.offender", LAYERS),
        ("starloom/orchestration/offender.py", "import starloom.telemetry.watch", LAYERS),
        ("starloom/a_new_room/offender.py", "", LAYERS),
        ("starloom/scheduling/state/offender.py", "import starloom.scheduling.fold.apply", SCHEDULING),
        (
            "starloom/scheduling/read/offender.py",
            "def late():\n    from starloom.scheduling.decide import settle",
            SCHEDULING,
        ),
        ("starloom/scheduling/fold/offender.py", "from starloom.scheduling.read import why", SCHEDULING),
        (
            "starloom/scheduling/decide/offender.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import starloom.scheduling.scheduler",
            SCHEDULING,
        ),
        ("starloom/scheduling/a_new_room/offender.py", "", SCHEDULING),
        ("starloom/model/task.py", "import asyncio", PURE),
        ("starloom/model/task.py", "from time import monotonic", PURE),
        ("starloom/constellation/edits.py", "import random", PURE),
        ("starloom/scheduling/decide/offender.py", "def late():\n    import threading", PURE),
        ("starloom/scheduling/fold/offender.py", "import subprocess", PURE),
        ("starloom/scheduling/read/offender.py", "import socket", PURE),
        ("starloom/orchestration/offender.py", "from PySide6 import QtCore", HEADLESS),
        ("starloom/devices/base.py", "import starloom_gui.event_loop", HEADLESS),
        ("starloom/events/offender.py", "import starloom.constellation", VOCABULARY),
        ("starloom_gui/widgets/offender.py", "import starloom_gui.panels.tasks", CONSOLE),
        ("starloom_gui/canvas/offender.py", "import starloom_gui.timeline.view", CONSOLE),
        ("starloom_gui/gateway/offender.py", "def late():\n    from starloom_gui.workspace import stacks", CONSOLE),
        (
            "starloom_gui/editing/offender.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import starloom_gui.shell.main_window",
            CONSOLE,
        ),
        ("starloom_gui/a_new_room/offender.py", "", CONSOLE),
        ("starloom_gui/canvas/offender.py", "import starloom.orchestration.run", GATEWAY),
        ("starloom_gui/app.py", "from starloom.orchestration import orchestrator", GATEWAY),
        ("starloom_gui/canvas/offender.py", "def late():\n    import pyqtgraph", BINDINGS),
        ("starloom_gui/event_loop/loop.py", "from qasync import asyncSlot", BINDINGS),
    ],
)
def test_an_offending_import_breaks_just_its_contract(copy: Copy, module: str, line: str, contract: str) -> None:
    if "orchestration.offender" in line:
        copy.offend("starloom/orchestration/offender.py", "")
    copy.offend(module, line)
    assert copy.broken() == {contract}
