"""How processes of the local device are stopped, with everything they started, and what is left of them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
import threading

import psutil
import pytest
from tests.integration.local_harness import (
    COMPLETED,
    FOREVER,
    STOPPED,
    Attempt,
    alive,
    error_of,
    left_of,
    linux_only,
    on_device,
    posix_only,
    python,
    shell,
    write_result,
)

from starloom.devices.local import LocalDevice
from starloom.model.result import ErrorInfo, Outcome
from starloom.model.task import Task

# How it is stopped


@posix_only
def test_a_process_that_listens_to_term_ends_by_itself_and_its_last_words_are_kept(door):
    async def scenario(device):
        text = f"trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep {FOREVER} & wait; done"
        running = await Attempt(device, shell(text)).started()
        running.cancel()
        return await running

    outcome = on_device(scenario, grace=FOREVER)
    assert (outcome.status, outcome.result.exit_code) == (STOPPED, 5)
    assert outcome.result.output == "ready\nbye\n"
    assert outcome.result.error is None


@posix_only
def test_term_reaches_each_process_once(door):
    code = f"""
import os, signal, time
count = []
def term(*_):
    count.append(1)
    print('term', len(count))
signal.signal(signal.SIGTERM, term)
if os.fork() == 0:
    time.sleep({FOREVER})
print('ready')
while not count: signal.pause()
deadline = time.monotonic() + 0.3
while time.monotonic() < deadline: time.sleep(0.01)
os._exit(0)
"""

    async def scenario(device):
        running = await Attempt(device, python(code)).started()
        running.cancel()
        return await running

    assert "term 2" not in on_device(scenario, grace=1.0).result.output


@posix_only
def test_a_process_that_ignores_term_is_killed_after_the_grace_period(door):
    async def scenario(device):
        running = await Attempt(device, shell(f"trap '' TERM; echo ready; sleep {FOREVER}; sleep {FOREVER}")).started()
        running.cancel()
        return await running

    outcome = on_device(scenario, grace=0.1)
    assert (outcome.status, outcome.result.exit_code) == (STOPPED, -signal.SIGKILL)


LEAVING = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
def say(): os.write(1, f'pid {os.getpid()}\\n'.encode())
def child():
    say(); BODY
if os.fork() == 0:
    child(); time.sleep(3600); os._exit(0)
say()
while True: time.sleep(3600)
"""
WAYS_OUT = {
    "a child": "pass",
    "a child in its own process group": "os.setpgid(0, 0)",
    "a child in its own session": "os.setsid()",
    "a grandchild in its own session": "os.setsid(); os.fork(); say()",
    "a daemon whose parents have ended": "os.setsid(); os.fork() and os._exit(0); say()",
    "a child without the environment": "os.setsid(); os.execve('/bin/sleep', ['sleep', '3600'], {})",
    "an orphan without the environment": "os.fork() and os._exit(0); say(); "
    "os.execve('/bin/sleep', ['sleep', '3600'], {})",
}


@linux_only
@pytest.mark.parametrize("body", WAYS_OUT.values(), ids=WAYS_OUT)
def test_no_descendant_outlives_a_stop(body, door):
    expected = 2 + body.count("say()")

    async def scenario(device):
        attempt = Attempt(device, python(LEAVING.replace("BODY", body)))
        running = asyncio.create_task(attempt.run())
        await attempt.until(lambda: len(attempt.pids()) >= expected)
        running.cancel()
        return attempt.pids(), await running

    pids, outcome = on_device(scenario, grace=0.05)
    assert outcome.status is STOPPED
    assert len(set(pids)) >= expected - 1
    assert [pid for pid in pids if alive(pid)] == []


@posix_only
def test_a_second_cancel_kills_at_once(door):
    async def scenario(device):
        text = f"trap 'echo term' TERM; echo ready; while :; do sleep {FOREVER} & wait; done"
        attempt = Attempt(device, shell(text))
        running = await attempt.started()
        running.cancel()
        await attempt.heard("term")
        running.cancel()
        return await running

    outcome = on_device(scenario, grace=FOREVER)
    assert (outcome.status, outcome.result.exit_code) == (STOPPED, -signal.SIGKILL)


