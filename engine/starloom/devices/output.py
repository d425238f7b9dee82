"""The output of a process: emitted live, written to a file in whole lines, and its tail kept, in bounded memory."""

from __future__ import annotations

import codecs
import os
from collections import deque
from typing import TYPE_CHECKING, Final, Literal

from starloom.devices.masking import SecretValues, StreamMask
from starloom.model.result import MAX_VALUE_BYTES
from starloom.private_files import make_subfolder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from starloom.devices.base import TaskContext

Stream = Literal["stdout", "stderr"]

LONGEST_PIECE: Final = 8 * 1024
"""Bytes of a line without an end that are held back before they are told as a piece of it."""

_FLAGS: Final = os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class Output:
    """Both output streams of one attempt. What comes after `close` goes on where the file ends.

    The tail holds both streams in the order their lines arrived. The two have a pipe each, because a result must be
    told from a line on stderr; so the order between lines written to both within one turn of the loop is a guess
    (stdout first), while within each stream it is exact.

    Attributes:
        length: how many bytes arrived, with secrets already masked.
        trouble: why the file does not hold everything, as a sentence; empty when it does.
    """

    __slots__ = (
        "_cut",
        "_decoders",
        "_emit",
        "_fd",
        "_last",
        "_masks",
        "_path",
        "_pending",
        "_tail",
        "_values",
        "_was_closed",
        "length",
        "trouble",
    )

    def __init__(
        self,
        emit: Callable[[str, str], None],
        tail_bytes: int,
        path: Path | None = None,
        masks: SecretValues | None = None,
    ) -> None:
        self._values = SecretValues() if masks is None else masks
        self._masks = {"stdout": StreamMask(self._values), "stderr": StreamMask(self._values)}
        self._emit = emit
        self._path = path
        self._fd: int | None = None
        self._tail = _Tail(tail_bytes)
        self._last = _LastLine()
        decoder = codecs.getincrementaldecoder("utf-8")
        self._decoders = {"stdout": decoder("replace"), "stderr": decoder("replace")}
        self._pending = {"stdout": b"", "stderr": b""}
        self._cut: set[Stream] = set()
        self._was_closed = False
        self.length = 0
        self.trouble = ""

    @classmethod
    def of(cls, context: TaskContext, tail_bytes: int) -> Output:
        """The output of an attempt, with the settings of its context.

        Args:
            context: of the attempt.
            tail_bytes: how much of its end is kept.
        """
        return cls(context.emit, tail_bytes, context.output_path, context.masks)

    def feed(self, stream: Stream, data: bytes) -> None:
        """Add data of a stream. Never raises for a file that cannot be written: see `trouble`."""
        if not data:  # the end of the stream
            return
        if stream in self._cut:
            _, end, data = data.partition(b"\n")
            if not end:
                return
            self._cut.discard(stream)
        self._take(stream, self._masks[stream].feed(data))

    def skip(self, stream: Stream, length: int) -> None:
        """Note that a number of bytes of a stream are missing; it is emitted again from the next line on.

        What was held back as it might begin a secret is not told, nor is what may be the rest of one.
        """
        self._masks[stream] = StreamMask(self._values)
        self._decoders[stream].reset()
        self._take(stream, f"\n[{length} bytes of {stream} were not brought over]\n".encode())
        self._cut.add(stream)

    def _take(self, stream: str, data: bytes) -> None:
        self.length += len(data)
        data = self._pending[stream] + data
        end = _end_of_lines(data)
        if len(data) - end > LONGEST_PIECE:
            end = len(data)
        self._pending[stream] = data[end:]
        self._tell(stream, data[:end])

    def close(self) -> None:
        """Emit unfinished lines and close the file; all of it is with the system by then."""
        for stream in self._pending:
            if held := self._masks[stream].close():
                self._take(stream, held)
            rest, self._pending[stream] = self._pending[stream], b""
            self._tell(stream, rest, final=True)
        self._was_closed = True
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None
            if self._path is not None and not self._path.exists():
                self.trouble = self.trouble or f"When it ended the output file {str(self._path)!r} had gone."

    @property
    def tail(self) -> str:
        """The tail of both streams, at most so many bytes in UTF-8, never cut inside a character."""
        return self._tail.text

    @property
    def last_line(self) -> str | None:
        """The last line of stdout that is not blank; None: there is none, or it is longer than a value may be."""
        return self._last.text

    def _tell(self, stream: str, data: bytes, *, final: bool = False) -> None:
        """Emit whole lines, also to the file, as the lines of two streams would mix there otherwise."""
        if data and self._path is not None and not self.trouble:
            self._write(self._path, data)
        text = self._decoders[stream].decode(data, final=final)
        if not text:
            return
        self._tail.add(text)
        if stream == "stdout":
            self._last.add(text)
        self._emit(text, stream)

    def _write(self, path: Path, data: bytes) -> None:
        try:
            if self._fd is None:
                make_subfolder(path.parent)
                self._fd = os.open(path, _FLAGS | (os.O_APPEND if self._was_closed else os.O_TRUNC), 0o600)
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self._fd, rest) :]
        except OSError as error:
            self.trouble = f"The output file {str(path)!r} is not complete: {error.strerror or error}."


def _end_of_lines(data: bytes) -> int:
    """The end of the last complete line. A carriage return ends one too, for progress bars."""
    return max(data.rfind(b"\n"), data.rfind(b"\r", 0, -1)) + 1


class _Tail:
    """The end of a text, bounded in bytes."""

    __slots__ = ("_limit", "_pieces", "_size")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._pieces: deque[str] = deque()
        self._size = 0

    def add(self, text: str) -> None:
        # A character takes a byte or more: so many characters are never too few, and need no encoding on the way.
        piece = text[-self._limit :] if self._limit else ""
        self._pieces.append(piece)
        self._size += len(piece)
        while self._size - len(self._pieces[0]) >= self._limit and len(self._pieces) > 1:
            self._size -= len(self._pieces.popleft())

    @property
    def text(self) -> str:
        joined = "".join(self._pieces).encode()
        return joined[max(0, len(joined) - self._limit) :].decode(errors="ignore")


class _LastLine:
    """The last line that is not blank, bounded by what a value may take."""

    __slots__ = ("_ended", "_parts", "_size")

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0
        self._ended = True

    def add(self, text: str) -> None:
        body = text.rstrip()
        if not body:
            if not self._ended:
                self._append(text)
                self._ended = "\n" in text
            return
        start = body.rfind("\n") + 1
        if start or self._ended:
            self._parts.clear()
            self._size = 0
        self._append(text[start:])
        self._ended = "\n" in text[len(body) :]

    def _append(self, text: str) -> None:
        self._size += len(text)
        if self._size > MAX_VALUE_BYTES:
            self._parts.clear()
        else:
            self._parts.append(text)

    @property
    def text(self) -> str | None:
        line = "".join(self._parts).strip()
        return line or None
