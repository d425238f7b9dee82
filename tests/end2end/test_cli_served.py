"""`starloom serve` and its remote control, as people use them in several terminals, and what outlives which of them."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import sys
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from tests.end2end.shell import Shell, is_gone, numbers, until

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="no Unix sockets that tell who connects")

GATED = """
starloom: 1
name: gated
tasks:
  first: {shell: 'echo first >> effects; echo 1'}
  second: {shell: 'echo second >> effects; echo $$ > pid; until test -e go; do sleep 0.05; done', needs: [first]}
  third: {shell: 'echo third >> effects; echo 3', needs: [second]}
"""


@pytest.fixture
def served(shell: Shell) -> Iterator[Shell]:
    """A shell in whose environment sockets have room."""
    with tempfile.TemporaryDirectory(prefix="sl") as short:
        shell.env["XDG_RUNTIME_DIR"] = short
        yield shell


@contextmanager
def serving(shell: Shell, *options: str) -> Iterator[subprocess.Popen[str]]:
    """A server that listens."""
    with (shell.folder / "log").open("a") as told, shell.started("serve", *options, stderr=told) as server:
        until(lambda: shell.run("ps").returncode == 0, "the server listens")
        yield server


def log(shell: Shell) -> str:
    return (shell.folder / "log").read_text()


def submitted(shell: Shell, plan: str = GATED) -> str:
    """The id of a run that was submitted, whose second task runs."""
    (shell.folder / "pid").unlink(missing_ok=True)
    done = shell.run("submit", shell.plan(plan))
    assert done.returncode == 0, done.stderr
    assert f"It runs in {shell.folder}" in done.stderr
    until(lambda: numbers(shell.folder / "pid"), "the second task runs")
    return done.stdout.strip()


def effects(shell: Shell) -> list[str]:
    return (shell.folder / "effects").read_text().split()


def listed(shell: Shell) -> list[dict[str, Any]]:
    done = shell.run("ps", "--json")
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def do(shell: Shell, *words: str) -> str:
    done = shell.run("do", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_run_is_submitted_steered_and_watched_from_other_terminals(served: Shell) -> None:
    with serving(served):
        run_id = submitted(served)
        (one,) = listed(served)
        assert (one["run_id"], one["state"], one["done"], one["running"]) == (run_id, "executing", 1, 1)
        assert f"{run_id}  executing         1 of 3 tasks done, 1 running  gated" in served.run("ps").stdout

        begin = run_id[:-2]
        assert do(served, begin, "set", "third.priority=high") == ""
        assert do(served, begin, "set", "third.timeout=5m") == "revision 1"
        (served.folder / "edit.json").write_text('{"edit": [{"add_task": {"id": "fourth", "shell": "echo 4"}}]}')
        assert do(served, run_id, "--json", "edit.json") == "revision 2"
        do(served, run_id, "pause")
        assert listed(served)[0]["state"] == "paused"
        refused = served.run("do", run_id, "retry", "first")
        assert refused.returncode == 2
        assert "first" in refused.stderr
        do(served, run_id, "resume", "--as", "grace")

        with served.started("watch", run_id) as watching:
            assert watching.stderr is not None
            assert "executing" in watching.stderr.readline()
            (served.folder / "go").touch()
            out, err = watching.communicate()
        assert watching.returncode == 0, err
        assert out.startswith("completed: gated\n  tasks         4 (4 completed)")
        summary = json.loads(served.run("watch", run_id, "--json").stdout)
        assert summary["state"] == "completed"


def test_what_a_task_prints_is_told_as_it_comes_over_all_its_attempts(served: Shell) -> None:
    plan = """
starloom: 1
name: talking
tasks:
  talk:
    shell: |
      echo "begin $STARLOOM_ATTEMPT"; echo $$ > pid
      until test -e "go$STARLOOM_ATTEMPT"; do sleep 0.05; done
      printf '\\033[31mred\\033[0m end %s' $STARLOOM_ATTEMPT; test $STARLOOM_ATTEMPT -ge 2
    retry: 1