@posix_only
def test_cancels_at_every_moment_leave_no_process(door):
    """At each step of the loop from the start on: before the start, in it, after it; and then again at each later."""

    async def scenario(device):
        for first in range(12):
            for second in range(0, 6, 2):
                running = asyncio.create_task(Attempt(device, shell(f"sleep {FOREVER}")).run())
                for pause in (first, second):
                    for _ in range(pause):
                        await asyncio.sleep(0)
                    running.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    outcome = await running
                    assert outcome.status is STOPPED
                assert left_of(device) == []

    on_device(scenario)


@posix_only
@pytest.mark.parametrize("door", ["watched", "portable"], indirect=True)  # a kept attempt has no pipe
def test_a_stop_while_a_grandchild_holds_the_pipe_ends_that_too(door):
    async def scenario(device):
        running = await Attempt(device, shell(f"sleep {FOREVER} & echo ready $!; exit 0")).started("\n")
        child = psutil.Process().children()
        while child and alive(child[0].pid):  # noqa: ASYNC110 - there is no event
            await asyncio.sleep(0)
        running.cancel()
        return await running

    outcome = on_device(scenario, grace=FOREVER)
    grandchild = int(outcome.result.output.split()[1])
    if outcome.status is COMPLETED:
        os.kill(grandchild, signal.SIGKILL)
    assert (outcome.status, alive(grandchild)) == (STOPPED, False)


@linux_only
def test_the_end_of_the_whole_program_ends_the_processes_too():
    """`asyncio.run` cancels everything at its end; a task in its stop must not be left half done by that."""
    pids = []

    async def main():
        device = LocalDevice("here", grace=FOREVER)
        await device.connect()
        attempt = Attempt(device, shell(f"trap '' TERM; echo pid $$; sleep {FOREVER}; sleep {FOREVER}"))
        running = await attempt.started("pid ")
        pids.extend(attempt.pids())
        running.cancel()
        await asyncio.sleep(0)
        running.cancel()
        await running
        await device.disconnect()

    asyncio.run(main())
    assert not alive(pids[0])


# What it leaves behind


@linux_only
def test_two_hundred_tasks_leave_nothing_behind():
    async def scenario(device):
        def open_things():
            return (len(os.listdir("/proc/self/fd")), threading.active_count(), len(psutil.Process().children()))

        await Attempt(device, python("print(1)")).run()
        before = open_things()
        tasks = [shell("echo x; exit 3"), write_result("1"), Task(id="t", command=("no-such-program",))]
        places = asyncio.Semaphore(8)

        async def one(task):
            async with places:
                await Attempt(device, task).run()

        await asyncio.gather(*(one(tasks[0 if n % 10 else n // 10 % 3]) for n in range(200)))
        # What earlier tests have left to the collector may go meanwhile.
        assert all(now <= then for now, then in zip(open_things(), before, strict=True)), (open_things(), before)
        assert os.listdir(device._scratch.path()) == []

    on_device(scenario)


def test_the_files_live_in_a_private_directory_until_disconnect(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    async def main():
        device = LocalDevice("here")
        for _ in range(2):
            await device.connect()
            await device.connect()
            assert list(tmp_path.iterdir()) == []
            task = python("import os; open(os.environ['STARLOOM_RESULT'] + '.part', 'w'); print(os.getcwd())")
            assert (await Attempt(device, task).run()).status is COMPLETED
            (directory,) = tmp_path.iterdir()
            if sys.platform != "win32":
                assert directory.stat().st_mode & 0o777 == 0o700
            await device.disconnect()
            await device.disconnect()
            assert list(tmp_path.iterdir()) == []

    asyncio.run(main())


def test_a_device_that_is_not_connected_says_so():
    outcome = asyncio.run(_unconnected())
    assert error_of(outcome) == ErrorInfo(
        code="start_failed", message="Device 'here' is not connected; connect it first."
    )


async def _unconnected() -> Outcome:
    return await Attempt(LocalDevice("here"), python("")).run()
