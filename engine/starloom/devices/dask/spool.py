"""The output of an attempt so far, in a file of its worker, from which a later program reads it."""

from __future__ import annotations

import contextlib
import json
import os
from typing import Final, NamedTuple

_MOST_READ_BYTES: Final = 1024 * 1024
"""Of what is read at once; a piece of output is much smaller."""


_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class Read(NamedTuple):
    """A part of an attempt's output.

    Attributes:
        pieces: which stream, and what on it.
        offset: where the next part begins, in bytes of the file.
        is_all: whether nothing has been printed beyond that.
    """

    pieces: list[tuple[str, str]]
    offset: int
    is_all: bool


def line_of(stream: str, text: str) -> bytes:
    """A piece of output as a line of the file."""
    return json.dumps((stream, text)).encode() + b"\n"


class Spool:
    """The output file of one attempt, created with the first piece.

    Attributes:
        trouble: why it does not hold everything, as a sentence; empty when it does.
    """

    def __init__(self, path: str) -> None:
        self.trouble = ""
        self._path = path
        self._is_there = False
        self._fd: int | None = None

    def add(self, stream: str, text: str) -> None:
        """Append a piece. Never raises for a file that cannot be written: see `trouble`."""
        if self.trouble:
            return
        try:
            if self._fd is None:
                self._fd = os.open(self._path, _FLAGS, 0o600)
                self._is_there = True
            rest = memoryview(line_of(stream, text))
            while rest:
                rest = rest[os.write(self._fd, rest) :]
        except OSError as error:
            self.trouble = f"A part of the output could not be kept in the worker: {error.strerror or error}."

    def read(self, offset: int) -> Read:
        """The output from an offset on, or the first part of that."""
        if not self._is_there:
            return Read([], offset, True)
        with open(self._path, "rb") as file:
            file.seek(offset)
            data = file.read(_MOST_READ_BYTES)
        lines = data[: data.rfind(b"\n") + 1]
        pieces = [(stream, text) for stream, text in map(json.loads, lines.splitlines())]
        return Read(pieces, offset + len(lines), len(data) < _MOST_READ_BYTES)

    def close(self) -> None:
        """Close the file; no more output comes."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def remove(self) -> None:
        """Remove the file."""
        if self._is_there:
            self._is_there = False
            with contextlib.suppress(OSError):
                os.unlink(self._path)
