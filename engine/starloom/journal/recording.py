"""Reading a run's journal: all its events in order, and the run as it was after any of them.

Times are those of the program that ran it last: each time a run is resumed, its earlier times are moved.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_right
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom import events as ev
from starloom.journal.base import JournalError, Moment
from starloom.journal.moments import impossible, never
from starloom.journal.stream_file import StreamFile
from starloom.scheduling.fold.runs import shift
from starloom.scheduling.fold.stream_check import ImpossibleEvent, checked_fold

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from starloom.constellation.graph import Graph

PART: Final = 20_000
"""Events after which a part that is read ends, so that whoever waits can be told how far it is."""


class RecordingPart(NamedTuple):
    """The result of `Recording.read`.

    Attributes:
        events: in order.
        turns: the last row of each turn, and how many of the events it ends with.
        is_last: whether there was no more to be read.
        trouble: why nothing after it can be read; empty: all of it can.
    """

    events: list[ev.Event]
    turns: list[tuple[int, int]]
    is_last: bool
    trouble: str = ""


class Recording:
    """One run's journal for reading, also while a program writes it.

    `read` and `moment` may be called in any thread, and wait for each other; all else belongs where `take` is called.

    Args:
        path: the journal.

    Attributes:
        stream: the run's id.
        events: those taken so far, oldest first.
        times: when each of them happened, in seconds on the clock of the last program that ran it.
        first: how many events there are at least at any moment: those of the first turn, which make the graph.
        trouble: why nothing after the events can be read; empty: all of it can.

    Raises:
        JournalError: it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._file = StreamFile(path, read_only=True)
        self._lock = Lock()
        self.stream = self._file.stream
        self.events: list[ev.Event] = []
        self.times = array("d")
        self.first = 0
        self.trouble = ""
        self._rows, self._ends = [0], [0]
        self._shifts: list[tuple[int, float]] = []
        self._graph: tuple[int, Graph] | None = None
        self._is_ready = False

    def __len__(self) -> int:
        return len(self.events)

    # ---- reading

    def read(self) -> RecordingPart:
        """The next part of the events after those taken so far, to be given to `take`."""
        with self._lock:
            part = self._next_part()
            if part.is_last and not self._is_ready:
                self._make_ready(part)
            return part

    def _make_ready(self, part: RecordingPart) -> None:
        """Read the first moment, which is kept: a jump to an early one need not make the graph while somebody waits."""
        self._is_ready = True
        rows = [*self._rows[1:2], *(row for row, _ in part.turns[:1])]
        if rows:
            with suppress(JournalError):  # told when that moment is asked for
                self._file.view(rows[0])

    def _next_part(self) -> RecordingPart:
        events: list[ev.Event] = []
        turns: list[tuple[int, int]] = []
        try:
            for row, turn in self._file.turns_after(self._rows[-1], len(self.events)):
                events += turn.events
                turns.append((row, len(events)))
                if len(events) >= PART:
                    return RecordingPart(events, turns, is_last=False)
        except JournalError as error:
            return RecordingPart(events, turns, is_last=True, trouble=str(error))
        return RecordingPart(events, turns, is_last=True)

    def take(self, part: RecordingPart) -> None:
        """Add the result of `read`."""
        before = len(self.events)
        self.events += part.events
        self.times.extend(event.at for event in part.events)
        for number, event in enumerate(part.events, before):
            if type(event) is ev.RunRecovered and event.shift:
                self._shifts.append((number, event.shift))
                # What happened last lies at that very time, and is still told by the clock of its own program.
                before_it = math.nextafter(event.at, -math.inf)
                self.times[:number] = array("d", [min(time + event.shift, before_it) for time in self.times[:number]])
        self._rows += [row for row, _ in part.turns]
        self._ends += [before + end for _, end in part.turns]
        self.first = self._ends[1] if len(self._ends) > 1 else 0
        self.trouble = part.trouble

    # ---- moments

    def position(self, at: float) -> int:
        """The number of events until a time in seconds; at least `first`."""
        return max(self.first, bisect_right(self.times, at))

    def time(self, position: int) -> float:
        """When the last of the first so many events happened, in seconds."""
        return self.times[position - 1] if position else 0.0

    def moment(self, position: int, should_stop: Callable[[], bool] = never) -> Moment:
        """The run folded from its first `position` events, its times shifted if it was resumed after that.

        Moments between two edits share one graph, so that whoever looks at both sees that it is the same.

        Raises:
            JournalError: a turn that has to be read is damaged.
            ReadingStopped: `should_stop` said yes.
        """
        turn = bisect_right(self._ends, position) - 1
        with self._lock:
            view, at, wall = self._file.view(self._rows[turn], should_stop)
        rest = self.events[self._ends[turn] : position]
        if rest:
            try:
                checked_fold(view, rest, at)
            except ImpossibleEvent as error:
                raise impossible(self._file.path, error) from None
            wall, at = wall + rest[-1].at - at, rest[-1].at
        if position >= self.first:  # before, it is being made
            if self._graph is None or self._graph[0] != view.run.revision:
                self._graph = view.run.revision, view.run.graph
            view.run.graph = self._graph[1]
        later = sum(by for number, by in self._shifts if number >= position)
        if later:
            shift(view.run, later)
        return Moment(view, at + later, wall)

    def close(self) -> None:
        """Close the file, once it is not being read; closing twice is no error."""
        with self._lock:
            self._file.close()