"""
    with serving(served):
        run_id = submitted(served, plan)
        until(lambda: served.run("logs", run_id, "talk").stdout == "begin 1\n", "it says so")
        with served.started("logs", run_id, "talk", "-f") as following:
            assert following.stdout is not None
            assert following.stdout.readline() == "begin 1\n"
            (served.folder / "go1").touch()
            assert following.stdout.readline() == "red end 1\n"
            assert following.stdout.readline() == "begin 2\n"
            (served.folder / "go2").touch()
            rest, err = following.communicate()
        assert (following.returncode, rest) == (0, "red end 2\n"), err
        assert err == "Attempt 2:\n"
        assert served.run("logs", run_id, "talk", "--attempt", "1").stdout == "begin 1\nred end 1\n"
        missing = served.run("logs", run_id, "tolk")
        assert missing.returncode == 2
        assert "Did you mean 'talk'?" in missing.stderr


def test_a_server_that_was_killed_leaves_what_the_next_one_goes_on_with(served: Shell) -> None:
    with serving(served) as server:
        run_id = submitted(served)
        with served.started("watch", run_id) as watching:
            assert watching.stderr is not None
            watching.stderr.readline()
            server.kill()
            server.wait()
            _, err = watching.communicate()
        assert watching.returncode == 2
        assert "is gone" in err
    nobody = served.run("ps")
    assert nobody.returncode == 2
    assert f"No server runs for the journals in {served.journal}. Start one: `starloom serve`." in nobody.stderr
    with serving(served, "--resume"):
        assert f"Going on with {run_id}" in log(served)
        (served.folder / "go").touch()
        done = served.run("watch", run_id)
        assert done.returncode == 0, done.stderr
    assert effects(served) == ["first", "second", "third"]


def test_who_watches_goes_on_with_the_server_after_one_that_was_killed(served: Shell) -> None:
    told = {name: served.folder / name for name in ("watched", "printed")}
    with told["watched"].open("w") as watched, told["printed"].open("w") as printed, serving(served) as server:
        run_id = submitted(served, GATED.replace("echo second >>", "echo here; echo second >>"))
        watching = served.started("watch", run_id, stderr=watched)
        reading = served.started("logs", run_id, "second", "-f", stderr=printed)
        with watching as watch, reading as logs:
            until(lambda: "executing" in told["watched"].read_text(), "it watches")
            assert logs.stdout is not None
            assert logs.stdout.readline() == "here\n"
            server.kill()
            server.wait()
            for one in told.values():
                until(lambda: "is lost; for 10 s" in one.read_text(), "it says so at once")  # noqa: B023
            with serving(served, "--resume"):
                (served.folder / "go").touch()
                assert (watch.wait(60), logs.wait(60)) == (0, 0)
    assert effects(served) == ["first", "second", "third"]


def test_sigterm_runs_what_there_is_to_its_end_and_takes_nothing_new(served: Shell) -> None:
    with serving(served) as server:
        run_id = submitted(served)
        server.send_signal(signal.SIGTERM)
        until(lambda: "Draining" in log(served), "it says so")
        refused = served.run("submit", served.plan(GATED, "another.yaml"))
        assert refused.returncode == 2
        assert "shutting down" in refused.stderr
        assert [one["run_id"] for one in listed(served)] == [run_id]
        (served.folder / "go").touch()
        assert server.wait(60) == 0
    assert effects(served) == ["first", "second", "third"]
    assert not list(Path(served.env["XDG_RUNTIME_DIR"]).rglob("*.sock"))
    assert not (served.journal / "server.json").exists()


def test_a_second_sigterm_ends_the_runs_and_what_runs(served: Shell) -> None:
    with serving(served) as server:
        submitted(served)
        (pid,) = numbers(served.folder / "pid")
        server.send_signal(signal.SIGTERM)
        until(lambda: "Draining" in log(served), "it drains")
        server.send_signal(signal.SIGTERM)
        assert server.wait(60) == 0
    assert is_gone(pid)
    (one,) = json.loads(served.run("runs", "--json").stdout)
    assert one["state"] == "cancelled"
    assert effects(served) == ["first", "second"]


def test_stop_waits_for_the_runs_and_returns_when_the_server_has_gone(served: Shell) -> None:
    with serving(served) as server:
        submitted(served)
        with served.started("stop") as stopping:
            until(lambda: "Draining" in log(served), "it drains")
            refused = served.run("submit", served.plan(GATED, "another.yaml"))
            assert refused.returncode != 0
            assert stopping.poll() is None, "it waits for the run"
            (served.folder / "go").touch()
            assert stopping.wait(60) == 0
            assert stopping.stdout is not None
        assert server.wait(60) == 0
    assert effects(served) == ["first", "second", "third"]
    assert "No server runs" in served.run("stop").stderr


def test_stop_with_cancel_ends_the_runs_and_what_runs(served: Shell) -> None:
    with serving(served) as server:
        submitted(served)
        (pid,) = numbers(served.folder / "pid")
        stopped = served.run("stop", "--cancel")
        assert (stopped.returncode, "The server has ended." in stopped.stderr) == (0, True)
        assert server.wait(60) == 0
    assert is_gone(pid)
    assert effects(served) == ["first", "second"]


def test_why_nothing_starts_is_said_by_ps_and_watch(served: Shell) -> None:
    with serving(served):
        run_id = submitted(served)
        do(served, run_id, "hold", "third")
        (served.folder / "go").touch()
        until(lambda: "nothing can start: 'third' is held" in served.run("ps").stdout, "it is told")
        with (served.folder / "watched").open("w") as told, served.started("watch", run_id, stderr=told) as watching:
            until(lambda: "'third' is held" in (served.folder / "watched").read_text(), "whoever watches is told")
            do(served, run_id, "release", "third")
            assert watching.wait(60) == 0
        assert "nothing can start" not in served.run("ps").stdout


def completed(shell: Shell, *words: str) -> list[str]:
    """What bash would offer on Tab after these words, of which the last one has begun."""
    line = {"COMP_WORDS": " ".join(("starloom", *words)), "COMP_CWORD": str(len(words))}
    shell.env |= {"_STARLOOM_COMPLETE": "complete_bash", **line}
    try:
        return shell.run().stdout.split()
    finally:
        for name in ("_STARLOOM_COMPLETE", *line):
            del shell.env[name]


def test_a_shell_completes_runs_tasks_and_commands(served: Shell) -> None:
    with serving(served):
        run_id = submitted(served)
        assert completed(served, "watch", run_id[:4]) == [run_id]
        assert completed(served, "logs", run_id, "s") == ["second"]
        assert {"retry", "release", "resume"} <= set(completed(served, "do", run_id, "re"))
        assert completed(served, "do", run_id, "hold", "th") == ["third"]
        assert completed(served, "do", run_id, "set", "th") == ["third."]
        (served.folder / "go").touch()
    assert completed(served, "watch", run_id[:4]) == [], "nothing is served any more"


def test_a_folder_has_one_server(served: Shell) -> None:
    with serving(served):
        second = served.run("serve")
        assert second.returncode == 2
        assert f"The runs in {served.journal} are served already, by process" in second.stderr
        assert listed(served) == []
    (served.folder / "elsewhere").mkdir()
    elsewhere = Shell(served.folder / "elsewhere")
    elsewhere.env["XDG_RUNTIME_DIR"] = served.env["XDG_RUNTIME_DIR"]
    with serving(served), serving(elsewhere):
        assert len(list(Path(served.env["XDG_RUNTIME_DIR"]).rglob("*.sock"))) == 2


def test_it_ends_when_it_has_idled(served: Shell) -> None:
    assert served.run("serve", "--idle-exit", "0.1s").returncode == 0
    bad = served.run("serve", "--idle-exit", "soon")
    assert bad.returncode == 2
    assert "--idle-exit: 'soon' is not a duration" in bad.stderr


def test_a_task_may_look_at_its_engine_and_not_command_it(served: Shell) -> None:
    starloom = f"{sys.executable} -m starloom.cli"
    plan = f"""
