"""Disks that are full or read-only, here and on the other machine: a sentence that names the path, and no hang."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.integration.local_harness import error_of, outcome_of
from tests.integration.ssh_harness import outcome_of as outcome_there
from tests.ssh_servers import OpensshServer

from starloom.errors import DeviceError
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small file system of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)]
    if sys.platform != "linux" or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(disk: Path) -> None:
    with open(disk / "ballast", "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            return


def make_read_only(disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)


def test_a_full_disk_here_is_named_where_an_attempt_is_kept(disk: Path) -> None:
    (disk / "attempts").mkdir()
    fill(disk)
    error = error_of(outcome_of(Task(id="t", shell="echo no"), kept=disk / "attempts" / "t"))
    assert error.code == "start_failed"
    assert str(disk / "attempts" / "t") in error.message
    assert "No space left on device" in error.message


def test_a_read_only_disk_here_is_named(disk: Path) -> None:
    make_read_only(disk)
    error = error_of(outcome_of(Task(id="t", shell="echo no"), kept=disk / "attempts" / "t"))
    assert str(disk / "attempts") in error.message
    assert "Read-only file system" in error.message


def test_inputs_that_do_not_fit_are_told_with_their_folder(disk: Path) -> None:
    (disk / "attempts").mkdir()
    fill(disk)
    task = Task(id="t", python="os:getcwd", inputs={"a": "b"})
    error = error_of(outcome_of(task, kept=disk / "attempts" / "t"))
    assert f"cannot be written in {str(disk / 'attempts')!r}: No space left on device" in error.message


def test_output_that_does_not_fit_fails_no_task_and_names_the_file(disk: Path) -> None:
    outcome = outcome_of(Task(id="t", shell="head -c 400000 /dev/zero; echo end"), output_path=disk / "log", kept=None)
    error = outcome.result.error
    assert outcome.status == "completed"
    assert error is not None
    assert (error.code, str(disk / "log") in error.message) == ("output_lost", True)
    assert "No space left on device" in error.message


@pytest.mark.parametrize("task", [Task(id="t", shell="echo no"), Task(id="t", python="os:getcwd", inputs={"a": "b"})])
def test_a_full_disk_on_the_other_machine_is_named(tmp_path: Path, disk: Path, task: Task) -> None:
    (disk / "state" / "attempts").mkdir(parents=True)
    fill(disk)
    with OpensshServer(tmp_path / "ssh") as server:
        error = error_of(outcome_there(server, task, {"state_directory": str(disk / "state")}))
    assert error.code == "start_failed"
    assert str(disk / "state" / "attempts") in error.message
    assert "disk is full or read-only, or a quota is used up" in error.message


def test_a_read_only_disk_on_the_other_machine_refuses_the_device_with_the_path(tmp_path: Path, disk: Path) -> None:
    make_read_only(disk)
    with OpensshServer(tmp_path / "ssh") as server, pytest.raises(DeviceError) as refused:
        outcome_there(server, Task(id="t", shell="echo no"), {"state_directory": str(disk / "state")})
    assert repr(str(disk / "state" / "attempts")) in str(refused.value)
    assert "state_directory" in str(refused.value)


@pytest.mark.parametrize("direction", ["send", "fetch"])
def test_a_file_that_does_not_fit_is_told_with_its_path_and_nothing_of_it_stays(
    tmp_path: Path, disk: Path, direction: str
) -> None:
    fill(disk)
    (disk / "ballast").write_bytes(b"x" * 100_000)
    with OpensshServer(tmp_path / "ssh") as server:
        source, place = ("here", "working") if direction == "send" else ("work", "files")
        (server.folder / source / "data").write_bytes(b"y" * 300_000)
        task = Task(id="t", shell="true", files={direction: ["data"]})  # type: ignore[arg-type]
        error = error_of(outcome_there(server, task, {f"{place}_directory": str(disk)}))
    assert error.code == ("start_failed" if direction == "send" else "fetch_failed")
    full = "the disk there is full or read-only" if direction == "send" else "No space left on device"
    assert f"The file {str(disk / 'data')!r} cannot be written" in error.message
    assert full in error.message
    assert [path.name for path in disk.iterdir()] == ["ballast"]


@pytest.mark.parametrize("direction", ["send", "fetch"])
def test_a_file_for_a_read_only_disk_is_told_with_its_path(tmp_path: Path, disk: Path, direction: str) -> None:
    make_read_only(disk)
    with OpensshServer(tmp_path / "ssh") as server:
        source, place = ("here", "working") if direction == "send" else ("work", "files")
        (server.folder / source / "data").write_bytes(b"y")
        task = Task(id="t", shell="true", files={direction: ["data"]})  # type: ignore[arg-type]
        error = error_of(outcome_there(server, task, {f"{place}_directory": str(disk)}))
    assert f"The file {str(disk / 'data')!r} cannot be written" in error.message
    assert "ead-only" in error.message


def test_a_machine_without_sftp_is_told_to_switch_it_on(tmp_path: Path) -> None:
    with OpensshServer(tmp_path / "ssh", Subsystem="none /bin/false") as server, pytest.raises(DeviceError) as refused:
        outcome_there(server, Task(id="t", shell="echo no"))
    assert "serves no files over SFTP" in str(refused.value)
    assert "Switch on its SFTP subsystem" in str(refused.value)
