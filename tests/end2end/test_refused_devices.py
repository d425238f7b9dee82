"""Runs that nobody watches, with machines that refuse them: what is said, what is waited for, and what mends it."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import asyncssh
import pytest
from tests.end2end.shell import posix
from tests.ssh_servers import OpensshServer
from tests.waiting import POLL, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = posix
BOUND = 120.0


class Program:
    """A program that runs, and what it has said on stderr so far."""

    def __init__(self, command: list[str], folder: Path, environment: dict[str, str]) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=-3, stdout=pipe, stderr=pipe, text=True
        )
        self.lines: list[str] = []
        self._news = threading.Condition()
        self._ended = False
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            with self._news:
                self.lines.append(line.rstrip("\n"))
                self._news.notify_all()
        with self._news:
            self._ended = True
            self._news.notify_all()

    def line(self, *words: str) -> str:
        """The first line with all these words, as soon as there is one."""

        def found() -> str | None:
            return next((line for line in self.lines if all(word in line for word in words)), None)

        with self._news:
            self._news.wait_for(lambda: found() is not None or self._ended, BOUND)
            line = found()
        assert line is not None, "\n".join(self.lines)
        return line

    def count(self, word: str) -> int:
        """How many lines begin with the word."""
        return sum(line.startswith(word) for line in self.lines)

    def ended(self) -> int:
        """Its exit code, once it has ended."""
        code = self.process.wait(BOUND)
        self._reader.join(BOUND)
        return code

    def close(self) -> None:
        self.process.kill()
        self.ended()
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()


class Bench:
    """A folder in which runs are started on a machine reached over SSH."""

    def __init__(self, folder: Path, server: OpensshServer) -> None:
        self.folder = folder
        self.server = server
        self.programs: list[Program] = []
        self.environment = {**os.environ, "HOME": str(folder), "NO_COLOR": "1", "COLUMNS": "2000"}

    def _command(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "starloom.cli", *words]

    def start(self, *options: str, elsewhere: bool = False, shell: str = "echo done", **device: Any) -> Program:
        devices = [{"id": "there", "kind": "ssh", "slots": 2, "options": self.server.options(**device)}]
        if elsewhere:
            devices.append({"id": "here", "kind": "local", "slots": 1, "options": {}})
        return self.run({"devices": devices, "tasks": [{"id": "t", "shell": shell, "retry": 3}]}, *options)

    def run(self, plan: dict[str, Any], *options: str) -> Program:
        (self.folder / "plan.json").write_text(json.dumps({"starloom": 1, "name": "p", **plan}))
        return self.program("run", "plan.json", *options)

    def program(self, *words: str) -> Program:
        command = self._command(*words, "--journal", "runs")
        self.programs.append(Program(command, self.folder, self.environment))
        return self.programs[-1]

    def do(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self._command(*words),
            cwd=self.folder,
            env=self.environment,
            stdin=-3,
            capture_output=True,
            text=True,
            timeout=BOUND,
            check=False,
        )

    def devices(self) -> dict[str, dict[str, Any]]:
        listed = json.loads(self.do("devices", "--journal", "runs", "--json").stdout)
        return {one["id"]: one for one in listed}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with OpensshServer(tmp_path / "ssh") as server:
        bench = Bench(tmp_path, server)
        try:
            yield bench
        finally:
            for program in bench.programs:
                program.close()


def remedy_of(line: str) -> list[str]:
    """The command that a sentence tells, without the program's name."""
    command = line[line.index("starloom trust ") :].partition(" (or add")[0]
    return shlex.split(command)[1:]


