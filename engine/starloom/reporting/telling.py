"""What a report says, row by row and in words, for whatever document shows it; drawings stay drawings.

Text here is plain and may hold anything: whoever shows it makes it harmless.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.reporting import charts, marks
from starloom.reporting.blocks import MOST_EDGES
from starloom.reporting.graph import graph
from starloom.reporting.text import count, middle, one_line, took, when
from starloom.reporting.timeline import MOST_LANES, WIDTH, timeline
from starloom.scheduling.commands import OPERATOR

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from starloom.reporting.blocks import Arrangement
    from starloom.reporting.marks import Drawing
    from starloom.reporting.report import Failure, Intervention, Report, ReportedAgent, ReportedDevice

_BADGES: Final = {"completed": "completed", "partially_failed": "failed", "failed": "failed", "cancelled": "cancelled"}
_MOST_FAILED: Final = 10
_MOST_STEPS: Final = 10
_MOST_STEERED: Final = 8
_DEVICES_ON_PAGE_ONE: Final = 8
_MOST_DEVICES: Final = 300
_MOST_INTERVENTIONS: Final = 500
_FAILED_ON_PAGE_ONE: Final = 2
_LINES_ON_PAGE_ONE: Final = 6


class Number(NamedTuple):
    """One of the six numbers: what it is, how much, what is to be said about it."""

    name: str
    value: str
    note: str
    is_bad: bool = False


class Line(NamedTuple):
    """One intervention as it is printed."""

    at: str
    who: str
    what: str
    why: str


class Step(NamedTuple):
    """One attempt of those that decided when the run finished.

    Attributes:
        share: how long it took, of what the longest one took.
        took: how long.
        waited: what it had to wait for; empty: nothing.
    """

    name: str
    share: float
    took: str
    waited: str


class Card(NamedTuple):
    """A failed task.

    Attributes:
        about: where and when its last attempt ran, and how it ended.
        output: the end of what it printed, in lines.
        skipped: what was skipped because of it; empty: nothing.
    """

    name: str
    about: str
    message: str
    output: str
    skipped: str


class DeviceRow(NamedTuple):
    """A device.

    Attributes:
        share: of its time that its slots were busy, 0 to 1.
        failed: how many attempts failed there.
    """

    name: str
    slots: str
    share: float
    busy: str
    attempts: str
    failed: int
    wait: str


class AttemptRow(NamedTuple):
    """An attempt that stands out by its time."""

    name: str
    device: str
    took: str
    at: str


class AgentRow(NamedTuple):
    """An agent: how often it was asked and answered, and what came of its proposals."""

    name: str
    asked: str
    answered: str
    applied: str
    refused: str
    approval: str
    longest: str


class Telling:
    """What a report says.

    Args:
        report: what is told.
        zone: whose clock it shows.
        width: of the drawings, in pixels.
    """

    def __init__(self, report: Report, zone: tzinfo = UTC, width: float = WIDTH) -> None:
        self.report, self.zone, self.width = report, zone, width
        self.title = one_line(report.title, 200)
        self.state = report.state.replace("_", " ").capitalize()
        self.badge = _BADGES.get(report.state, "running")
        self.is_bad = report.state in {"failed", "partially_failed"}
        self.first_failures = [self._card(one) for one in report.failures[:_FAILED_ON_PAGE_ONE]]
        self.more_failures = [self._card(one) for one in report.failures[_FAILED_ON_PAGE_ONE:_MOST_FAILED]]
        self.failures_left = report.counts.failed - min(len(report.failures), _MOST_FAILED)

    # ---- drawings

    def ended_bar(self) -> Drawing:
        """Tasks by how they ended."""
        return charts.ended_bar(self.report.counts)

    def timeline(self) -> Drawing:
        """When and where attempts ran."""
        return timeline(self.report, self.zone, self.width)

    def at_once(self) -> Drawing:
        """Attempts at once over time."""
        return charts.at_once(self.report, self.zone)

    def in_line(self) -> Drawing:
        """Attempts that waited over time."""
        return charts.in_line(self.report, self.zone)

    def graph(self, arrangement: Arrangement | None, width: float, height: float) -> Drawing | None:
        """The graph within these bounds; None: there is nothing to draw."""
        if arrangement is None or not self.report.tasks:
            return None
        return graph(self.report, arrangement, width, height)

    # ---- times

    def clock(self, at: float) -> str:
        """A moment of the run as the clock showed it."""
        return f"{when(self.report.wall(at), self.zone):%H:%M:%S}"

    @property
    def day(self) -> str:
        """When the run started, and whose time this is."""
        begin = when(self.report.wall(0.0), self.zone)
        offset = "" if begin.tzname() == "UTC" else begin.isoformat()[-6:]
        return f"{begin.day} {begin:%b %Y, %H:%M} · times are UTC{offset}"

    # ---- page one

    @property
    def numbers(self) -> Sequence[Number]:
        """Time, tasks, failed, critical path, slots in use, steered."""
        report = self.report
        counts = report.counts
        steered = [one for one in report.interventions if one.is_steering]
        until = f"until {self.clock(report.seconds)}" if report.has_ended else "so far"
        part = report.critical_s / report.seconds if report.seconds else 0.0
        skipped = f"{counts.skipped:,} skipped" if counts.skipped else "none skipped"
        return (
            Number("Time", took(report.seconds), until),
            Number("Tasks", f"{counts.total:,}", count(len(report.attempts), "attempt")),
            Number("Failed", f"{counts.failed:,}", skipped, counts.failed > 0),
            Number("Critical path", took(report.critical_s), f"{part:.0%} of the time"),
            Number("Slots in use", f"{report.utilisation:.0%}", f"of {report.slots:,}, on average"),
            Number("Steered", count(len(steered), "time") if steered else "never", _by_whom(steered)),
        )

    @property
    def legend(self) -> list[tuple[str, str]]:
        """Each status there is, and how many tasks have it."""
        there = [(getattr(self.report.counts, name), status) for name, status in charts.STATUSES]
        return [(status, f"{many:,} {marks.WORDS[status]}") for many, status in there if many]

    @property
    def timeline_note(self) -> str:
        """What the rows of the timeline are."""
        lanes = sum(device.lanes for device in self.report.devices)
        if lanes <= MOST_LANES:
            return "one row per slot; thick outline: critical path; flags: steering"
        return "one row per device: the share of its slots that was busy; red: failures; flags: steering"

    @property
    def graph_note(self) -> str:
        """What the lines of the graph mean."""
        if len(self.report.edges) > MOST_EDGES:
            return f"of {len(self.report.edges):,} dependencies only those of the critical path are drawn"
        kinds = "solid: after success; dashed: always; dotted: after a failure; dash-dot: on a condition"
        return f"{kinds}; thick: critical path"

    def _card(self, failure: Failure) -> Card:
        """What a failed task's card says; with several on page one each has fewer lines of output."""
        report = self.report
        task = report.tasks[failure.task]
        lines = failure.output.splitlines()
        lines = lines if len(report.failures) == 1 else lines[-_LINES_ON_PAGE_ONE:]
        facts = []
        if failure.attempt is not None:
            one = report.attempts[failure.attempt]
            facts = [one.device, f"{self.clock(one.started)} to {self.clock(one.ended)}"]
            facts += [f"attempt {one.number}"] if one.number > 1 else []
            facts += [f"exit {one.exit_code}"] if one.exit_code is not None else []
        names = [middle(one_line(report.tasks[place].name), 60) for place in failure.skipped[:6]]
        more = failure.skipped_count - len(names)
        skipped = ", ".join(names) + (f" and {more:,} more" if more > 0 else "")
        name = middle(one_line(task.name), 90)
        about = " · ".join(middle(one_line(fact), 40) for fact in facts)
        return Card(name, about, failure.message, "\n".join(lines), skipped)

    @property
    def steps(self) -> list[Step]:
        """The critical path; the longest ones if there are many."""
        report = self.report
        path = list(enumerate(report.critical_path))
        if len(path) > _MOST_STEPS:
            path.sort(key=lambda item: -report.attempts[item[1].attempt].seconds)
            path = sorted(path[:_MOST_STEPS])
        longest = max((report.attempts[step.attempt].seconds for _, step in path), default=0.0) or 1.0
        return [self._step(step.attempt, step.waited_for, step.gap, longest) for _, step in path]

    def _step(self, place: int, waited_for: str, gap: float, longest: float) -> Step:
        one = self.report.attempts[place]
        again = f", attempt {one.number}" if one.number > 1 else ""
        reasons = {"slot": "slot", "retry": "retry"}
        waited = [reasons[waited_for]] if waited_for in reasons else []
        waited += [f"{took(gap)} idle"] if gap >= 0.5 else []
        name = middle(one_line(self.report.tasks[one.task].name), 34)
        return Step(f"{name}{again}", one.seconds / longest, took(one.seconds), ", ".join(waited))

    @property
    def steps_left(self) -> str:
        """What is not shown of the critical path, and what its words mean."""
        left = len(self.report.critical_path) - _MOST_STEPS
        words = [f"{_MOST_STEPS} of the longest; {left:,} more left out."] if left > 0 else []
        if any(step.waited_for == "slot" for step in self.report.critical_path):
            words.append("slot: it was ready before, and the attempt above made room for it.")
        return " ".join(words)

    @property
    def steered(self) -> list[Line]:
        """The first interventions that somebody wanted."""
        return [self._line(one, 110) for one in self.report.interventions if one.is_steering][:_MOST_STEERED]

    @property
    def steered_left(self) -> int:
        """How many there are besides."""
        return sum(one.is_steering for one in self.report.interventions) - len(self.steered)

    def _line(self, one: Intervention, longest: int) -> Line:
        return Line(self.clock(one.at), one_line(one.who, 40), one_line(one.what, longest), one.why)

    @property
    def busiest(self) -> list[DeviceRow]:
        """The busiest devices, as rows, as many as page one has room for."""
        return self._rows(_DEVICES_ON_PAGE_ONE)

    @property
    def devices(self) -> list[DeviceRow]:
        """All devices, up to a number, as rows."""
        return self._rows(_MOST_DEVICES)

    def _rows(self, most: int) -> list[DeviceRow]:
        kept = {one.id for one in sorted(self.report.devices, key=lambda one: -one.busy_s)[:most]}
        return [_device(one) for one in self.report.devices if one.id in kept]

    @property
    def devices_left(self) -> int:
        """How many devices are not shown."""
        return max(0, len(self.report.devices) - _MOST_DEVICES)

    # ---- the pages after it

    @property
    def slowest(self) -> list[AttemptRow]:
        """Those that took longest."""
        return [self._attempt(place, self.report.attempts[place].seconds) for place in self.report.slowest]

    @property
    def waits(self) -> list[AttemptRow]:
        """Those that waited longest for a slot, and when they started."""
        return [self._attempt(place, self.report.attempts[place].waited) for place in self.report.waits.attempts]

    def _attempt(self, place: int, seconds: float) -> AttemptRow:
        one = self.report.attempts[place]
        name = middle(one_line(self.report.tasks[one.task].name), 40)
        return AttemptRow(name, middle(one_line(one.device), 20), took(seconds), self.clock(one.started))

    @property
    def wait_words(self) -> str:
        """How long attempts waited, in a sentence."""
        waits = self.report.waits
        if not waits.longest:
            return "No attempt had to wait for a slot."
        half = f"waited {took(waits.median)} or less" if waits.median >= 0.005 else "did not wait"
        usual = f"Half of all attempts {half} for a slot, 95 % no more than {took(waits.most_of_all)}"
        return f"{usual}; the longest wait was {took(waits.longest)}."

    @property
    def interventions(self) -> list[Line]:
        """All of them, up to a number."""
        return [self._line(one, 400) for one in self.report.interventions[:_MOST_INTERVENTIONS]]

    @property
    def agents(self) -> list[AgentRow]:
        """What was asked of agents, and what came of it."""
        return [_agent(one) for one in self.report.agents]

    @property
    def environment(self) -> list[tuple[str, str]]:
        """What ran it."""
        report = self.report
        started = when(report.wall(0.0), self.zone).isoformat(timespec="seconds")
        own = [("Run", report.run_id), ("Started", started), ("Revision of the graph", str(report.revision))]
        own += [("Devices", _by_kind(report.devices))] if report.devices else []
        own += [("Programs that ran it", str(len(report.sessions)))] if len(report.sessions) > 1 else []
        return [*own, *((one_line(name, 80), one_line(value, 300)) for name, value in report.environment.items())]

    @property
    def footer(self) -> str:
        """Where the numbers come from."""
        return f"Every number is folded from the journal of the run: {count(self.report.events, 'event')}."


