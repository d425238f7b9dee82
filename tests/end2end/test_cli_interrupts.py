"""Real signals to the command line, and readers that go away."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.end2end.shell import MIXED, PATIENCE, Shell, is_gone, numbers, posix, until

# ---- interrupts


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_cancels_the_run_stops_its_processes_and_still_sums_up(shell: Shell, number: int) -> None:
    plan = shell.plan(
        "starloom: 1\nname: long\ndevices: [{id: d, kind: local, slots: 2}]\ntasks:\n"
        "  long: {shell: 'sleep 600 & echo $$ $! > pids; wait'}\n"
        "  next: {shell: touch next, needs: [long]}\n"
    )
    with shell.started("run", plan, "--json") as process:
        pids = until(lambda: numbers(shell.folder / "pids"), "the task runs")
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Traceback" not in err
    found = json.loads(out)
    assert (found["state"], found["tasks"]["cancelled"]) == ("cancelled", 2)
    assert all(is_gone(pid) for pid in pids)
    assert not (shell.folder / "next").exists()


@posix
def test_a_second_interrupt_kills_what_does_not_want_to_stop(shell: Shell) -> None:
    grace = 300.0  # so long nobody waits: it is the second Ctrl-C that ends it
    plan = shell.plan(
        f"starloom: 1\ndevices: [{{id: d, kind: local, grace: {grace}}}]\ntasks:\n"
        "  stubborn: {shell: 'trap \"\" TERM; sleep 600 & echo $$ $! > pids; while :; do wait; sleep 0.1; done'}\n"
    )
    with shell.started("run", plan) as process:
        pids = until(lambda: numbers(shell.folder / "pids"), "the task runs")
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        assert "Press Ctrl-C again" in process.stderr.readline()
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "cancelled" in out
    until(lambda: all(is_gone(pid) for pid in pids), "the killed processes are gone")


@posix
def test_an_interrupt_that_is_switched_off_stays_so(shell: Shell) -> None:
    plan = shell.plan("starloom: 1\ntasks: {a: {shell: 'echo 1 > pids; while ! test -e go; do sleep 0.02; done'}}\n")
    command = f'trap "" INT; exec {sys.executable} -m starloom.cli run {plan} --quiet'
    with subprocess.Popen(["/bin/sh", "-c", command], cwd=shell.folder, env=shell.env, stdout=-1, text=True) as process:
        until(lambda: numbers(shell.folder / "pids"), "the task runs")
        process.send_signal(signal.SIGINT)
        (shell.folder / "go").touch()
        out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "completed" in out


# ---- where it writes


@posix
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_reader_that_goes_away_is_no_error(shell: Shell, stream: str) -> None:
    plan = shell.plan("starloom: 1\ntasks: {a: {shell: 'test $STARLOOM_ATTEMPT = 3 && touch ran', retry: 2}}\n")
    reading, writing = os.pipe()
    os.close(reading)
    with shell.started("run", plan, **{stream: writing}) as process:
        os.close(writing)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "Traceback" not in (out or "") + (err or "")
    assert "Exception" not in (out or "") + (err or "")
    assert (shell.folder / "ran").exists()


@posix
def test_the_schema_may_be_read_in_part(shell: Shell) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with shell.started("schema", stdout=writing) as process:
        os.close(writing)
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_result_that_cannot_be_written_is_a_failure(shell: Shell) -> None:
    plan = shell.plan("starloom: 1\ntasks: {a: {simulate: 0}}\n")
    with Path("/dev/full").open("w") as full, shell.started("run", plan, "--json", stdout=full) as process:
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert "could not be written" in err
    assert "Traceback" not in err


def test_an_encoding_that_lacks_a_character_ends_nothing(shell: Shell) -> None:
    plan = shell.plan("starloom: 1\nname: Käse\ntasks: {ä: {simulate: 0}, b: {simulate: 0, needs: [ä]}}\n")
    done = shell.run("run", plan, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0, done.stderr
    assert "K\\xe4se" in done.stdout


@posix
@pytest.mark.parametrize("no_color", [False, True])
def test_a_terminal_gets_progress_and_colours_unless_it_wants_none(shell: Shell, no_color: bool) -> None:
    import pty  # not there on Windows

    if no_color:
        shell.env["NO_COLOR"] = "1"
    ours, theirs = pty.openpty()
    with shell.started("run", shell.plan(MIXED), stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        shown = _read_terminal(ours)
        process.wait(PATIENCE)
    os.close(ours)
    assert process.returncode == 1
    assert "8 tasks" in shown
    assert "partially failed: mixed" in shown
    assert ("\x1b[31m" in shown) is not no_color
    assert "\x1b[31mtwo" not in shown  # what a task prints colours nothing


def _read_terminal(descriptor: int) -> str:
    shown = b""
    while True:
        try:
            data = os.read(descriptor, 65536)
        except OSError:  # so Linux says that the other side is closed
            data = b""
        if not data:
            return shown.decode(errors="replace")
        shown += data
