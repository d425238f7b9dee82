"""What is looked at while a soak runs: arguments of all processes, and what the program holds."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from pathlib import Path
from typing import Final, NamedTuple, Self

import psutil

_PAUSE: Final = 0.5
_SAMPLE: Final = 10
"""Every so many looks the program is measured."""


class Sample(NamedTuple):
    """What a program held at a moment.

    Attributes:
        pid: of the program.
        age: seconds since it was started.
        memory: bytes that are resident.
        files: how many it had open.
    """

    pid: int
    age: float
    memory: int
    files: int


class Watch:
    """A thread that looks again and again, until it is left.

    Attributes:
        pid: of the program that is measured; 0: none is.
        told: the arguments of processes that hold a secret.
        samples: in order.
    """

    def __init__(self, secret: str) -> None:
        self.pid = 0
        self.told: set[str] = set()
        self.samples: list[Sample] = []
        self._secret = secret.encode()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, name="soak watch")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        looks = 0
        while not self._over.wait(_PAUSE):
            looks += 1
            for path in Path("/proc").glob("[0-9]*/cmdline"):
                with contextlib.suppress(OSError):
                    if self._secret in (line := path.read_bytes()):
                        self.told.add(line.replace(b"\0", b" ").decode(errors="replace"))
            if looks % _SAMPLE == 0 and (pid := self.pid):
                self._measure(pid)

    def _measure(self, pid: int) -> None:
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(pid)
            age = time.time() - process.create_time()
            self.samples.append(Sample(pid, age, process.memory_info().rss, process.num_fds()))


def bearers(variable: str) -> dict[int, str]:
    """The processes whose environment holds `NAME=value`, but this one, by their numbers; each with its arguments."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/environ"):
        pid = int(path.parent.name)
        with contextlib.suppress(OSError):
            if pid != os.getpid() and variable.encode() in path.read_bytes().split(b"\0"):
                line = (path.parent / "cmdline").read_bytes()
                if line:  # what has none is a zombie
                    found[pid] = line.replace(b"\0", b" ").decode(errors="replace")
    return found