def _device(one: ReportedDevice) -> DeviceRow:
    return DeviceRow(
        name=", ".join([middle(one_line(one.id), 40), *one.notes[:3]]),
        slots="any" if one.slots is None else f"{one.slots:,}",
        share=one.utilisation,
        busy=f"{one.utilisation:.0%}",
        attempts=f"{one.attempts:,}",
        failed=one.failed,
        wait=took(one.longest_wait) if one.longest_wait else "none",
    )


def _by_kind(devices: Sequence[ReportedDevice]) -> str:
    kinds = Counter(one.kind or "unknown" for one in devices)
    return one_line(", ".join(f"{many:,} {kind}" for kind, many in sorted(kinds.items())), 300)


def _agent(one: ReportedAgent) -> AgentRow:
    answered = [f"{one.answered:,}"]
    answered += [f"{one.failed:,} failed"] if one.failed else []
    answered += [f"{one.late:,} late"] if one.late else []
    decided = ((one.approved, "accepted"), (one.rejected, "not accepted"), (one.waiting, "still wait"))
    return AgentRow(
        name=middle(one.name, 40),
        asked=f"{one.asked:,}",
        answered=", ".join(answered),
        applied=f"{one.applied:,}",
        refused=f"{one.refused:,}",
        approval=", ".join(f"{many:,} {what}" for many, what in decided if many) or "none asked for",
        longest=took(one.longest_s) if one.answered else "none",
    )


def _by_whom(steered: Sequence[Intervention]) -> str:
    others = sum(one.who != OPERATOR for one in steered)
    if not steered:
        return "nobody stepped in"
    return f"{others:,} not by the operator" if others else "by the operator"
