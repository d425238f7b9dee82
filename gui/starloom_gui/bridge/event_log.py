"""The event log: the last so many events, by a number that never changes; their texts are made where they are shown."""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.events import Event

MOST: Final = 100_000


class Log(Protocol):
    """What is read of a log: `EventLog`, or whatever holds events like it."""

    @property
    def serial(self) -> int:
        """Another one from the moment on when numbers mean other events than before."""

    @property
    def begin(self) -> int:
        """The number of the oldest that is kept."""

    @property
    def end(self) -> int:
        """The number the next one will have."""

    @property
    def lost(self) -> int:
        """How many were never told."""

    def __len__(self) -> int: ...

    def get(self, number: int) -> Event:
        """The event of a number."""

    def since(self, number: int) -> Iterator[tuple[int, Event]]:
        """Numbers and events from a number on."""

    def between(self, begin: int, end: int) -> Iterator[tuple[int, Event]]:
        """Numbers and events from one number up to another one."""


class EventLog:
    """Events in the order in which they arrived, over all runs.

    Args:
        most: how many are kept at least; the oldest go first, a tenth of that many together, so that views need not
            count their rows anew with every event.

    Attributes:
        end: the number the next one will have; the first of all had 0.
        lost: how many were never told, because the console was too slow.
    """

    __slots__ = ("_events", "_most", "end", "lost")
    serial = 0

    def __init__(self, most: int = MOST) -> None:
        self._events: deque[Event] = deque()
        self._most = most
        self.end = 0
        self.lost = 0

    def __len__(self) -> int:
        return len(self._events)

    @property
    def begin(self) -> int:
        """The number of the oldest that is kept."""
        return self.end - len(self._events)

    def add(self, event: Event) -> None:
        """Keep one more."""
        self._events.append(event)
        self.end += 1
        surplus = self._most // 10 + 1
        if len(self._events) >= self._most + surplus:
            for _ in range(surplus):
                self._events.popleft()

    def get(self, number: int) -> Event:
        """The event of a number.

        Raises:
            IndexError: it is not kept any more, or not there yet.
        """
        if not self.begin <= number < self.end:
            raise IndexError(f"Event {number} is not kept; those from {self.begin} to {self.end - 1} are.")
        return self._events[number - self.end]

    def since(self, number: int) -> Iterator[tuple[int, Event]]:
        """Numbers and events from a number on, as far as they are kept."""
        return self.between(number, self.end)

    def between(self, begin: int, end: int) -> Iterator[tuple[int, Event]]:
        """Numbers and events from one number up to another one, as far as they are kept.

        What lies near either end of the log is found as fast as it can be listed.
        """
        first, last = max(begin, self.begin), min(end, self.end)
        if first >= last:
            return iter(())
        if self.end - last <= first - self.begin:
            backwards = islice(reversed(self._events), self.end - last, self.end - first)
            return zip(range(first, last), reversed(list(backwards)), strict=True)
        return zip(range(first, last), islice(self._events, first - self.begin, last - self.begin), strict=True)
