"""A scheduler whose streams a follower in another program is fed, and the questions that both are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from tests.driver import Driver, as_journalled, assert_same, fleet_picture
from typing_extensions import override

from starloom.events import RunCreated, RunRecovered
from starloom.foresight.estimates import Estimates
from starloom.foresight.projection import project
from starloom.foresight.what_if import what_if
from starloom.journal.codec import decode_parts, encode_parts
from starloom.journal.fleet_replica import FLEET, fleet_to_plain
from starloom.model.likeness import ObservedDurations
from starloom.scheduling.decide.questions import idle, refusal
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.fold.runs import shift
from starloom.scheduling.fork import Fork
from starloom.scheduling.read.line import in_line
from starloom.scheduling.read.queue_reorder import QueueReorder
from starloom.scheduling.read.why import why
from starloom.scheduling.state.fence import kept
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.scheduling.state.hints import NO_HINTS, SchedulerHints
from starloom.scheduling.stimuli import TimePassed
from starloom.server.engine_replica import EngineReplica

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from starloom.constellation.edits import Edit
    from starloom.scheduling import commands as c
    from starloom.scheduling.scheduler import Scheduler
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.turn import Turn


class FollowedDriver(Driver):
    """A driver whose turns are sent to followers, as rows of a journal.

    Attributes:
        rows: of each stream, as they would stand in its file.
        followers: who follows.
        asks: whether followers are asked after each turn.
    """

    def __init__(self, **fields: Any) -> None:
        self.rows: dict[str, list[bytes]] = {}
        self.followers: list[EngineReplica] = []
        self.asks = True
        super().__init__(**fields)

    @override
    def turn(self, *stimuli: Any) -> Turn:
        turn = super().turn(*stimuli)
        streams: dict[str, list[Any]] = {}
        for event in turn.events:
            streams.setdefault(event.run_id, []).append(as_journalled(event))
        sent = {stream: list(encode_parts(events, 1e9)) for stream, events in streams.items()}
        for event in turn.events:
            if isinstance(event, RunCreated):  # also in the place of one of an earlier program, which had ended
                self.rows[event.run_id] = []
        for stream, rows in sent.items():
            self.rows.setdefault(stream, []).extend(rows)
        for follower in self.followers:
            self.send(follower, sent)
            if self.asks:
                self.compare(follower)
        return turn

    def send(self, follower: EngineReplica, sent: dict[str, list[bytes]]) -> None:
        """Send a follower the rows of a turn; streams that it does not know are sent from their beginning."""
        for stream, rows in sorted(sent.items()):
            known = follower.received.get(stream, 0)
            if known + len(rows) != len(self.rows[stream]):
                known = 0
            follower.head(stream, known)
            follower.rows(self.rows[stream][known:])
        follower.whole()

    def join(self, *, with_past: bool) -> EngineReplica:
        """A new follower, from the beginning of all streams or from now on."""
        follower = EngineReplica()
        follower.begin([run_id for run_id in self.scheduler.runs if run_id in self.scheduler.live])
        if with_past:
            self.send(follower, {stream: list(rows) for stream, rows in self.rows.items()})
        else:
            follower.head(FLEET, 0)
            facts = msgspec.msgpack.decode(msgspec.msgpack.encode(fleet_to_plain(self.scheduler.fleet)))
            follower.fleet_checkpoint(len(self.rows.get(FLEET, ())), facts, self.scheduler.now)
            for run_id in self.scheduler.live:
                follower.head(run_id, 0)
                follower.rows(self.rows[run_id])
            follower.whole()
        self.followers.append(follower)
        return follower

    @override
    def take_fleet(self, other: Driver) -> None:
        super().take_fleet(other)
        assert isinstance(other, FollowedDriver)
        self.rows, self.followers = other.rows, other.followers
        for follower in self.followers:  # their connections broke
            follower.begin(())

    @override
    def restart(self) -> None:
        super().restart()
        self.turn(TimePassed())  # which has it say when it wants to be woken

    # ---- questions

    def hint(self, follower: EngineReplica) -> None:
        """Give a follower what the facts lack."""
        sent = msgspec.msgpack.encode(SchedulerHints.of(self.scheduler))
        follower.hint(msgspec.msgpack.decode(sent, type=SchedulerHints))

    def compare(self, follower: EngineReplica) -> None:
        """Ask both about everything that there is."""
        self.hint(follower)
        ours, theirs = follower.scheduler, self.scheduler
        known = [run_id for run_id in theirs.runs if run_id in ours.runs]
        assert [run_id for run_id in ours.runs if run_id in theirs.runs] == known
        assert list(ours.live) == list(theirs.live)
        assert_same(fleet_plain(ours), fleet_plain(theirs), "the fleet")
        for run_id in known:
            assert_same(ours.run(run_id).canonical(), theirs.run(run_id).canonical(), f"the run {run_id!r}")
            assert about_run(ours, run_id) == about_run(theirs, run_id)
        assert in_line(ours, self.now, 100) == in_line(theirs, self.now, 100)

    def compare_without_hints(self, follower: EngineReplica) -> None:
        """Ask both what facts alone tell, and the clock."""
        follower.hint(NO_HINTS)
        ours, theirs = follower.scheduler, self.scheduler
        ours.now = theirs.now
        for run_id in ours.runs.keys() & theirs.runs.keys():
            one, other = about_run(ours, run_id), about_run(theirs, run_id)
            assert (one["why"], one["fence"]) == (other["why"], other["fence"])
        if not any(index.by_rank for index in theirs.live.values()):
            places = [[(one.run_id, one.number) for one in in_line(each, self.now, 100)[0]] for each in (ours, theirs)]
            if follower is not self.followers[0]:  # of a reopened run it does not know which ones were made after it
                places = [sorted(one) for one in places]
            assert places[0] == places[1]

    def ask_about(self, follower: EngineReplica, command: c.Command) -> None:
        """Ask both whether a command would be carried out, and change anything."""
        ours, theirs = follower.scheduler, self.scheduler
        if getattr(command, "run_id", None) not in {None, *ours.runs}:
            return  # it is about a run that has ended before it was followed
        assert answer(ours, command) == answer(theirs, command), command

    def foresee(self, follower: EngineReplica, run_id: str, edits: Sequence[Edit], command: c.Command) -> None:
        """Ask both how it goes on, as it is and with a change."""
        if run_id not in follower.scheduler.runs:
            return
        theirs = Fork.of(self.scheduler, self.now, also=self.scheduler.runs)
        ended = [run for id, run in self.ended_runs().items() if id != run_id]
        told = msgspec.msgpack.encode(Estimates(ended).durations(run.run_id for run in ended))
        follower.take_durations(run_id, msgspec.msgpack.decode(told, type=ObservedDurations))
        ours = follower.fork(run_id, self.now)
        assert project(ours, run_id, samples=3) == project(theirs, run_id, samples=3)
        assert what_if(ours, run_id, edits, samples=0) == what_if(theirs, run_id, edits, samples=0)
        commands = [command] if command.run_id in ours.copies else []  # type: ignore[attr-defined]  # it is about a run
        assert what_if(ours, run_id, (), commands, samples=0) == what_if(theirs, run_id, (), commands, samples=0)

    def look_back(self, follower: EngineReplica, run_id: str, dice: Random) -> None:
        """Ask for an earlier moment of a run, and compare it with the fold of its stream up to there."""
        if run_id not in follower.runs:
            return
        stream = [event for rows in self.rows[run_id] for event in decode_parts([rows], run_id).events]
        seq = dice.randint(follower.past(run_id).first, len(stream))
        expected = fold(FoldedRun(run_id), stream[:seq])
        later = sum(event.shift for event in stream[seq:] if isinstance(event, RunRecovered))
        shift(expected.run, later)
        assert_same(follower.past(run_id).moment(seq).view.run.canonical(), expected.run.canonical(), f"event {seq}")

    def ended_runs(self) -> dict[str, RunFacts]:
        """The runs in memory that have ended."""
        return {id: index.run for id, index in self.scheduler.runs.items() if index.run.state.has_ended}


def fleet_plain(scheduler: Scheduler) -> dict[str, Any]:
    fleet = scheduler.fleet
    slots = {id: (sorted(device.free), device.fresh) for id, device in fleet.devices.items()}
    taken = {id: set(range(fresh)) - set(free) for id, (free, fresh) in slots.items()}
    told = fleet_to_plain(fleet) | fleet_picture_of(fleet)
    return told | {"taken": taken}


def fleet_picture_of(fleet: Any) -> dict[str, Any]:
    class View:
        pass

    view = View()
    view.fleet = fleet  # type: ignore[attr-defined]
    return fleet_picture(view)  # type: ignore[arg-type]


def about_run(scheduler: Scheduler, run_id: str) -> dict[str, Any]:
    """What people ask about a run."""
    index = scheduler.runs[run_id]
    numbers = sorted(index.run.graph.place.values())
    return {
        "why": {number: why(scheduler, index, number) for number in numbers},
        "fence": kept(index),
        "moves": moves(scheduler, run_id, numbers[:3]) if run_id in scheduler.live else None,
    }


def moves(scheduler: Scheduler, run_id: str, numbers: list[int]) -> list[Any]:
    """What it takes to move a task before or behind another one in the queue."""
    found: list[Any] = []
    for number in numbers:
        try:
            order = QueueReorder(scheduler, run_id, number)
        except KeyError:
            found.append(None)
            continue
        for other in numbers:
            try:
                found.append(order.beside(run_id, other, ahead=True))
            except KeyError:
                found.append(None)
    return found


def answer(scheduler: Scheduler, command: c.Command) -> str:
    """Why a command would be refused, or change nothing."""
    refused = refusal(scheduler, command)
    return idle(scheduler, command) if refused is None else f"{type(refused).__name__}: {refused}"