def test_an_unknown_host_key_is_told_once_with_its_fingerprint_and_trusting_it_lets_the_run_go_on(bench: Bench) -> None:
    bench.server.known_hosts.unlink()
    program = bench.start()
    refused = program.line("refused", "device there")
    assert bench.server.host_key.get_fingerprint() in refused
    waiting = program.line("Waiting", "there is refused: The machine 127.0.0.1")
    assert "Ctrl-C" in waiting
    told = bench.devices()["there"]
    assert (told["state"], told["kind"]) == ("refused", "ssh")
    assert told["next_try"] > told["since"]
    assert "SHA256:" in told["error"]
    trusted = bench.do(*remedy_of(refused))
    assert (trusted.returncode, "is trusted" in trusted.stdout) == (0, True), trusted.stderr
    assert program.ended() == 0, program.lines
    assert program.count("refused") == program.count("back") == 1
    waits = [line for line in program.lines if line.startswith("Waiting")]
    assert len(set(waits)) == len(waits)
    assert "is trusted already" in bench.do(*remedy_of(refused)).stdout
    assert "No program runs" in bench.do("devices", "--journal", "runs").stderr


def test_who_wants_to_fail_then_gets_2(bench: Bench) -> None:
    bench.server.known_hosts.unlink()
    program = bench.start("--fail-when-stalled")
    assert program.ended() == 2
    assert "SHA256:" in program.line("Nothing can start any more", "there is refused")


def test_a_run_goes_on_elsewhere(bench: Bench) -> None:
    bench.server.known_hosts.unlink()
    program = bench.start("--fail-when-stalled", elsewhere=True)
    assert program.ended() == 0
    assert program.count("refused") == 1


def test_a_changed_host_key_is_replaced_only_by_who_says_so_and_knows_it(bench: Bench) -> None:
    bench.server.know(asyncssh.generate_private_key("ssh-ed25519"))
    before = bench.server.known_hosts.read_text()
    program = bench.start()
    remedy = remedy_of(program.line("refused", "somebody may have come between"))
    assert remedy[-1] == "--replace"
    without = bench.do(*remedy[:-1])
    assert (without.returncode, "say so with --replace" in without.stderr) == (2, True)
    wrong = bench.do(*[word if not word.startswith("SHA256:") else "SHA256:" + "A" * 43 for word in remedy])
    assert (wrong.returncode, "nothing was trusted" in wrong.stderr) == (2, True)
    unasked = bench.do(*[word for word in remedy if word != "--fingerprint" and not word.startswith("SHA256:")])
    assert (unasked.returncode, "Nobody is there to be asked" in unasked.stderr) == (2, True)
    assert bench.server.known_hosts.read_text() == before
    assert bench.do(*remedy).returncode == 0
    assert program.ended() == 0, program.lines
    assert len(bench.server.known_hosts.read_text().splitlines()) == 1


def test_a_refused_login_is_tried_again_when_somebody_asks_for_it(bench: Bench) -> None:
    accepted = (bench.server.folder / "authorized_keys").read_text()
    (bench.server.folder / "authorized_keys").write_text("")
    program = bench.start()
    assert "authorized_keys" in program.line("refused", "does not let")
    (bench.server.folder / "authorized_keys").write_text(accepted)
    unknown = bench.do("devices", "try-again", "thre", "--journal", "runs")
    assert (unknown.returncode, "Did you mean 'there'?" in unknown.stderr) == (2, True)
    asked = bench.do("devices", "--journal", "runs", "try-again", "there")
    assert asked.returncode == 0, asked.stderr
    assert program.ended() == 0, program.lines
    late = bench.do("devices", "try-again", "there", "--journal", "runs")
    assert (late.returncode, "No program runs" in late.stderr) == (2, True)


def test_that_a_machine_went_away_and_came_back_is_told_once_each(bench: Bench) -> None:
    flag = bench.folder / "flag"
    shell = f"echo began >{flag}; while ! test -e {bench.folder}/go; do sleep 0.1; done"
    program = bench.start(shell=shell, heartbeat_interval=0.2, timeout=2.0)
    asyncio.run(until(flag.exists, within=BOUND, every=POLL))
    bench.server.stop()
    program.line("lost", "device there")
    bench.server.start()
    program.line("back", "device there")
    (bench.folder / "go").touch()
    assert program.ended() == 0, program.lines
    assert (program.count("lost"), program.count("back")) == (1, 1), program.lines
