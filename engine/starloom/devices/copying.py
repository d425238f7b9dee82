"""Copying the files of a task between two sides: resumed after a break, verified, and put in place whole.

A copy grows under a name of its own beside its place; the name says which content it has, so that whoever wants the
same later goes on with it, another attempt and another program, too. What arrived is compared by its SHA-256.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol
from weakref import WeakValueDictionary

from starloom.devices.pace import Pace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from starloom.model.files import FileCopy, Files
    from starloom.model.task import Task

FETCH_FAILED: Final = "fetch_failed"
"""The code of the error that a task's files could not be brought back."""
LARGEST_PIECE: Final = 4 * 1024 * 1024
"""Bytes that are copied at once at most."""
_PART: Final = ".starloom-part"
_OWN: Final = 0o700


class TransferFailed(Exception):  # noqa: N818 - becomes the error of an attempt
    """A file cannot be copied; the sentence says which and why."""


def files_of(task: Task) -> Files:
    """The files of a task.

    Raises:
        TransferFailed: what it says of them cannot be used.
    """
    try:
        return task.copied
    except ValueError as error:
        raise TransferFailed(str(error)) from error


class FileKind(NamedTuple):
    """The size and permissions of a file."""

    size: int
    """In bytes."""
    mode: int
    """Its permissions."""


class Side(Protocol):
    """One side of a copy. Errors on it are OSErrors, or end the link."""

    where: str
    """What is said of its files after their paths, e.g. ` on the other machine`; empty: they are here."""
    doubtful: int
    """How many bytes at the end of a file that is being written may not have come yet though later ones have."""

    def full(self, path: str) -> str:
        """The path as sentences name it.

        Raises:
            TransferFailed: it may not be used.
        """

    async def kind(self, path: str) -> FileKind | None:
        """The kind of a file; None: it does not exist.

        Raises:
            IsADirectoryError: there is something else than a file.
        """

    async def digest(self, path: str) -> str:
        """The SHA-256 of a file's content, in hexadecimal digits."""

    async def read(self, path: str, place: int, size: int) -> bytes:
        """Read a number of bytes of a file from an offset on; fewer at its end."""

    async def write(self, path: str, place: int, data: bytes) -> None:
        """Write bytes into a file, which is created for the user alone, with its folders, if it does not exist."""

    async def allow(self, path: str, mode: int) -> None:
        """Set the permissions of a file."""

    async def rename(self, path: str, target: str) -> None:
        """Move a file over another path."""

    async def remove(self, path: str) -> None:
        """Remove a file if it exists."""


