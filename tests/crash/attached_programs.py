"""The programs of which rounds of attached consoles consist: consoles, and the server that they are attached to."""

from __future__ import annotations

import json
import select
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import psutil

from starloom.journal.lock import holder_of
from starloom.server.socket_path import noted_socket

if TYPE_CHECKING:
    from tests.crash.attached_console import Wanted

PATIENCE: Final = 60.0
"""Seconds in which anything must have come about."""
STARTING: Final = 180.0
"""Seconds in which a console is there: many may start at once."""
ROOT: Final = Path(__file__).parents[2]


class ConsoleProgram:
    """A console that runs as a process, see `attached_console`.

    Args:
        wanted: of it.
        environment: of the process.
    """

    def __init__(self, wanted: Wanted, environment: dict[str, str]) -> None:
        self.wanted = wanted
        self._errors = Path(wanted.folder) / f"{wanted.name}.err"
        with self._errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.crash.attached_console", json.dumps(asdict(wanted))],
                cwd=wanted.folder,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,
            )
        self._heard, self._due, self._is_there = b"", 1, False

    def tell(self, *what: Any) -> None:
        """Ask something whose answer is waited for later."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(what).encode() + b"\n")
        self._due += 1

    def answer(self) -> Any:
        """The last of the answers that are due."""
        found: Any = None
        while self._due:
            found, self._due = json.loads(self._line()), self._due - 1
        return found

    def _line(self) -> bytes:
        out = self.process.stdout
        assert out is not None
        deadline = time.monotonic() + (PATIENCE if self._is_there else STARTING)
        while b"\n" not in self._heard:
            is_there = select.select([out], [], [], max(0.0, deadline - time.monotonic()))[0]
            assert is_there, f"{self.wanted.name} does not answer: {self.errors()}"
            data = out.read(65536)
            assert data, f"{self.wanted.name} has ended: {self.errors()}"
            self._heard += data
        self._is_there = True
        line, _, self._heard = self._heard.partition(b"\n")
        return line

    def errors(self) -> str:
        return self._errors.read_text(errors="replace")

    def kill(self) -> None:
        self.process.kill()
        self._end()

    def close(self) -> None:
        """End it as its user does; what it said of defects is an error."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self.process.wait(PATIENCE) == 0, self.errors()
        self._end()
        assert "Traceback" not in self.errors(), self.errors()

    def _end(self) -> None:
        self.process.wait(PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()


class ServerProgram:
    """The server of a folder of journals: started, killed and started again.

    Args:
        folder: where it and the command line run; the journals are in `journal` there.
        environment: of both.
        defect: the planted defect, see `attached_defects`; empty: none.
    """

    def __init__(self, folder: Path, environment: dict[str, str], defect: str) -> None:
        self._folder, self._environment, self._defect = folder, environment, defect
        self._journals = folder / "journal"
        self._process: subprocess.Popen[bytes] | None = None

    def starloom(self, *words: str) -> str:
        """What a command of `starloom` prints, which goes well."""
        done = subprocess.run(
            [sys.executable, "-m", "starloom.cli", *words],
            cwd=self._folder,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def serve(self, *words: str) -> None:
        """Start it by name, with options of `starloom serve`."""
        planted = ("tests.crash.attached_defects", self._defect) if self._defect else ("starloom.cli",)
        with (self._folder / "server.err").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", *planted, "serve", *words],
                cwd=self._folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def wait_until_it_listens(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while not self._listens():
            assert time.monotonic() < deadline, (self._folder / "server.err").read_text()
            time.sleep(0.01)

    def _listens(self) -> bool:
        path = noted_socket(self._journals)
        with socket.socket(socket.AF_UNIX) as probe, suppress(OSError):  # the note outlives a server that was killed
            if path is not None:
                probe.connect(str(path))
                return True
        return False

    @property
    def pid(self) -> int | None:
        """The id of its process; None: there is none."""
        if self._process is not None:
            return self._process.pid
        holder = holder_of(self._journals / "fleet.db")
        return None if holder is None else holder.pid

    def kill(self) -> None:
        """Kill it, if there is one, and return once it has gone."""
        pid = self.pid
        if pid is None:
            return
        with suppress(psutil.NoSuchProcess):
            server = psutil.Process(pid)
            server.kill()
            if self._process is not None:
                self._process.wait(PATIENCE)
            server.wait(PATIENCE)
        self._process = None
