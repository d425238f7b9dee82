"""The long-lived Pythons of a Dask worker: what is kept from one call of a function to the next, and what is not."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from tests.dask_clusters import ONE_WORKER
from tests.integration.dask_harness import a_workers_device, one_of, within_bound
from tests.integration.local_harness import Attempt, alive, error_of
from tests.waiting import POLL, until

from starloom import OutcomeStatus, Task

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.devices.base import Device

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs pidfds")

MODULE = """
import atexit, ctypes, os, signal, subprocess, sys, threading, time

calls = 0

def count():
    global calls
    calls += 1
    return [os.getpid(), calls]

def see(name):
    return [os.getpid(), os.environ.get(name), os.getcwd()]

def crash():
    os.kill(os.getpid(), signal.SIGSEGV)

def leave():
    os._exit(3)

def hang():
    child = subprocess.Popen(["sleep", "3600"])
    print("pid", child.pid)
    print("pid", os.getpid())
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("ready")
    time.sleep(3600)

def say(text):
    print(text)
    sys.stdout.write("no end")
    ctypes.CDLL(None).printf(b"of C")
    os.write(2, b"to stderr")
    return os.getpid()

def change_environment():
    os.environ["LEFT"] = "behind"
    return os.getpid()

def change_directory():
    os.chdir("/")
    return os.getpid()

def set_alarm():
    signal.alarm(3600)
    return os.getpid()

def redirect():
    sys.stdout = open(os.devnull, "w")
    return os.getpid()

def add_to_path():
    sys.path.insert(0, "/")
    return os.getpid()

def start_thread():
    caller = threading.get_ident()

    def work():
        while is_in_start_thread(caller):
            time.sleep(0.01)
        print("ready", flush=True)
        while not os.path.exists("go"):
            time.sleep(0.01)
        print("at the end")
    threading.Thread(target=work).start()
    return os.getpid()

def is_in_start_thread(ident):
    frame = sys._current_frames().get(ident)
    while frame is not None and frame.f_code is not start_thread.__code__:
        frame = frame.f_back
    return frame is not None

def leave_running():
    subprocess.run(["/bin/sh", "-c", "setsid sleep 3600 </dev/null >/dev/null 2>&1 & echo pid $!"])
    return os.getpid()

def fail_at_exit():
    atexit.register(os._exit, 7)
    os.environ["LEFT"] = "behind"
