"""What the tests of the command line share: starting it as people do, and waiting for what it does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import psutil
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE = 60.0

posix = pytest.mark.skipif(sys.platform == "win32", reason="the plan's commands and signals are those of POSIX")

MIXED = """
starloom: 1
name: mixed
devices: [{id: here, kind: local, slots: 4}]
tasks:
  good: {shell: echo 7}
  again: {shell: 'echo try $STARLOOM_ATTEMPT; test $STARLOOM_ATTEMPT -ge 2', retry: 1}
  broken: {shell: 'printf "one\\n\\033[31mtwo\\033[0m\\n"; exit 3', needs: [good]}
  left-out: {shell: echo never, needs: [broken]}
  slow: {shell: sleep 60, timeout: 0.2s}
  big: {shell: echo big, needs: [{task: good, condition: value > 5}]}
  small: {shell: echo small, needs: [{task: good, condition: value < 5}]}
  mend: {shell: echo mended, needs: [{task: broken, kind: failure}]}
"""


class Shell:
    """Starts the command line in a folder of its own, with no settings but the defaults and journals of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        settings = folder / "settings.toml"
        settings.touch()
        kept = {k: v for k, v in os.environ.items() if not k.startswith("STARLOOM_") and k not in ("NO_COLOR", "TERM")}
        self.journal = folder / "journal"
        self.env = {**kept, "STARLOOM_SETTINGS": str(settings), "STARLOOM_JOURNAL": str(self.journal), "TERM": "xterm"}

    def plan(self, text: str, name: str = "plan.yaml") -> str:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def run(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "starloom.cli", *arguments],
            cwd=self.folder,
            env={**self.env, **env},
            capture_output=True,
            text=True,
            encoding="utf-8",
            stdin=subprocess.DEVNULL,
            timeout=PATIENCE,
            check=False,
        )

    @contextmanager
    def started(self, *arguments: str, **options: Any) -> Iterator[subprocess.Popen[str]]:
        with subprocess.Popen(
            [sys.executable, "-m", "starloom.cli", *arguments],
            cwd=self.folder,
            env=self.env,
            text=True,
            encoding="utf-8",
            preexec_fn=_take_signals,
            **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
        ) as process:
            try:
                yield process
            finally:
                process.kill()


def _take_signals() -> None:
    """As in a terminal: whoever runs the tests in the background may have switched Ctrl-C off for all children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def until(condition: Any, what: str) -> Any:
    """What the condition gives once that is something."""
    deadline = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < deadline, f"waited in vain until {what}"
        time.sleep(0.01)
    return found


def numbers(path: Path) -> list[int]:
    """The process ids in a file, once it holds a whole line of them."""
    text = path.read_text() if path.exists() else ""
    return [int(word) for word in text.split()] if text.endswith("\n") else []


def is_gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
