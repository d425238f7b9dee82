"""A run as it was after any row of its file: from the nearest checkpoint of its facts and the turns after it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from starloom import events as ev
from starloom.bulk_loading import collector_at_rest
from starloom.journal.base import JournalError, Moment, ReadingStopped
from starloom.journal.codec import decode_parts
from starloom.journal.facts import UNREADABLE, Known, lay, settle
from starloom.journal.facts_chain import GRAPH_EVENTS, TELLING, nearest, shifts_among
from starloom.journal.reader import TurnReader, has_all, turns
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.fold.stream_check import ImpossibleEvent, checked_fold
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from starloom.journal.codec import RecordedTurn
    from starloom.journal.facts_chain import CheckpointChain

Span = tuple[int, int]
"""The first and the last row of a turn."""


def never() -> bool:
    """False: the default of `should_stop`."""
    return False


def impossible(path: Path, error: ImpossibleEvent) -> JournalError:
    """The sentence that a journal holds impossible events."""
    return JournalError(
        f"The journal {path} tells of something that cannot have happened at event {error.number} ({error.why}). "
        "It was changed by something else than Starloom."
    )


@dataclass(slots=True)
class JournalMoments:
    """Reads the state of one run at any row from its file.

    Attributes:
        keeps_graph: whether the turns that shape the graph, and the first one, are remembered, so that the next moment
            takes less time.
        known, graph, shifts: after a moment was read, what its checkpoint held, the turns up to it that shape the
            graph, and what was shifted since the checkpoint; see `facts_chain`.
    """

    connection: sqlite3.Connection
    path: Path
    stream: str
    keeps_graph: bool
    known: Known = field(default_factory=lambda: Known(archived={}))
    graph: list[Span] = field(default_factory=list)
    shifts: list[tuple[int, float]] = field(default_factory=list)
    _at: float = 0.0
    _wall: float = 0.0
    _kept: dict[Span, Sequence[ev.Event]] = field(default_factory=dict)
    _first: tuple[Span, RecordedTurn] | None = None
    _start: FoldedRun | None = None
    _whole: int = 0
    """All rows up to this one are there."""

    def moment(self, until: int, last: int, should_stop: Callable[[], bool] = never) -> Moment:
        """The run after a row, or, if that row is not the last one of its turn, after the turn before.

        Args:
            until: the row.
            last: the last row of the file.
            should_stop: asked before each turn that is read.

        Raises:
            JournalError: a turn that has to be read is damaged, or tells of what cannot have happened.
            ReadingStopped: `should_stop` said yes.
        """
        with collector_at_rest():
            view, row = self._begin(until, last)
            reading = TurnReader(self.path, self.stream, view.run.seq)
            events = self._events(reading, row, until, last, should_stop)
            return Moment(self._folded(view, events, self._at if view.run.seq else None), self._at, self._wall)

    def _folded(self, view: FoldedRun, events: Iterable[ev.Event], at: float | None = None) -> FoldedRun:
        try:
            return checked_fold(view, events, at)
        except ImpossibleEvent as error:
            raise impossible(self.path, error) from None

    def _begin(self, until: int, last: int) -> tuple[FoldedRun, int]:
        """The run as the latest checkpoint has it that can be used, and the row of that."""
        row = until
        while (found := nearest(self.connection, self.stream, row)) is not None:
            row = found.link.row
            if not self._has_all(row):
                break
            try:
                view = laid(self.stream, found, self._shaping)
            except UNREADABLE:
                row -= 1
                continue
            self.known = Known.of(view.run, row, found.sum)
            self.graph, self.shifts = list(found.link.graph), []
            self._at, self._wall = found.link.at, found.link.wall
            return view, row
        self.known, self.graph, self.shifts = Known(archived={}), [], []
        self._at = self._wall = 0.0
        return self._begun(until, last) if self.keeps_graph else (FoldedRun(self.stream), 0)

    def _has_all(self, row: int) -> bool:
        """Whether no row up to one is missing, without which its checkpoint is not used."""
        if row > self._whole:
            if not has_all(self.connection, row, self._whole):
                return False
            self._whole = row
        return True

    def _begun(self, until: int, last: int) -> tuple[FoldedRun, int]:
        """The run after its first turn, which makes the graph, and the row of that; folded once and copied since."""
        if self._first is None:
            rows = next(turns(self.connection, self.path, last), None)
            if rows is None:
                return FoldedRun(self.stream), 0
            self._first = (rows[0][0], rows[-1][0]), TurnReader(self.path, self.stream).turn(rows)
        span, turn = self._first
        if span[1] > until:
            return FoldedRun(self.stream), 0
        self._note(span, turn)
        if self._start is None:
            self._start = self._folded(FoldedRun(self.stream), turn.events)
        return self._start.copy(), span[1]

    def _shaping(self, span: Span) -> Sequence[ev.Event]:
        """The events of a turn that change the graph."""
        kept = self._kept.get(span)
        if kept is None:
            (rows,) = turns(self.connection, self.path, span[1], after=span[0] - 1)
            kept = shaping_events([row[1] for row in rows], self.stream)
            if self.keeps_graph:
                self._kept[span] = kept
        return kept

    def _events(
        self, reading: TurnReader, row: int, until: int, last: int, should_stop: Callable[[], bool]
    ) -> Iterator[ev.Event]:
        for rows in turns(self.connection, self.path, last, after=row):
            end = rows[-1][0]
            if end > until:
                return
            if should_stop():
                raise ReadingStopped
            turn = reading.turn(rows)
            self._note((rows[0][0], end), turn)
            yield from turn.events
            if end == until:  # what comes next may be damaged, and is not asked for
                return

    def _note(self, span: Span, turn: RecordedTurn) -> None:
        kinds = set(map(type, turn.events))
        if not TELLING.isdisjoint(kinds):
            if not GRAPH_EVENTS.isdisjoint(kinds):
                self.graph.append(span)
            self.shifts += [(span[1], by) for by in shifts_among(turn.events)]
        self._at, self._wall = turn.events[-1].at, turn.wall


def shaping_events(parts: Sequence[bytes], stream: str) -> list[ev.Event]:
    """The events of a turn that change the graph.

    Args:
        parts: of the turn, see `codec`.
        stream: whose turn it is.

    Raises:
        JournalError: it is damaged.
    """
    return [event for event in decode_parts(parts, stream).events if type(event) in GRAPH_EVENTS]


def laid(stream: str, found: CheckpointChain, shaping: Callable[[Span], Sequence[ev.Event]]) -> FoldedRun:
    """The run as a checkpoint has it.

    Args:
        stream: whose checkpoint it is.
        found: the checkpoint and what it builds on.
        shaping: gives the events of a turn, by its rows, that change the graph.

    Raises:
        One of `UNREADABLE`: they do not fit together.
        JournalError: a turn that shapes the graph is damaged.
    """
    view = FoldedRun(stream)
    run = view.run
    revisions = 0
    for span in found.link.graph:
        events = shaping(span)
        revisions += sum(type(event) is ev.ConstellationModified for event in events)
        fold(view, events)  # what this makes of the facts besides is overwritten
    lay(run, found.facts, found.links)
    if revisions != run.revision or len(run.graph.ids) != len(run.status):
        raise ValueError("it tells of another graph")
    settle(run)
    return view


def last_moment_without_graph(connection: sqlite3.Connection, stream: str, last: int) -> Moment | None:
    """The run after the last row without its graph, if a checkpoint of that row can be used.

    Args:
        connection: to the file.
        stream: whose file it is.
        last: the last row.
    """
    found = nearest(connection, stream, last)
    if found is None or found.link.row != last or not has_all(connection, last):
        return None
    view = FoldedRun(stream)
    try:
        lay(view.run, found.facts, found.links)
    except UNREADABLE:
        return None
    return Moment(view, found.link.at, found.link.wall)
