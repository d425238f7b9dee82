"""A journal wrapper that measures how long commits take."""

from __future__ import annotations

import time
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any

from starloom.telemetry.durations import COMMITS, Durations

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Future

    from starloom.events import Event
    from starloom.journal.base import Journal
    from starloom.telemetry.durations import DurationsReading


class TimedJournal:
    """Delegates to the inner journal, and notes how long each commit took, failed ones included.

    A commit lasts from its call until it is kept: until it returns, or until the future that it returns is done.

    Attributes:
        inside: the journal that keeps the events; whatever else it can do can be asked of this one too.
    """

    def __init__(self, inside: Journal) -> None:
        self.inside = inside
        self._commits = Durations(COMMITS)
        self._took: deque[float] = deque()

    def commit(self, events: Sequence[Event]) -> Future[None] | None:
        """Commit one turn's events to the inner journal.

        Raises:
            JournalError: they were not kept.
        """
        begun = time.perf_counter()
        committing: Future[None] | None = None
        try:
            committing = self.inside.commit(events)
        finally:
            if committing is None:
                self._commits.note(time.perf_counter() - begun)
        if committing is not None:
            self._settle()
            committing.add_done_callback(partial(self._done, begun))
        return committing

    def _done(self, begun: float, _committing: Future[None]) -> None:
        """Called in the thread that keeps the events, so this only leaves word."""
        self._took.append(time.perf_counter() - begun)

    def _settle(self) -> None:
        while self._took:
            self._commits.note(self._took.popleft())

    def reading(self) -> DurationsReading:
        """The durations of the finished commits, in seconds."""
        self._settle()
        return self._commits.reading()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inside, name)
