"""What a later program finds out about attempts of the local device, and what it ends: real programs, really killed."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from msgspec.structs import replace
from tests.integration.local_harness import (
    BOUND,
    COMPLETED,
    Attempt,
    alive,
    context_of,
    error_of,
    linux_only,
    on_device,
    posix_only,
    python,
    recovered,
    shell,
    write_result,
)

from starloom.devices.attempt_files import AttemptFiles
from starloom.devices.marker import Marker, measured_end, read_marker
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


pytestmark = posix_only

MODULE = """
def add(a, b):
    print("adding")
    return a + b

def fail():
    raise ValueError("no such thing")
"""


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "tasks_of_this_test.py").write_text(MODULE, encoding="utf-8")
    return tmp_path


@pytest.fixture(autouse=True)
def nothing_outlives_a_failed_test(tmp_path: Path) -> Iterator[None]:
    """What was started by a killed program is nobody's child, so nobody else would find it."""
    yield
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.environ().get("STARLOOM_RESULT", "").startswith(str(tmp_path)):
                process.kill()


# ---- ends that nobody heard of


ENDS = {
    "0": shell("echo x"),
    "exit 3": shell("echo x; exit 3"),
    "exit 137": shell("exit 137"),
    "killed": shell("kill -9 $$"),
    "terminated": shell("kill $$"),
    "a python value": Task(id="t", python="tasks_of_this_test:add", inputs={"a": 1, "b": 2}),
    "a python error": Task(id="t", python="tasks_of_this_test:fail"),
    "a result file": write_result("[1]", "print('[2]')"),
    "a bad result file": write_result("nonsense"),
    "a last line": shell("echo log; echo '{\"a\": 1}'; echo '[9]' >&2"),
    "no output": shell(":"),
}


@pytest.mark.parametrize("task", ENDS.values(), ids=ENDS)
def test_an_end_is_adopted_exactly_as_it_would_have_been_told(here, task):
    there = Task(
        **{name: getattr(task, name) for name in ("id", "command", "shell", "python", "inputs")}, cwd=str(here)
    )
    outcome = on_device(lambda device: device.run(there, context_of(there, here)))
    log = (here / "log").read_bytes() if (here / "log").exists() else None
    (here / "log").unlink(missing_ok=True)
    for _ in range(2):
        again = recovered(there, here)
        assert again is not None
        assert (again.status, again.result.value, again.result.error) == (
            outcome.status,
            outcome.result.value,
            outcome.result.error,
        )
        assert again.result == outcome.result
        assert ((here / "log").read_bytes() if log is not None else None) == log


def test_much_output_of_both_streams_is_adopted_whole_and_in_order(tmp_path):
    code = """
import sys
for n in range(30_000):
    sys.stdout.write(f'out {n:06} ' + 'x' * 30 + '\\n')
    if n % 10 == 0: sys.stderr.write(f'err {n:06}\\n')
print('[5]')
"""
    task = python(code)
    live = on_device(lambda device: device.run(task, context_of(task, tmp_path)))
    said = []
    context = context_of(task, tmp_path, emit=lambda text, stream: said.append((stream, text)))
    outcome = on_device(lambda device: device.recover(task, context))
    lines = (tmp_path / "log").read_text().splitlines()
    for stream, count in (("out", 30_000), ("err", 3_000)):
        mine = [line for line in lines if line.startswith(stream)]
        assert len(mine) == count
        assert mine == sorted(mine)
        assert "".join(text for name, text in said if name == f"std{stream}").count(f"{stream} ") == count
    assert outcome.result.output_length == live.result.output_length == (tmp_path / "log").stat().st_size > 1_000_000
    assert outcome.result.value == [5]
    assert outcome.result.output.endswith("err 029990\n")


def test_an_adopted_end_leaves_the_background_alone(tmp_path):
    task = shell("sleep 3600 & echo $!")
    on_device(lambda device: device.run(task, context_of(task, tmp_path)))
    outcome = recovered(task, tmp_path)
    assert outcome is not None
    background = int(outcome.result.output)
    assert alive(background)
    os.kill(background, signal.SIGKILL)


def test_output_that_is_not_there_any_more_is_told_and_the_end_adopted(tmp_path):
    task = shell("echo 5")
    on_device(lambda device: device.run(task, context_of(task, tmp_path)))
    (tmp_path / "attempts" / "t.stdout").unlink()
    outcome = recovered(task, tmp_path)
    assert outcome is not None
    assert outcome.status is COMPLETED
    assert outcome.result.error is not None
    assert "t.stdout' cannot be read: No such file" in outcome.result.error.message


