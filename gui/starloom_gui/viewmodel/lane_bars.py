"""The bars of one lane as columns of numbers, sorted by start, so that visible ones are found by bisection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

NEVER: Final = float("inf")
_FIRST_ROOM: Final = 16


class Bar(NamedTuple):
    """One attempt on the timeline; times in seconds on the engine's clock.

    Attributes:
        start, end: `end` is `NEVER` while it runs.
        run: 0 for the run that is shown, more for the other runs of the fleet.
        number: of the task in its run.
        attempt: counted from 1.
        kind: one of `kinds`.
        ready: since when it stood in the queue.
        until: when the pause after it ended or will end; minus `NEVER` where there is none.
    """

    start: float
    end: float
    run: int
    number: int
    attempt: int
    kind: int
    ready: float
    until: float

    @property
    def key(self) -> BarKey:
        """The key of the bar."""
        return BarKey(self.run, self.number, self.attempt)


class BarKey(NamedTuple):
    """The identity of a bar, which stays the same whatever becomes of it."""

    run: int
    number: int
    attempt: int


_TYPES: Final = {
    "start": np.float64,
    "end": np.float64,
    "run": np.int32,
    "number": np.int32,
    "attempt": np.int32,
    "kind": np.uint8,
    "ready": np.float64,
    "until": np.float64,
}


class LaneBars:
    """The bars of one lane. Columns are longer than `size`; beyond it, starts are `NEVER`.

    Attributes:
        size: how many bars there are.
        start, end, run, number, attempt, kind, ready, until: see `Bar`.
        reach: for each bar the latest end of those before it, and one more: it never falls, so that what is in sight
            is found by bisection even where bars of several runs overlap.
    """

    __slots__ = ("attempt", "end", "kind", "number", "reach", "ready", "run", "size", "start", "until")

    start: NDArray[np.float64]
    end: NDArray[np.float64]
    run: NDArray[np.int32]
    number: NDArray[np.int32]
    attempt: NDArray[np.int32]
    kind: NDArray[np.uint8]
    ready: NDArray[np.float64]
    until: NDArray[np.float64]
    reach: NDArray[np.float64]

    def __init__(self) -> None:
        self.size = 0
        for name, kind in _TYPES.items():
            setattr(self, name, np.zeros(_FIRST_ROOM, kind))
        self.start[:] = NEVER
        self.reach = np.full(_FIRST_ROOM + 1, -NEVER)

    @classmethod
    def of(cls, columns: Sequence[NDArray[np.generic]]) -> LaneBars:
        """A lane of columns in the order of `Bar`'s fields, sorted by start, run, number and attempt."""
        lane = cls()
        count = len(columns[0])
        lane._grow(count + 1)
        for name, column in zip(_TYPES, columns, strict=True):
            getattr(lane, name)[:count] = column
        lane.size = count
        lane._reach_from(0)
        return lane

    def put(self, bar: Bar) -> None:
        """Add a bar, or replace the one of the same key, which may have had another start."""
        is_last = not self.size or bar.start > self.start[self.size - 1]
        place = None if is_last else self.find(bar.start, bar.key)
        if place is None:
            self._take_out(bar.key)
            place = self._room_for(bar)
        for name, value in zip(_TYPES, bar, strict=True):
            getattr(self, name)[place] = value
        self._reach_from(place)

    def find(self, start: float, key: BarKey) -> int | None:
        """The place of a bar that starts then; None: there is none of that name.

        Args:
            start: seconds on the engine's clock, exactly as the bar has it.
            key: which of the bars that start then.
        """
        place = int(self.start[: self.size].searchsorted(start, "right")) - 1
        while place >= 0 and self.start[place] == start:
            if self.key_at(place) == key:
                return place
            place -= 1
        return None

    def between(self, first: float, last: float) -> tuple[int, int]:
        """The places, from and up to, among which all bars are that touch this stretch of time.

        Args:
            first: seconds on the engine's clock.
            last: seconds on the engine's clock.
        """
        size = self.size
        begin = int(self.reach[1 : size + 1].searchsorted(first, "left"))
        return begin, max(begin, int(self.start[:size].searchsorted(last, "right")))

    def stretch(self, run: int) -> tuple[float, float] | None:
        """From the first start to the last end of the bars of one run; None: there are none."""
        (own,) = np.nonzero(self.run[: self.size] == run)
        return (float(self.start[own[0]]), float(self.end[own].max())) if len(own) else None

    @property
    def has_open(self) -> bool:
        """Whether a bar has no end yet."""
        return bool((self.end[: self.size] == NEVER).any())

    def at(self, place: int) -> Bar:
        """One bar as a value."""
        return Bar._make(getattr(self, name)[place].item() for name in _TYPES)

    def key_at(self, place: int) -> BarKey:
        """The key of one bar."""
        return BarKey(int(self.run[place]), int(self.number[place]), int(self.attempt[place]))

    def _take_out(self, key: BarKey) -> None:
        """Remove the bar of this key: its work has begun at another time than was known, be it over or not."""
        for place in np.flatnonzero(self.number[: self.size] == key.number).tolist():
            if self.key_at(place) == key:
                for name in _TYPES:
                    column = getattr(self, name)
                    column[place : self.size - 1] = column[place + 1 : self.size].copy()
                self.size -= 1
                self.start[self.size] = NEVER
                self._reach_from(place)
                return

    def _room_for(self, bar: Bar) -> int:
        """An empty place in order; mostly the one behind the last."""
        place = self.size
        if place and bar.start <= self.start[place - 1]:
            place = int(self.start[:place].searchsorted(bar.start, "right"))
        while place and self.start[place - 1] == bar.start and self.key_at(place - 1) > bar.key:
            place -= 1
        self._grow(self.size + 2)
        if place < self.size:
            for name in _TYPES:
                column = getattr(self, name)
                column[place + 1 : self.size + 1] = column[place : self.size].copy()
        self.size += 1
        return place

    def _grow(self, wanted: int) -> None:
        room = len(self.start)
        if wanted <= room:
            return
        wanted = max(wanted, 2 * room)
        for name in (*_TYPES, "reach"):
            old = getattr(self, name)
            fill = {"start": NEVER, "reach": -NEVER}.get(name, 0)
            new = np.full(wanted + (name == "reach"), fill, old.dtype)
            new[: len(old)] = old
            setattr(self, name, new)

    def _reach_from(self, place: int) -> None:
        if place == self.size - 1:  # mostly, and worth a path of its own: ten times as fast
            self.reach[self.size] = max(self.reach[place], self.end[place])
            return
        ends = np.maximum.accumulate(self.end[place : self.size])
        np.maximum(ends, self.reach[place], out=self.reach[place + 1 : self.size + 1])
