"""Chains of checkpoints in a run's file: when the next one is due, what it has to hold, and finding the nearest one.

Each names the one before it, as results and past attempts stand only in the first checkpoint after they came to be.
One that is damaged, unknown or newer is passed over, and with it all that hang on it. How one becomes bytes is told in
`facts`.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from starloom import events as ev
from starloom.journal import facts as room
from starloom.journal.facts import CheckpointLink, Facts, Known

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from starloom.scheduling.state.run_facts import RunFacts

EVERY: Final = 10_000
"""Events after which a checkpoint is due."""
SHARE_OF_TASKS: Final = 3
"""Of a large run: as many as its tasks divided by this, if that is more."""
LARGE: Final = 16 * 1024 * 1024
"""Bytes after which one is due sooner: what it has to hold of results should not grow without bound."""
PATIENCE: Final = 60.0
"""So many times as long as the last one took has to pass before the next, unless the run pauses or ends."""
GRAPH_EVENTS: Final = frozenset({ev.TasksDeclared, ev.ConstellationModified})
"""The events that change the graph of a run."""
TELLING: Final = GRAPH_EVENTS | {ev.RunRecovered, ev.RunPaused, ev.RunEnded}
"""The events that a chain has to hear of."""
_NEVER: Final = 2**62
_INSERT: Final = "INSERT OR REPLACE INTO checkpoints VALUES (?, ?)"
_DROP: Final = "DELETE FROM checkpoints WHERE row > ?"
_log = logging.getLogger(__name__)


def drop_after(connection: sqlite3.Connection, row: int) -> None:
    """Delete the checkpoints of turns after a row.

    Raises:
        sqlite3.Error: they cannot be.
    """
    connection.execute(_DROP, (row,))


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A checkpoint to be written: its row, its bytes, and when it was begun."""

    row: int
    data: bytearray
    begun: float


# ---- writing


