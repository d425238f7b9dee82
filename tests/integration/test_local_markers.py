"""Attempts of the local device that never began, and markers that tell little or nothing of those that did."""

from __future__ import annotations

import contextlib
import os
import subprocess
from typing import TYPE_CHECKING

import psutil
import pytest
from tests.integration.local_harness import BOUND, alive, error_of, posix_only, recovered, shell

from starloom.devices.attempt_files import AttemptFiles
from starloom.devices.marker import wrapped
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = posix_only


def wrap_late(folder: Path) -> bool:
    """Whether a wrapper that starts now runs its command."""
    files = AttemptFiles.at(folder / "attempts" / "t")
    env = {**os.environ, "STARLOOM_ATTEMPT_TOKEN": "late-1"}
    late, passed = wrapped(("touch", str(folder / "ran")), files, env)
    status = subprocess.run(
        late, env=passed, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
    ).returncode
    assert (folder / "ran").exists() == (status == 0)
    return status == 0


def test_a_wrapper_that_starts_late_runs_nothing(tmp_path):
    for _ in range(2):
        assert recovered(shell(":"), tmp_path) is None
        assert not wrap_late(tmp_path)


def test_a_second_wrapper_of_an_attempt_runs_nothing(tmp_path):
    files = mark(tmp_path, "begin 999999999 first-1 .\n")
    assert not wrap_late(tmp_path)
    os.unlink(files.marker)
    assert wrap_late(tmp_path)


@contextlib.contextmanager
def sleeper(**variables: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that waits for ever and whose environment can be read: the system shows none until it really runs."""
    process = subprocess.Popen(
        ["cat"], env={**os.environ, **variables}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(b".")
        process.stdin.flush()
        assert process.stdout.read(1) == b"."
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


def mark(folder: Path, text: str) -> AttemptFiles:
    files = AttemptFiles.at(folder / "attempts" / "t")
    files.make_folder()
    with open(files.marker, "w") as file:
        file.write(text)
    return files


@pytest.mark.parametrize("token", ["STARLOOM_ATTEMPT_TOKEN", "OTHER"])
def test_a_process_that_has_the_wrappers_number_by_chance_is_left_alone(tmp_path, token):
    with sleeper(**{token: "another-1"}) as stranger:
        mark(tmp_path, f"begin {stranger.pid} mine-1 .\n")
        assert recovered(shell(":"), tmp_path, grace=0) is None
        assert alive(stranger.pid)


@pytest.mark.parametrize("text", ["", "begin 1", "\0\0\0", "end 0 .\n"])
def test_a_marker_that_tells_nothing_still_lets_nobody_live(tmp_path, text):
    files = mark(tmp_path, text)
    with sleeper(STARLOOM_ATTEMPT_TOKEN="mine-1", STARLOOM_RESULT=files.result) as mine, sleeper() as stranger:
        assert recovered(shell(":"), tmp_path, grace=BOUND) is None
        assert (alive(mine.pid), alive(stranger.pid)) == (False, True)


def test_a_torn_end_is_an_interruption(tmp_path):
    with sleeper(STARLOOM_ATTEMPT_TOKEN="mine-1") as mine:
        mark(tmp_path, "begin 999999999 mine-1 .\nend 0")
        assert recovered(shell(":"), tmp_path, grace=BOUND) is None
        assert not alive(mine.pid)


def test_after_a_reboot_nothing_is_left_to_end(tmp_path):
    mark(tmp_path, "begin 999999999 mine-1 .\n")
    assert recovered(shell(":"), tmp_path) is None


def test_an_end_written_just_before_the_wrapper_is_killed_is_adopted(tmp_path, monkeypatch):
    """The wrapper ends between the first look at the marker and its own end."""
    with sleeper(STARLOOM_ATTEMPT_TOKEN="mine-1") as wrapper:
        files = mark(tmp_path, f"begin {wrapper.pid} mine-1 .\n")
        for path in (files.stdout, files.stderr):
            open(path, "w").close()
        kill = psutil.Process.kill

        def kill_after_the_end(process):
            with open(files.marker, "a") as file:
                file.write("end 4 .\n")
            kill(process)

        monkeypatch.setattr(psutil.Process, "kill", kill_after_the_end)
        outcome = recovered(shell(":"), tmp_path)
        assert outcome is not None
        assert error_of(outcome).message == "exit code 4"


def test_what_cannot_be_ended_is_told_so_that_nobody_starts_another(tmp_path, monkeypatch):
    with sleeper(STARLOOM_ATTEMPT_TOKEN="mine-1") as mine:
        mark(tmp_path, "begin 999999999 mine-1 .\n")
        monkeypatch.setattr("starloom.devices.ending.KILL_SECONDS", 0.05)
        for blow in ("kill", "terminate"):
            monkeypatch.setattr(psutil.Process, blow, lambda process: None)
        with pytest.raises(DeviceError, match=rf"the system could not end the processes {mine.pid}\."):
            recovered(shell(":"), tmp_path, grace=0.01)
        assert alive(mine.pid)


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "attempts").write_text("")
    with pytest.raises(DeviceError, match="Device 'here' cannot take up the attempt"):
        recovered(shell(":"), tmp_path)
