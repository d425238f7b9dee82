"""Attempts on a machine reached over SSH: what runs there, what comes back, and that a stopped one is gone."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.integration.ssh_harness import (
    COMPLETED,
    FAILED,
    STOPPED,
    Attempt,
    alive,
    device_on,
    error_of,
    folders_of,
    left_of,
    on_device,
    outcome_of,
    shell,
)
from tests.integration.ssh_harness import one_server as one_server
from tests.integration.ssh_harness import server as server
from tests.waiting import POLL, until

from starloom.devices.ssh import scripts
from starloom.devices.ssh.errors import LinkLost
from starloom.devices.ssh.session import SshSession
from starloom.errors import DeviceError
from starloom.model.result import ErrorCode, Result
from starloom.model.task import Simulate, Task

if TYPE_CHECKING:
    from tests.ssh_servers import SshServer


def test_arguments_environment_and_directory_arrive_as_they_are(server, tmp_path):
    given = ["", " ", "a  b", "'", '"', "$HOME `id` $(id) ; exit 1 * ? \\ & | > x", "-n", "--", "für\n🌟", "\x01\x7f"]
    env = {"A": "it's $HOME", "my-name%%": "() { a b; }", "IFS": "x", "PWD": "/nowhere", "folder": "f", "path": "p"}
    text = "import json, os, sys; print(json.dumps([sys.argv[1:], dict(os.environ), os.getcwd()]))"
    inner = server.folder / "work" / "it's a $dir"
    inner.mkdir()
    task = Task(id="t", command=(sys.executable, "-c", text, *given), env=env, cwd="it's a $dir")
    outcome = outcome_of(server, task)
    assert outcome.status is COMPLETED, outcome
    arguments, environment, cwd = outcome.result.value
    assert arguments == given
    assert {name: environment[name] for name in env} == env
    assert cwd == str(inner)
    assert environment["STARLOOM_TASK_ID"] == "t"


@pytest.mark.parametrize(("text", "code"), [("exit 0", 0), ("exit 3", 3), ("exit 137", 137), ("kill -KILL $$", -9)])
def test_exit_codes_and_signals_are_told_apart(one_server, text, code):
    outcome = outcome_of(one_server, shell(text))
    assert outcome.result.exit_code == code
    assert outcome.status is (FAILED if code else COMPLETED)


def test_an_exit_code_there_means_what_the_plan_says(one_server):
    for code, meant in ((75, "warning"), (3, "critical")):
        task = Task(id="t", shell=f"exit {code}", severity={75: "warning", "else": "critical"})
        assert task.severity_of(outcome_of(one_server, task).result) == meant


def test_output_is_heard_while_it_comes_and_each_stream_is_told_as_what_it_is(server):
    async def scenario(device):
        attempt = Attempt(device, shell("echo one; read -r _ <go; echo two >&2"))
        (server.folder / "work" / "go").symlink_to(server.folder / "go")
        running = await attempt.started("one\n")
        assert not running.done()
        running.cancel()
        await running
        return attempt.said

    os.mkfifo(server.folder / "go")
    assert on_device(server, scenario) == [("stdout", "one\n")]
    both = outcome_of(server, shell("echo one; echo two >&2"))
    assert sorted(both.result.output.splitlines()) == ["one", "two"]


def test_big_output_arrives_whole_and_only_its_end_is_kept_in_mind(server, tmp_path):
    lines = 200_000
    task = shell(f"i=0; while [ $i -lt 10 ]; do seq {lines // 10}; i=$((i+1)); done")
    outcome = outcome_of(server, task, output_path=tmp_path / "log")
    expected = ("\n".join(map(str, range(1, lines // 10 + 1))) + "\n") * 10
    assert (tmp_path / "log").read_text() == expected
    assert outcome.result.output_length == len(expected)
    assert len(outcome.result.output) <= 16 * 1024
    assert expected.endswith(outcome.result.output)


def test_a_result_is_the_file_or_the_last_line(one_server):
    async def scenario(device):
        texts = ['echo \'{"a": 1}\' >"$STARLOOM_RESULT"', "echo; echo '[1, 2]'", 'mkfifo "$STARLOOM_RESULT"']
        return [await Attempt(device, shell(text)).run() for text in texts]

    file, line, pipe = on_device(one_server, scenario)
    assert (file.result.value, line.result.value) == ({"a": 1}, [1, 2])
    assert error_of(pipe).code == ErrorCode.RESULT_NOT_JSON


def test_results_of_parents_come_as_a_file_and_never_as_shell_text(one_server):
    upstream = {"it's $(id)": Result({"x": "`id`"}, exit_code=0)}
    task = shell('cat "$STARLOOM_UPSTREAM"', upstream=True)
    value = outcome_of(one_server, task, upstream=lambda: upstream).result.value
    assert value["it's $(id)"]["value"] == {"x": "`id`"}


@pytest.mark.parametrize(
    ("task", "words"),
    [
        (Task(id="t", command=("no-such-program",)), "'no-such-program' was not found on the other machine"),
        (Task(id="t", command=("/etc/passwd",)), "cannot be executed on the other machine"),
        (Task(id="t", shell="true", cwd="no such place"), "does not exist on the other machine"),
        (Task(id="t", command=("true", "a\0b")), "embedded null byte"),
    ],
)
def test_what_cannot_be_started_says_why_and_leaves_nothing(one_server, task, words):
    async def scenario(device):
        outcome = await Attempt(device, task).run()
        await until(lambda: not folders_of(one_server), every=POLL)
        return outcome

    error = error_of(on_device(one_server, scenario))
    assert error.code == ErrorCode.START_FAILED
    assert words in error.message


def test_what_it_cannot_do_says_who_can(one_server):
    for task in (Task(id="t", call="f"), Task(id="t", prompt="do")):
        error = error_of(outcome_of(one_server, task))
        assert error.code == ErrorCode.UNSUPPORTED
        assert task.action in error.message
    assert outcome_of(one_server, Task(id="t", simulate=Simulate(value=3))).result.value == 3


DESCENDANTS = """
trap '' TERM
sh -c 'echo pid $$; trap "" TERM; while :; do sleep 1; done' &
setsid sh -c 'echo pid $$; trap "" TERM; while :; do sleep 1; done' &
env -i PATH="$PATH" setsid sh -c 'echo pid $$; while :; do sleep 1; done' &
(setsid sh -c 'echo pid $$; exec sleep 1000' &)
echo pid $$
while :; do sleep 1; done
"""


def test_stopping_ends_the_group_and_the_descendants_that_left_it(server):
    async def scenario(device):
        attempt = Attempt(device, shell(DESCENDANTS))
        running = asyncio.create_task(attempt.run())
        await attempt.until(lambda: len(attempt.pids()) == 5)
        running.cancel()
        return await running, [pid for pid in attempt.pids() if alive(pid)]

    outcome, left = on_device(server, scenario, grace=0.3)
    assert (outcome.status, left) == (STOPPED, [])
    assert outcome.result.exit_code == -9


def test_where_there_is_no_proc_the_process_table_is_asked(one_server, monkeypatch):
    monkeypatch.setattr(scripts, "PROC", "/nowhere")

    async def scenario(device):
        attempt = Attempt(device, shell("sh -c 'echo pid $$; sleep 1000' & echo pid $$; setsid sleep 1000"))
        running = asyncio.create_task(attempt.run())
        await attempt.until(lambda: len(attempt.pids()) == 2)
        running.cancel()
        return await running, left_of(one_server)

    outcome, left = on_device(one_server, scenario, grace=2.0)
    assert (outcome.status, left) == (STOPPED, [])


def test_one_that_is_asked_to_end_may_clean_up(server):
    async def scenario(device):
        attempt = Attempt(device, shell("trap 'echo bye; exit 7' TERM; echo ready; while :; do sleep 0.05; done"))
        running = await attempt.started()
        running.cancel()
        return await running

    outcome = on_device(server, scenario)
    assert (outcome.status, outcome.result.exit_code) == (STOPPED, 7)
    assert "bye\n" in outcome.result.output


def test_being_told_twice_ends_the_grace_period(one_server):
    async def scenario(device):
        attempt = Attempt(device, shell("trap 'echo asked' TERM; echo ready; while :; do sleep 0.05; done"))
        running = await attempt.started()
        running.cancel()
        await until(
            lambda: "asked" in (one_server.folder / "state").glob("attempts/*/stdout").__next__().read_text(),
            every=POLL,
        )
        running.cancel()
        return await running

    outcome = on_device(one_server, scenario, grace=3600.0)
    assert (outcome.status, outcome.result.exit_code) == (STOPPED, -9)


def test_a_command_whose_wrapper_was_killed_is_ended_and_its_end_is_not_guessed(one_server, monkeypatch):
    monkeypatch.setattr("starloom.devices.ssh.attempt._FIRST_LOOK", 0.05)

    async def scenario(device):
        attempt = Attempt(device, shell("echo pid $$; ps -o ppid= -p $$ | sed 's/^/pid /'; sleep 1000"))
        running = asyncio.create_task(attempt.run())
        await attempt.until(lambda: len(attempt.pids()) == 2)
        command, wrapper = attempt.pids()
        os.kill(wrapper, signal.SIGKILL)
        return await running, alive(command)

    outcome, lives = on_device(one_server, scenario)
    assert error_of(outcome).code == ErrorCode.INTERRUPTED
    assert not lives


def test_more_attempts_than_a_login_may_have_channels_run_at_once(server):
    async def scenario(device):
        attempts = [Attempt(device, shell("echo ready; sleep 1000")) for _ in range(14)]
        running = await asyncio.gather(*(attempt.started() for attempt in attempts))
        for one in running:
            one.cancel()
        return await asyncio.gather(*running)

    assert {outcome.status for outcome in on_device(server, scenario, slots=14)} == {STOPPED}
    assert left_of(server) == []


def test_files_are_brought_there_before_and_back_after_it(server):
    here = server.folder / "here"
    (here / "in").mkdir()
    (here / "in" / "tool").write_text("#!/bin/sh\ntr a-z A-Z\n")
    (here / "in" / "tool").chmod(0o755)
    (here / "data").write_text("hello" * 1000)
    files = {
        "send": [{"from": "in/tool", "to": "bin/tool"}, "data"],
        "fetch": [{"from": "result", "to": "out/result"}],
    }
    told = []
    task = shell("bin/tool <data >result", files=files)
    outcome = outcome_of(server, task, progress=lambda share, note: told.append((share, note)))
    assert outcome.status is COMPLETED, outcome
    assert (here / "out" / "result").read_text() == "HELLO" * 1000
    assert (1.0, "send data") in told
    assert told[-1] == (1.0, "fetch result")
    assert not list(server.folder.rglob("*starloom-part*"))


@pytest.mark.parametrize(
    ("files", "code", "words"),
    [
        ({"send": ["link/passwd"]}, "start_failed", "lies outside"),
        ({"send": ["absent"]}, "start_failed", "cannot be read"),
        ({"fetch": ["absent"]}, "fetch_failed", "cannot be read on the other machine"),
        ({"fetch": ["pipe"]}, "fetch_failed", "is no file"),
    ],
)
def test_files_stay_in_their_folder_and_what_is_wrong_with_them_is_said(one_server, files, code, words):
    (one_server.folder / "here" / "link").symlink_to("/etc")
    outcome = outcome_of(one_server, shell("touch made; mkfifo pipe", files=files))
    error = error_of(outcome)
    assert error.code == code
    assert words in error.message
    assert (one_server.folder / "work" / "made").exists() == (code == "fetch_failed")


def test_metadata_of_earlier_versions_are_read_as_files(one_server):
    (one_server.folder / "here" / "data").write_text("hello")
    task = shell("cat data >result", metadata={"ssh": {"upload": ["data"], "fetch": ["result"]}})
    assert outcome_of(one_server, task).status is COMPLETED
    assert (one_server.folder / "here" / "result").read_text() == "hello"
    wrong = outcome_of(one_server, shell("cat data", metadata={"ssh": {"upload": ["../data"]}}))
    assert (error_of(wrong).code, "lies outside" in error_of(wrong).message) == ("start_failed", True)


def test_what_the_machine_is_and_has_becomes_capabilities_but_not_part_of_its_description(server):
    async def scenario(device):
        return device.capabilities, device.describe(), await device.metrics(), await device.metrics()

    capabilities, description, first, _ = on_device(server, scenario, capabilities=frozenset({"mine"}))
    assert {"linux", "mine"} <= capabilities
    assert description["capabilities"] == ["mine"]
    assert json.dumps(description)
    assert 0 <= first.disk <= 1
    assert first.disk_free > 0
    assert 0 < first.memory_used < first.memory_total


def test_nothing_is_left_on_the_machine_of_attempts_that_nobody_keeps(server):
    outcome_of(server, shell("echo done"))
    assert folders_of(server) == []


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("host", ""), ("host", "a b"), ("host", "me@there"), ("host", 3), ("port", 0), ("port", 70000), ("port", "22"),
        ("user", ""), ("jump", "a:b:c"), ("keys", 3), ("keys", [""]), ("agent", "yes"), ("known_hosts", ""),
        ("heartbeat_interval", 0), ("timeout", -1), ("grace", "soon"), ("tail_bytes", -1), ("working_directory", 3),
        ("state_directory", ""),
    ],
)  # fmt: skip
def test_an_option_that_cannot_be_used_is_named(one_server, option, value):
    with pytest.raises(DeviceError, match=f"'there': (the )?{option}"):
        device_on(one_server, **{option: value})


def test_files_lie_where_the_program_runs_unless_told_otherwise(one_server, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("data").write_text("x")
    task = shell("cat data", files={"send": ["data"]})
    assert outcome_of(one_server, task, {"files_directory": None}).result.output == "x"


def test_an_order_to_start_that_arrives_late_harms_nothing_of_what_a_second_one_has_started(
    one_server: SshServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, work, said = SshSession.ask, one_server.folder / "work", list[bytes]()

    async def breaks(session: SshSession, text: bytes) -> list[list[str]]:
        if b"find_program" not in text:
            return await ask(session, text)
        said.append(text)
        if len(said) == 1:
            raise LinkLost("broken")
        answers = await ask(session, text)
        await until((work / "ran").exists, every=POLL)
        await ask(session, said[0])
        (work / "go").touch()
        return answers

    monkeypatch.setattr(SshSession, "ask", breaks)
    text = "echo one; echo x >>ran; until [ -e go ]; do sleep 0.02; done; echo two"
    outcome = outcome_of(one_server, shell(text))
    assert (outcome.status, outcome.result.output) == (COMPLETED, "one\ntwo\n")
    assert (work / "ran").read_text() == "x\n"
    assert len(said) == 2
