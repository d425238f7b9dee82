"""What the next program makes of attempts on another machine whose console died, as their markers say."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from msgspec.structs import replace
from tests.integration.ssh_harness import (
    BOUND,
    COMPLETED,
    FAILED,
    Attempt,
    alive,
    context_of,
    folders_of,
    left_of,
    on_device,
    recovered,
    shell,
)
from tests.integration.ssh_harness import one_server as one_server
from tests.integration.ssh_harness import server as server
from tests.waiting import POLL, until

from starloom.devices.family import TOKEN
from starloom.devices.ssh import scripts
from starloom.devices.ssh.record import SshRecord, write_record
from starloom.errors import DeviceError
from starloom.model.result import ErrorCode

ROOT = Path(__file__).resolve().parents[2]
CONSOLE = """
import asyncio, json, sys
from pathlib import Path
from tests.integration.ssh_harness import context_of
from starloom.devices.ssh import SshDevice
from starloom.model.task import Task

async def main(options, id, text, folder):
    device, task = SshDevice("there", slots=1, **options), Task(id=id, shell=text)
    await device.connect()
    await device.run(task, context_of(task, Path(folder)))

asyncio.run(main(*json.loads(sys.argv[1])))
"""


def died(server, task, folder):
    """A console starts the task, and is killed as soon as that has written a line into a file; the words of it."""
    arguments = json.dumps([server.options(), task.id, task.shell, str(folder)])
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    console = subprocess.Popen([sys.executable, "-c", CONSOLE, arguments], env=env)
    path = server.folder / "work" / "began"
    try:
        asyncio.run(until(lambda: path.exists() and path.read_text().endswith("\n"), every=POLL))
        assert console.poll() is None
    finally:
        console.kill()
        console.wait(BOUND)
    return path.read_text().split()


def test_one_that_ended_after_its_console_died_has_the_outcome_it_would_have_had(server, tmp_path):
    text = "echo $$ >began; echo out; echo err >&2; read -r _ <go; echo '{\"n\": 1}' >$STARLOOM_RESULT; exit 0"
    os.mkfifo(server.folder / "work" / "go")
    task = shell(text)
    died(server, task, tmp_path)
    (server.folder / "work" / "go").write_text("now\n")
    marker = next((server.folder / "state").glob("attempts/*/marker"))
    asyncio.run(until(lambda: "end" in marker.read_text(), every=POLL))
    outcome = recovered(server, task, tmp_path)
    assert outcome.status is COMPLETED
    assert (outcome.result.value, outcome.result.exit_code, outcome.result.output) == ({"n": 1}, 0, "out\nerr\n")
    assert (tmp_path / "log").read_text() == "out\nerr\n"
    assert outcome.ended_ago is not None
    assert replace(recovered(server, task, tmp_path), ended_ago=outcome.ended_ago) == outcome


def test_one_that_still_runs_is_ended_and_counts_as_interrupted(server, tmp_path):
    task = shell("echo $$ >began; trap '' TERM; (setsid sleep 1000 &); while :; do sleep 1; done")
    (pid,) = died(server, task, tmp_path)
    assert alive(int(pid))
    assert recovered(server, task, tmp_path, grace=0.2) is None
    assert left_of(server) == []
    assert recovered(server, task, tmp_path) is None


@pytest.mark.parametrize("ignored", ["", "trap '' TERM; "])
def test_ending_one_that_still_runs_never_makes_a_shell_go_on_with_its_next_command(one_server, tmp_path, ignored):
    # Forty shells that would go on, so that at least one's child is signalled before its shell.
    loop = f"for i in $(seq 40); do ({ignored}sleep 1000; : >next-$i) & done"
    task = shell(f"{ignored}{loop}; echo $$ >began; wait; : >next-of-all")
    died(one_server, task, tmp_path)
    assert recovered(one_server, task, tmp_path, grace=0.2) is None
    assert sorted(path.name for path in (one_server.folder / "work").glob("next-*")) == []


def test_every_process_is_stopped_before_the_first_one_is_signalled(tmp_path):
    env = {**os.environ, TOKEN: "the-token-of-this-test"}
    text = "for i in 1 2 3; do (sleep 1000; echo next) & done; echo ready; wait"
    with subprocess.Popen(["/bin/sh", "-c", text], env=env, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout.readline() == "ready\n"
        asyncio.run(until(lambda: len(psutil.Process(running.pid).children(recursive=True)) == 6, every=POLL))
        log = tmp_path / "log"
        listen = f'kill() {{ echo "$2 $3" >>{log}; command kill "$@"; }}\n'
        script = listen + scripts.end(scripts.AttemptPlace(str(tmp_path), "the-token-of-this-test"), BOUND).decode()
        subprocess.run(["/bin/sh"], input=script, text=True, check=True, timeout=BOUND)
        assert running.stdout.read() == ""
    signals = [line.split() for line in log.read_text().splitlines()]
    first = next(number for number, (name, _) in enumerate(signals) if name == "TERM")
    stopped = {pid for name, pid in signals[:first] if name == "STOP"}
    assert len(stopped) == 7
    assert {pid for name, pid in signals[first:]} == stopped


def test_one_whose_wrapper_died_is_ended_and_counts_as_interrupted(one_server, tmp_path):
    task = shell("echo $$ $(ps -o ppid= -p $$) >began; sleep 1000")
    command, wrapper = died(one_server, task, tmp_path)
    os.kill(int(wrapper), signal.SIGKILL)
    assert alive(int(command))
    assert recovered(one_server, task, tmp_path) is None
    assert not alive(int(command))


def test_one_that_never_began_never_will(server, tmp_path):
    task = shell("touch began")
    record = SshRecord("127.0.0.1", server.port, server.user, str(server.folder / "state/attempts/a"), "a-token")
    write_record(context_of(task, tmp_path).kept, record)
    assert recovered(server, task, tmp_path) is None

    async def late(device):
        session = await device._link.session()
        place = scripts.AttemptPlace(record.folder, record.token)
        text = scripts.start(place, ("/bin/sh", "-c", task.shell), str(server.folder / "work"), {}, "python3")
        return await session.ask(text)

    assert on_device(server, late) == [["refused", "marker"]]
    assert not (server.folder / "work" / "began").exists()


def test_one_without_a_record_never_began(one_server, tmp_path):
    assert recovered(one_server, shell("true"), tmp_path) is None


def test_another_machine_knows_nothing_of_it_and_says_so(one_server, tmp_path):
    task = shell("true")
    record = SshRecord("other.example", 22, None, "/somewhere", "a-token")
    write_record(context_of(task, tmp_path).kept, record)
    with pytest.raises(DeviceError, match=r"other\.example"):
        recovered(one_server, task, tmp_path)


def test_a_record_that_cannot_be_read_is_not_taken_for_none(one_server, tmp_path):
    task = shell("true")
    kept = context_of(task, tmp_path).kept
    kept.parent.mkdir()
    kept.with_name(kept.name + ".ssh").write_text("{")
    with pytest.raises(DeviceError, match="cannot be read"):
        recovered(one_server, task, tmp_path)


def test_releasing_an_attempt_removes_it_on_both_sides(server, tmp_path):
    task = shell("echo done")

    async def scenario(device):
        context = context_of(task, tmp_path)
        await device.run(task, context)
        assert len(folders_of(server)) == 1
        device.release(context.kept)
        await until(lambda: not list((tmp_path / "attempts").iterdir()), every=POLL)
        return folders_of(server)

    assert on_device(server, scenario) == []


def test_an_attempt_whose_record_cannot_be_written_does_not_begin(one_server, tmp_path):
    (tmp_path / "attempts").write_text("in the way")
    task = shell("touch began")
    outcome = on_device(one_server, lambda device: device.run(task, context_of(task, tmp_path)))
    assert (outcome.status, outcome.result.error.code) == (FAILED, ErrorCode.START_FAILED)
    assert not (one_server.folder / "work" / "began").exists()


def test_an_attempt_whose_files_can_be_read_no_more_is_ended(one_server):
    async def scenario(device):
        attempt = Attempt(device, shell("echo pid $$; sleep 1000"))
        running = await attempt.started("pid")
        marker = next((one_server.folder / "state").glob("attempts/*/marker"))
        marker.unlink()
        marker.mkdir()
        (marker / "x").touch()
        return await running, left_of(one_server)

    outcome, left = on_device(one_server, scenario, grace=0.2)
    assert (outcome.status, left) == (FAILED, [])
    assert outcome.result.error.code in {ErrorCode.EXCEPTION, ErrorCode.INTERRUPTED}
