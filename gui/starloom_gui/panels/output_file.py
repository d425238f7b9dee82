"""Reading the end of an attempt's output file, and copying the whole of it, never much at a time."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QFile, QFileDevice, QIODevice, QObject, QSaveFile, QTimer, Signal

if TYPE_CHECKING:
    from io import BufferedReader
    from pathlib import Path

_BLOCK: Final = 256 * 1024
_MOST_READ: Final = 8 * 1024 * 1024
"""Bytes of text that are read at once; lines that are longer than usual come in smaller numbers then."""
_AT_ONCE: Final = 1024 * 1024
"""Bytes that are copied before the window has its turn again."""


@dataclass(frozen=True, slots=True)
class OutputPart:
    """Lines that were read from an output file.

    Attributes:
        text: whole lines, but for the last one of the file.
        is_first: whether nothing comes before them.
    """

    text: str
    is_first: bool


def read_before(path: Path, ends: int, lines: int) -> OutputPart:
    """The lines that come before the last ones of a file.

    Args:
        path: the file.
        ends: how many line feeds there are in what comes after; below 0: nothing does, and the very end is wanted.
        lines: how many lines at most.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        end = size if ends < 0 else lines_end_before(file, ends)
        feeds = lines if end == size and not _ends_with_feed(file, size) else lines + 1
        begin = max(_after_feed(file, end, feeds - 1), end - _MOST_READ)
        file.seek(begin)
        data = file.read(end - begin)
    return OutputPart(data.decode("utf-8", "replace"), begin == 0)


def lines_end_before(file: BufferedReader, ends: int) -> int:
    """The offset at which the lines before the last ones of a file end.

    Args:
        file: the file.
        ends: how many line feeds there are in what comes after.

    Raises:
        OSError: it cannot be read.
    """
    return _after_feed(file, os.fstat(file.fileno()).st_size, ends)


def _ends_with_feed(file: BufferedReader, size: int) -> bool:
    if not size:
        return False
    file.seek(size - 1)
    return file.read(1) == b"\n"


def _after_feed(file: BufferedReader, end: int, feeds: int) -> int:
    """The place behind the line feed before which so many others follow up to a place; 0: there are not so many."""
    left, at = feeds + 1, end
    while at > 0:
        begin = max(0, at - _BLOCK)
        file.seek(begin)
        data = file.read(at - begin)
        count = data.count(b"\n")
        if count >= left:
            place = len(data)
            for _ in range(left):
                place = data.rfind(b"\n", 0, place)
            return begin + place + 1
        left -= count
        at = begin
    return 0


class OutputCopy(QObject):
    """Copies an output file; an existing target stays as it was until the copy is complete.

    Signals:
        ended(str): it is over; the reason why it failed, empty if it did not.

    Args:
        source: what is copied.
        target: where to.
        parent: with it, it ends, and the copy with it if that is not complete.
    """

    ended = Signal(str)

    def __init__(self, source: Path, target: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._source, self._target = QFile(str(source), self), QSaveFile(str(target), self)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._go_on)

    def start(self) -> None:
        """Start to copy; a signal reports the end."""
        if not self._source.open(QIODevice.OpenModeFlag.ReadOnly):
            self._finish(self._source.errorString())
        elif not self._target.open(QIODevice.OpenModeFlag.WriteOnly):
            self._finish(self._target.errorString())
        else:
            self._timer.start(0)

    def _go_on(self) -> None:
        data = self._source.read(_AT_ONCE)
        if self._source.error() != QFileDevice.FileError.NoError:
            self._finish(self._source.errorString())
        elif not data.isEmpty():
            if self._target.write(data) != data.size():
                self._finish(self._target.errorString())
        elif self._target.commit():
            self._finish("")
        else:
            self._finish(self._target.errorString())

    def _finish(self, trouble: str) -> None:
        self._timer.stop()
        self._source.close()
        if self._target.isOpen():
            self._target.cancelWriting()
            self._target.commit()  # which throws away what was cancelled, and closes
        self.ended.emit(trouble)
        self.deleteLater()
