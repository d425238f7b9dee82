"""The report as a value: plain frozen structs for all renderers, and for JSON as they stand.

Times are seconds since the run's start unless they say otherwise; a task or an attempt is named by its place in
`Report.tasks` or `Report.attempts`. Nothing of a task's environment or inputs is in it.
"""

from __future__ import annotations

import bisect
from typing import Final

import msgspec

from starloom.reporting.asked import Modifications, ReportedAgent, ReportedUsage, ReportedWarning
from starloom.reporting.finish import Foreseen, ReportedStep
from starloom.reporting.provenance import Provenance

FORMAT: Final = "starloom-report"
VERSION: Final = 7
"""Grows when the meaning or the fields of a report change."""


class ReportedGate(msgspec.Struct, frozen=True):
    """The last question of a gate, and its answer.

    Attributes:
        asked: when it was asked.
        answered: when it was answered, its countdown was over or it was withdrawn, or until when is told.
        answer: in words of `GateFacts.how`; empty: it is open.
        by: who answered.
        note: what was said with the answer.
    """

    asked: float
    answered: float
    answer: str = ""
    by: str = ""
    note: str = ""


class ReportedTask(msgspec.Struct, frozen=True):
    """One task at the end of the stream.

    Attributes:
        ended: when its last attempt ended, or it was answered as a gate; None: it was not, or still runs.
        reason: why it was skipped or cancelled, as a sentence.
        because: the task that made it so.
        command: what it runs, or asks, on one line; its end may be cut off.
        last_line: the last line that its last attempt printed, likewise.
        gate: what was asked and answered; None: it was never asked as a gate.
        bypassed: whether it completed without running, as it was bypassed.
        simulated: whether it says what to run, and completed on a device that only simulated that.
        marked: whether somebody has marked it as done or failed, instead of an attempt.
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
    command: str = ""
    last_line: str = ""
    gate: ReportedGate | None = None
    bypassed: bool = False
    simulated: bool = False
    marked: bool = False


class ReportedAttempt(msgspec.Struct, frozen=True):
    """One attempt of a task.

    Attributes:
        number: from 1, as counted for its task.
        slot: from 0.
        ready: when all it needs had ended, or the pause before a retry; from then on it waited to start.
        ended: when it was over, or until when is told, while it runs.
        status: running, completed, failed, cancelled or interrupted.
        error: a code for programs; empty: none.
        message: why it failed, as a sentence.
        severity: what its failure means for the run: warning, error or critical; empty: it has not failed.
        awaited: seconds of it for which it waited for answers of persons.
        output_bytes: how much it printed in all.
        output_file: where all of that is, in the run's folder; empty: not kept.
        simulated: whether its device only simulated what its task says to run.
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
    severity: str = ""
    awaited: float = 0.0
    simulated: bool = False

    @property
    def seconds(self) -> float:
        """The duration in seconds."""
        return self.ended - self.started

    @property
    def waited(self) -> float:
        """The time from ready to start, in seconds: without a slot, held, or with its run paused."""
        return max(0.0, self.started - self.ready)


class ReportedEdge(msgspec.Struct, frozen=True):
    """A dependency between two tasks."""

    parent: int
    child: int
    kind: str


class ReportedDevice(msgspec.Struct, frozen=True):
    """The use of a device by the run.

    Attributes:
        slots: how many there are at the end, or were when it was last there; None: as many as are asked for.
        lanes: slots that are there or were used.
        utilisation: busy seconds over those of its slots while they took tasks or were busy, 0 to 1.
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
        waiting: attempts that were ready and had not started, on average.
        utilisation: running over the usable slots, 0 to 1.
        slots: those of all devices that took tasks or were busy, on average.
    """

    at: float
    seconds: float
    running: float
    waiting: float
    utilisation: float
    slots: float = 0.0


