"""The process that starts kept commands for a device: killed, stopped, left alone, and replaced."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sys
import time
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from tests.integration.local_harness import (
    COMPLETED,
    FAILED,
    STOPPED,
    Attempt,
    alive,
    context_of,
    error_of,
    linux_only,
    on_device,
    python,
    recovered,
    shell,
)
from tests.integration.test_full_disks import disk, fill
from tests.integration.test_local_recovery import console, has_ended, hear, marker_in, wait_until
from tests.waiting import until

from starloom.devices import keeper, keeper_child
from starloom.devices.adopted import is_running
from starloom.devices.attempt_files import AttemptFiles
from starloom.errors import DeviceError
from starloom.model.result import ErrorCode
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starloom.devices.local import LocalDevice

__all__ = ["disk"]
pytestmark = linux_only


@pytest.fixture(autouse=True)
def nothing_outlives_a_failed_test(tmp_path: Path) -> Iterator[None]:
    """What a killed program or keeper has started is nobody's child, so nobody else would find it."""
    yield
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            words = [process.environ().get("STARLOOM_RESULT", ""), *process.cmdline()]
            if any(word.startswith(str(tmp_path)) for word in words):
                process.kill()


def keepers_of(pid: int) -> list[psutil.Process]:
    """The keepers that a program has started."""
    return [one for one in psutil.Process(pid).children() if _is_keeper(one)]


def _is_keeper(process: psutil.Process) -> bool:
    try:
        return any(word.endswith("keeper_child.py") for word in process.cmdline())
    except psutil.Error:
        return False  # it is a zombie, or not even that


def keeper_here() -> psutil.Process:
    (found,) = keepers_of(os.getpid())
    return found


def waiting(go: Path, then: str) -> str:
    return f"echo ready; while [ ! -e {go} ]; do sleep 0.01; done; {then}"


def test_a_command_whose_keeper_is_killed_runs_to_its_end_of_which_nothing_is_known(tmp_path: Path) -> None:
    async def scenario(device: LocalDevice) -> Any:
        attempt = Attempt(
            device, shell(waiting(tmp_path / "go", f"echo more; : >{tmp_path / 'ran'}")), kept=tmp_path / "t"
        )
        running = await attempt.started()
        keeper_here().kill()
        await until(lambda: not keepers_of(os.getpid()))
        other = await Attempt(device, shell("exit 4"), kept=tmp_path / "u").run()
        assert error_of(other).message == "exit code 4"
        assert not running.done()
        (tmp_path / "go").touch()
        return await running

    outcome = on_device(scenario)
    assert (outcome.status, error_of(outcome).code) == (FAILED, ErrorCode.INTERRUPTED)
    assert "how the command has ended is not known" in error_of(outcome).message
    assert outcome.result.output == "ready\nmore\n"
    assert (tmp_path / "ran").exists()


def test_what_such_a_command_has_left_running_is_ended_before_the_attempt_is(tmp_path: Path) -> None:
    async def scenario(device: LocalDevice) -> Any:
        attempt = Attempt(
            device, shell(waiting(tmp_path / "go", "sleep 3600 & echo pid $!; sleep 0.3")), kept=tmp_path / "t"
        )
        running = await attempt.started()
        keeper_here().kill()
        (tmp_path / "go").touch()
        outcome = await running
        (pid,) = attempt.pids()
        assert not alive(pid)
        return outcome

    assert error_of(on_device(scenario)).code == ErrorCode.INTERRUPTED


def test_a_command_whose_keeper_is_killed_is_stopped_with_all_its_kin(tmp_path: Path) -> None:
    async def scenario(device: LocalDevice) -> Any:
        text = "trap 'echo bye; exit 5' TERM; (trap '' TERM; echo pid $$; while :; do sleep 1; done) & echo pid $$; "
        attempt = Attempt(device, shell(text + "while :; do sleep 1; done"), kept=tmp_path / "t")
        running = asyncio.ensure_future(attempt.run())
        await attempt.until(lambda: attempt.text.count("pid") == 2)
        keeper_here().kill()
        await until(lambda: not keepers_of(os.getpid()))
        running.cancel()
        outcome = await running
        assert not [pid for pid in attempt.pids() if alive(pid)]
        return outcome

    assert on_device(scenario, grace=0.5).status is STOPPED