"""


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "functions_of_this_test.py").write_text(MODULE, encoding="utf-8")
    return tmp_path


def called(here: Path, function: str, *, env: dict[str, str] | None = None, **inputs: Any) -> Task:
    return Task(id="t", python=f"functions_of_this_test:{function}", inputs=inputs, cwd=str(here), env=env or {})


async def value_of(device: Device, task: Task, **context: Any) -> Any:
    outcome = await Attempt(device, task, kept=None, **context).run()
    assert outcome.status is OutcomeStatus.COMPLETED, outcome
    return outcome.result.value


def test_functions_are_called_one_after_the_other_in_the_same_python(here: Path) -> None:
    async def scenario() -> None:
        async with a_workers_device() as device:
            (pid, _), *others = [await value_of(device, called(here, "count")) for _ in range(3)]
            assert others == [[pid, 2], [pid, 3]]

    within_bound(scenario)


def test_calls_at_once_have_a_python_each_and_no_more_than_the_worker_has_threads_wait_for_the_next(here: Path) -> None:
    async def scenario() -> None:
        async with a_workers_device() as device:
            device.pythons.most = 2
            (here / "go").unlink(missing_ok=True)
            attempts = [Attempt(device, called(here, "start_thread"), kept=None) for _ in range(3)]
            running = [await attempt.started() for attempt in attempts]
            (here / "go").touch()
            assert len({(await one).result.value for one in running}) == 3
            found = await asyncio.gather(*(value_of(device, called(here, "count")) for _ in range(3)))
            assert [calls for _, calls in found] == [1, 1, 1]
            await until(lambda: sum(psutil.pid_exists(pid) and alive(pid) for pid, _ in found) == 2, every=POLL)

    within_bound(scenario)


def test_neither_variables_nor_directory_of_one_call_are_those_of_another(here: Path) -> None:
    (here / "inside").mkdir()
    (here / "inside" / "functions_of_this_test.py").write_text(MODULE, encoding="utf-8")

    async def scenario() -> None:
        async with a_workers_device() as device:
            first = await value_of(device, called(here, "see", env={"X": "1"}, name="X"))
            again = await value_of(device, called(here, "see", env={"X": "1"}, name="X"))
            other = await value_of(device, called(here, "see", env={"X": "2"}, name="X"))
            none = await value_of(device, called(here, "see", name="X"))
            inside = await value_of(device, called(here / "inside", "see", name="X"))
            assert again == first
            assert first[1:] == ["1", str(here)]
            assert other[1:] == ["2", str(here)]
            assert none[1:] == [None, str(here)]
            assert inside[1:] == [None, str(here / "inside")]
            assert len({pid for pid, *_ in (first, other, none, inside)}) == 4
            for attempt in (1, 2):
                task = called(here, "see", name="STARLOOM_ATTEMPT")
                assert (await value_of(device, task, attempt=attempt))[1] == str(attempt)

    within_bound(scenario)


def test_one_that_is_told_secrets_has_a_python_of_its_own(here: Path) -> None:
    async def scenario() -> None:
        async with a_workers_device() as device:
            task = called(here, "count", env={"TOKEN": "hidden value"})
            pids = {(await value_of(device, task, secrets=("hidden value",)))[0] for _ in range(2)}
            assert len(pids) == 2
            assert not [pid for pid in pids if alive(pid)]

    within_bound(scenario)


@pytest.mark.parametrize(
    "function", ["change_environment", "change_directory", "set_alarm", "redirect", "add_to_path", "leave_running"]
)
def test_a_function_that_changes_its_python_leaves_it_to_nobody(here: Path, function: str) -> None:
    async def scenario() -> None:
        async with a_workers_device() as device:
            attempt = Attempt(device, called(here, function), kept=None)
            outcome = await attempt.run()
            assert outcome.status is OutcomeStatus.COMPLETED
            try:
                assert (await value_of(device, called(here, "count")))[0] != outcome.result.value
                assert not alive(outcome.result.value)
                assert all(alive(pid) for pid in attempt.pids()), "what it left running was ended"
            finally:
                for pid in attempt.pids():
                    os.kill(pid, signal.SIGKILL)

    within_bound(scenario)


def test_the_attempt_ends_with_the_threads_that_its_function_left_and_has_what_they_print(here: Path) -> None:
    async def scenario() -> None:
        async with a_workers_device() as device:
            attempt = Attempt(device, called(here, "start_thread"), kept=None)
            running = await attempt.started()
            (here / "go").touch()
            outcome = await running
            assert outcome.result.output == "ready\nat the end\n"
            assert (await value_of(device, called(here, "count")))[0] != outcome.result.value

    within_bound(scenario)


def test_how_its_python_ends_counts_as_before_if_it_is_left_to_nobody(here: Path) -> None:
    async def scenario() -> None:
        async with a_workers_device() as device:
            outcome = await Attempt(device, called(here, "fail_at_exit"), kept=None).run()
            assert error_of(outcome).message == "exit code 7"

    within_bound(scenario)


@pytest.mark.parametrize(("function", "message"), [("crash", "killed by SIGSEGV"), ("leave", "exit code 3")])
def test_a_function_that_ends_its_python_harms_no_other(here: Path, function: str, message: str) -> None:
    async def scenario() -> None:
        async with a_workers_device() as device:
            pid, _ = await value_of(device, called(here, "count"))
            outcome = await Attempt(device, called(here, function), kept=None).run()
            assert error_of(outcome).message == message
            again, calls = await value_of(device, called(here, "count"))
            assert again != pid
            assert calls == 1

    within_bound(scenario)


def test_one_that_is_stopped_ends_with_all_it_has_started_and_the_next_has_another_python(here: Path) -> None:
    async def scenario() -> None:
        async with a_workers_device() as device:
            await value_of(device, called(here, "count"))
            attempt = Attempt(device, called(here, "hang"), kept=None)
            running = await attempt.started()
            running.cancel()
            running.cancel()
            assert (await running).status is OutcomeStatus.STOPPED
            assert len(attempt.pids()) == 2
            assert not [pid for pid in attempt.pids() if alive(pid)]
            assert (await value_of(device, called(here, "count")))[1] == 1

    within_bound(scenario)


def test_what_is_printed_belongs_to_the_attempt_that_prints_it(here: Path) -> None:
    async def scenario() -> None:
        async with a_workers_device() as device:
            for text in ("one", "two"):
                attempt = Attempt(device, called(here, "say", text=text), kept=None)
                await attempt.run()
                said = {
                    stream: "".join(one for other, one in attempt.said if other == stream) for stream, _ in attempt.said
                }
                assert said == {"stdout": f"{text}\nno endof C", "stderr": "to stderr"}

    within_bound(scenario)


def test_a_module_that_was_edited_meanwhile_is_loaded_anew(here: Path) -> None:
    async def scenario() -> None:
        async with a_workers_device() as device:
            await value_of(device, called(here, "count"))
            (here / "functions_of_this_test.py").write_text("def count(): return 'edited'", encoding="utf-8")
            assert await value_of(device, called(here, "count")) == "edited"

    within_bound(scenario)


def test_a_module_that_was_written_meanwhile_is_found(here: Path) -> None:
    async def scenario() -> None:
        async with a_workers_device() as device:
            await value_of(device, called(here, "count"))
            (here / "written_later.py").write_text("def f(): return 'found'", encoding="utf-8")
            assert await value_of(device, Task(id="t", python="written_later:f", cwd=str(here))) == "found"

    within_bound(scenario)


def test_a_directory_that_has_gone_is_told_as_ever(here: Path) -> None:
    folder = here / "inside"
    folder.mkdir()

    async def scenario() -> None:
        async with a_workers_device() as device:
            task = Task(id="t", python="os:getpid", cwd=str(folder))
            await value_of(device, task)
            folder.rmdir()
            error = error_of(await Attempt(device, task, kept=None).run())
            assert error.code == "start_failed"
            assert error.message.startswith(f"The working directory {str(folder)!r} does not exist")

    within_bound(scenario)


def test_one_that_somebody_kills_while_it_waits_is_replaced(here: Path) -> None:
    async def scenario() -> None:
        async with a_workers_device() as device:
            pid, _ = await value_of(device, called(here, "count"))
            os.kill(pid, signal.SIGKILL)
            assert (await value_of(device, called(here, "count")))[1] == 1

    within_bound(scenario)


def test_those_of_a_worker_end_when_the_console_lets_it_go(here: Path) -> None:
    async def scenario() -> None:
        async with one_of(ONE_WORKER) as device:
            first, _ = await value_of(device, called(here, "count"))
            second, calls = await value_of(device, called(here, "count"))
            assert (second, calls) == (first, 2)
        await until(lambda: not alive(first), every=POLL)

    with ONE_WORKER.stands():
        within_bound(scenario)
