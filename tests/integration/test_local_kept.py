"""Attempts of the local device that may outlive the program, while it lives: under the wrapper, printing into files."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sys

import psutil
import pytest
from tests.integration.local_harness import (
    COMPLETED,
    FAILED,
    FOREVER,
    STOPPED,
    Attempt,
    alive,
    error_of,
    on_device,
    outcome_of,
    posix_only,
    python,
    shell,
    untimed,
)

from starloom.devices import marker
from starloom.devices.following import POLL_SECONDS
from starloom.devices.keeper import Keeper
from starloom.devices.local import LocalDevice
from starloom.model.result import Outcome, Result
from starloom.model.task import Task

pytestmark = posix_only


@pytest.fixture(params=["keeper", *(name for name in ("dash", "bash", "busybox") if shutil.which(name))])
def wrapping_shell(request, monkeypatch, tmp_path):
    """A keeper, and the wrapper under each shell there is, which is called sh as on a system where it is /bin/sh."""
    if request.param == "keeper":
        if sys.platform != "linux":
            pytest.skip("there are no keepers here")
        return request.param
    monkeypatch.setattr(Keeper, "is_usable", lambda keeper: False)
    link = tmp_path / "sh"
    link.symlink_to(shutil.which(request.param))
    monkeypatch.setattr(marker, "SHELLS", (str(link),))
    return request.param


def both(task, tmp_path, options=None, **context):
    """The outcomes of a task without and with kept files, in the folder of a run."""
    tmp_path.mkdir(exist_ok=True)
    return outcome_of(task, options, **context), outcome_of(task, options, kept=tmp_path / "a" / "t-1", **context)


def files_in(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    "text",
    ["exit 0", "exit 3", "exit 126", "exit 127", "exit 130", "exit 137", "exit 143", "exit 255"]
    + [f"kill -{name} $$" for name in ("KILL", "TERM", "HUP", "ABRT", "SEGV", "USR1", "USR2", "ALRM", "QUIT")]
    + ["kill -9 0", "trap 'exit 4' TERM; kill -TERM 0; exit 5", "ulimit -c 0; kill -BUS $$"],
)
def test_exit_codes_and_signals_are_what_they_are_without_the_wrapper(tmp_path, wrapping_shell, text):
    plain, kept = both(shell(text), tmp_path)
    assert untimed(kept) == plain


def test_of_int_and_pipe_the_shell_knows_the_number_only(tmp_path, wrapping_shell):
    """The one difference to an attempt without the wrapper: no shell tells these two from exit codes."""
    plain, kept = both(shell("kill -INT $$"), tmp_path)
    known = -signal.SIGINT if wrapping_shell == "keeper" else 128 + signal.SIGINT
    assert (plain.result.exit_code, kept.result.exit_code) == (-signal.SIGINT, known)
    assert kept.status is FAILED


def test_arguments_arrive_as_they_are(tmp_path, wrapping_shell):
    given = ["", " ", "a  b", "'", '"', "$HOME `id` $(id) ; exit 1 * ? \\ & | > x", "-n", "--", "für\n🌟", "\x01\x7f"]
    task = Task(id="t", command=(sys.executable, "-c", "import json, sys; print(json.dumps(sys.argv[1:]))", *given))
    assert outcome_of(task, kept=tmp_path / "it's a $run" / 'quo"ted').result.value == given


@pytest.mark.parametrize("extra", [{}, {"PWD": "/nowhere", "OLDPWD": "x y", "SHLVL": "7", "my-name%%": "() { a b; }"}])
def test_the_environment_arrives_as_it_is(tmp_path, wrapping_shell, extra):
    code = "import json, os; print(json.dumps(dict(os.environ)))"
    env = {"PATH": os.environ["PATH"], "A": "1\n2", "IFS_": " ", "BASH_VERSION": "odd", **extra}
    plain, kept = both(python(code, env=env), tmp_path, {"inherit_env": False})
    assert plain.status is kept.status is COMPLETED
    own = {"STARLOOM_RESULT", "STARLOOM_ATTEMPT_TOKEN", "_"}  # bash always sets the last one
    without = [{name: text for name, text in one.result.value.items() if name not in own} for one in (plain, kept)]
    if wrapping_shell == "bash":  # a variable of its own, which it lets nobody else set
        for one in without:
            one.pop("BASH_VERSION")
    assert without[0] == without[1]


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_descriptors_and_signals_arrive_as_they_are(tmp_path, wrapping_shell):
    code = """