# ---- a program that is killed

CONSOLE = """
import asyncio, json, sys
from pathlib import Path
from starloom.devices.base import TaskContext
from starloom.devices.local import LocalDevice
from starloom.model.task import Task

async def main():
    tasks, folder = [Task(**each) for each in json.loads(sys.argv[1])], Path(sys.argv[2])
    device = LocalDevice("here", slots=8)
    await device.connect()
    def context(task):
        return TaskContext("run 1", task.id, 1, "here", 0, kept=folder / "attempts" / task.id,
            output_path=folder / "log", emit=lambda text, stream: print(text, end="", flush=True))
    await asyncio.gather(*(device.run(task, context(task)) for task in tasks))

asyncio.run(main())
"""


@contextlib.contextmanager
def console(folder: Path, *tasks: dict[str, Any]) -> Iterator[subprocess.Popen[str]]:
    """A program that runs tasks on a local device of its own, and is killed in the end if not before."""
    (folder / "tmp").mkdir(exist_ok=True)
    program = subprocess.Popen(
        [sys.executable, "-c", CONSOLE, json.dumps(tasks), str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folder / "tmp")},
    )
    try:
        yield program
    finally:
        assert program.stdout is not None
        program.kill()
        program.wait()
        program.stdout.close()


def hear(program: subprocess.Popen[str], lines: int) -> list[str]:
    assert program.stdout is not None
    return [program.stdout.readline().strip() for _ in range(lines)]


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + BOUND
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def has_ended(folder: Path, task_id: str = "t") -> bool:
    marker = read_marker(AttemptFiles.at(folder / "attempts" / task_id).marker)
    return marker is not None and marker.code is not None


def marker_in(folder: Path) -> Marker:
    marker = read_marker(AttemptFiles.at(folder / "attempts" / "t").marker)
    assert marker is not None
    return marker


def is_interrupted(folder: Path) -> bool:
    """Whether the attempt counts as interrupted from now on: it is so for its keeper, or its wrapper is dead."""
    marker = marker_in(folder)
    return marker.is_revoked or not alive(marker.pid)


def test_a_command_outlives_its_program_prints_on_and_is_adopted_with_all_it_printed(tmp_path):
    go = tmp_path / "go"
    text = f"echo ready; while [ ! -e {go} ]; do sleep 0.01; done; echo after; echo late >&2; exit 3"
    with console(tmp_path, {"id": "t", "shell": text}) as program:
        assert hear(program, 1) == ["ready"]
    assert not has_ended(tmp_path)
    go.touch()
    wait_until(lambda: has_ended(tmp_path))
    outcome = recovered(shell(text), tmp_path)
    assert outcome is not None
    assert error_of(outcome).message == "exit code 3"
    assert outcome.result.output == "ready\nafter\nlate\n"
    assert (tmp_path / "log").read_text() == "ready\nafter\nlate\n"


LEAVING = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
open('ran', 'a').write('once\\n')
if os.fork() == 0:
    os.setsid()
    if os.fork(): os._exit(0)
    print('pid', os.getpid(), flush=True)
    while True: time.sleep(3600)
if os.fork() == 0:
    orphan = os.fork()
    if orphan: print('pid', orphan, flush=True); os._exit(0)
    os.execve('/bin/sleep', ['sleep', '3600'], {})