def test_a_keeper_that_is_killed_while_idle_is_replaced(tmp_path: Path) -> None:
    async def scenario(device: LocalDevice) -> list[Any]:
        codes = []
        for number in range(4):
            codes.append((await Attempt(device, shell(f"exit {number}"), kept=tmp_path / f"{number}").run()).result)
            keeper_here().kill()
        return [result.exit_code for result in codes]

    assert on_device(scenario) == [0, 1, 2, 3]


def test_a_device_whose_keepers_never_say_anything_runs_commands_under_the_wrapper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper_child, "command_line", lambda: (sys.executable, "-c", "raise SystemExit(3)"))

    async def scenario(device: LocalDevice) -> Any:
        outcomes = [await Attempt(device, shell("exit 4"), kept=tmp_path / name).run() for name in "ab"]
        missing = await Attempt(device, Task(id="t", command=("no-such",)), kept=tmp_path / "c").run()
        assert "The program 'no-such' was not found" in error_of(missing).message
        return outcomes

    assert [error_of(outcome).message for outcome in on_device(scenario)] == ["exit code 4"] * 2


def test_a_start_that_a_stopped_keeper_does_not_answer_can_be_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "_SILENCE_SECONDS", 0.1)

    async def scenario(device: LocalDevice) -> Any:
        await Attempt(device, shell(":"), kept=tmp_path / "a").run()
        keeper_here().suspend()
        running = asyncio.ensure_future(Attempt(device, shell(f": >{tmp_path / 'ran'}"), kept=tmp_path / "b").run())
        await asyncio.sleep(0.05)
        running.cancel()
        return await running

    assert on_device(scenario).status is STOPPED


def test_a_command_that_the_system_cannot_end_is_given_up_and_its_keeper_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(device: LocalDevice) -> tuple[Any, Any]:
        attempt = Attempt(device, shell("echo pid $$; while :; do sleep 0.05; done"), kept=tmp_path / "t")
        running = await attempt.started("\n")
        mine = keeper_here()
        with monkeypatch.context() as immortal:
            immortal.setattr("starloom.devices.ending.KILL_SECONDS", 0.05)
            immortal.setattr("starloom.devices.family.os.killpg", lambda group, number: None)
            for blow in ("kill", "terminate", "suspend"):
                immortal.setattr(psutil.Process, blow, lambda process: None)
            running.cancel()
            stopped = await running
        (pid,) = attempt.pids()
        other = await Attempt(device, shell("exit 3"), kept=tmp_path / "u").run()
        os.kill(pid, signal.SIGKILL)
        await until(lambda: not psutil.pid_exists(pid))
        assert keeper_here() == mine
        return stopped, other

    stopped, other = on_device(scenario, grace=0.01)
    assert (stopped.status, stopped.result.error.code) == (STOPPED, ErrorCode.NOT_STOPPED)
    assert error_of(other).message == "exit code 3"


def test_a_keeper_with_too_many_files_open_says_so_and_goes_on(tmp_path: Path) -> None:
    async def scenario(device: LocalDevice) -> list[Any]:
        await Attempt(device, shell(":"), kept=tmp_path / "first").run()
        mine = keeper_here()
        before, most = mine.rlimit(psutil.RLIMIT_NOFILE)
        outcomes = []
        for more in range(8):
            mine.rlimit(psutil.RLIMIT_NOFILE, (mine.num_fds() + more, most))
            outcomes.append(await Attempt(device, shell("exit 3"), kept=tmp_path / f"{more}").run())
        mine.rlimit(psutil.RLIMIT_NOFILE, (before, most))
        assert keeper_here() == mine
        return outcomes

    sentences = [error_of(outcome).message for outcome in on_device(scenario)]
    assert sentences[-1] == "exit code 3"
    others = [sentence for sentence in sentences if sentence != "exit code 3"]
    assert len(others) >= 3
    assert all("too many files open" in sentence or "cannot be written" in sentence for sentence in others), others


