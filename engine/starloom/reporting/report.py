"""The report as a value: plain frozen structs that every renderer reads, and that JSON shows as they stand.

Times are seconds since the run's start unless they say otherwise; a task or an attempt is named by its place in
`Report.tasks` or `Report.attempts`. Nothing of a task's command, environment or inputs is in it.
"""

from __future__ import annotations

import bisect
from collections.abc import Mapping
from typing import Final

import msgspec

FORMAT: Final = "starloom-report"
VERSION: Final = 2
"""Grows when the meaning or the fields of a report change."""


class ReportedTask(msgspec.Struct, frozen=True):
    """One task as it stands at the end of what is told.

    Attributes:
        ended: when its last attempt ended; None: it has not run, or still runs.
        reason: why it was skipped or cancelled, as a sentence.
        because: the task that made it so.
    """

    id: str
    name: str
    status: str
    action: str
    severity: str
    priority: int
    groups: tuple[str, ...]
    attempts: tuple[int, ...]
    ended: float | None
    reason: str
    because: int | None
    is_critical: bool


class ReportedAttempt(msgspec.Struct, frozen=True):
    """One attempt of a task.

    Attributes:
        number: from 1, as counted for its task.
        slot: from 0.
        ready: when it began to wait for a slot.
        ended: when it was over, or until when is told, while it runs.
        status: running, completed, failed, cancelled or interrupted.
        error: a code for programs; empty: none.
        message: why it failed, as a sentence.
        output_bytes: how much it printed in all.
        output_file: where all of that is, in the run's folder; empty: not kept.
    """

    task: int
    number: int
    device: str
    slot: int
    ready: float
    started: float
    ended: float
    status: str
    exit_code: int | None
    error: str
    message: str
    output_bytes: int
    output_file: str

    @property
    def seconds(self) -> float:
        """How long it ran."""
        return self.ended - self.started

    @property
    def waited(self) -> float:
        """How long it waited for a slot."""
        return max(0.0, self.started - self.ready)


class ReportedEdge(msgspec.Struct, frozen=True):
    """A dependency between two tasks."""

    parent: int
    child: int
    kind: str


class PathStep(msgspec.Struct, frozen=True):
    """One attempt of those that decided when the run finished, and what it had to wait for.

    Attributes:
        waited_for: `start`, `parent`, `slot` (the attempt before held its slot), or `retry`.
        gap: seconds between the end of the step before and its start.
    """

    attempt: int
    waited_for: str
    gap: float


class ReportedDevice(msgspec.Struct, frozen=True):
    """How a device was used by the run.

    Attributes:
        slots: how many there are at the end; None: as many as are asked for.
        lanes: slots that are there or were used.
        utilisation: busy seconds over lanes times the run's time, 0 to 1.
        attempts: how many ran on it.
        failed: how many of them failed.
        longest_wait: the longest time an attempt waited before it started there.
        notes: what was done to it, e.g. `drained`.
    """

    id: str
    kind: str
    slots: int | None
    lanes: int
    speed: float
    capabilities: tuple[str, ...]
    busy_s: float
    utilisation: float
    attempts: int
    failed: int
    longest_wait: float
    notes: tuple[str, ...]


class LoadSlice(msgspec.Struct, frozen=True):
    """A slice of the run's time.

    Attributes:
        at: when it begins.
        running: attempts that ran, on average.
        waiting: attempts that waited for a slot, on average.
        utilisation: running over all slots there are, 0 to 1.
    """

    at: float
    seconds: float
    running: float
    waiting: float
    utilisation: float


class Intervention(msgspec.Struct, frozen=True):
    """Somebody changed something while the run went on, or a device came or went.

    Attributes:
        at: when.
        kind: the event's name, e.g. `ConstellationModified`.
        who: the origin: `operator`, an agent, a rule; `engine` for what nobody asked for.
        what: what was changed, as a phrase.
        why: the reason given; empty: none.
        tasks: the ids of the first tasks it was about.
        revision: of the graph after it; 0: it left the graph alone.
        refused: whether nothing came of it.
        proposed: whether it was only proposed: what came of it, another one tells.
    """

    at: float
    kind: str
    who: str
    what: str
    why: str = ""
    tasks: tuple[str, ...] = ()
    revision: int = 0
    refused: bool = False
    proposed: bool = False

    @property
    def is_steering(self) -> bool:
        """Whether somebody wanted it, and it was done."""
        return self.who != "engine" and not self.refused and not self.proposed


