"""The console as people use it: a real window on a display of its own, with real keys and a real pointer.

What comes of it is read from the run's journal, which knows nothing of the window.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.end2end.shell import PATIENCE, until

from starloom import events as ev
from starloom.journal.base import JournalError
from starloom.journal.stream_file import StreamFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

ROOT = Path(__file__).parents[2]
NEEDED = ("Xvfb", "xdotool")
MISSING = [name for name in NEEDED if shutil.which(name) is None]
LIMIT_BUTTON = (1130, 44)
"""Where it is in the window as it first opens, 180 wide and 28 high around this."""
SPEED = "3"
"""Everything is as it is, but three times as fast."""

pytestmark = pytest.mark.skipif(
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
    """Somebody at the console: has a keyboard, a pointer and eyes for the journal."""

    def __init__(self, folder: Path, screen: dict[str, str]) -> None:
        self._journal, self._errors = folder / "journal", folder / "stderr"
        home = {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config")}
        kept = {name: text for name, text in screen.items() if not name.startswith("STARLOOM_")}
        self._env = {**kept, **home, "STARLOOM_JOURNAL": str(self._journal), "STARLOOM_DEMO_SPEED": SPEED, "LANG": "C"}
        (folder / "settings.toml").touch()
        self._env["STARLOOM_SETTINGS"] = str(folder / "settings.toml")
        with self._errors.open("wb") as errors:
            self.program = subprocess.Popen(
                [sys.executable, "-m", "starloom_gui"],
                cwd=folder,
                env=self._env,
                stderr=errors,
                stdin=subprocess.DEVNULL,
            )
        self.window = ""

    def errors(self) -> str:
        return self._errors.read_text(encoding="utf-8", errors="replace")

    # ---- hands

    def _hand(self, *arguments: str) -> str:
        done = subprocess.run(
            ["xdotool", *arguments], env=self._env, capture_output=True, text=True, timeout=60, check=False
        )
        return done.stdout.strip()

    def find_window(self, name: str) -> str:
        """The window of that name, once it is to be seen."""

        def look() -> str:
            assert self.program.poll() is None, self.errors()
            return self._hand("search", "--onlyvisible", "--name", name).partition("\n")[0]

        return str(until(look, f"there is a window {name!r}"))

    def take_keyboard(self, name: str) -> None:
        """Have what is typed go to a window; without a window manager nobody else does that."""
        self._hand("windowfocus", "--sync", self.find_window(name))

    def press(self, *keys: str) -> None:
        self._hand("key", "--delay", "30", *keys)

    def press_until(self, keys: tuple[str, ...], kind: type, **fields: Any) -> None:
        """Press until the journal tells of it: a verb that is not possible yet is disabled, as anybody would see."""
        deadline = time.monotonic() + PATIENCE
        while not self.sees(kind, **fields):
            assert self.program.poll() is None, self.errors()
            assert time.monotonic() < deadline, f"{keys} never came to {kind.__name__} {fields}: {self.errors()}"
            self.press(*keys)

    def write(self, text: str) -> None:
        self._hand("type", "--delay", "30", text)

    def click(self, x: int, y: int) -> None:
        self._hand("mousemove", "--sync", str(x), str(y), "click", "1")

    # ---- eyes

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

    def wait_for(self, kind: type, **fields: Any) -> None:
        def look() -> bool:
            assert self.program.poll() is None, self.errors()
            return self.sees(kind, **fields)

        until(look, f"the journal tells of {kind.__name__} {fields}: {self.errors()}")


@pytest.fixture
def operator(tmp_path: Path) -> Iterator[Operator]:
    with load(ROOT / "packaging" / "virtual_screen.py").virtual_screen() as screen:
        someone = Operator(tmp_path, screen)
        try:
            yield someone
        finally:
            someone.program.kill()
            someone.program.wait()


def test_a_demo_is_run_steered_retried_and_closed_by_hand(operator: Operator) -> None:
    # open: the welcome page has its default button under the keyboard
    operator.take_keyboard("Starloom")
    operator.press("space")
    operator.wait_for(ev.RunStarted)

    # pause, while there is still much to do
    operator.press_until(("F6",), ev.RunPaused)

    # select, by name, and prove it by what happens to what is selected
    operator.press("ctrl+f")
    operator.write("coverage")
    operator.press("Return")
    operator.press_until(("ctrl+h",), ev.TasksHeld, task_ids=("coverage",))
    operator.press_until(("ctrl+l",), ev.TasksReleased, task_ids=("coverage",))

    # change a limit, in a dialog that a button of the toolbar opens
    operator.click(*LIMIT_BUTTON)
    operator.take_keyboard("Limit running tasks")
    operator.press("ctrl+a")
    operator.write("4")
    operator.press("Return")
    operator.wait_for(ev.LimitsChanged, max_concurrency=4)
    operator.take_keyboard("Starloom")

    operator.press_until(("F7",), ev.RunResumed)

    # retry what failed: its second draft compiles
    operator.wait_for(ev.TaskFailed, task_id="compile-ble")
    operator.press_until(("F8",), ev.TaskReset, task_id="compile-ble")
    operator.wait_for(ev.TaskCompleted, task_id="compile-ble")
    operator.wait_for(ev.TaskCompleted, task_id="unit-ble")

    operator.wait_for(ev.RunEnded)
    operator.press("ctrl+q")
    assert operator.program.wait(60) == 0, operator.errors()
    assert operator.errors() == ""
