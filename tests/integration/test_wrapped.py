"""Commands inside containers and the like, by a program that when killed leaves running what it has started there."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from tests.integration.local_harness import BOUND, COMPLETED, FAILED, STOPPED, Attempt, alive, error_of, posix_only
from tests.waiting import POLL, until

from starloom import DeviceError
from starloom.devices.kinds import make_device
from starloom.devices.wrapped import WrappedDevice
from starloom.devices.wrappers import ending
from starloom.model.device import DeviceSpec
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

pytestmark = posix_only

# Behaves as Docker's daemon does: starts commands in the name of others, who may end meanwhile.
_DAEMON = """\
import json, os, socket, subprocess, sys, threading

def serve(connection):
    with connection:
        data, ends, _, _ = socket.recv_fds(connection, 65536, 3)
        command, env = json.loads(data)
        process = subprocess.Popen(
            command, env=env, stdin=ends[0], stdout=ends[1], stderr=ends[2], start_new_session=True
        )
        for end in ends:
            os.close(end)
        code = str(process.wait()).encode()
        try:
            connection.sendall(code)
        except OSError:
            pass

server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
server.listen()
print("ready", flush=True)
while True:
    threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
"""

# Behaves as `docker exec` does: hands its streams to the daemon. The container runs while there is a file of its name.
_CLIENT = """\
import json, os, socket, sys
interactive = sys.argv[2] == "-i"
target, *command = sys.argv[3:] if interactive else sys.argv[2:]
folder = os.path.dirname(sys.argv[0])
if not os.path.exists(os.path.join(folder, target)):
    sys.exit(f"Error response from daemon: No such container: {target}")
if os.path.basename(sys.argv[0]) == "adb":  # adb -s TARGET shell LINE
    command = ["sh", "-c", " ".join(command[1:])]
elif not interactive:
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
with socket.socket(socket.AF_UNIX) as daemon:
    daemon.connect(os.path.join(folder, "daemon"))
    env = {"PATH": os.environ["PATH"], "WHERE": target}
    socket.send_fds(daemon, [json.dumps([command, env]).encode()], [0, 1, 2])
    sys.exit(int(daemon.recv(16)))
"""


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with `docker` and `adb` that is first in PATH, and a container `box`."""
    with tempfile.TemporaryDirectory() as name:  # its name is short enough for a socket
        folder = Path(name)
        for program in (folder / "docker", folder / "adb"):
            program.write_text(f"#!{sys.executable}\n{_CLIENT}")
            program.chmod(0o755)
        (folder / "box").touch()
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        command = (sys.executable, "-c", _DAEMON, str(folder / "daemon"))
        with subprocess.Popen(command, stdout=subprocess.PIPE) as daemon:
            assert daemon.stdout is not None
            assert daemon.stdout.readline() == b"ready\n"
            yield folder
            daemon.kill()


def command_lines() -> list[str]:
    """What every process of this machine was started with."""
    lines = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            lines.append("\0".join(process.cmdline()))
    return lines


def on(scenario: Callable[[WrappedDevice], Awaitable[Any]], wrapper: Any = "docker exec") -> Any:
    async def within_bound() -> Any:
        device = WrappedDevice("dev", wrapper=wrapper, target="box", grace=0.5)
        await device.connect()
        try:
            async with asyncio.timeout(BOUND):
                return await scenario(device)
        finally:
            await device.disconnect()

    return asyncio.run(within_bound())


@pytest.mark.parametrize("wrapper", ["docker exec", "adb shell"])
def test_a_command_runs_there_with_its_own_environment_and_directory(stand_in: Path, wrapper: str) -> None:
    hostile = "$(touch oops) '; \" `x` \\ *"
    script = 'printf "%s\\n" "$WHERE" "$PWD" "$MINE" "$1"; echo 7'
    task = Task(id="t", command=("sh", "-c", script, "sh", hostile), env={"MINE": hostile}, cwd=str(stand_in))
    outcome = on(lambda device: Attempt(device, task).run(), wrapper)
    assert outcome.status is COMPLETED
    assert outcome.result.output == f"box\n{stand_in}\n{hostile}\n{hostile}\n7\n"
    assert outcome.result.value == 7
    assert not (stand_in / "oops").exists()


def test_a_container_that_has_gone_is_to_blame_and_not_the_task(stand_in: Path) -> None:
    async def scenario(device: WrappedDevice) -> Any:
        works = await Attempt(device, Task(id="t", shell="exit 1")).run()
        (stand_in / "box").unlink()
        return works, await Attempt(device, Task(id="u", shell="exit 0")).run()

    works, gone = on(scenario)
    assert (works.device_failed, works.result.exit_code) == (False, 1)
    assert (gone.device_failed, gone.result.exit_code, error_of(gone).code) == (True, 1, "device_lost")
    assert "No such container" in error_of(gone).message


def test_a_failure_there_is_told_with_its_exit_code(stand_in: Path) -> None:
    outcome = on(lambda device: Attempt(device, Task(id="t", shell="echo no >&2; exit 3")).run())
    assert (outcome.status, outcome.result.exit_code, outcome.result.output) == (FAILED, 3, "no\n")


def test_an_exit_code_there_means_what_the_plan_says(stand_in: Path) -> None:
    table: Any = {75: "warning", "else": "critical"}
    task = Task(id="t", shell="exit 75", severity=table)
    assert task.severity_of(on(lambda device: Attempt(device, task).run()).result) == "warning"