starloom: 1
name: nosy
tasks:
  look: {{shell: '{starloom} ps --json > seen'}}
  act: {{shell: '{starloom} do fleet drain-device local'}}
  daemon:
    shell: '(setsid {starloom} do fleet drain-device local > daemon.part 2>&1; mv daemon.part daemon) &'
"""
    with serving(served):
        run_id = served.run("submit", served.plan(plan)).stdout.strip()
        told = served.run("watch", run_id)
        assert told.returncode == 1
        assert "may look at runs here, and give no commands" in told.stdout
        assert json.loads((served.folder / "seen").read_text())[0]["run_id"] == run_id
        until((served.folder / "daemon").exists, "the daemon has asked")
        assert "give no commands" in (served.folder / "daemon").read_text()
        do(served, "fleet", "drain-device", "local")


def test_garbage_is_answered_by_a_closed_connection_and_a_line_in_the_log(served: Shell) -> None:
    with serving(served):
        (path,) = Path(served.env["XDG_RUNTIME_DIR"]).rglob("*.sock")
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(60)
            connection.connect(str(path))
            connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
            with suppress(ConnectionResetError):
                assert connection.recv(1) == b""
        until(lambda: f"The connection of process {os.getpid()} was closed" in log(served), "the log has a line")
        assert listed(served) == []


def test_a_detached_run_starts_a_server_that_goes_on_without_its_terminal(served: Shell) -> None:
    for options in (["--max-concurrency", "2"], ["--agent", "rules"], ["--json"], ["--durability", "off"]):
        refused = served.run("run", served.plan(GATED), "--detach", *options)
        assert refused.returncode == 2
        assert f"{options[0]}: this does not go with --detach" in refused.stderr
    first = served.run("run", served.plan(GATED), "--detach", "--set", "third.shell=echo set >> effects")
    server = psutil.Process(json.loads((served.journal / "server.lock").read_text())["pid"])
    try:
        assert first.returncode == 0, first.stderr
        assert f"process {server.pid}. It ends 10m after" in first.stderr
        assert os.getsid(server.pid) == server.pid
        second = served.run("run", served.plan(GATED), "--detach")
        assert second.returncode == 0, second.stderr
        assert "A server was started" not in second.stderr
        (served.folder / "go").touch()
        assert served.run("watch", first.stdout.strip()).returncode == 0
        assert [one["run_id"] for one in listed(served)] == [first.stdout.strip(), second.stdout.strip()]
        assert "set" in effects(served)
    finally:
        server.terminate()
        until(lambda: is_gone(server.pid), "it drains and ends")
    assert "Draining" in (served.journal / "server.log").read_text()


def test_a_server_that_does_not_come_up_is_said(served: Shell) -> None:
    served.journal.mkdir()
    (served.journal / "runs").touch()  # where a folder has to be
    failed = served.run("run", served.plan(GATED), "--detach")
    assert failed.returncode == 2
    assert f"The server does not come up. See {served.journal / 'server.log'} for why." in failed.stderr
    assert "cannot be kept in" in (served.journal / "server.log").read_text()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd")
def test_a_unit_is_written_and_said_how_it_is_started(served: Shell) -> None:
    served.env["XDG_CONFIG_HOME"] = str(served.folder / "config")
    done = served.run("serve", "--systemd", "--idle-exit", "30m", "--resume")
    assert done.returncode == 0, done.stderr
    text = (served.folder / "config" / "systemd" / "user" / "starloom.service").read_text()
    assert f'"--journal" "{served.journal}"' in text
    assert '"--idle-exit" "30m" "--resume"' in text
    assert done.stdout.startswith("systemctl --user daemon-reload && systemctl --user enable --now starloom.service\n")
    assert not (served.journal / "server.lock").exists()
