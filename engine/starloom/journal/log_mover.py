"""Checkpoints of the write-ahead log, in a thread of their own so that no commit waits for the disk."""

from __future__ import annotations

import logging
import sqlite3
import threading
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST_LOG: Final = 16_384
"""Pages (64 MB). Beyond that commits wait for a moment so that the log can begin anew; else a steady stream of
commits would keep it growing for ever."""
_PAGE: Final = 4096
_UNMOVED_PAGES: Final = 1_000
"""So many pages of the log, by estimate, and a checkpoint is made."""
_log = logging.getLogger(__name__)


class LogMover:
    """Checkpoints the log into the database whenever it is woken; sleeps without polling otherwise.

    It wakes by itself whenever the log has grown by 4 MB. There is no thread until the first `wake`, and none after
    `close`. A checkpoint that fails loses nothing: what is committed stays in the log, and the trouble is logged once.

    Args:
        connect: opens a connection for the thread's own use.
        where: the journal, for the sentence about trouble.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection], where: str) -> None:
        self._connect = connect
        self._where = where
        self._wanted = threading.Event()
        self._is_closed = False
        self._thread: threading.Thread | None = None
        self._unmoved = 0
        self._told: str | None = None

    def grown(self, size: int) -> bool:
        """Note that so many more bytes were committed; returns whether that woke the thread."""
        self._unmoved += 1 + size // _PAGE
        if self._unmoved < _UNMOVED_PAGES:
            return False
        self._unmoved = 0
        self.wake()
        return True

    def wake(self) -> None:
        """Request a checkpoint soon."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="starloom-checkpoints", daemon=True)
            self._thread.start()
        self._wanted.set()

    def close(self) -> None:
        """End the thread; returns when it has ended."""
        self._is_closed = True
        self._wanted.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _work(self) -> None:
        connection: sqlite3.Connection | None = None
        try:
            while self._wanted.wait() and not self._is_closed:
                self._wanted.clear()
                try:
                    connection = connection or self._connect()
                    _checkpoint(connection)
                except sqlite3.Error as error:
                    self._tell(error)
        finally:
            if connection is not None:
                connection.close()

    def _tell(self, error: sqlite3.Error) -> None:
        text = str(error)
        if text != self._told:
            self._told = text
            _log.warning(
                "The log of the journal %s cannot be moved into it (%s). Nothing is lost, but the log grows.",
                self._where,
                text,
            )


def _checkpoint(connection: sqlite3.Connection) -> None:
    _, pages, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    if pages > LONGEST_LOG:
        connection.execute("PRAGMA wal_checkpoint(RESTART)").fetchone()