class ReportedAgent(msgspec.Struct, frozen=True):
    """What an agent was asked and what came of it.

    Attributes:
        asked: how many edit cycles it was asked in.
        answered: how many it answered, late ones included.
        failed: how many of its answers were that it could not answer.
        late: how many came when nobody waited for them any more.
        edits: how many edits it proposed.
        applied: how many of its proposals were applied at once.
        refused: how many were refused at once.
        approved: how many waited for a person, who accepted them.
        rejected: how many waited for a person, who rejected them or did not answer.
        waiting: how many still wait for a person.
        longest_s: the longest time it took to answer.
        total_s: of all its answers together.
    """

    name: str
    asked: int = 0
    answered: int = 0
    failed: int = 0
    late: int = 0
    edits: int = 0
    applied: int = 0
    refused: int = 0
    approved: int = 0
    rejected: int = 0
    waiting: int = 0
    longest_s: float = 0.0
    total_s: float = 0.0


class Failure(msgspec.Struct, frozen=True):
    """A failed task.

    Attributes:
        attempt: its last one; None: it was marked so without running.
        output: the end of what that printed.
        skipped: the first tasks that were skipped because of it.
        skipped_count: how many there are.
    """

    task: int
    attempt: int | None
    message: str
    output: str
    skipped: tuple[int, ...]
    skipped_count: int


class Counts(msgspec.Struct, frozen=True):
    """How many tasks there are, and how many stand where."""

    total: int
    completed: int
    failed: int
    cancelled: int
    skipped: int
    running: int
    ready: int
    waiting: int


class Waits(msgspec.Struct, frozen=True):
    """How long attempts waited for a slot, in seconds, and which waited longest, as places in `attempts`."""

    total: float
    median: float
    most_of_all: float
    """95 % waited no longer."""
    longest: float
    attempts: tuple[int, ...]


class Session(msgspec.Struct, frozen=True):
    """A program that ran the run, from when on: in seconds of the run and in seconds since 1970."""

    at: float
    wall: float


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What a run came to, folded from its stream and nothing else.

    Attributes:
        state: the run's state, in words of `RunState`.
        verdict: one or two sentences that say how it went.
        seconds: from the start to the end, or to the last thing that is told.
        busy_s: seconds of all attempts together.
        slots: of all devices together; those without a number count as many as were used at once.
        utilisation: busy seconds over slots times seconds, 0 to 1.
        peak: the most attempts at once.
        critical_path: the attempts that decided when the run finished, first to last.
        critical_s: seconds of those attempts together.
        longest_chain_s: seconds of the longest chain of dependent tasks, as if there had always been a free slot.
        longest_chain: the ids of its tasks.
        load: the run's time in slices of equal length.
        slowest: the attempts that took longest, as places in `attempts`.
        agents: what those were asked that the run had, in the order they came.
        failures: the first failed tasks with the end of their output; `counts.failed` says how many there are.
        events: how many events it was folded from.
        environment: what ran it, by name.
    """

    format: str = FORMAT
    version: int = VERSION
    run_id: str
    name: str
    description: str
    state: str
    verdict: str
    seconds: float
    has_ended: bool
    sessions: tuple[Session, ...]
    revision: int
    events: int
    counts: Counts
    busy_s: float
    slots: int
    utilisation: float
    peak: int
    tasks: tuple[ReportedTask, ...]
    attempts: tuple[ReportedAttempt, ...]
    edges: tuple[ReportedEdge, ...]
    critical_path: tuple[PathStep, ...]
    critical_s: float
    longest_chain_s: float
    longest_chain: tuple[str, ...]
    devices: tuple[ReportedDevice, ...]
    load: tuple[LoadSlice, ...]
    waits: Waits
    slowest: tuple[int, ...]
    failures: tuple[Failure, ...]
    interventions: tuple[Intervention, ...]
    agents: tuple[ReportedAgent, ...]
    environment: Mapping[str, str]

    @property
    def title(self) -> str:
        """The run's name, or else its id."""
        return self.name or self.run_id

    def wall(self, at: float) -> float:
        """When that was, in seconds since 1970, by the clock of the program that ran it then."""
        place = bisect.bisect_right([session.at for session in self.sessions], at) - 1
        if not self.sessions:
            return at
        session = self.sessions[max(0, place)]
        return session.wall + at - session.at