import json, os
status = open('/proc/self/status').read().split()
masks = [status[status.index(name) + 1] for name in ('SigBlk:', 'SigIgn:')]
fds = sorted(int(name) for name in os.listdir('/proc/self/fd'))
print(json.dumps([masks, fds, os.readlink('/proc/self/fd/0'), os.getsid(0) == os.getpgid(0)]))
"""
    plain, kept = both(python(code), tmp_path)
    assert kept.result.value == plain.result.value
    assert kept.result.value[2] == os.devnull


def test_the_files_have_the_stem_and_stay_until_they_are_released(tmp_path):
    stem = tmp_path / "attempts" / "t-1a2b-1"

    async def scenario(device):
        task = shell('echo out; echo err >&2; echo 5 > "$STARLOOM_RESULT"', upstream=True)
        outcome = await Attempt(device, task, kept=stem, upstream=dict).run()
        assert (outcome.status, outcome.result.value) == (COMPLETED, 5)
        assert files_in(stem.parent) == [
            f"t-1a2b-1.{name}" for name in ("marker", "result", "stderr", "stdout", "upstream")
        ]
        assert stem.parent.stat().st_mode & 0o777 == 0o700
        assert device._scratch._path is None
        device.release(stem)
        device.release(stem)
        assert files_in(stem.parent) == []

    on_device(scenario)


def test_a_result_that_is_a_folder_is_released_too(tmp_path):
    async def scenario(device):
        await Attempt(device, shell('mkdir -p "$STARLOOM_RESULT/x"'), kept=tmp_path / "t").run()
        device.release(tmp_path / "t")
        assert files_in(tmp_path) == []

    on_device(scenario)


def test_files_of_another_attempt_are_not_overwritten(tmp_path):
    (tmp_path / "t.stdout").write_text("precious")
    error = error_of(outcome_of(shell("echo x"), kept=tmp_path / "t"))
    assert error.code == "start_failed"
    assert error.message == f"The file {str(tmp_path / 't.stdout')!r} of another attempt is in the way."
    assert (tmp_path / "t.stdout").read_text() == "precious"


def test_an_attempt_that_was_taken_back_runs_nothing_and_stays_taken_back(tmp_path, wrapping_shell):
    async def scenario(device):
        kept, task = tmp_path / "t", shell(f"touch {tmp_path / 'ran'}")
        for _ in range(2):
            assert await device.recover(task, Attempt(device, task, kept=kept)._context) is None
            device.release(kept)
        error = error_of(await Attempt(device, task, kept=kept).run())
        assert error.code == "start_failed"
        device.release(kept)
        assert "without it nothing is run" in error.message

    on_device(scenario)
    assert not (tmp_path / "ran").exists()


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    error = error_of(outcome_of(shell("echo x"), kept=tmp_path / "file" / "t"))
    assert error.code == "start_failed"
    assert "cannot be made" in error.message


@pytest.mark.parametrize("name", ["no-such-program-here", "./no/such/program", "-x"])
def test_a_program_that_is_not_there_is_told_in_the_same_words(tmp_path, name):
    plain, kept = both(Task(id="t", command=(name,)), tmp_path)
    assert untimed(kept) == plain


def test_files_that_cannot_be_run_are_told_in_the_same_words(tmp_path):
    file = tmp_path / "file"
    contents = (b"text", b"", b"\x00\x01", b"#!/no/such/interpreter\n", b"#!/bin/sh\nexit 3")
    for mode in (0o600, 0o700):
        for number, content in enumerate(contents):
            file.unlink(missing_ok=True)
            file.write_bytes(content)
            file.chmod(mode)
            plain, kept = both(Task(id="t", command=(str(file),)), tmp_path / f"{mode}-{number}")
            assert untimed(kept) == plain
    for command, options in (
        (("file",), {"cwd": str(tmp_path), "env": {"PATH": "."}}),
        (("./file",), {"cwd": str(tmp_path)}),
        (("file",), {"env": {"PATH": f"/nowhere:{tmp_path}"}}),
        ((str(tmp_path),), {}),
        (("file\0",), {}),
        (("file",), {"cwd": str(file)}),
    ):
        file = tmp_path / f"{len(files_in(tmp_path))}"
        plain, kept = both(Task(id="t", command=command, **options), file)
        assert untimed(kept) == plain


def test_a_program_whose_name_starts_with_a_dash_is_no_option(tmp_path, wrapping_shell):
    (tmp_path / "-a").write_text("#!/bin/sh\necho ran $1")
    (tmp_path / "-a").chmod(0o700)
    task = Task(id="t", command=("-a", "-b"), env={"PATH": f"{tmp_path}:/bin:/usr/bin"})
    assert outcome_of(task, kept=tmp_path / "t").result.output == "ran -b\n"


def test_output_comes_while_the_command_runs_and_in_order_within_a_stream(tmp_path):
    async def scenario(device):
        go = tmp_path / "go"
        text = f"echo one; echo err >&2; while [ ! -e {go} ]; do sleep 0.01; done; echo two"
        attempt = Attempt(device, shell(text), kept=tmp_path / "t", output_path=tmp_path / "log")
        running = await attempt.started("err\n")
        assert sorted(attempt.said) == [("stderr", "err\n"), ("stdout", "one\n")]
        go.touch()
        outcome = await running
        assert outcome.result.output_length == (tmp_path / "log").stat().st_size == 12
        return attempt.said

    assert [text for stream, text in on_device(scenario) if stream == "stdout"] == ["one\n", "two\n"]


def test_a_fast_writer_does_not_stall_the_loop(tmp_path):
    async def scenario(device):
        attempt = Attempt(device, shell("yes x"), kept=tmp_path / "t")
        running = await attempt.started("x\n")
        turns = 0
        async with asyncio.timeout(20):
            while attempt.said and sum(len(text) for _, text in attempt.said) < 3_000_000:
                turns += 1
                await asyncio.sleep(0)
        running.cancel()
        assert (await running).status is STOPPED
        assert turns > 3

    on_device(scenario)


def test_a_command_that_cuts_off_its_own_output_goes_on_being_heard(tmp_path):
    """With a pipe `> /dev/stdout` only prints; with a file it empties it first."""
    go = tmp_path / "go"
    text = f"echo a long first line; while [ ! -e {go} ]; do sleep 0.01; done; echo 7 > /dev/stdout"

    async def scenario(device):
        running = await Attempt(device, shell(text), kept=tmp_path / "t").started("line\n")
        go.touch()
        return await running

    outcome = on_device(scenario)
    assert outcome.result.output == "a long first line\n7\n"
    assert outcome.result.value == 7


def test_nobody_looks_at_files_when_nothing_runs(tmp_path):
    async def scenario(device):
        loop = asyncio.get_running_loop()
        attempt = Attempt(device, shell("echo ready; exec sleep 3600"), kept=tmp_path / "t")
        running = await attempt.started()
        assert device._follower._timer is not None
        running.cancel()
        await running
        assert device._follower._timer is None
        assert [handle for handle in loop._scheduled if not handle.cancelled() and "_look" in repr(handle)] == []

    on_device(scenario)
    assert POLL_SECONDS >= 0.05


@pytest.mark.usefixtures("wrapped_only")
def test_a_command_whose_wrapper_is_killed_is_ended_before_the_attempt_is(tmp_path):
    async def scenario(device):
        attempt = Attempt(device, shell("trap '' TERM; echo pid $$; while :; do sleep 1; done"), kept=tmp_path / "t")
        running = await attempt.started("\n")
        (pid,) = attempt.pids()
        os.kill(psutil.Process(pid).ppid(), signal.SIGKILL)
        return pid, await running

    pid, outcome = on_device(scenario, grace=0.05)
    assert error_of(outcome).message == "killed by SIGKILL"
    assert not alive(pid)


def test_the_command_hears_term_and_the_wrapper_outlives_it(tmp_path, wrapping_shell):
    async def scenario(device):
        text = f"trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep {FOREVER} & wait; done"
        running = await Attempt(device, shell(text), kept=tmp_path / "t").started()
        running.cancel()
        return await running

    outcome = on_device(scenario, grace=FOREVER)
    assert (outcome.status, outcome.result.exit_code, outcome.result.output) == (STOPPED, 5, "ready\nbye\n")


def test_a_child_born_during_term_is_asked_too(tmp_path, door):
    """It did not hear what its parent heard, and the parent waits for it."""
    text = "trap 'sleep 3600 & echo pid $!; wait $!; exit 6' TERM; echo ready; while :; do sleep 3600 & wait; done"

    async def scenario(device):
        running = await Attempt(device, shell(text)).started()
        running.cancel()
        return await running

    outcome = on_device(scenario, grace=FOREVER)
    assert outcome.status is STOPPED
    assert outcome.result.exit_code == 6


def test_upstream_output_files_are_absolute_for_the_process_and_names_in_results(tmp_path):
    async def scenario(device):
        first = await Attempt(device, shell("echo x"), output_path=tmp_path / "output" / "a.log").run()
        assert first.result.output_file == "a.log"
        code = "import json, os; print(json.load(open(os.environ['STARLOOM_UPSTREAM']))['a']['output_file'])"
        second = Attempt(
            device,
            python(code, upstream=True),
            upstream=lambda: {"a": first.result},
            output_path=tmp_path / "output" / "b.log",
        )
        return (await second.run()).result.output.strip()

    assert on_device(scenario) == str(tmp_path / "output" / "a.log")


def test_simulated_tasks_keep_nothing(tmp_path):
    task = Task(id="t", simulate={"duration": 0})
    assert outcome_of(task, kept=tmp_path / "a" / "t") == Outcome(COMPLETED, Result())
    assert list(tmp_path.iterdir()) == []

    async def scenario(device):
        return await device.recover(task, Attempt(device, task, kept=tmp_path / "a" / "t")._context)

    assert on_device(scenario) is None


def test_a_device_without_kept_files_has_nothing_to_recover():
    async def scenario(device):
        task = shell("echo x")
        return await LocalDevice("other").recover(task, Attempt(device, task)._context)

    assert on_device(scenario) is None


def test_two_hundred_kept_tasks_leave_only_their_files_behind(tmp_path):
    async def scenario(device):
        def open_things():
            return (psutil.Process().num_fds(), len(psutil.Process().children()))

        await Attempt(device, shell("echo x"), kept=tmp_path / "first").run()
        before = open_things()
        places = asyncio.Semaphore(8)
        tasks = (shell("echo x"), shell("exit 3"), Task(id="t", command=("no-such-program",)))

        async def one(number):
            async with places:
                running = asyncio.create_task(Attempt(device, tasks[number % 3], kept=tmp_path / f"t-{number}").run())
                if number % 7 == 0:
                    await asyncio.sleep(0)
                    running.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await running
                device.release(tmp_path / f"t-{number}")

        await asyncio.gather(*(one(number) for number in range(200)))
        device.release(tmp_path / "first")
        assert open_things() == before
        assert files_in(tmp_path) == []

    on_device(scenario)
