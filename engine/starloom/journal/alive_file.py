"""Signs of life: a file beside a run's journal says when its program was last alive, as a waiting run writes nothing.

A program that is killed says nothing more. The run's clock stands still while no program has it, and this file tells
since when, to a few seconds; the last event may be hours older.
"""

from __future__ import annotations

import math
import os
import time
from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING, Final, Protocol

from starloom.journal.names import ALIVE
from starloom.private_files import FILE_MODE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

SECONDS: Final = 5.0
"""Between two signs of life."""
_MOST_BYTES: Final = 100


class Alive(Protocol):
    """The protocol of what writes signs of life."""

    def end(self) -> None:
        """Stop writing; returns when the last sign is written."""


class SignsOfLife:
    """Writes signs of life into the folders of runs, every few seconds and in a thread of its own.

    Args:
        folders: gives those of the runs that the program has now; asked in that thread.
    """

    def __init__(self, folders: Callable[[], Iterable[Path]]) -> None:
        self._folders = folders
        self._ended = Event()
        self._thread = Thread(target=self._go_on, name="starloom-alive", daemon=True)
        self._thread.start()

    def _go_on(self) -> None:
        while not self._ended.wait(SECONDS):
            for folder in self._folders():
                with suppress(OSError):  # the folder is gone or the disk full: the last event is what is known then
                    write_alive(folder, time.time())

    def end(self) -> None:
        """Stop writing; returns when the last sign is written."""
        self._ended.set()
        self._thread.join()


def write_alive(folder: Path, wall_time: float) -> None:
    """Write that the program of the run in a folder is alive, in seconds since 1970.

    Raises:
        OSError: it cannot be written.
    """
    fd = os.open(folder / ALIVE, os.O_WRONLY | os.O_CREAT, FILE_MODE)
    try:
        # Not rounded up, as nobody is alive in the future; as long as the text before it, until the year 2286.
        os.write(fd, f"{math.floor(wall_time * 10) / 10:.1f}\n".encode())
    finally:
        os.close(fd)


def read_alive(folder: Path) -> float | None:
    """When the last program of the run in a folder was last alive, in seconds since 1970; None: unknown."""
    try:
        with (folder / ALIVE).open("rb") as file:
            wall_time = float(file.read(_MOST_BYTES))
    except (OSError, ValueError):
        return None
    return wall_time if math.isfinite(wall_time) else None


def remove_alive(folder: Path) -> None:
    """Remove the sign of life, as the run has ended."""
    with suppress(OSError):
        (folder / ALIVE).unlink()