def test_a_command_that_cannot_start_in_a_folder_that_has_gone_harms_no_other(tmp_path: Path) -> None:
    async def scenario(device: LocalDevice) -> Any:
        (tmp_path / "run").mkdir()
        first = await Attempt(device, shell("exit 3"), kept=tmp_path / "run" / "t").run()
        mine = keeper_here()
        mine.suspend()
        running = asyncio.ensure_future(
            Attempt(device, Task(id="t", command=("no-such",)), kept=tmp_path / "run" / "u").run()
        )
        await asyncio.sleep(0.05)
        shutil.rmtree(tmp_path / "run")
        mine.resume()
        second = await running
        assert keeper_here() == mine
        return first, second

    first, second = on_device(scenario)
    assert error_of(first).message == "exit code 3"
    assert error_of(second).code == ErrorCode.START_FAILED


def test_a_secret_stands_in_no_command_line_no_file_and_not_in_the_keeper(tmp_path: Path) -> None:
    secret = f"s3cret-{os.getpid()}-{time.monotonic_ns()}"

    async def scenario(device: LocalDevice) -> None:
        text = 'test -n "$PASSWORD" && echo ready; sleep 3600'
        running = await Attempt(device, shell(text, env={"PASSWORD": secret}), kept=tmp_path / "a" / "t").started()
        seen = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                seen += [word for word in process.cmdline() if secret in word]
        assert seen == []
        assert secret not in "".join(map(str, keeper_here().environ().items()))
        assert not [path for path in (tmp_path / "a").iterdir() if secret in path.read_text()]
        running.cancel()
        await running

    (tmp_path / "a").mkdir()
    on_device(scenario, grace=0.1)


# ---- disks that are full


def test_an_end_that_cannot_be_written_down_is_told_while_the_program_lives(disk: Path) -> None:
    """The keeper has made the marker, and its end has no room."""
    (disk / "attempts").mkdir()

    async def scenario(device: LocalDevice) -> Any:
        go = disk.parent / "go"
        running = await Attempt(device, shell(waiting(go, "exit 3")), kept=disk / "attempts" / "t").started()
        marker = disk / "attempts" / "t.marker"
        fill(disk)
        with contextlib.suppress(OSError):
            fd = os.open(marker, os.O_WRONLY | os.O_APPEND)
            while os.write(fd, b"\n" * 64):  # until not even a marker has room any more
                pass
        os.close(fd)
        go.touch()
        return await running

    assert error_of(on_device(scenario)).message == "exit code 3"
    with pytest.raises(DeviceError, match="No space left on device"):
        recovered(shell(":"), disk)
    (disk / "ballast").unlink()
    assert recovered(shell(":"), disk) is None, "a later program finds no end, and so it was interrupted"


# ---- a program that is killed


def test_a_keeper_ends_after_the_last_command_of_a_killed_program(tmp_path: Path) -> None:
    with console(tmp_path, {"id": "t", "shell": waiting(tmp_path / "go", "exit 3")}) as program:
        assert hear(program, 1) == ["ready"]
        (mine,) = keepers_of(program.pid)
    assert alive(mine.pid)
    (tmp_path / "go").touch()
    wait_until(lambda: has_ended(tmp_path))
    assert marker_in(tmp_path).code == 3
    wait_until(lambda: not alive(mine.pid))


def test_an_idle_keeper_ends_with_its_program(tmp_path: Path) -> None:
    with console(tmp_path, {"id": "t", "shell": "exit 3"}, {"id": "u", "shell": "echo ready; sleep 3600"}) as program:
        hear(program, 1)
        (mine,) = keepers_of(program.pid)
        (child,) = (one for one in mine.children() if "sleep 3600" in " ".join(one.cmdline()))
    os.killpg(child.pid, signal.SIGKILL)
    wait_until(lambda: not alive(mine.pid))