class Turns:
    """Locks by target: one copy at a time writes to a target, as twenty tasks may want the same file."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def at(self, path: str) -> asyncio.Lock:
        """The lock of a target; its holder copies there."""
        return self._locks.setdefault(path, asyncio.Lock())


class Copying:
    """Copies files one way. Called again after a link broke, it resumes.

    Args:
        copies: the files, their paths as the sides understand them.
        verb: what is said of the progress, `send` or `fetch`.
        progress: told the share that has been copied, 0 to 1, and what is being copied.
        turns: shared by all that copy to the same places.
        pace: how much is copied at once.
    """

    def __init__(
        self,
        copies: Sequence[FileCopy],
        verb: str,
        progress: Callable[[float, str], None],
        turns: Turns,
        pace: Pace | None = None,
    ) -> None:
        self._left = list(copies)
        self._verb = verb
        self._progress = progress
        self._turns = turns
        self._pace = pace or Pace(LARGEST_PIECE)
        self._total: int | None = None
        self._done = 0
        self._part = ""
        self._place = 0
        self._is_under_way = False

    async def go_on(self, source: Side, target: Side) -> None:
        """Copy what has not been copied yet.

        Raises:
            TransferFailed: a file cannot be copied; nothing is left of it.
        """
        try:
            await self._go_on(source, target)
        except TransferFailed:
            await self.clear(target)
            raise

    async def _go_on(self, source: Side, target: Side) -> None:
        if self._total is None:
            self._total = sum([(await _kind_of(source, copy.source)).size for copy in self._left])
        while self._left:
            copy = self._left[0]
            async with self._turns.at(target.full(copy.target)):
                size = await self._copy(source, target, copy)
            self._done += size
            self._tell(copy, 0)
            self._left.pop(0)

    async def clear(self, target: Side) -> None:
        """Remove the part of a file that will not be copied to its end."""
        if self._part:
            with contextlib.suppress(OSError):
                await target.remove(self._part)

    async def _copy(self, source: Side, target: Side, copy: FileCopy) -> int:
        """Copy one file to its place; returns its size in bytes."""
        kind = await _kind_of(source, copy.source)
        with _told(source, copy.source, "read"):
            digest = await source.digest(copy.source)
        with _told(target, copy.target, "written"):
            there = await target.kind(copy.target)
            if there is None or there.size != kind.size or await target.digest(copy.target) != digest:
                self._begin(f"{copy.target}.{digest[:16]}{_PART}")
        if self._part:
            await self._make(source, target, copy, kind, digest)
        with _told(target, copy.target, "written"):
            if self._part or there is None or (there.mode ^ kind.mode) & _OWN:
                await target.allow(self._part or copy.target, kind.mode & _OWN)
            if self._part:
                await target.rename(self._part, copy.target)
        self._part = ""
        return kind.size

    def _begin(self, part: str) -> None:
        """Copy under this name; if it was another one before, from where that of it has come to."""
        if part != self._part:
            self._part, self._place = part, -1

    async def _make(self, source: Side, target: Side, copy: FileCopy, kind: FileKind, digest: str) -> None:
        """Copy the whole content into the temporary file."""
        for _ in range(2):  # what an earlier attempt left there may be damaged: then from the beginning
            await self._fill(source, target, copy, kind)
            with _told(target, copy.target, "read"):
                if await target.digest(self._part) == digest:
                    return
                await target.remove(self._part)
            self._place = 0
            with _told(source, copy.source, "read"):
                if await source.digest(copy.source) != digest:
                    break
        else:
            raise TransferFailed(
                f"The file {source.full(copy.source)!r}{source.where} arrives otherwise at "
                f"{target.full(copy.target)!r}{target.where}, as its SHA-256 shows; nothing was put there."
            )
        raise TransferFailed(
            f"The file {source.full(copy.source)!r}{source.where} was changed while it was copied to "
            f"{target.full(copy.target)!r}{target.where}; nothing was put there."
        )

    async def _fill(self, source: Side, target: Side, copy: FileCopy, kind: FileKind) -> None:
        clock = asyncio.get_running_loop().time
        if self._is_under_way:
            self._pace.shrink()
        if self._place < 0:
            with _told(target, copy.target, "written"):
                begun = await target.kind(self._part)
            self._place = 0 if begun is None else max(0, min(begun.size, kind.size) - target.doubtful)
        while self._place < kind.size or not kind.size:
            began, self._is_under_way = clock(), True
            with _told(source, copy.source, "read"):
                data = await source.read(copy.source, self._place, min(self._pace.size, kind.size - self._place))
            with _told(target, copy.target, "written"):
                await target.write(self._part, self._place, data)
            self._is_under_way = False
            self._pace.note(len(data), clock() - began, 0.0)
            self._place += len(data)
            self._tell(copy, self._place)
            if not data:
                return

    def _tell(self, copy: FileCopy, place: int) -> None:
        name = copy.target.rpartition("/")[2]
        self._progress((self._done + place) / max(1, self._total or 0), f"{self._verb} {name}")


async def _kind_of(source: Side, path: str) -> FileKind:
    with _told(source, path, "read"):
        kind = await source.kind(path)
        if kind is None:
            raise FileNotFoundError(0, "there is no such file")
        return kind


@contextlib.contextmanager
def _told(side: Side, path: str, verb: str) -> Iterator[None]:
    """Add the path to errors that are raised within."""
    try:
        yield
    except IsADirectoryError as error:
        what = f"{side.full(path)!r}{side.where} is no file; have it packed into one, say with tar."
        raise TransferFailed(what) from error
    except OSError as error:
        if isinstance(error, ConnectionError):
            raise
        why = (error.strerror or str(error)).rstrip(".")
        raise TransferFailed(f"The file {side.full(path)!r} cannot be {verb}{side.where}: {why}.") from error
