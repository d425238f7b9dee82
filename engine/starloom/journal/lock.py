"""The lock of a journal, held by one program at a time and released by the system when that dies.

The lock is on a file of its own beside the journal; what stands in that file is only for the sentence to the second
program. The file stays when the lock goes: removing it would race with who takes the lock next.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from starloom.journal.base import JournalError, JournalInUse
from starloom.private_files import FILE_MODE

if TYPE_CHECKING:
    from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    _FAR_AWAY: Final = 1 << 30  # a locked byte cannot be read there, so it is one behind the text

    def _try_to_lock(fd: int) -> None:
        os.lseek(fd, _FAR_AWAY, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            raise BlockingIOError from None
        finally:
            os.lseek(fd, 0, os.SEEK_SET)
else:
    import fcntl

    def _try_to_lock(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)


class JournalLock:
    """A lock held from its creation until `release`, by one program at a time.

    Raises:
        JournalInUse: another program, or this one, holds it; the sentence says which and since when.
        JournalError: the file cannot be made.
    """

    def __init__(self, journal: Path) -> None:
        path = journal.with_name(journal.name + ".lock")
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT, FILE_MODE)
        except OSError as error:
            raise JournalError(
                f"The journal {journal} cannot be written: {path.name} beside it cannot be made "
                f"({error.strerror}). Name a folder that you can write to; it can still be read."
            ) from None
        try:
            _try_to_lock(self._fd)
        except BlockingIOError:
            holder = _holder(self._fd)
            os.close(self._fd)
            raise JournalInUse(
                f"The journal {journal} is in use by {holder}. Wait until it ends; meanwhile it can be read."
            ) from None
        except OSError as error:
            os.close(self._fd)
            raise JournalError(
                f"The journal {journal} cannot be locked ({error.strerror}). Put it onto a local disk."
            ) from None
        self._introduce()

    def _introduce(self) -> None:
        """Write the holder into the lock. A full disk must not prevent opening a journal: the lock works without it."""
        since = datetime.now(tz=UTC).isoformat(timespec="seconds")
        text = json.dumps({"pid": os.getpid(), "host": socket.gethostname(), "since": since}).encode()
        try:
            os.ftruncate(self._fd, 0)
            os.write(self._fd, text)
        except OSError:
            return

    def release(self) -> None:
        """Release the lock."""
        os.close(self._fd)


@dataclass(frozen=True, slots=True)
class Holder:
    """The program that holds a journal; as text, a part of a sentence.

    Attributes:
        pid: of its process; 0: it has only just taken the journal, or could not write, and nothing is known of it.
        host: on which computer that runs.
        since: when it took the journal, by the clock on the wall here, to the minute.
    """

    pid: int = 0
    host: str = ""
    since: str = ""

    @property
    def is_here(self) -> bool:
        """Whether it is this very program."""
        return self.pid == os.getpid() and self.host == socket.gethostname()

    @override
    def __str__(self) -> str:
        if not self.pid:
            return "another program"
        who = "this program itself" if self.is_here else f"process {self.pid} on {self.host}"
        return f"{who}, since {self.since}"


def holder_of(journal: Path) -> Holder | None:
    """The present holder of the journal; None: nobody. Changes nothing, but holds the lock for a moment."""
    path = journal.with_name(journal.name + ".lock")
    try:
        fd = os.open(path, os.O_RDWR)
    except PermissionError:  # somebody else's: whether it is held can be asked all the same
        try:
            fd = os.open(path, os.O_RDONLY)
        except OSError:
            return None
    except OSError:
        return None
    try:
        _try_to_lock(fd)
    except BlockingIOError:
        return _holder(fd)
    except OSError:
        return None
    finally:
        os.close(fd)
    return None


def _holder(fd: int) -> Holder:
    try:
        told = json.loads(os.read(fd, 1000))
        pid, host = int(told["pid"]), str(told["host"])
        since = datetime.fromisoformat(told["since"]).astimezone().strftime("%Y-%m-%d %H:%M")
    except (OSError, OverflowError, ValueError, KeyError, TypeError):
        return Holder()
    return Holder(pid, host, since)
