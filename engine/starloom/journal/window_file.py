"""A small file that each window over a run has for itself beside the journal, and that outlives the window."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from starloom.errors import StarloomError
from starloom.journal.base import JournalError, JournalInUse
from starloom.journal.lock import JournalLock
from starloom.private_files import replacing, write_private

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MOST_WINDOWS: Final = 9
"""Windows over one run that have such a file of one name at once, each its own."""
_T = TypeVar("_T")
_log = logging.getLogger(__name__)


class WindowFile(Generic[_T]):
    """The entries of one window, in the first file of the run's folder that no other window has.

    What windows that have gone left behind is taken over by the next one that is opened.

    Args:
        folder: of the run.
        name: of the first such file.
        read: gives the entries of a file; none if it is not there, or unusable.
        write: replaces a file as a whole by these entries; without any it is removed. Raises StarloomError.

    Attributes:
        entries: what is in the file, in order.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        read: Callable[[Path], tuple[_T, ...]],
        write: Callable[[Path, Sequence[_T]], None],
    ) -> None:
        self._folder, self._name, self._read, self._write = folder, Path(name), read, write
        self._file: Path | None = None
        self._release: Callable[[], object] | None = None
        self.entries: tuple[_T, ...] = ()
        self._take_over()

    def write(self, entries: Sequence[_T]) -> None:
        """Have these in the file, in the place of what is there.

        Raises:
            StarloomError: it cannot be written; or there are more windows than files.
        """
        file = self._file or self._free_file()
        self._write(file, entries)
        self.entries = tuple(entries)

    def close(self) -> None:
        """Leave the file to the next window."""
        if self._release is not None:
            self._release()
        self._file = self._release = None

    def _free_file(self) -> Path:
        for file in self._files():
            self._release = _claimed(file)
            if self._release is not None:
                self._file = file
                return file
        raise StarloomError(f"{MOST_WINDOWS} windows have a file {self._name} for the run in {self._folder} already.")

    def _take_over(self) -> None:
        """Take the entries of all files that no window has; they are in ours before another one is removed."""
        for file in self._files():
            release = _claimed(file) if file.exists() else None
            if release is None:
                continue
            found = self._read(file)
            if self._file is None:
                self._file, self._release, self.entries = file, release, found
                continue
            try:
                if found:
                    self.write((*self.entries, *found))
                    self._write(file, ())
            except StarloomError as error:
                _log.warning("%s is left for another time: %s", file, error)
            finally:
                release()

    def _files(self) -> list[Path]:
        name = self._name
        others = (f"{name.stem}-{number}{name.suffix}" for number in range(2, MOST_WINDOWS + 1))
        return [self._folder / name, *(self._folder / other for other in others)]


def read_entries(
    file: Path, most: int, decode: Callable[[bytes], tuple[_T, ...]], errors: tuple[type[Exception], ...]
) -> tuple[_T, ...]:
    """The entries of a file; none if there is no such file, or it is unusable, which is said in the log.

    Args:
        file: in the folder of a run.
        most: bytes; a larger file is unusable.
        decode: makes entries of what is in it.
        errors: what that raises of something else.
    """
    try:
        with file.open("rb") as opened:
            data = opened.read(most + 1)
    except FileNotFoundError:
        return ()
    except OSError as error:
        return _nothing(file, error.strerror or str(error))
    if len(data) > most:
        return _nothing(file, "it is too large")
    try:
        return decode(data)
    except errors as error:
        return _nothing(file, str(error))


def _nothing(file: Path, why: str) -> tuple[()]:
    _log.warning("%s was left alone: %s.", file, why)
    return ()


def write_entries(file: Path, data: bytes | None) -> None:
    """Replace a file as a whole; None: it is removed.

    Raises:
        StarloomError: it cannot be; it is unchanged.
    """
    if data is not None:
        with replacing(file) as part:
            write_private(part, data)
        return
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise StarloomError(f"{file} cannot be removed: {error.strerror or error}.") from None


def _claimed(file: Path) -> Callable[[], object] | None:
    """Lock a file for this window: gives what releases it; None: another window has it.

    Where nothing can be locked, the file is anybody's.
    """
    try:
        return JournalLock(file).release
    except JournalInUse:
        return None
    except JournalError:
        return lambda: None
