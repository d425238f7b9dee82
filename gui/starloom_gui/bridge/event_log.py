"""The event log: the last so many events, by a number that never changes; their texts are made where they are shown."""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.events import Event

MOST: Final = 100_000


class EventLog:
    """Events in the order in which they arrived, over all runs.

    Args:
        most: how many are kept; the oldest go first.

    Attributes:
        end: the number the next one will have; the first of all had 0.
        lost: how many were never told, because the console was too slow.
    """

    __slots__ = ("_events", "end", "lost")

    def __init__(self, most: int = MOST) -> None:
        self._events: deque[Event] = deque(maxlen=most)
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
        first = max(number, self.begin)
        wanted = self.end - first
        if wanted <= 0:
            return iter(())
        newest = reversed(list(islice(reversed(self._events), wanted)))
        return zip(range(first, self.end), newest, strict=True)
