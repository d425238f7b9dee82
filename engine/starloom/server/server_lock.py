"""The right to be the server of a folder of journals, and who has it."""

from __future__ import annotations

import os
import socket
import sys
from typing import TYPE_CHECKING, Final, Self

from starloom.journal.base import JournalInUse
from starloom.journal.lock import Holder, JournalLock, holder_of
from starloom.private_files import make_folder
from starloom.server.socket_path import ServerError

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

_LOCK: Final = "server"


def can_serve() -> bool:
    """Whether this system has Unix sockets whose peers are known."""
    return hasattr(socket, "SO_PEERCRED")


class ServerLock:
    """The right to be the server of a folder of journals; a context manager, held before anything is opened there.

    Args:
        journals: the folder, made if there is none.

    Raises:
        ServerError: another server has it, or this system has no Unix sockets whose peers are known.
        JournalError: the lock cannot be made.
    """

    def __init__(self, journals: Path) -> None:
        if not can_serve():
            raise ServerError(
                f"An engine cannot be served on {sys.platform}: this needs Unix sockets that tell who connects, as "
                "Linux has them. Run it there, or use the console."
            )
        try:
            make_folder(journals)
            self._lock = JournalLock(journals / _LOCK)
        except OSError as error:
            raise ServerError(f"{journals} cannot be made ({error.strerror}). Name another folder.") from None
        except JournalInUse:
            holder = holder_of(journals / _LOCK) or Holder()
            raise ServerError(
                f"The runs in {journals} are served already, by {holder}. `starloom ps` lists them."
            ) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()


def is_served(journals: Path) -> bool:
    """Whether a server has the runs in a folder of journals, also while it begins or ends."""
    return holder_of(journals / _LOCK) is not None


def is_served_elsewhere(journals: Path) -> bool:
    """Whether another program than this one is that server."""
    holder = holder_of(journals / _LOCK)
    return holder is not None and not (holder.pid == os.getpid() and holder.is_here)
