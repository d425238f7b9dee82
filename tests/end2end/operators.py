"""Somebody at a real console: on a display of its own, with real keys and a real pointer.

What comes of it is read from the run's journal, which knows nothing of the window.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.end2end.screen import SCREEN, read_screen
from tests.end2end.shell import PATIENCE, until

from starloom.journal.base import JournalError
from starloom.journal.stream_file import StreamFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType

    from PySide6.QtGui import QImage

ROOT = Path(__file__).parents[2]
NEEDED = ("Xvfb", "xdotool")
MISSING = [name for name in NEEDED if shutil.which(name) is None]
CONSOLE = (sys.executable, "-m", "starloom_gui")
SPEED = "3"
"""Everything is as it is, but three times as fast."""

with_a_display = pytest.mark.skipif(
    bool(MISSING), reason=f"{' and '.join(MISSING)} missing; packaging/system-libraries.sh installs them"
)


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"starloom_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Operator:
    """Has a keyboard, a pointer and eyes for the journal.

    Args:
        folder: the home of the program, with its journal and what it says of errors.
        screen: the environment of programs on the display.
        command: what is started.
    """

    def __init__(self, folder: Path, screen: dict[str, str], command: Sequence[str] = CONSOLE) -> None:
        self._journal, self._errors, self._screen = folder / "journal", folder / "stderr", folder / SCREEN
        home = {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config")}
        kept = {name: text for name, text in screen.items() if not name.startswith("STARLOOM_")}
        self.environment = {
            **kept,
            **home,
            "STARLOOM_JOURNAL": str(self._journal),
            "STARLOOM_DEMO_SPEED": SPEED,
            "LANG": "C",
        }
        (folder / "settings.toml").touch()
        self.environment["STARLOOM_SETTINGS"] = str(folder / "settings.toml")
        with self._errors.open("wb") as errors:
            self.program = subprocess.Popen(
                command,
                cwd=folder,
                env=self.environment,
                stderr=errors,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        self.window = ""

    def errors(self) -> str:
        return self._errors.read_text(encoding="utf-8", errors="replace")

    # ---- hands

    def hand(self, *arguments: str) -> str:
        done = subprocess.run(
            ["xdotool", *arguments], env=self.environment, capture_output=True, text=True, timeout=60, check=False
        )
        return done.stdout.strip()

    def find_window(self, name: str) -> str:
        """The window of that name, once it is to be seen."""

        def look() -> str:
            assert self.program.poll() is None, self.errors()
            return self.hand("search", "--onlyvisible", "--name", name).partition("\n")[0]

        return str(until(look, f"there is a window {name!r}"))

    def take_keyboard(self, name: str) -> None:
        """Have what is typed go to a window; without a window manager nobody else does that."""
        self.hand("windowfocus", "--sync", self.find_window(name))

    def press(self, *keys: str) -> None:
        self.hand("key", "--delay", "30", *keys)

    def press_until(self, keys: tuple[str, ...], kind: type, **fields: Any) -> None:
        """Press until the journal tells of it: a verb that is not possible yet is disabled, as anybody would see."""
        deadline = time.monotonic() + PATIENCE
        while not self.sees(kind, **fields):
            assert self.program.poll() is None, self.errors()
            assert time.monotonic() < deadline, f"{keys} never came to {kind.__name__} {fields}: {self.errors()}"
            self.press(*keys)

    def write(self, text: str) -> None:
        self.hand("type", "--delay", "30", text)

    def click(self, x: int, y: int) -> None:
        self.hand("mousemove", "--sync", str(x), str(y), "click", "1")

    # ---- eyes

    def ask(self, *what: Any) -> Any:
        """What a `pointing_console` answers, once it can."""
        return until(lambda: self.asked(*what), f"the console knows {what}: {self.errors()}")

    def asked(self, *what: Any) -> Any:
        """What a `pointing_console` answers now; None: it cannot yet."""
        to, of = self.program.stdin, self.program.stdout
        assert to is not None
        assert of is not None
        assert self.program.poll() is None, self.errors()
        to.write(json.dumps(what) + "\n")
        to.flush()
        return json.loads(of.readline())

    def events(self) -> list[Any]:
        """What is committed of the run by now."""
        for path in self._journal.glob("runs/*/journal.db"):
            try:
                with StreamFile(path, read_only=True) as file:
                    return list(file.committed())
            except JournalError:  # it is just being made
                return []
        return []

    def sees(self, kind: type, **fields: Any) -> bool:
        """Whether the journal tells of an event of that kind with these values."""
        return any(
            isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items())
            for event in self.events()
        )

    def screen(self) -> QImage:
        """What is on the display now, as the server has it: nothing is asked to paint itself."""
        return read_screen(self._screen)

    def wait_for(self, kind: type, **fields: Any) -> None:
        def look() -> bool:
            assert self.program.poll() is None, self.errors()
            return self.sees(kind, **fields)

        until(look, f"the journal tells of {kind.__name__} {fields}: {self.errors()}")


@contextmanager
def at_work(folder: Path, command: Sequence[str] = CONSOLE, size: str = "1440x900x24") -> Iterator[Operator]:
    """Somebody who has started a program on a display of that size; both are gone afterwards."""
    with load(ROOT / "packaging" / "virtual_screen.py").virtual_screen(size, folder) as screen:
        someone = Operator(folder, screen, command)
        try:
            yield someone
        finally:
            someone.program.kill()
            someone.program.communicate()
