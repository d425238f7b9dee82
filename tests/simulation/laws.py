"""The laws, and the truth they are about: what is committed, folded as it comes.

The truth is told of each turn once its files have it, as they have it, and read from the files after each kill.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from tests.driver import as_journalled, assert_same
from tests.properties.followed import about_run, fleet_plain

from starloom.constellation.edits import AddTask
from starloom.errors import CommandRefused, EditRefused
from starloom.events import CommandAnswered, ConstellationModified, RunCreated
from starloom.journal.codec import decode_parts, encode_parts
from starloom.journal.fleet_replica import FLEET
from starloom.journal.library import folder_name
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.fold.stream_check import ImpossibleEvent, StreamCheck
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.scheduling.turn import Turn
from starloom.testing import invariants

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from random import Random

    from starloom.events import Event
    from starloom.scheduling.scheduler import Scheduler
    from starloom.server.engine_replica import EngineReplica


class Law(StrEnum):
    """What has to hold, whatever goes wrong."""

    CLIENTS = "every client equals the journal's fold at its event"
    ANSWERS = "each command's answer is what happened"
    ONCE = "no effect twice"
    KEPT = "nothing acknowledged is lost"
    LIMITS = "slots and limits hold"
    STARTS = "nothing startable waits"
    DEFECTS = "nothing raises what nobody handles, and nothing hangs"


class LawBroken(AssertionError):  # noqa: N818 - it says what is so
    """A law is broken.

    Attributes:
        law: which one.
    """

    def __init__(self, law: Law, story: str) -> None:
        super().__init__(f"{law}: {story[:1000]}")
        self.law = law


@dataclass
class Given:
    """A command that a client gave.

    Attributes:
        id: of the command; empty: it was a plan.
        run_id: of its run.
        adds: the id of the task that it adds, which nothing else does; empty: none.
        answer: what the client was told: a value or a refusal.
        is_answered: whether it was told anything for certain.
        is_stop: whether it stops something, which is done and answered also where nothing can be committed.
    """

    id: str
    run_id: str
    adds: str = ""
    answer: Any = None
    is_answered: bool = False
    is_stop: bool = False


@dataclass
class Truth:
    """What is committed.

    Attributes:
        folder: of the journals.
        streams: all events, by stream.
        rows: the last row of each.
        views: the fold of each run.
        checked: how often each law was checked.
    """

    folder: Path
    streams: dict[str, list[Event]] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    views: dict[str, FoldedRun] = field(default_factory=dict)
    answers: dict[str, CommandAnswered] = field(default_factory=dict)
    added: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    created: Counter[str] = field(default_factory=Counter)
    checked: Counter[Law] = field(default_factory=Counter)
    _checks: dict[str, StreamCheck] = field(default_factory=dict)

    # ---- what is committed

    def committed(self, events: Sequence[Event]) -> list[bytes]:
        """Take the events of a turn that was committed; returns what stands in the files."""
        streams: dict[str, list[Event]] = {}
        for event in events:
            streams.setdefault(event.run_id, []).append(event)
        told: list[bytes] = []
        for stream, of_it in streams.items():
            parts = list(encode_parts(of_it, 1e9))
            told += parts
            self._take(stream, decode_parts(parts, stream).events)
        return told

    def _take(self, stream: str, events: Sequence[Event]) -> None:
        known = self.streams.setdefault(stream, [])
        for event in map(as_journalled, events):
            if event.seq != len(known) + 1:
                raise LawBroken(Law.KEPT, f"event {event.seq} of {stream!r} follows number {len(known)}")
            known.append(event)
            self._note(stream, event)
        check = self._checks.get(stream)
        if check is None:
            check = self._checks[stream] = StreamCheck(FoldedRun(stream))
            if stream != FLEET:
                self.views[stream] = check.folded
        try:
            check.fold(known[-len(events) :])
        except ImpossibleEvent as error:
            raise LawBroken(Law.KEPT, f"{stream!r} cannot be read again: {error}") from None

    def _note(self, stream: str, event: Event) -> None:
        match event:
            case CommandAnswered():
                if event.command_id in self.answers:
                    raise LawBroken(Law.ONCE, f"{event.command_id} was answered twice")
                self.answers[event.command_id] = event
            case ConstellationModified():
                for edit in event.changes:
                    if isinstance(edit, AddTask):
                        self.added.setdefault(edit.task.id, []).append((stream, event.revision))
            case RunCreated():
                self.created[stream] += 1

    def read(self) -> None:
        """Read what a killed program has committed that nobody was told of any more."""
        streams = {**dict.fromkeys(self.streams), **dict.fromkeys(self._folders())}
        for stream in streams:
            path = self.path(stream)
            if not path.is_file():
                if self.streams.get(stream):
                    raise LawBroken(Law.KEPT, f"the journal of {stream!r} is gone")
                continue
            with StreamFile(path, read_only=True) as file:
                row, seq = self.rows.get(stream, 0), len(self.streams.get(stream, ()))
                if file.last < row:
                    raise LawBroken(Law.KEPT, f"{stream!r} has {file.last} rows, and had {row}")
                for last, turn in file.turns_after(row, seq):
                    self._take(stream, turn.events)
                    self.rows[stream] = last
        self.checked[Law.KEPT] += 1

    def _folders(self) -> list[str]:
        return [FLEET, *sorted(path.parent.name for path in self.folder.glob(f"runs/*/{JOURNAL}"))]

    def path(self, stream: str) -> Path:
        """The file of a stream; the ids of runs here are good names for folders."""
        if stream == FLEET:
            return self.folder / "fleet.db"
        return self.folder / "runs" / folder_name(stream) / JOURNAL

    def check_files(self) -> None:
        """Check that the files hold exactly what was committed."""
        for stream, known in self.streams.items():
            with StreamFile(self.path(stream), read_only=True) as file:
                if list(map(as_journalled, file.committed())) != known:
                    raise LawBroken(Law.KEPT, f"the journal of {stream!r} is not what was committed")

    @property
    def live(self) -> list[str]:
        """The ids of the runs that have not ended."""
        return [run_id for run_id, view in self.views.items() if view.run.seq and not view.run.state.has_ended]

    # ---- clients

    def check_events(self, stream_events: Sequence[Event]) -> None:
        """Check that what a client was told is what is committed."""
        self.checked[Law.CLIENTS] += 1
        for event in stream_events:
            known = self.streams.get(event.run_id, ())
            if not (0 < event.seq <= len(known)) or known[event.seq - 1] != as_journalled(event):
                raise LawBroken(Law.CLIENTS, f"{event} was told, and is not what is committed")

    def check_run(self, theirs: Any, run_id: str, dice: Random) -> None:
        """Check that a client's run equals the fold of its stream up to the client's event."""
        self.checked[Law.CLIENTS] += 1
        view = self.views.get(run_id)
        if view is None or theirs.seq > view.run.seq:
            raise LawBroken(Law.CLIENTS, f"{run_id!r} is ahead of its journal")
        if theirs.seq < view.run.seq:
            if dice.random() < 0.9:
                return  # folding it once more from its beginning takes its time
            view = fold(FoldedRun(run_id), self.streams[run_id][: theirs.seq])
        try:
            assert_same(theirs.canonical(), view.run.canonical(), f"a client's {run_id!r}")
        except AssertionError as error:
            raise LawBroken(Law.CLIENTS, str(error)) from None

    def check_replica(self, replica: EngineReplica, dice: Random) -> None:
        """Check a run of a client that follows the engine."""
        if runs := replica.runs:
            run_id = dice.choice(list(runs))
            self.check_run(runs[run_id], run_id, dice)

    # ---- commands

    def check_answer(self, given: Given) -> None:
        """Check that a client was told what is committed."""
        self.checked[Law.ANSWERS] += 1
        kept = self.answers.get(given.id)
        answer = given.answer
        if isinstance(answer, CommandRefused):
            if kept is not None and not _is_same_refusal(kept, answer):
                raise LawBroken(Law.ANSWERS, f"{given.id} was refused by {answer.code!r}, and is {kept}")
            return
        if kept is None and given.is_stop and answer is None:
            return  # the engine could not commit; what it makes of it later is checked when all is over
        if kept is None:
            raise LawBroken(Law.KEPT, f"{given.id} was answered {answer!r}, and nothing of it is kept")
        self._check_kept(given, kept)

    def check_effect(self, given: Given) -> None:
        """Check, when all is over, that a command did what it was answered with, and once."""
        self.checked[Law.ONCE] += 1
        if not given.id:
            self._check_created(given)
            return
        self.checked[Law.ANSWERS] += 1
        kept = self.answers.get(given.id)
        is_refused = isinstance(given.answer, CommandRefused)
        if kept is not None and given.is_answered:  # once more: what a halted engine is asked to stop is kept later
            self._check_kept(given, kept)
        if given.is_answered and not is_refused and kept is None and not given.is_stop:
            raise LawBroken(Law.KEPT, f"{given.id} was answered {given.answer!r}, and nothing of it is kept")
        if given.adds:
            self._check_added(given, kept)

    def _check_kept(self, given: Given, kept: CommandAnswered) -> None:
        answer = given.answer
        if not isinstance(answer, CommandRefused):
            if kept.code or kept.answer != answer:
                raise LawBroken(Law.ANSWERS, f"{given.id} was answered {answer!r}, and is {kept}")
        elif not kept.code and answer.code != "unknown_command":  # which says that it may be carried out
            raise LawBroken(Law.ANSWERS, f"{given.id} was refused by {answer.code!r}, and is {kept}")

    def _check_added(self, given: Given, kept: CommandAnswered | None) -> None:
        found = self.added.get(given.adds, [])
        if len(found) > 1:
            raise LawBroken(Law.ONCE, f"{given.id} was carried out {len(found)} times: {found}")
        is_done = kept is not None and not kept.code
        expected = [(given.run_id, kept.answer)] if is_done and kept is not None else []
        if found != expected:
            raise LawBroken(Law.ANSWERS, f"{given.id} is {kept}, and what was done is {found}")

    def _check_created(self, given: Given) -> None:
        times = self.created[given.run_id]
        if times > 1:
            raise LawBroken(Law.ONCE, f"the run {given.run_id!r} was made {times} times")
        if given.is_answered and isinstance(given.answer, str) and not times:
            raise LawBroken(Law.KEPT, f"the run {given.run_id!r} was accepted, and there is none")

    # ---- the scheduler

    def check_scheduler(self, scheduler: Scheduler, events: Sequence[Event]) -> None:
        """Check the state after a turn: slots, limits, and that nothing waits that could start."""
        turn = Turn(events=list(events))
        turn.more().replies = [(None, None), (None, None)]  # limits may have been lowered since a step was made
        self.checked[Law.LIMITS] += 1
        self.checked[Law.STARTS] += 1
        try:
            invariants.check(scheduler)
            invariants.check_turn(scheduler, turn)
        except AssertionError as error:
            raise LawBroken(Law.STARTS if "could start" in str(error) else Law.LIMITS, str(error)) from None


def check_questions(replica: EngineReplica, scheduler: Scheduler) -> None:
    """Check that a client that has come to the engine's event answers every question as the engine does."""
    ours = replica.scheduler
    try:
        assert_same(fleet_plain(ours), fleet_plain(scheduler), "a client's fleet")
        for run_id in ours.live:
            told, known = about_run(ours, run_id), about_run(scheduler, run_id)
            assert told["fence"] == known["fence"], f"the fence of {run_id!r}"
    except AssertionError as error:
        raise LawBroken(Law.CLIENTS, str(error)) from None


def _is_same_refusal(kept: CommandAnswered, refusal: CommandRefused) -> bool:
    if isinstance(refusal, EditRefused):
        return bool(kept.problems)
    return kept.code == refusal.code and kept.reason == refusal.reason