@pytest.mark.parametrize("kept", [False, True])
def test_a_stopped_attempt_ends_there_too_though_its_wrapper_alone_would_leave_it(stand_in: Path, kept: bool) -> None:
    async def scenario(device: WrappedDevice) -> tuple[Any, list[int]]:
        shell = "trap '' TERM; sleep 3600 & echo pid $!; echo pid $$; echo ready; while :; do sleep 1; done"
        attempt = Attempt(device, Task(id="t", shell=shell), kept=stand_in / "attempts" / "t" if kept else None)
        running = await attempt.started()
        running.cancel()
        return await running, attempt.pids()

    outcome, pids = on(scenario)
    assert outcome.status is STOPPED
    assert outcome.result.error is None
    assert len(pids) == 2
    assert not [pid for pid in pids if alive(pid)]


def test_the_system_and_the_kind_of_wrapper_are_capabilities(stand_in: Path) -> None:
    async def scenario(device: WrappedDevice) -> frozenset[str]:
        await device.ping()
        return device.capabilities

    assert on(scenario) == {"docker", "container", *(word.lower() for word in (os.uname().sysname, os.uname().machine))}


def test_a_container_that_is_not_there_is_told_in_the_words_of_the_wrapper(stand_in: Path) -> None:
    (stand_in / "box").unlink()
    with pytest.raises(DeviceError, match="docker ended with 1: Error response from daemon: No such container: box"):
        on(lambda device: device.ping())


def test_a_container_that_goes_away_is_noticed_by_its_next_sign_of_life(stand_in: Path) -> None:
    async def scenario(device: WrappedDevice) -> None:
        (stand_in / "box").unlink()
        await device.ping()

    with pytest.raises(DeviceError, match="No such container"):
        on(scenario)


def test_python_tasks_are_not_for_it_and_it_says_what_is(stand_in: Path) -> None:
    outcome = on(lambda device: Attempt(device, Task(id="t", python="os:getcwd")).run())
    assert error_of(outcome).code == "unsupported"
    assert "python3 -m module" in error_of(outcome).message


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"wrapper": "docker"}, r"no wrapper 'docker'.*There are docker exec, adb shell, kubectl exec, wsl"),
        ({"wrapper": "docker exec"}, "needs a `target`"),
        ({"wrapper": "docker exec", "target": "--privileged"}, "does not begin with '-'"),
        ({"wrapper": []}, "give it a name or a list of arguments"),
    ],
)
def test_options_that_cannot_be_used_are_refused_in_a_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(DeviceError, match=sentence):
        make_device(DeviceSpec(id="d", kind="wrapped", options=options))


def test_a_wrapper_of_ones_own_is_a_list_of_arguments(stand_in: Path) -> None:
    own = ["docker", "exec", "-i", "{target}"]
    assert on(lambda device: Attempt(device, Task(id="t", shell="echo $WHERE")).run(), own).result.output == "box\n"


def test_a_wrapper_that_passes_no_input_on_is_refused_as_no_environment_would_come(stand_in: Path) -> None:
    with pytest.raises(DeviceError, match=r"standard input is not passed on; docker exec, .* need -i"):
        on(lambda device: device.ping(), ["docker", "exec", "{target}"])


@pytest.mark.parametrize("wrapper", ["docker exec", "adb shell"])
def test_variables_of_any_name_arrive_there(stand_in: Path, wrapper: str) -> None:
    env = {"my-name%%": "a\nb", "IFS": "x", "UID": "7", "starloom_text": "t", "PLAIN": "it's\nstarloom-hello"}
    code = f"import json, os; print(json.dumps([os.environ.get(name) for name in {list(env)}]))"
    task = Task(id="t", command=(sys.executable, "-c", code), env=env)
    assert on(lambda device: Attempt(device, task).run(), wrapper).result.value == list(env.values())


def test_what_a_task_is_given_stands_in_no_list_of_processes(stand_in: Path) -> None:
    async def scenario(device: WrappedDevice) -> list[str]:
        task = Task(
            id="t", shell="echo ready; sleep 3600", env={"TOKEN": "hunter-2-hunter", "my-name": "hunter-3-hunter"}
        )
        running = await Attempt(device, task, kept=stand_in / "attempts" / "t").started()
        seen = command_lines()
        running.cancel()
        await running
        return seen

    seen = on(scenario)
    assert [line for line in seen if "echo ready" in line]
    assert not [line for line in seen if "hunter-" in line]


def test_every_process_is_stopped_before_the_first_one_is_signalled(tmp_path: Path) -> None:
    text = "for i in 1 2 3; do (sleep 3600; echo next) & done; echo ready; wait"
    env = {**os.environ, "MARK": "the-mark-of-this-test"}
    with subprocess.Popen(["sh", "-c", text], env=env, stdout=subprocess.PIPE, text=True) as shell:
        assert shell.stdout is not None
        assert shell.stdout.readline() == "ready\n"
        asyncio.run(until(lambda: len(psutil.Process(shell.pid).children(recursive=True)) == 6, every=POLL))
        log = tmp_path / "log"
        listen = f'kill() {{ echo "$2 $3" >>{log}; command kill "$@"; }}\n'
        sh, option, script, *arguments = ending("MARK=the-mark-of-this-test", 5)
        subprocess.run([sh, option, listen + script, *arguments], check=True, timeout=BOUND)
        assert shell.stdout.read() == ""
    signals = [line.split() for line in log.read_text().splitlines()]
    first = next(number for number, (name, _) in enumerate(signals) if name == "TERM")
    stopped = {pid for name, pid in signals[:first] if name == "STOP"}
    assert len(stopped) == 7
    assert {pid for name, pid in signals[first:] if name != "STOP"} <= stopped