print('pid', os.getpid(), flush=True)
while True: time.sleep(3600)
"""


@linux_only
def test_what_still_runs_is_ended_with_all_its_kin_and_never_runs_again(tmp_path):
    command = (sys.executable, "-c", LEAVING)
    task = Task(id="t", command=command, cwd=str(tmp_path))
    with console(tmp_path, {"id": "t", "command": command, "cwd": str(tmp_path)}) as program:
        pids = [int(line.split()[1]) for line in hear(program, 3)]
        pids.append(marker_in(tmp_path).pid)
    assert all(alive(pid) for pid in pids)
    for _ in range(2):
        assert recovered(task, tmp_path, grace=0.1) is None
        assert [pid for pid in pids if alive(pid)] == []
    assert (tmp_path / "ran").read_text() == "once\n"


def test_ending_what_still_runs_never_makes_a_shell_go_on_with_its_next_command(tmp_path):
    # Forty shells that would go on, so that at least one's child is signalled before its shell.
    text = f"for i in $(seq 40); do (sleep 3600; : >{tmp_path}/next-$i) & done; echo ready; wait; : >{tmp_path}/last"
    with console(tmp_path, {"id": "t", "shell": text}) as program:
        hear(program, 1)
    assert recovered(shell(text), tmp_path) is None
    assert sorted(path.name for path in tmp_path.glob("next-*")) == []
    assert not (tmp_path / "last").exists()


def test_killing_what_does_not_listen_never_makes_a_shell_go_on_with_its_next_command(tmp_path):
    loop = f"(trap '' TERM; sleep 3600; : >{tmp_path}/next-$i) &"
    text = f"trap '' TERM; for i in $(seq 40); do {loop} done; echo ready; wait; : >{tmp_path}/last"
    with console(tmp_path, {"id": "t", "shell": text}) as program:
        hear(program, 1)
    assert recovered(shell(text), tmp_path, grace=0.1) is None
    assert sorted(path.name for path in tmp_path.glob("next-*")) == []
    assert not (tmp_path / "last").exists()


def test_what_is_ended_may_clean_up(tmp_path):
    text = f"trap 'echo clean > {tmp_path}/bye; exit 0' TERM; echo ready; while :; do sleep 3600 & wait; done"
    with console(tmp_path, {"id": "t", "shell": text}) as program:
        hear(program, 1)
    assert recovered(shell(text), tmp_path, grace=BOUND) is None
    assert (tmp_path / "bye").read_text() == "clean\n"


def test_many_are_recovered_at_once_each_by_its_own_end(tmp_path):
    texts = {
        "done": "echo ready; exit 0",
        "bad": "echo ready; exit 7",
        "on": "echo ready; exec sleep 3600",
        "too": "echo ready; sleep 3600 & sleep 3600",
    }
    with console(tmp_path, *({"id": name, "shell": text} for name, text in texts.items())) as program:
        hear(program, 4)
        wait_until(lambda: has_ended(tmp_path, "done") and has_ended(tmp_path, "bad"))

    async def scenario(device):
        tasks = [Task(id=name, shell=text) for name, text in (*texts.items(), ("never", "exit 0"))]
        return await asyncio.gather(*(device.recover(task, context_of(task, tmp_path / "")) for task in tasks))

    codes = [None if outcome is None else outcome.result.exit_code for outcome in on_device(scenario)]
    assert codes == [0, 7, None, None, None]


def test_being_cancelled_kills_at_once_and_leaves_nothing_half_done(tmp_path):
    text = "trap '' TERM; echo pid $$; while :; do sleep 1; done"
    with console(tmp_path, {"id": "t", "shell": text}) as program:
        pid = int(hear(program, 1)[0].split()[1])

    async def scenario(device):
        running = asyncio.create_task(device.recover(shell(text), context_of(shell(text), tmp_path)))
        while not is_interrupted(tmp_path):  # noqa: ASYNC110 - what another program's child does is no event here
            await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.wait([running])
        return running.cancelled()

    assert on_device(scenario, grace=3600)
    assert not alive(pid)


def test_a_run_whose_folder_was_moved_meanwhile_is_recovered_from_where_it_is(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    with console(old, {"id": "t", "shell": "echo ready; exec sleep 3600"}, {"id": "d", "shell": "exit 2"}) as program:
        hear(program, 1)
        wait_until(lambda: has_ended(old, "d"))
    marker = marker_in(old)
    old.rename(new)
    assert recovered(shell("echo ready; exec sleep 3600"), new) is None
    assert not alive(marker.pid)
    ended = recovered(Task(id="d", shell="exit 2"), new)
    assert ended is not None
    assert ended.result.exit_code == 2


def test_an_outcome_that_was_told_but_never_committed_is_told_again(tmp_path):

    async def scenario(device):
        attempt = Attempt(
            device, shell("echo 1; exit 9"), kept=tmp_path / "attempts" / "t", output_path=tmp_path / "log"
        )
        return await attempt.run()

    told = on_device(scenario)
    found = recovered(shell("echo 1; exit 9"), tmp_path)
    assert found is not None
    assert replace(found, ended_ago=told.ended_ago) == told


def test_when_a_command_has_ended_that_nobody_waited_for_is_known_by_its_marker(tmp_path: Path) -> None:
    task = shell("echo 5")
    on_device(lambda device: device.run(task, context_of(task, tmp_path)))
    marker = tmp_path / "attempts" / "t.marker"
    written = marker.stat().st_mtime - 100.0
    os.utime(marker, (written, written))
    outcome = recovered(task, tmp_path)
    assert outcome is not None
    assert outcome.ended_ago is not None
    assert 100.0 <= outcome.ended_ago <= time.time() - written
    assert measured_end(str(marker)) is not None
    marker.write_text(f"begin {os.getpid()} token .\n")
    os.utime(marker, (written, written))
    assert measured_end(str(marker)) is None, "it has begun then, and no end is written down"
