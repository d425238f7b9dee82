"""`starloom run --metrics`: off unless asked for, there while the run goes on, gone with it."""

from __future__ import annotations

import json
import re
import socket
import urllib.error
import urllib.request
from typing import IO

import pytest
from tests.end2end.shell import PATIENCE, Shell, posix

WAITING = "starloom: 1\ntasks:\n  a: {shell: 'while ! test -e go; do sleep 0.02; done'}\n"


def fetch(url: str, **fields: str) -> str:
    with urllib.request.urlopen(urllib.request.Request(url, headers=fields), timeout=PATIENCE) as answer:
        text: str = answer.read().decode()
    return text


def address(stream: IO[str] | None) -> str:
    """Where the metrics are, as the first line of stderr says."""
    assert stream is not None
    found = re.fullmatch(r"Metrics: (http://127\.0\.0\.1:\d+/metrics)\n", line := stream.readline())
    assert found, line
    return found.group(1)


@posix
@pytest.mark.parametrize("way", ["flag", "environment", "file"])
def test_the_figures_of_a_run_can_be_read_while_it_goes_on(shell: Shell, way: str) -> None:
    flags = ["--metrics", "0"] if way == "flag" else []
    if way == "environment":
        shell.env["STARLOOM_SCHEDULER_METRICS_PORT"] = "0"
    if way == "file":
        (shell.folder / "settings.toml").write_text("[scheduler]\nmetrics_port = 0\n")
    with shell.started("run", shell.plan(WAITING), *flags) as process:
        url = address(process.stderr)
        assert json.loads(fetch(url, Accept="application/json"))["scheduler"]["totalSubmitted"] in (0, 1)
        assert "# TYPE starloom_queue_wait_seconds histogram" in fetch(url)
        (shell.folder / "go").touch()
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")
    assert "completed" in out
    with pytest.raises(urllib.error.URLError):
        fetch(url)


@posix
def test_a_connection_that_says_nothing_does_not_keep_the_program(shell: Shell) -> None:
    with shell.started("run", shell.plan(WAITING), "--metrics", "0") as process:
        port = int(address(process.stderr).split(":")[2].split("/")[0])
        with socket.create_connection(("127.0.0.1", port)) as silent:
            (shell.folder / "go").touch()
            _, err = process.communicate(timeout=PATIENCE)
            assert silent.recv(1) == b""
    assert (process.returncode, err) == (0, "")


def test_without_the_flag_nothing_is_said_of_metrics(shell: Shell) -> None:
    done = shell.run("run", shell.plan("starloom: 1\ntasks: {a: {simulate: 0}}\n"))
    assert (done.returncode, done.stderr) == (0, "")


def test_a_port_in_use_ends_the_program_with_a_sentence(shell: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        done = shell.run("run", shell.plan("starloom: 1\ntasks: {a: {simulate: 0}}\n"), "--metrics", port)
    assert done.returncode == 2
    assert f"port {port} of 127.0.0.1: something else listens there" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--metrics", "70000"], "Invalid value for '--metrics'"),
        (["--metrics", "http"], "Invalid value for '--metrics'"),
        (["--metrics", "0", "--simulate"], "--metrics: a simulation is over before anybody could ask"),
    ],
)
def test_a_flag_that_makes_no_sense_is_refused(shell: Shell, flags: list[str], said: str) -> None:
    done = shell.run("run", shell.plan("starloom: 1\ntasks: {a: {simulate: 0}}\n"), *flags)
    assert done.returncode == 2
    assert said in re.sub(r"[\s│]+", " ", done.stderr)
    assert "Traceback" not in done.stderr
