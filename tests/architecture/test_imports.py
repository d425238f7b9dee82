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
NEW_ROOM = ""
"""Nothing is imported: the sin is that the room is there."""
SINS: dict[str, list[tuple[str, str, str]]] = {
    LAYERS: [
        ("starloom/model/task.py", "import starloom.constellation.edits", "starloom.constellation.edits"),
        ("starloom/constellation/edits.py", "import starloom.events", "starloom.events"),
        ("starloom/errors.py", "import starloom.model.result", "starloom.model.result"),
        ("starloom/devices/base.py", "import starloom.testing.clock", "starloom.testing.clock"),
        ("starloom/journal/offender.py", "import starloom.devices.base", "starloom.devices.base"),
        (
            "starloom/scheduling/state/offender.py",
            "import starloom.orchestration.clean",
            "starloom.orchestration.clean",
        ),
        ("starloom/orchestration/offender.py", "import starloom.telemetry.watch", "starloom.telemetry.watch"),
        ("starloom/orchestration/offender.py", "import starloom.server.wire", "starloom.server.wire"),
        ("starloom/server/offender.py", "import starloom.telemetry.watch", "starloom.telemetry.watch"),
        ("starloom/a_new_room/offender.py", "", NEW_ROOM),
    ],
    SCHEDULING: [
        (
            "starloom/scheduling/state/offender.py",
            "import starloom.scheduling.fold.apply",
            "starloom.scheduling.fold.apply",
        ),
        (
            "starloom/scheduling/read/offender.py",
            "def late():\n    from starloom.scheduling.decide import settle",
            "starloom.scheduling.decide.settle",
        ),
        (
            "starloom/scheduling/fold/offender.py",
            "from starloom.scheduling.read import why",
            "starloom.scheduling.read.why",
        ),
        (
            "starloom/scheduling/decide/offender.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import starloom.scheduling.scheduler",
            "starloom.scheduling.scheduler",
        ),
        ("starloom/scheduling/a_new_room/offender.py", "", NEW_ROOM),
    ],
    PURE: [
        ("starloom/model/task.py", "import asyncio", "asyncio"),
        ("starloom/model/task.py", "from time import monotonic", "time"),
        ("starloom/constellation/edits.py", "import random", "random"),
        ("starloom/scheduling/decide/offender.py", "def late():\n    import threading", "threading"),
        ("starloom/scheduling/fold/offender.py", "import subprocess", "subprocess"),
        ("starloom/scheduling/read/offender.py", "import socket", "socket"),
    ],
    HEADLESS: [
        ("starloom/orchestration/offender.py", "from PySide6 import QtCore", "PySide6"),
        ("starloom/devices/base.py", "import starloom_gui.event_loop", "starloom_gui.event_loop"),
    ],
    VOCABULARY: [("starloom/events/offender.py", "import starloom.constellation", "starloom.constellation")],
    CONSOLE: [
        ("starloom_gui/widgets/offender.py", "import starloom_gui.panels.tasks", "starloom_gui.panels.tasks"),
        ("starloom_gui/canvas/offender.py", "import starloom_gui.timeline.view", "starloom_gui.timeline.view"),
        (
            "starloom_gui/gateway/offender.py",
            "def late():\n    from starloom_gui.workspace import stacks",
            "starloom_gui.workspace.stacks",
        ),
        (
            "starloom_gui/editing/offender.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import starloom_gui.shell.main_window",
            "starloom_gui.shell.main_window",
        ),
        ("starloom_gui/a_new_room/offender.py", "", NEW_ROOM),
    ],
    GATEWAY: [
        ("starloom_gui/canvas/offender.py", "import starloom.orchestration.run", "starloom.orchestration.run"),
        (
            "starloom_gui/app.py",
            "from starloom.orchestration import orchestrator",
            "starloom.orchestration.orchestrator",
        ),
    ],
    BINDINGS: [
        ("starloom_gui/canvas/offender.py", "def late():\n    import pyqtgraph", "pyqtgraph"),
        ("starloom_gui/event_loop/loop.py", "from qasync import asyncSlot", "qasync"),
    ],
}
"""Of each contract, the modules that break it, with the line that does and the module that it imports.

No two of one contract make a longer way together, by which another contract would break, too.
"""
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

    def broken(self) -> dict[str, str]:
        """The names of the contracts that do not hold in it, each with what the linter says of it."""
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
        assert set(verdicts) == set(SINS), done.stdout + done.stderr
        parts = re.split(r"^(.+)\n-+\n", done.stdout.partition("Broken contracts")[2], flags=re.MULTILINE)
        said = dict(zip(parts[1::2], parts[2::2], strict=True))
        return {name: said[name] for name, verdict in verdicts.items() if verdict == "BROKEN"}


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
    assert copy.broken() == {}


def found(module: str, imported: str) -> re.Pattern[str]:
    """How the linter tells of a sin."""
    parts = module.removesuffix(".py").split("/")
    if imported == NEW_ROOM:
        return re.compile(rf"^- {re.escape('.'.join(parts[:-1]))}$", re.MULTILINE)
    return re.compile(rf"^- +{re.escape('.'.join(parts))} -> {re.escape(imported)} \(l\.\d+\)$", re.MULTILINE)


@pytest.mark.parametrize("contract", SINS)
def test_offending_imports_break_just_their_contract_and_each_of_them_is_found(copy: Copy, contract: str) -> None:
    """The linter takes a second, so it is run once for all sins against a contract; it names each of them."""
    copy.offend("starloom/orchestration/clean.py", "")
    for module, line, _ in SINS[contract]:
        copy.offend(module, line)
    broken = copy.broken()
    assert set(broken) == {contract}
    missed = [
        f"{module}: {line}"
        for module, line, imported in SINS[contract]
        if not found(module, imported).search(broken[contract])
    ]
    assert missed == [], broken[contract]


def test_a_command_to_a_server_waits_for_no_library_of_journals() -> None:
    program = "import sys, starloom.cli.remote; sys.exit('starloom.journal.library' in sys.modules)"
    assert not subprocess.run([sys.executable, "-c", program], check=False).returncode