class FactsChain:
    """The chain of checkpoints in a run's file, as its writer keeps it.

    Attributes:
        is_due: whether one is to be taken after the turn that was committed last.
        next: a turn with an event of this number or a later one is to be noted.
    """

    def __init__(self, path: Path, *, is_new: bool) -> None:
        self.is_due = False
        self.next = EVERY if is_new else _NEVER
        self._path = path
        self._known = Known(archived={})
        self._graph: list[tuple[int, int]] = []
        self._shifts: list[tuple[int, float]] = []
        self._ended = 0
        self._is_wanted = False
        self._since = 0
        self._not_before = 0.0
        self._told = False

    def note(self, events: Sequence[ev.Event], first: int, last: int) -> None:
        """Record the rows of a turn of `TELLING` events, or of one that `next` asks for."""
        if self.next == _NEVER:  # nobody has read the file, so nobody knows what came before
            return
        kinds = set(map(type, events))
        if not GRAPH_EVENTS.isdisjoint(kinds):
            self._graph.append((first, last))
        self._shifts += [(last, by) for by in shifts_among(events)]
        if ev.RunEnded in kinds and ev.DeviceRemoved not in kinds:
            # It is told no more of the fleet: only now is what others know of it what its own stream says.
            self._ended = last
        if ev.RunPaused in kinds or self._ended == last:
            self._is_wanted = self.is_due = True
        elif events[-1].seq >= self.next:
            self.is_due = True

    def grown(self) -> None:
        """Note that `LARGE` has been reached."""
        if self.next != _NEVER:
            self.is_due = True
            self._since = -_NEVER

    def take_back(self, last: int) -> None:
        """Forget the notes about later rows."""
        self._graph = [turn for turn in self._graph if turn[1] <= last]
        self._shifts = [shift for shift in self._shifts if shift[0] <= last]
        if self._known.row > last:
            self._begin_anew()

    def go_on(self, run_seq: int, known: Known, graph: list[tuple[int, int]], shifts: list[tuple[int, float]]) -> None:
        """Continue the chain of a file that was read to its end."""
        self._known, self._graph, self._shifts = known, graph, shifts
        self._since = run_seq
        self.next = run_seq + EVERY

    def take(self, run: RunFacts, row: int, last: ev.Event, wall: float) -> Checkpoint | None:
        """A checkpoint of the facts after a row; None: there cannot be one, or it is too early for it.

        Args:
            run: the facts, on the fleet as it is in the same moment.
            row: the last row.
            last: the last event in it.
            wall: when that was committed, in seconds since 1970.
        """
        begun = time.perf_counter()
        self.is_due = False
        if run.seq != last.seq or (run.state.has_ended and self._ended != row) or not self._is_time(run, begun):
            return None
        self._is_wanted = False
        shifts = [by for _, by in self._shifts]
        try:
            link = room.link_of(run, self._known, row=row, at=last.at, wall=wall, graph=self._graph, shifts=shifts)
            data = room.encode(link, run)
        except room.UNKEEPABLE as error:
            self.failed(error)
            return None
        self._known = Known.of(run, row, room.sum_of(data))
        self._shifts = []
        return Checkpoint(row, data, begun)

    def _is_time(self, run: RunFacts, now: float) -> bool:
        interval = max(EVERY, len(run.status) // SHARE_OF_TASKS)
        is_early = run.seq - self._since < interval
        if (is_early or now < self._not_before) and not self._is_wanted:
            self.next = self._since + interval if is_early else run.seq + interval // 8
            return False
        self._since, self.next = run.seq, run.seq + interval
        return True

    def keep(self, connection: sqlite3.Connection, checkpoint: Checkpoint) -> None:
        """Write a checkpoint; a failure only costs time later."""
        try:
            connection.execute(_INSERT, (checkpoint.row, checkpoint.data))
        except (sqlite3.Error, OverflowError) as error:
            self.failed(error)
        now = time.perf_counter()
        self._not_before = now + PATIENCE * (now - checkpoint.begun)

    def failed(self, error: BaseException) -> None:
        """Note that a checkpoint could not be made or written: the next one begins a new chain."""
        self._begin_anew()
        if not self._told:
            self._told = True
            _log.info(
                "A checkpoint of the facts could not be kept in %s (%s). Nothing is lost; reading it takes longer.",
                self._path,
                error,
            )

    def _begin_anew(self) -> None:
        self._known, self._shifts = Known(archived={}), []


def shifts_among(events: Iterable[Any]) -> list[float]:
    """The shifts of all times in the events of a turn, in order."""
    return [event.shift for event in events if type(event) is ev.RunRecovered and event.shift]


# ---- reading


@dataclass(frozen=True, slots=True)
class CheckpointChain:
    """A usable checkpoint with its chain, the oldest link first."""

    links: Sequence[CheckpointLink]
    facts: Facts
    sum: int

    @property
    def link(self) -> CheckpointLink:
        """Its own link."""
        return self.links[-1]


def nearest(connection: sqlite3.Connection, stream: str, row: int) -> CheckpointChain | None:
    """The latest usable checkpoint of the turns up to a row; None: there is none.

    Args:
        connection: to the file.
        stream: whose file it is.
        row: it holds no later one.
    """
    opened: dict[int, tuple[CheckpointLink, int] | None] = {}
    while row > 0:
        at = _last_before(connection, row)
        links, broken = _chain(connection, stream, at, opened)
        if not broken and links:
            facts = _facts(connection, at)
            checked = opened[at]
            if facts is not None and checked is not None and facts.seq == links[-1].seq:
                return CheckpointChain(links, facts, checked[1])
        row = at - 1
    return None


def _last_before(connection: sqlite3.Connection, row: int) -> int:
    try:
        (found,) = connection.execute(
            "SELECT coalesce(max(row), 0) FROM checkpoints WHERE row > 0 AND row <= ?", (row,)
        ).fetchone()
    except sqlite3.Error:
        return 0
    return int(found)


def _chain(
    connection: sqlite3.Connection, stream: str, row: int, opened: dict[int, tuple[CheckpointLink, int] | None]
) -> tuple[list[CheckpointLink], bool]:
    """The links up to a checkpoint, the oldest first, and whether one of them is missing."""
    links: list[CheckpointLink] = []
    checksum: int | None = None
    while row:
        if row not in opened:
            opened[row] = _link(connection, stream, row)
        found = opened[row]
        if found is None or (checksum is not None and found[1] != checksum) or found[0].before >= row:
            return links, True
        links.insert(0, found[0])
        row, checksum = found[0].before, found[0].sum_before
    return links, False


def _link(connection: sqlite3.Connection, stream: str, row: int) -> tuple[CheckpointLink, int] | None:
    """The link of the checkpoint of a row, and its checksum; None: it cannot be used."""
    try:
        with connection.blobopen("checkpoints", "data", row, readonly=True) as blob:
            header = blob.read(room.HEADER.size)
            first = blob.read(room.length_of_link(header))
        link = room.decode_link(header, first)
    except (sqlite3.Error, *room.UNREADABLE):
        return None
    return (link, room.sum_of(header)) if link.run_id == stream and link.row == row else None


def _facts(connection: sqlite3.Connection, row: int) -> Facts | None:
    """The facts of a checkpoint whose link was read; None: they are damaged."""
    try:
        with connection.blobopen("checkpoints", "data", row, readonly=True) as blob:
            header = blob.read(room.HEADER.size)
            blob.seek(room.HEADER.size + room.length_of_link(header))
            return room.decode_facts(header, blob.read())
    except (sqlite3.Error, *room.UNREADABLE):
        return None
