"""Where there is no display the console says so and runs the demo without one, in the real window."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.end2end.shell import PATIENCE, Shell, posix, until

from starloom_gui.displays import has_display
from starloom_gui.headless import PICTURE
from starloom_resources.demo import SPEED

if TYPE_CHECKING:
    from pathlib import Path

PNG = b"\x89PNG\r\n\x1a\n"


def size_of(picture: Path) -> tuple[int, int]:
    """Width and height, from where a PNG has them."""
    data = picture.read_bytes()
    assert data.startswith(PNG)
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])


@pytest.fixture
def dark(shell: Shell) -> Shell:
    """A shell without a display, with settings of its own."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        shell.env.pop(name, None)
    shell.env |= {"XDG_CONFIG_HOME": str(shell.folder / "config"), SPEED: "20"}
    return shell


@pytest.mark.parametrize(
    ("environment", "platform", "there"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"QT_QPA_PLATFORM": "offscreen"}, "linux", True),
        ({}, "freebsd14", False),
        ({}, "darwin", True),
        ({}, "win32", True),
    ],
)
def test_a_display_is_expected_where_windows_can_be_seen(environment, platform, there):
    assert has_display(environment, platform) is there


@posix
@pytest.mark.skipif(sys.platform == "darwin", reason="there is always a display")
def test_without_a_display_the_demo_leaves_a_picture_and_a_summary(dark: Shell) -> None:
    done = dark.run("console", "--demo")
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("There is no display")
    assert "retry     flash-lab-c" in done.stderr
    assert "completed: firmware" in done.stdout
    assert "36 completed, 1 failed, 3 skipped" in done.stdout
    assert size_of(dark.folder / PICTURE) == (1440, 900)
    assert f"{dark.folder / PICTURE}" in done.stdout
    found = json.loads(dark.run("runs", "--json").stdout)
    assert [run["state"] for run in found] == ["completed"], "the console keeps a journal of it"


@posix
@pytest.mark.skipif(sys.platform == "darwin", reason="there is always a display")
def test_files_cannot_be_opened_without_a_display(dark: Shell) -> None:
    done = dark.run("console", "plan.yaml")
    assert done.returncode == 2
    assert "`starloom run PLAN`" in done.stderr
    assert not (dark.folder / PICTURE).exists()


@posix
@pytest.mark.skipif(sys.platform == "darwin", reason="there is always a display")
@pytest.mark.parametrize("arguments", [("console",), ()])
def test_the_demo_without_a_display_can_be_interrupted_however_it_was_started(
    dark: Shell, arguments: tuple[str, ...]
) -> None:
    dark.env[SPEED] = "1"
    errors = dark.folder / "stderr"
    with errors.open("w") as file, dark.started(*arguments, stdout=subprocess.DEVNULL, stderr=file) as process:
        until(lambda: "done      toolchain" in errors.read_text(), "the first task is done")
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
    assert errors.read_text().startswith("There is no display")
    assert errors.read_text().endswith("Interrupted.\n")
    assert "Traceback" not in errors.read_text()
