"""An engine in another program, as far as its fleet and its live runs go: facts folded from what its server sends.

Each stream is folded by itself, as a journal is. What holds between them, who has which slot, is put together from
their facts when it is asked for, and so are the indexes of a scheduler: decisions and questions are then answered here,
by the same code. Nothing here waits for anything.
"""

from __future__ import annotations

import math
from dataclasses import replace
from heapq import merge
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from starloom.events import FleetOpened, RunRecovered
from starloom.journal.fleet_replica import FLEET, FleetReplica
from starloom.journal.sent_past import SentPast
from starloom.journal.sent_rows import RunReplica
from starloom.model.likeness import NO_DURATIONS, ObservedDurations
from starloom.scheduling.decide.due_timers import next_due
from starloom.scheduling.fork import Fork
from starloom.scheduling.restore import occupy, rebuild
from starloom.scheduling.scheduler import Scheduler
from starloom.scheduling.state.hints import NO_HINTS, SchedulerHints, in_order
from starloom.scheduling.state.placer import Placer
from starloom.server.socket_path import ServerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from starloom.events import Event
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts


class EngineReplica:
    """The fleet and the runs of an engine elsewhere, after the last whole turn that has come.

    What comes is given to `head`, `rows`, `checkpoint` and `fleet_checkpoint`, in order; it counts once `whole` is
    called. Facts and scheduler are for reading, until then: they go on to change, or others take their place.

    Attributes:
        hints: what the facts lack; the newest that were asked for.
    """

    def __init__(self) -> None:
        self.hints: SchedulerHints = NO_HINTS
        self._fleet = FleetReplica()
        self._replicas: dict[str, RunReplica] = {}
        self._past: dict[str, SentPast] = {}
        self._left: set[str] = set()
        self._skipped: set[str] = set()
        self._joined: set[str] = set()
        self._order: list[str] = []
        self._stream = FLEET
        self._received: dict[str, int] = {}
        self._whole_streams: set[str] = set()
        """Those that are sent from their beginnings in the present turns."""
        self._pending: list[tuple[str, Callable[[], Sequence[Event] | None]]] = []
        self._at = -math.inf
        """The time of the last turn, in seconds on the engine's clock."""
        self._durations: dict[str, ObservedDurations] = {}
        self._shared: FleetFacts | None = None
        self._scheduler: Scheduler | None = None

    # ---- what comes

    @property
    def received(self) -> Mapping[str, int]:
        """The last row that counts of each stream; empty: of the fleet's."""
        rows = {run_id: replica.row for run_id, replica in self._replicas.items()}
        return rows | {FLEET: self._fleet.row} if self._fleet.row else rows

    def begin(self, live: Iterable[str]) -> None:
        """Begin with a connection.

        Args:
            live: the ids of the runs that go on in the engine, the oldest first. Others that are not told of any more
                were left behind by an earlier one.
        """
        self._order = list(live)
        self._pending, self._received, self._joined = [], dict(self.received), set(self._order)
        self._whole_streams.clear()
        self._left |= {run_id for run_id in self._replicas if not self._has_ended(run_id)} - self._joined
        self._forget_scheduler()

    def head(self, stream: str, row: int) -> None:
        """Note that what comes is of this stream and goes on after this row.

        Raises:
            ServerError: these rows are here no more, as a run was let go of that goes on by now: a new connection tells
                the server.
        """
        self._stream = stream
        if not row:
            self._whole_streams.add(stream)
        elif stream not in self._received:
            raise ServerError(f"The rows of {stream!r} up to {row} are here no more.")
        if row != self._received.get(stream, 0):  # the journal lost what was known of it
            self._received[stream] = row
            self._pending.append((stream, lambda: self._begin_anew(stream)))
        elif stream != FLEET:
            self._pending.append((stream, lambda: self._join(stream)))

    def rows(self, rows: Sequence[bytes]) -> None:
        """Take the next rows of the stream."""
        stream = self._stream
        self._received[stream] = self._received.get(stream, 0) + len(rows)
        self._pending.append((stream, lambda: self._take(stream, rows)))

    def checkpoint(self, row: int, links: Sequence[bytes], graph: Sequence[Sequence[bytes]]) -> None:
        """Take a checkpoint of the run; see `RunReplica.begin`."""
        stream = self._stream
        self._received[stream] = row
        self._pending.append((stream, lambda: self._begin_run(stream, row, links, graph)))

    def fleet_checkpoint(self, row: int, facts: Any, at: float) -> None:
        """Take the facts of the fleet at a row, and the time of then on the engine's clock."""
        self._received[FLEET] = row
        self._pending.append((FLEET, lambda: self._begin_fleet(row, facts, at)))

    def take_skipped(self) -> set[str]:
        """The streams whose state has come rather than all of their events, since this was asked last."""
        skipped, self._skipped = self._skipped, set()
        return skipped

    def hint(self, hints: SchedulerHints) -> None:
        """Take what the facts lack."""
        self.hints = hints
        self._forget_scheduler()

    def take_durations(self, run_id: str, durations: ObservedDurations) -> None:
        """Take what runs that have ended tell about the durations of a run."""
        self._durations[run_id] = durations

    def forget(self, run_id: str) -> None:
        """Drop a run that has ended; it is sent from its beginning if it is reopened."""
        self._replicas.pop(run_id, None)
        self._past.pop(run_id, None)
        self._left.discard(run_id)
        self._received.pop(run_id, None)
        self._durations.pop(run_id, None)
        self._forget_scheduler()

    def whole(self) -> list[Event]:
        """Have what has come count; returns its events, those of each stream in order and mostly by time.

        Raises:
            JournalError: it cannot be read, or does not fit what came before.
        """
        told: dict[str, list[Event]] = {}
        pending, self._pending = self._pending, []
        self._forget_scheduler()
        for stream, take in pending:
            told.setdefault(stream, []).extend(take() or ())
        for stream in self._whole_streams & told.keys():
            told[stream] = self._news_of(stream, told[stream])
        self._whole_streams.clear()
        if any(type(event) is FleetOpened for event in told.get(FLEET, ())):
            self._leave_earlier()
        self._at = max([self._at, *(self._replica(stream).at for stream in told)])
        return list(merge(*told.values(), key=attrgetter("at")))

    def _news_of(self, stream: str, events: list[Event]) -> list[Event]:
        """Of the events of a whole stream those since the present program has the run: what was before is no news."""
        since = max((place for place, event in enumerate(events) if type(event) is RunRecovered), default=0)
        if since:
            self._skipped.add(stream)
        return events[since:]

    def _replica(self, stream: str) -> RunReplica | FleetReplica:
        return self._fleet if stream == FLEET else self._replicas[stream]

    def _take(self, stream: str, rows: Sequence[bytes]) -> list[Event]:
        if stream == FLEET:
            return self._fleet.take(rows)
        self._past[stream].add(rows)
        return self._replicas[stream].take(rows)

    def _begin_run(self, run_id: str, row: int, links: Sequence[bytes], graph: Sequence[Sequence[bytes]]) -> None:
        replica = self._replicas[run_id]
        replica.begin(row, links, graph)
        self._skipped.add(run_id)
        self._past[run_id].begin(row, links, graph, replica.view.run.seq)

    def _begin_fleet(self, row: int, facts: Any, at: float) -> None:
        self._fleet.begin(row, facts, at)
        self._skipped.add(FLEET)
        self._leave_earlier()

    def _leave_earlier(self) -> None:
        """Let go of what only an earlier program had, and of its clock; of runs that may be resumed the facts stay."""
        self._at, self.hints = -math.inf, NO_HINTS
        for run_id in set(self._replicas) - self._joined:
            self._left.add(run_id)
            if self._has_ended(run_id):
                self.forget(run_id)

    def _begin_anew(self, stream: str) -> None:
        self._skipped.add(stream)
        if stream == FLEET:
            self._fleet = FleetReplica()
        else:
            self._replicas.pop(stream, None)
            self._past.pop(stream, None)
            self._join(stream)

    def _join(self, run_id: str) -> None:
        known = self._replicas.get(run_id)
        if known is None or run_id in self._left:  # also one that was resumed is the newest
            self._replicas.pop(run_id, None)
            self._replicas[run_id] = known or RunReplica(run_id)
        self._past.setdefault(run_id, SentPast(run_id))
        self._left.discard(run_id)
        self._joined.add(run_id)

    def _has_ended(self, run_id: str) -> bool:
        return self._replicas[run_id].view.run.state.has_ended

    def _forget_scheduler(self) -> None:
        """Drop what was put together, as it does not hold any more."""
        self._shared = self._scheduler = None

    # ---- what is there

    @property
    def fleet(self) -> FleetFacts:
        """The facts of the fleet, with what all runs hold of it."""
        if self._shared is None:
            self._shared = self._fleet.fleet.copy()
            for run_id in self.run_ids:
                occupy(self._shared, self._replicas[run_id].view.run)
        return self._shared

    @property
    def run_ids(self) -> Sequence[str]:
        """The ids of `runs`."""
        there = [run_id for run_id in self._replicas if run_id not in self._left]
        return in_order(there, self.hints.runs or self._order)

    @property
    def runs(self) -> dict[str, RunFacts]:
        """The facts of the runs that go on, or have ended while they were followed, by id; the oldest first."""
        _ = self.fleet  # which puts them on one
        return {run_id: self._replicas[run_id].view.run for run_id in self.run_ids}

    @property
    def scheduler(self) -> Scheduler:
        """A state equal to that of the engine's scheduler, for questions and for forks; made when it is asked for.

        Its time is that of the last turn that is known.
        """
        if self._scheduler is None:
            fleet = self.fleet
            scheduler = Scheduler()
            scheduler.fleet, scheduler.placer = fleet, Placer(fleet)
            scheduler.now = max(self._at, 0.0)
            for run_id in self.run_ids:
                scheduler.add_run(self._replicas[run_id].view.run)
            rebuild(scheduler, self.hints)
            scheduler.announced = next_due(scheduler)
            self._scheduler = scheduler
        return self._scheduler

    def past(self, run_id: str) -> SentPast:
        """The earlier moments of one of `runs`, as far as they were sent."""
        return self._past[run_id]

    def fork(self, run_id: str, now: float) -> Fork:
        """A copy of the state with a run, for foresight; see `scheduling.fork`.

        Args:
            run_id: one of `runs`.
            now: seconds on the engine's clock.
        """
        told = self._durations.get(run_id, NO_DURATIONS)
        ended = {one for one, run in self.runs.items() if run.state.has_ended} - set(told.runs)
        return replace(Fork.of(self.scheduler, now, also={run_id, *ended}), durations=told)