class Intervention(msgspec.Struct, frozen=True):
    """A change of the run by somebody while it went on, or of a device.

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
        finish: what an edit did to the end that was foreseen; None: it is no edit, or nobody can tell.
        wall: when, in seconds since 1970, by the clock of the program that ran the run then; `at` alone does not tell
            what was last before a break from what was first after it.
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
    finish: Foreseen | None = None
    wall: float = 0.0

    @property
    def is_steering(self) -> bool:
        """Whether somebody asked for it, and it was done."""
        return self.who != "engine" and not self.refused and not self.proposed

    @property
    def is_refusal(self) -> bool:
        """Whether it is a refused edit; other refused commands leave no event."""
        return self.kind == "EditRejected"


class Failure(msgspec.Struct, frozen=True):
    """A failed task with all that failed alike: for the same reason, and with the same end of their output.

    Attributes:
        attempt: its last one; None: it was marked so without running.
        output: the end of what that printed.
        alike: the other tasks that failed so.
        skipped: the first tasks that were skipped because of them.
        skipped_count: how many there are.
        ran: the first tasks that ran because of it.
        ran_count: how many there are.
    """

    task: int
    attempt: int | None
    message: str
    output: str
    skipped: tuple[int, ...]
    skipped_count: int
    ran: tuple[int, ...] = ()
    ran_count: int = 0
    alike: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        """The number of tasks that failed alike."""
        return 1 + len(self.alike)


class Counts(msgspec.Struct, frozen=True):
    """Counts of tasks by status."""

    total: int
    completed: int
    failed: int
    cancelled: int
    skipped: int
    running: int
    ready: int
    waiting: int


class Waits(msgspec.Struct, frozen=True):
    """The waiting times of attempts, in seconds, and the longest ones, as indices into `attempts`."""

    total: float
    median: float
    most_of_all: float
    """95 % waited no longer."""
    longest: float
    attempts: tuple[int, ...]


class ReportedSession(msgspec.Struct, frozen=True):
    """A program that ran the run, and its start: in seconds of the run and in seconds since 1970."""

    at: float
    wall: float


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The report of a run, folded only from its stream.

    Attributes:
        state: the run's state, in words of `RunState`; `interrupted` if it has not ended and no program has it,
            `unknown` if the part of its journal that would tell is lost.
        verdict: one or two sentences that say how it went.
        seconds: from the start to the end, or to the last thing that is told.
        busy_s: seconds of all attempts together.
        slots: of all devices together; those without a number count as many as were used at once.
        usable: slots of all devices that took tasks or were busy, on average while the run went on.
        utilisation: busy seconds over those of the usable slots, 0 to 1.
        peak: the most attempts at once.
        critical_path: the attempts that decided when the run finished, first to last.
        critical_s: seconds of those attempts together; at most `seconds`.
        foreseen: what was foreseen of its end as it started; None: nobody can tell.
        longest_chain_s: seconds of the longest chain of dependent tasks, as if there had always been a free slot.
        longest_chain: the ids of its tasks.
        load: the run's time in slices of equal length.
        slowest: the attempts that took longest, as places in `attempts`.
        warnings: what tasks warned of and which were overdue, the first ones; `warning_count` says how many there are.
        modifications: the edit cycles of all agents together.
        agents: what those were asked that the run had, in the order they came.
        usage: what agents that are devices have used, and who answered what they asked.
        failures: the first failed tasks with the end of their output, those that failed alike as one.
        events: how many events it was folded from.
        provenance: which journal and plan, and what ran it.
        last_heard: when the last thing that is told happened, in seconds since 1970.
        chain_tasks: how many tasks the longest chain has, counted in tasks.
        width: the most tasks that stand equally far from the start of the graph.
        parallelism: seconds of all tasks over those of the longest chain; more devices than that cannot help.
        idle_s: seconds of those between an end of the run and its reopening.
        open_answers: how many gates, questions and approvals wait for a person.
        damage: what is wrong with the journal, as a sentence; empty: nothing. What came after is not in the report.
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
    sessions: tuple[ReportedSession, ...]
    revision: int
    events: int
    counts: Counts
    busy_s: float
    slots: int
    usable: float = 0.0
    utilisation: float
    peak: int
    tasks: tuple[ReportedTask, ...]
    attempts: tuple[ReportedAttempt, ...]
    edges: tuple[ReportedEdge, ...]
    critical_path: tuple[ReportedStep, ...]
    critical_s: float
    foreseen: Foreseen | None = None
    longest_chain_s: float
    longest_chain: tuple[str, ...]
    devices: tuple[ReportedDevice, ...]
    load: tuple[LoadSlice, ...]
    waits: Waits
    slowest: tuple[int, ...]
    failures: tuple[Failure, ...]
    interventions: tuple[Intervention, ...]
    agents: tuple[ReportedAgent, ...]
    usage: ReportedUsage = ReportedUsage()
    modifications: Modifications = Modifications()
    warnings: tuple[ReportedWarning, ...] = ()
    warning_count: int = 0
    provenance: Provenance = Provenance()
    last_heard: float = 0.0
    damage: str = ""
    chain_tasks: int = 0
    width: int = 0
    parallelism: float = 1.0
    idle_s: float = 0.0
    open_answers: int = 0

    @property
    def gone_on_s(self) -> float:
        """Seconds for which the run has gone on."""
        return max(0.0, self.seconds - self.idle_s)

    @property
    def title(self) -> str:
        """The run's name, or else its id."""
        return self.name or self.run_id

    def wall(self, at: float, *, is_end: bool = False) -> float:
        """The wall time of a moment, in seconds since 1970, by the clock of the program that ran the run then.

        Args:
            at: seconds after the start.
            is_end: whether something ended then, which at the very begin of a program's time was in that before.
        """
        find = bisect.bisect_left if is_end else bisect.bisect_right
        place = find([session.at for session in self.sessions], at) - 1
        if not self.sessions:
            return at
        session = self.sessions[max(0, place)]
        return session.wall + at - session.at