@contextlib.contextmanager
def orphaned(folder: Path, text: str) -> Iterator[psutil.Process]:
    """A command that prints `ready` first, and whose program and keeper are killed then."""
    with console(folder, {"id": "t", "shell": text}) as program:
        assert hear(program, 1) == ["ready"]
        (mine,) = keepers_of(program.pid)
    mine.kill()
    wait_until(lambda: not alive(mine.pid))
    command = psutil.Process(marker_in(folder).pid)
    yield command
    assert not alive(command.pid)


def test_an_orphan_is_adopted_and_its_end_is_unknown(tmp_path: Path) -> None:
    text = waiting(tmp_path / "go", "echo more; exit 3")

    async def scenario(device: LocalDevice) -> Any:
        said: list[str] = []
        context = context_of(shell(text), tmp_path, emit=lambda text, stream: said.append(text))
        go_on = await device.reattach(shell(text), context)
        assert go_on is not None
        running = asyncio.ensure_future(go_on())
        await until(lambda: "ready\n" in said)
        assert not running.done()
        (tmp_path / "go").touch()
        return await running

    with orphaned(tmp_path, text):
        outcome = on_device(scenario)
    assert (outcome.result.output, error_of(outcome).code) == ("ready\nmore\n", ErrorCode.INTERRUPTED)


@pytest.mark.parametrize("text", ["echo ready; sleep 3600", "echo ready; exec env -i sleep 3600"])
def test_an_orphan_is_ended_before_its_attempt_counts_as_interrupted(tmp_path: Path, text: str) -> None:
    """Also one in whose environment nothing says any more whose it is: it is known by when it was started."""
    with orphaned(tmp_path, text) as command:
        wait_until(lambda: "sleep" in "".join(command.cmdline()))
        files = AttemptFiles.at(tmp_path / "attempts" / "t")
        assert is_running(files)
        assert recovered(shell(text), tmp_path, grace=0.1) is None
        assert not is_running(files)
        assert recovered(shell(text), tmp_path, grace=0.1) is None


def test_an_end_that_its_keeper_writes_after_the_attempt_was_interrupted_does_not_count(tmp_path: Path) -> None:
    text = "trap 'exit 0' TERM; echo ready; while :; do sleep 0.05; done"
    with console(tmp_path, {"id": "t", "shell": text}, {"id": "u", "shell": "sleep 3600"}) as program:
        hear(program, 1)
        (mine,) = keepers_of(program.pid)
    assert recovered(shell(text), tmp_path, grace=30) is None
    marker = tmp_path / "attempts" / "t.marker"
    wait_until(lambda: "\nend 0 " in marker.read_text())
    assert alive(mine.pid), "the other command goes on"
    assert recovered(shell(text), tmp_path) is None
    assert marker_in(tmp_path).code is None


def test_an_adopted_command_of_a_living_keeper_has_its_end(tmp_path: Path) -> None:
    text = waiting(tmp_path / "go", "exit 3")

    async def scenario(device: LocalDevice) -> Any:
        go_on = await device.reattach(shell(text), context_of(shell(text), tmp_path))
        assert go_on is not None
        running = asyncio.ensure_future(go_on())
        await asyncio.sleep(0)
        (tmp_path / "go").touch()
        return await running

    with console(tmp_path, {"id": "t", "shell": text}) as program:
        hear(program, 1)
    assert error_of(on_device(scenario)).message == "exit code 3"


def test_the_keeper_of_a_device_ends_when_it_is_disconnected(tmp_path: Path) -> None:
    async def scenario(device: LocalDevice) -> psutil.Process:
        outcome = await Attempt(device, python("print(1)"), kept=tmp_path / "t").run()
        assert outcome.status is COMPLETED
        return keeper_here()

    mine = on_device(scenario)
    assert not mine.is_running()
