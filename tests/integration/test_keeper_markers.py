"""What keepers read and write: requests of any length, markers of strangers and of commands not started yet."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.local_harness import (
    Attempt,
    alive,
    context_of,
    error_of,
    linux_only,
    on_device,
    recovered,
    shell,
)
from tests.integration.test_keepers import keeper_here

from starloom.devices import recovery
from starloom.devices.adopted import is_running
from starloom.devices.attempt_files import AttemptFiles
from starloom.devices.marker import read_marker
from starloom.errors import DeviceError
from starloom.model.result import ErrorCode
from starloom.model.task import Task

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.devices.local import LocalDevice

pytestmark = linux_only


def mark(folder: Path, text: str) -> AttemptFiles:
    files = AttemptFiles.at(folder / "attempts" / "t")
    files.make_folder()
    with open(files.marker, "w") as file:
        file.write(text)
    return files


def test_a_process_that_has_the_commands_number_by_chance_is_left_alone(tmp_path: Path) -> None:
    async def scenario(device: LocalDevice) -> None:
        running = await Attempt(device, shell("echo ready; sleep 3600"), kept=tmp_path / "other").started()
        true = read_marker(str(tmp_path / "other.marker"))
        assert true is not None
        last, _, boot = true.start.partition("-")
        early, late = float(true.began) - 5, float(last) - 4
        for began, start in (
            (early, f"{late}-{boot}"),
            (early, f"{last}-12345678"),
            (float(last) + 5, f"{last}-{boot}"),
        ):
            files = mark(tmp_path, f"kept 999999999 none mine-1 .\nbegin {true.pid} mine-1 {began} {start} .\n")
            assert not is_running(files)
            assert await recovery.exit_code_of(files, 0) is None
            assert alive(true.pid)
        files = mark(tmp_path, f"kept 999999999 none mine-1 .\nbegin {true.pid} mine-1 {true.began} {true.start} .\n")
        assert is_running(files)
        running.cancel()
        await running

    on_device(scenario, grace=0.1)


def test_where_a_keeper_has_died_before_it_started_the_command_nothing_runs(tmp_path: Path) -> None:
    files = mark(tmp_path, "kept 999999999 none mine-1 .\n")
    assert not is_running(files)
    assert recovered(shell(":"), tmp_path) is None


def test_a_keeper_that_is_about_to_start_a_command_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recovery, "KILL_SECONDS", 0.2)

    async def scenario(device: LocalDevice) -> None:
        await Attempt(device, shell(":"), kept=tmp_path / "other").run()
        mine = keeper_here()
        token = mine.environ()["STARLOOM_ATTEMPT_TOKEN"]
        files = mark(tmp_path, f"kept {mine.pid} {token} mine-1 .\n")
        assert is_running(files)
        with pytest.raises(DeviceError, match=f"The process {mine.pid}, which starts commands"):
            await device.recover(shell(":"), context_of(shell(":"), tmp_path))
        with pytest.raises(DeviceError):
            await device.reattach(shell(":"), context_of(shell(":"), tmp_path))
        os.unlink(files.marker)  # as it does if the command cannot be started
        assert await device.recover(shell(":"), context_of(shell(":"), tmp_path)) is None
        assert os.path.isdir(files.marker)

    on_device(scenario)


def test_a_request_that_a_keeper_reads_after_its_attempt_was_taken_back_runs_nothing(tmp_path: Path) -> None:
    async def scenario(device: LocalDevice) -> Any:
        await Attempt(device, shell(":"), kept=tmp_path / "attempts" / "other").run()
        mine = keeper_here()
        mine.suspend()
        task = shell(f": >{tmp_path / 'ran'}")
        running = asyncio.ensure_future(Attempt(device, task, kept=tmp_path / "attempts" / "t").run())
        await asyncio.sleep(0.05)
        assert await device.recover(task, context_of(task, tmp_path)) is None
        mine.resume()
        return await running

    (tmp_path / "attempts").mkdir()
    assert error_of(on_device(scenario)).code == ErrorCode.START_FAILED
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("size", [0, 1_000, 100_000])
def test_requests_of_any_length_arrive_as_they_are(tmp_path: Path, size: int) -> None:
    given = ["x" * size, "", "\n", *map(str, range(300))]
    words = "'|'.join([*sys.argv[1:], os.environ['BIG']])"
    code = f"import hashlib, os, sys; print(hashlib.sha256({words}.encode()).hexdigest())"
    task = Task(id="t", command=(sys.executable, "-c", code, *given), env={"BIG": "y" * size})

    async def scenario(device: LocalDevice) -> list[str]:
        ends = [await Attempt(device, task, kept=kept).run() for kept in (None, tmp_path / "t", tmp_path / "u")]
        return [outcome.result.output for outcome in ends]

    assert len({*on_device(scenario)}) == 1


def test_two_hundred_commands_at_once_have_each_its_end(tmp_path: Path) -> None:
    async def scenario(device: LocalDevice) -> list[int | None]:
        commands = (
            Attempt(device, shell(f"exit {number % 100}"), kept=tmp_path / f"{number}") for number in range(200)
        )
        return [outcome.result.exit_code for outcome in await asyncio.gather(*(one.run() for one in commands))]

    assert on_device(scenario) == [number % 100 for number in range(200)]
