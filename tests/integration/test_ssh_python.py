"""`python` tasks on a machine reached over SSH: a function called by a Python there that knows nothing of Starloom."""

from __future__ import annotations

import ast
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.ssh_harness import (
    COMPLETED,
    STOPPED,
    Attempt,
    context_of,
    device_on,
    error_of,
    folders_of,
    left_of,
    on_device,
    outcome_of,
    recovered,
)
from tests.integration.ssh_harness import one_server as one_server
from tests.integration.ssh_harness import server as server
from tests.waiting import POLL, until

from starloom.devices import python_child
from starloom.errors import DeviceError
from starloom.model.result import MAX_VALUE_BYTES, ErrorCode, Outcome, Result
from starloom.model.task import Task

if TYPE_CHECKING:
    from tests.ssh_servers import SshServer

    from starloom.devices.ssh import SshDevice

MODULE = """
import json, os, sys, time

def add(a, b=1):
    print("adding")
    print("[99]")
    return {"sum": a + b, "text": "f\N{LATIN SMALL LETTER U WITH DIAERESIS}r"}

def fail():
    raise ValueError("no such thing: \N{SNOWMAN}")

def a_set():
    return {1}

def large(size):
    return "x" * size

def wait():
    print("waiting")
    time.sleep(3600)

def once(path):
    with open(path, "a") as file:
        file.write("x")
    print("begun")
    while not os.path.exists(path + ".go"):
        time.sleep(0.01)
    return "done"

def once_in_vain(path):
    once(path)
    raise ValueError("in vain")

def once_and_gone(path):
    once(path)
    gone()

def gone():
    os._exit(7)

def upstream():
    with open(os.environ["STARLOOM_UPSTREAM"]) as file:
        return json.load(file)["p"]["value"]

def who():
    return [sys.version_info[:2], "starloom" in sys.modules, sys.executable]
"""


def task_of(server: SshServer, function: str, *, upstream: bool = False, **inputs: Any) -> Task:
    """A task that calls a function of the module, which lies where tasks run."""
    (server.folder / "work" / "there.py").write_text(MODULE, encoding="utf-8")
    return Task(id="t", python=f"there:{function}", inputs=inputs, upstream=upstream)


def called(server: SshServer, function: str, python: str = sys.executable, **inputs: Any) -> Outcome:
    return outcome_of(server, task_of(server, function, **inputs), {"python": python})


def test_a_function_gets_its_inputs_and_gives_its_value_and_nothing_is_left(server: SshServer) -> None:
    async def scenario(device: SshDevice) -> Outcome:
        outcome = await Attempt(device, task_of(server, "add", a=2)).run()
        await until(lambda: not folders_of(server), every=POLL)
        return outcome

    result = on_device(server, scenario, python=sys.executable).result
    assert result.value == {"sum": 3, "text": "für"}
    assert result.output.split() == ["adding", "[99]"]
    assert (result.exit_code, result.error) == (0, None)


def test_results_of_parents_come_as_a_file(one_server: SshServer) -> None:
    task = task_of(one_server, "upstream", upstream=True)
    assert outcome_of(one_server, task, upstream=lambda: {"p": Result([1])}).result.value == [1]


def test_what_goes_wrong_is_told_as_by_a_local_one(one_server: SshServer) -> None:
    error = error_of(called(one_server, "fail"))
    assert (error.code, error.message) == (ErrorCode.EXCEPTION, "ValueError: no such thing: \N{SNOWMAN}")
    assert "in fail" in error.detail
    assert "python_child" not in error.detail
    assert error_of(called(one_server, "a_set")).code == ErrorCode.RESULT_NOT_JSON
    assert called(one_server, "large", size=MAX_VALUE_BYTES - 2).status is COMPLETED
    assert error_of(called(one_server, "large", size=MAX_VALUE_BYTES - 1)).code == ErrorCode.RESULT_TOO_LARGE
    task = Task(id="t", python="not_there:f")
    message = error_of(outcome_of(one_server, task, {"python": sys.executable})).message
    assert f"No module named 'not_there'; {sys.executable} looked for it in {one_server.folder / 'work'}" in message


def test_a_python_that_is_not_there_is_told_and_so_is_one_that_is_too_old(one_server: SshServer) -> None:
    error = error_of(called(one_server, "add", python="no-such-python", a=2))
    assert error.code == ErrorCode.START_FAILED
    assert error.message == (
        "There is no Python 'no-such-python' on the other machine, or it cannot be executed; "
        "name one that is there in the device's option `python`."
    )
    old = one_server.folder / "old-python"
    old.write_text(f"""#!{sys.executable}
import sys
sys.version_info = (3, 7, 16)
sys.executable = __file__
del sys.argv[:3]
exec(sys.argv.pop(0).replace("sys.argv[1:]", "sys.argv"))
""")
    old.chmod(0o755)
    error = error_of(called(one_server, "add", python=str(old), a=2))
    assert error.code == ErrorCode.START_FAILED
    assert error.message == f"{old} is Python 3.7; 3.8 is the oldest that can be used."


