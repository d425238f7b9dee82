"""An attempt whose files are taken away while it runs: what is known of its end is told, and no more than that."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.local_harness import (
    COMPLETED,
    FAILED,
    Attempt,
    error_of,
    linux_only,
    on_device,
    outcome_of,
    posix_only,
)
from tests.integration.ssh_harness import on_device as on_device_there
from tests.ssh_servers import OpensshServer
from tests.waiting import until

from starloom.devices.attempt_files import AttemptFiles
from starloom.devices.family import TOKEN
from starloom.devices.marker import read_marker, wrapped
from starloom.devices.wrapped import WrappedDevice
from starloom.model.task import Task

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.devices.base import Device
    from starloom.devices.local import LocalDevice
    from starloom.model.result import Outcome

pytestmark = posix_only


def waiting(go: Path, then: str) -> Task:
    """A task that prints `ready`, and then does something once there is a file."""
    return Task(id="t", shell=f"echo ready; while [ ! -e {go} ]; do sleep 0.02; done; {then}")


async def deprived(device: Device, folder: Path, then: str, **context: Any) -> Outcome:
    """How an attempt ends whose run's folder is removed while it runs."""
    attempt = Attempt(device, waiting(folder / "go", then), kept=folder / "run" / "attempts" / "t-1", **context)
    (folder / "run").mkdir()
    running = await attempt.started()
    shutil.rmtree((folder / "run").rename(folder / "removed"))  # in one step, as it may be written into
    (folder / "go").touch()
    return await running


def test_a_task_that_ran_and_ended_has_completed_without_its_files(tmp_path: Path) -> None:
    outcome = on_device(lambda device: deprived(device, tmp_path, "echo 92"))
    assert (outcome.status, outcome.result.exit_code, outcome.result.value) == (COMPLETED, 0, 92)
    assert outcome.result.output == "ready\n92\n"
    assert str(tmp_path / "run" / "attempts") in outcome.result.error.message
    assert not (tmp_path / "run").exists()


def test_where_a_program_runs_the_command_elsewhere_its_end_is_told_too(tmp_path: Path) -> None:
    async def main() -> Outcome:
        device = WrappedDevice("there", wrapper=("env",))
        await device.connect()
        try:
            return await deprived(device, tmp_path, "echo 92")
        finally:
            await device.disconnect()

    outcome = asyncio.run(main())
    assert (outcome.status, outcome.result.exit_code, outcome.result.value) == (COMPLETED, 0, 92)


def test_of_a_command_on_another_machine_only_the_record_here_has_gone(tmp_path: Path) -> None:
    with OpensshServer(tmp_path / "ssh") as server:
        outcome = on_device_there(server, lambda device: deprived(device, tmp_path, "echo 92"))
    assert (outcome.status, outcome.result.exit_code, outcome.result.value) == (COMPLETED, 0, 92)


@pytest.mark.usefixtures("wrapped_only")
@pytest.mark.parametrize("code", [1, 3, 73])
def test_one_that_failed_is_told_by_its_exit_code_where_that_says_that_it_ran(tmp_path: Path, code: int) -> None:
    outcome = on_device(lambda device: deprived(device, tmp_path, f"exit {code}"))
    assert outcome.status == FAILED
    if code == 73:  # the wrapper says so too where it has run nothing
        assert error_of(outcome).code == "interrupted"
        assert "whether and how the command has ended is not known" in error_of(outcome).message
    else:
        assert (error_of(outcome).code, error_of(outcome).message) == ("exit_code", f"exit code {code}")
        assert str(tmp_path / "run" / "attempts") in error_of(outcome).detail


@linux_only
def test_a_keeper_tells_every_exit_code_from_an_attempt_that_never_ran(tmp_path: Path) -> None:
    outcome = on_device(lambda device: deprived(device, tmp_path, "exit 73"))
    assert (error_of(outcome).code, error_of(outcome).message) == ("exit_code", "exit code 73")


def test_what_a_python_task_has_returned_is_not_known_if_its_file_has_gone(tmp_path: Path) -> None:
    (tmp_path / "taking.py").write_text(
        "import atexit, shutil\ndef run(folder):\n    atexit.register(shutil.rmtree, folder)\n"
    )
    (tmp_path / "run").mkdir()
    task = Task(id="t", python="taking:run", cwd=str(tmp_path), inputs={"folder": str(tmp_path / "run")})
    outcome = outcome_of(task, kept=tmp_path / "run" / "attempts" / "t-1")
    assert (outcome.status, outcome.result.exit_code, error_of(outcome).code) == (FAILED, 0, "interrupted")
    assert "what its function has returned is not known" in error_of(outcome).message


def test_an_output_file_that_has_gone_is_told(tmp_path: Path) -> None:
    path = tmp_path / "run" / "output" / "t.log"
    outcome = on_device(lambda device: deprived(device, tmp_path, "echo more", output_path=path))
    assert outcome.status == COMPLETED
    assert outcome.result.error.code == "output_lost"
    assert not (tmp_path / "run").exists()


def test_an_attempt_makes_no_folder_for_a_run_that_has_none(tmp_path: Path) -> None:
    outcome = outcome_of(Task(id="t", shell=f"touch {tmp_path / 'ran'}"), kept=tmp_path / "run" / "attempts" / "t-1")
    assert (error_of(outcome).code, "cannot be made" in error_of(outcome).message) == ("start_failed", True)
    assert list(tmp_path.iterdir()) == []


def test_of_one_that_another_program_had_started_the_end_is_not_known(tmp_path: Path) -> None:
    files = AttemptFiles.at(tmp_path / "run" / "attempts" / "t-1")
    os.makedirs(os.path.dirname(files.marker))
    task = waiting(tmp_path / "go", "exit 0")
    command, env = wrapped(("/bin/sh", "-c", task.shell or ""), files, {**os.environ, TOKEN: "vanished-1"})

    async def adopted(device: LocalDevice) -> Outcome:
        attempt = Attempt(device, task, kept=tmp_path / "run" / "attempts" / "t-1")
        await until(lambda: read_marker(files.marker))
        go_on = await device.reattach(task, attempt._context)
        assert go_on is not None
        running = asyncio.ensure_future(go_on())
        await attempt.heard("ready\n")
        shutil.rmtree(tmp_path / "run")
        (tmp_path / "go").touch()
        return await running

    with open(files.stdout, "ab") as out, open(files.stderr, "ab") as err:
        process = subprocess.Popen(
            command, env=env, stdin=err, stdout=out, stderr=subprocess.DEVNULL, start_new_session=True
        )
    try:
        outcome = on_device(adopted)
    finally:
        (tmp_path / "go").touch()
        process.wait()
    assert (outcome.status, outcome.result.exit_code, error_of(outcome).code) == (FAILED, None, "interrupted")
    assert str(tmp_path / "run" / "attempts") in error_of(outcome).message
