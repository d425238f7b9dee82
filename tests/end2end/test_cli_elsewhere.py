"""The remote control of an engine on another machine: through a real sshd, behind a greeting, and where none is."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.end2end.shell import Shell, until
from tests.end2end.test_cli_served import effects, pytestmark, served, serving, submitted
from tests.ssh_servers import OpensshServer

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["pytestmark", "served"]


@pytest.fixture
def via(served: Shell) -> str:
    """A command that stands for a login: it greets, as shells do, and has the words after it run elsewhere."""
    script = served.folder / "login"
    words = f"{shlex.quote(sys.executable)} -m starloom.cli"
    script.write_text(
        f'echo "Last login: never"; echo "Welcome."; cd /; test "$1" = starloom; shift; exec {words} "$@"'
    )
    return f"sh {shlex.quote(str(script))}"


def test_a_server_elsewhere_is_steered_and_watched_as_one_here(served: Shell, via: str) -> None:
    journal = ("--journal", str(served.journal))
    with serving(served):
        run_id = submitted(served)
        elsewhere = {"STARLOOM_JOURNAL": str(served.folder / "none")}
        listed = served.run("ps", "--json", "--via", via, *journal, **elsewhere)
        assert listed.returncode == 0, listed.stderr
        assert [run["run_id"] for run in json.loads(listed.stdout)] == [run_id]
        done = served.run("do", run_id, "set", "third.priority=high", "--via", via, *journal, **elsewhere)
        assert done.returncode == 0, done.stderr
        (served.folder / "go").touch()
        told = served.run("watch", run_id, "--via", via, *journal, **elsewhere)
        assert told.returncode == 0, told.stderr
        output = served.run("logs", run_id, "third", "--via", via, *journal, **elsewhere)
        assert output.stdout == "3\n"
        ended = served.run("stop", "--via", via, *journal, **elsewhere)
        assert ended.returncode == 0, ended.stderr
    assert effects(served) == ["first", "second", "third"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--at", "box", "--via", "ssh box"), "--at and --via: give one of them"),
        (("--at=-oProxyCommand=x",), "this is no machine"),
        (("--via", "ssh 'box"), "No closing quotation"),
        (("--via", " "), "this names no command"),
        (("--via", "no-such-program-anywhere"), "cannot be started"),
        (("--via", "sh -c 'echo No route to box >&2; exit 255'"), "No server answers at sh -c"),
        (("--via", "sh -c 'yes'"), "No server answers at sh -c yes"),
    ],
)
def test_where_nothing_answers_a_sentence_says_why(shell: Shell, options: tuple[str, ...], said: str) -> None:
    done = shell.run("ps", *options)
    assert done.returncode == 2
    assert said in done.stderr
    if "255" in options[-1]:
        assert "No route to box" in done.stderr


def test_where_no_server_runs_elsewhere_that_is_said(served: Shell, via: str) -> None:
    done = served.run("ps", "--via", via)
    assert done.returncode == 2
    assert "No server runs for the journals in" in done.stderr


@pytest.fixture
def sshd(served: Shell) -> Iterator[OpensshServer]:
    with OpensshServer(served.folder / "ssh") as server:
        yield server


@pytest.mark.skipif(shutil.which("ssh") is None, reason="there is no ssh")
def test_through_a_real_sshd(served: Shell, sshd: OpensshServer) -> None:
    """Its login finds the program by a variable before it, as where it is not on the path there."""
    place = served.folder / "bin"
    place.mkdir()
    program = place / "starloom"
    wanted = " ".join(f"{name}={shlex.quote(served.env[name])}" for name in ("STARLOOM_SETTINGS", "STARLOOM_JOURNAL"))
    program.write_text(f'#!/bin/sh\n{wanted} exec {shlex.quote(sys.executable)} -m starloom.cli "$@"\n')
    program.chmod(0o755)
    known, key = f"UserKnownHostsFile={sshd.known_hosts}", sshd.options()["keys"][0]
    login = ["ssh", "-F", "none", "-o", known, "-o", "BatchMode=yes", "-i", str(key), "-p", str(sshd.port), "127.0.0.1"]
    via = shlex.join([*login, f"PATH={shlex.quote(str(place))}:$PATH"])
    with serving(served):
        run_id = submitted(served)
        listed = served.run("ps", "--json", "--via", via, STARLOOM_JOURNAL=str(Path(served.folder, "none")))
        assert listed.returncode == 0, listed.stderr
        assert [run["run_id"] for run in json.loads(listed.stdout)] == [run_id]
        (served.folder / "go").touch()
        until(lambda: effects(served)[-1:] == ["third"], "the run goes on")