@pytest.fixture
def oldest() -> str:
    """The path of a Python 3.8."""
    kept = sorted(Path("~/.pyenv/versions").expanduser().glob("3.8.*/bin/python"))
    for path in (shutil.which("python3.8"), *kept):
        if path and subprocess.run((path, "-c", ""), capture_output=True, check=False).returncode == 0:
            return str(path)
    pytest.skip("there is no Python 3.8 here")


def test_the_oldest_python_that_is_promised_can_do_it(one_server: SshServer, oldest: str) -> None:
    assert called(one_server, "who", python=oldest).result.value[:2] == [[3, 8], False]
    assert error_of(called(one_server, "fail", python=oldest)).message == "ValueError: no such thing: \N{SNOWMAN}"


def test_what_is_sent_there_is_written_in_the_words_of_that_python() -> None:
    ast.parse(Path(python_child.__file__).read_text(encoding="utf-8"), feature_version=(3, 8))


def test_a_python_is_named_by_its_path_in_the_users_home_too(one_server: SshServer) -> None:
    home = one_server.folder / "home"
    home.mkdir()
    (home / "bin").symlink_to(os.path.dirname(sys.executable))

    async def scenario(device: SshDevice) -> Outcome:
        assert device._folders is not None
        device._folders = device._folders._replace(home=str(home))
        device.working_directory = str(one_server.folder / "work")
        return await Attempt(device, task_of(one_server, "who")).run()

    name = sys.executable.rpartition("/")[2]
    assert on_device(one_server, scenario, python=f"~/bin/{name}").result.value[2] == str(home / "bin" / name)


def test_a_stopped_one_ends_with_its_process(server: SshServer) -> None:
    async def scenario(device: SshDevice) -> Outcome:
        running = await Attempt(device, task_of(server, "wait")).started("waiting")
        running.cancel()
        return await running

    assert on_device(server, scenario, python=sys.executable).status is STOPPED
    assert left_of(server) == []


def test_its_inputs_do_not_lie_here_any_more_while_it_runs(
    one_server: SshServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were the program killed, nobody would remove them."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))

    async def scenario(device: SshDevice) -> list[Path]:
        running = await Attempt(device, task_of(one_server, "wait")).started("waiting")
        found = [path for path in (tmp_path / "temporary").rglob("*") if path.is_file()]
        running.cancel()
        await running
        return found

    assert on_device(one_server, scenario, python=sys.executable) == []


def left_alone(server: SshServer, function: str, folder: Path) -> Outcome:
    """The outcome, as recovery finds it, of a function that ends after the program that had called it."""
    mark = folder / "ran"
    task = task_of(server, function, path=str(mark))
    context = context_of(task, folder)

    async def given_up() -> None:
        device = device_on(server, python=sys.executable)
        await device.connect()
        running = asyncio.ensure_future(device.run(task, context))
        await until(mark.exists, every=POLL)
        await device.disconnect()  # as a program that ends without having stopped it
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(given_up())
    (folder / "ran.go").touch()
    asyncio.run(until(lambda: not left_of(server), every=POLL))
    outcome = recovered(server, task, folder, python=sys.executable)
    assert outcome is not None
    assert mark.read_text() == "x"
    return outcome


def test_one_that_ended_while_nobody_listened_is_taken_up_with_its_value(one_server: SshServer, tmp_path: Path) -> None:
    assert left_alone(one_server, "once", tmp_path).result.value == "done"


def test_one_that_failed_while_nobody_listened_is_taken_up_with_its_error(
    one_server: SshServer, tmp_path: Path
) -> None:
    error = error_of(left_alone(one_server, "once_in_vain", tmp_path))
    assert (error.code, error.message) == (ErrorCode.EXCEPTION, "ValueError: in vain")
    assert "in once_in_vain" in error.detail


def test_one_whose_python_ended_while_nobody_listened_is_taken_up_with_its_exit_code(
    one_server: SshServer, tmp_path: Path
) -> None:
    outcome = left_alone(one_server, "once_and_gone", tmp_path)
    assert outcome.result.exit_code == 7
    assert error_of(outcome).message == error_of(called(one_server, "gone")).message


@pytest.mark.parametrize("python", ["", 3, None])
def test_an_option_that_names_no_python_is_refused(one_server: SshServer, python: Any) -> None:
    with pytest.raises(DeviceError, match=r"python cannot be .*; give it the name or path of a Python on that machine"):
        device_on(one_server, python=python)
