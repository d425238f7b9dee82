"""Writing journals to disk: small turns in the caller's thread while the disk is fast, all others in a thread."""

from __future__ import annotations

import logging
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from starloom.events import ConstellationModified, EditRejected

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor, Future
    from pathlib import Path

    from starloom.events import Event

SLOW_SECONDS: Final = 0.02
"""A usual turn whose commit takes longer has met a slow disk; what else the loop does should not wait for that."""
SLOW_COMMITS: Final = 5
"""So many more slow commits than fast ones per hundred, and the disk counts as slow."""
_USUAL_TURN: Final = 500
"""Events; encoding more than that takes its time on any disk."""
_LARGE_TURN: Final = 5_000
"""Events; a turn of more is written in the thread, as encoding them would make the loop wait."""
_LARGE_BATCH: Final = 1_000
"""Edits, with those that undo them, or problems; one of them is encoded in the time of several usual events."""
_BATCHES: Final = frozenset({ConstellationModified, EditRejected})
_log = logging.getLogger(__name__)
_T = TypeVar("_T")


def one_thread() -> ThreadPoolExecutor:
    """A thread for the work of a `DiskWriter`."""
    return ThreadPoolExecutor(1, thread_name_prefix="starloom-journal")


class DiskWriter:
    """Commits turns at once or, if they are large or once the disk counts as slow, in a thread.

    The thread exists from the first use of it until `close`, and does one thing after the other.

    Args:
        directory: of the journals, for the sentence about the slow disk.
        is_threaded: whether commits are made in the thread from the beginning.
        executor: makes the thread, which does one thing after the other.

    Attributes:
        is_threaded: whether they are now.
    """

    def __init__(self, directory: Path, *, is_threaded: bool, executor: Callable[[], Executor] = one_thread) -> None:
        self.is_threaded = is_threaded
        self._directory = directory
        self._slow = 0.0
        self._executor = executor
        self._thread: Executor | None = None

    def commit(self, keep: Callable[[Sequence[Event]], None], events: Sequence[Event]) -> Future[None] | None:
        """Commit a turn by `keep`; None: it is committed, else a future of that.

        Raises:
            JournalError: what `keep` raised; from the future if there is one.
        """
        if self.is_threaded or len(events) > _LARGE_TURN or _has_large_batch(events):
            return self.in_thread(partial(keep, events))
        begun = time.perf_counter()
        keep(events)
        if time.perf_counter() - begun > SLOW_SECONDS:
            if len(events) < _USUAL_TURN:
                self._met_slow_disk()
        elif self._slow > 0:
            self._slow -= 0.01
        return None

    def _met_slow_disk(self) -> None:
        self._slow += 1
        if self._slow >= SLOW_COMMITS:
            self.is_threaded = True
            _log.info("The disk of %s is slow: its journals are written in a thread of their own.", self._directory)

    def between_commits(self, work: Callable[[], None]) -> None:
        """Call a function before the next commit: at once, or in the thread if commits are made there."""
        if self.is_threaded:
            self.in_thread(work)
        else:
            work()

    def in_thread(self, work: Callable[[], _T]) -> Future[_T]:
        """Call a function in the thread, after all earlier calls."""
        if self._thread is None:
            self._thread = self._executor()
        return self._thread.submit(work)

    def after_thread(self, work: Callable[[], None]) -> None:
        """Call a function after all earlier calls of the thread; returns once it has returned."""
        if self._thread is None:
            work()
        else:
            self.in_thread(work).result()

    def close(self) -> None:
        """End the thread after all its calls; a second call does nothing."""
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None


def _has_large_batch(events: Sequence[Event]) -> bool:
    if _BATCHES.isdisjoint(map(type, events)):
        return False
    return any(
        len(event.changes) + len(event.inverse) > _LARGE_BATCH
        if isinstance(event, ConstellationModified)
        else isinstance(event, EditRejected) and len(event.problems) > _LARGE_BATCH
        for event in events
    )
