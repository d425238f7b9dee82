"""The presentation of a report in rows and words, for all documents; drawings stay drawings.

Text here is plain and may hold anything: whoever shows it makes it harmless.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC
from typing import TYPE_CHECKING, Final

from starloom.model.result import ErrorCode
from starloom.reporting import charts, marks
from starloom.reporting.blocks import MOST_EDGES, critical_edges
from starloom.reporting.graph import graph, shape_words
from starloom.reporting.provenance import UNKNOWN
from starloom.reporting.rows import AgentRow, AttemptRow, DeviceUsageRow, FailureRow, InterventionRow, Number, PathRow
from starloom.reporting.text import count, cycle_counts, middle, one_line, took, when
from starloom.reporting.timeline import DEVICES, MOST_LANES, SLOTS, WIDTH, timeline
from starloom.reporting.verdict import ended_by, finish_words, labels
from starloom.scheduling.commands import OPERATOR
from starloom.scheduling.read.waiting_causes import WaitedFor

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from starloom.reporting.asked import ReportedAgent
    from starloom.reporting.blocks import GraphGeometry
    from starloom.reporting.finish import ReportedStep
    from starloom.reporting.marks import SvgDrawing
    from starloom.reporting.report import Failure, Intervention, Report, ReportedDevice, ReportedTask

_BADGES: Final = {
    **dict.fromkeys(("partially_failed", "failed", "unknown"), "failed"),
    **dict.fromkeys(("cancelled", "interrupted"), "cancelled"),
    "completed": "completed",
}
_MOST_FAILED: Final = 10
_MOST_STEPS: Final = 10
_MOST_STEERED: Final = 8
_DEVICES_ON_PAGE_ONE: Final = 8
_MOST_DEVICES: Final = 300
_MOST_INTERVENTIONS: Final = 500
_FAILED_ON_PAGE_ONE: Final = 2
_SAID_OF_STEPS: Final = {
    "slot": "it was ready before, and the attempt above made room for it.",
    "limit": "it was ready before, and the attempt above made room for it under a limit.",
    "retry": "",
}
"""What is said of a step by why it did not start before, and what that word means."""
_LINES_ON_PAGE_ONE: Final = 6


class ReportPresenter:
    """Presents a report: its sentences, figures, rows and drawings.

    Args:
        report: what is told.
        zone: whose clock it shows.
        width: of the drawings, in pixels.
        most_lanes: of the timeline: with more slots it has a row a device.
    """

    def __init__(self, report: Report, zone: tzinfo = UTC, width: float = WIDTH, most_lanes: int = MOST_LANES) -> None:
        self.report, self.zone, self.width, self.most_lanes = report, zone, width, most_lanes
        self.title = one_line(report.title, 200)
        self.state = report.state.replace("_", " ").capitalize()
        self.badge = _BADGES.get(report.state, "running")
        self.is_bad = bool(report.damage) or report.state in {"failed", "partially_failed", "interrupted"}
        self.names = labels(report.tasks)
        first, more = report.failures[:_FAILED_ON_PAGE_ONE], report.failures[_FAILED_ON_PAGE_ONE:_MOST_FAILED]
        self.first_failures, self.more_failures = [*map(self._card, first)], [*map(self._card, more)]
        self.failures_below = report.counts.failed - sum(one.count for one in first)
        self.failures_left = self.failures_below - sum(one.count for one in more)

    # ---- drawings

    def ended_bar(self) -> SvgDrawing:
        """The bar of tasks by outcome."""
        return charts.ended_bar(self.report)

    def timeline(self) -> SvgDrawing:
        """The timeline of attempts on devices."""
        return timeline(self.report, self.zone, self.width, self.most_lanes)

    def at_once(self) -> SvgDrawing:
        """The chart of running attempts over time."""
        return charts.at_once(self.report, self.zone)

    def in_line(self) -> SvgDrawing:
        """The chart of queued attempts over time."""
        return charts.in_line(self.report, self.zone)

    def graph(self, arrangement: GraphGeometry | None, width: float, height: float) -> SvgDrawing | None:
        """The graph within these bounds; None: there is nothing to draw."""
        if arrangement is None or not self.report.tasks:
            return None
        return graph(self.report, arrangement, width, height)

    # ---- times

    def clock(self, at: float, *, is_end: bool = False) -> str:
        """The clock time of a moment of the run; `is_end`: the moment is an end."""
        return self._time_of_day(self.report.wall(at, is_end=is_end))

    def _time_of_day(self, wall: float) -> str:
        return f"{when(wall, self.zone):%H:%M:%S}"

    @property
    def day(self) -> str:
        """The day of the run's start, and the time zone."""
        begin = when(self.report.wall(0.0), self.zone)
        offset = "" if begin.tzname() == "UTC" else begin.isoformat()[-6:]
        return f"{begin.day} {begin:%b %Y, %H:%M} · times are UTC{offset}"

    # ---- page one

    @property
    def numbers(self) -> Sequence[Number]:
        """The six figures: time, tasks, failed, critical path, slots in use, steered."""
        report = self.report
        counts = report.counts
        steered = [one for one in report.interventions if one.is_steering]
        until = f"until {self.clock(report.seconds)}" if report.has_ended else "so far"
        if report.state in {"interrupted", "unknown"}:
            until = f"last heard of at {self.clock(report.seconds)}"
        part = report.critical_s / report.gone_on_s if report.gone_on_s else 0.0
        skipped = f"{counts.skipped:,} skipped" if counts.skipped else "none skipped"
        return (
            Number("Time", took(report.gone_on_s), until),
            Number("Tasks", f"{counts.total:,}", count(len(report.attempts), "attempt")),
            Number("Failed", f"{counts.failed:,}", skipped, any(map(_is_bad, report.tasks))),
            Number("Critical path", took(report.critical_s), f"{part:.0%} of the time"),
            Number("Slots in use", f"{report.utilisation:.0%}", f"of {_average(report.usable)}, on average"),
            Number("Steered", count(len(steered), "time") if steered else "never", _by_whom(steered)),
        )

    @property
    def legend(self) -> list[tuple[str, str]]:
        """Each status that occurs, and its number of tasks."""
        return [(status, f"{many:,} {marks.WORDS[status]}") for many, status in charts.statuses(self.report)]

    @property
    def timeline_note(self) -> str:
        """The caption of the timeline."""
        return SLOTS if sum(device.lanes for device in self.report.devices) <= self.most_lanes else DEVICES

    @property
    def graph_note(self) -> str:
        """The caption of the graph."""
        if len(self.report.edges) > MOST_EDGES:
            return f"of {len(self.report.edges):,} dependencies only those of the critical path are drawn"
        kinds = "solid: after success; dashed: always; dotted: after a failure; dash-dot: on a condition"
        pairs = critical_edges(self.report) - {(edge.parent, edge.child) for edge in self.report.edges}
        broken = ", broken where a slot or limit decided" if any(one != other for one, other in pairs) else ""
        return f"{kinds}; thick: critical path{broken}"

    def _card(self, failure: Failure) -> FailureRow:
        """The card of a failed task and others that failed alike; of several, with fewer lines of output."""
        report = self.report
        lines = failure.output.splitlines()
        lines = lines if len(report.failures) == 1 else lines[-_LINES_ON_PAGE_ONE:]
        severity = report.tasks[failure.task].severity
        facts = [] if severity == "error" else [severity]
        if failure.attempt is not None:
            one = report.attempts[failure.attempt]
            facts += [one.device, f"{self.clock(one.started)} to {self.clock(one.ended, is_end=True)}"]
            facts += [f"attempt {one.number}"] if one.number > 1 else []
            facts += [ended_by(one).removeprefix(" with").removeprefix(" by").strip()] if ended_by(one) else []
        facts += [f"and {count(len(failure.alike), 'other task')} that failed alike"] if failure.alike else []
        skipped = self._first(failure.skipped, failure.skipped_count)
        ran = self._first(failure.ran, failure.ran_count)
        name = middle(one_line(self.names[failure.task]), 90)
        about = " · ".join(middle(one_line(fact), 40) for fact in facts)
        return FailureRow(name, about, self._message(failure), "\n".join(lines), skipped, ran, failure.count)

    def _message(self, failure: Failure) -> str:
        """The reason why it failed, as a sentence; empty: it only has the exit code, which is shown above it."""
        one = None if failure.attempt is None else self.report.attempts[failure.attempt]
        is_code = one is not None and one.error == ErrorCode.EXIT_CODE and (one.exit_code or 0) > 0
        return "" if is_code else failure.message

    def _first(self, places: Sequence[int], many: int) -> str:
        """The names of the first of so many tasks."""
        names = [middle(one_line(self.names[place]), 60) for place in places[:6]]
        more = many - len(names)
        return ", ".join(names) + (f" and {more:,} more" if more > 0 else "")

    @property
    def steps(self) -> list[PathRow]:
        """The steps of the critical path; only the longest ones if there are many."""
        return self.longest_steps(_MOST_STEPS)

    def longest_steps(self, most: int) -> list[PathRow]:
        """The critical path, or the longest attempts on it, in their order."""
        report = self.report
        path = list(enumerate(report.critical_path))
        if len(path) > most:
            path.sort(key=lambda item: -item[1].seconds)
            path = sorted(path[:most], key=lambda item: item[0])
        longest = max((step.seconds for _, step in path), default=0.0) or 1.0
        return [self._step(step, longest) for _, step in path]

    def _step(self, step: ReportedStep, longest: float) -> PathRow:
        number = 0 if step.attempt is None else self.report.attempts[step.attempt].number
        again = f", attempt {number}" if number > 1 else ""
        waited = [step.waited_for] if step.waited_for in _SAID_OF_STEPS else []
        pause = "until the end above was heard of" if step.waited_for == WaitedFor.HEARD_LATE else "idle"
        waited += [f"{took(step.gap)} {pause}"] if step.gap >= 0.5 else []
        name = middle(one_line(self.names[step.task]), 34)
        return PathRow(f"{name}{again}", step.seconds / longest, took(step.seconds), ", ".join(waited))

    @property
    def steps_left(self) -> str:
        """The number of omitted steps, an explanation of the words, and the parallelism of the graph."""
        return f"{self.left_of_steps(_MOST_STEPS)} {shape_words(self.report)}".lstrip()

    def left_of_steps(self, most: int) -> str:
        """The number of omitted steps, and an explanation of the words; empty: none."""
        left = len(self.report.critical_path) - most
        words = [f"{most} of the longest; {left:,} more left out."] if left > 0 else []
        reasons = {step.waited_for for step in self.report.critical_path}
        words += [f"{reason}: {said}" for reason, said in _SAID_OF_STEPS.items() if said and reason in reasons]
        return " ".join(words)

    @property
    def steered(self) -> list[InterventionRow]:
        """The first interventions by somebody."""
        return [self._line(one, 110) for one in self.report.interventions if one.is_steering][:_MOST_STEERED]

    @property
    def steered_left(self) -> int:
        """The number of omitted interventions."""
        return sum(one.is_steering for one in self.report.interventions) - len(self.steered)

    def _line(self, one: Intervention, longest: int) -> InterventionRow:
        finish = "" if one.finish is None else finish_words(one.finish, self.clock)
        return InterventionRow(
            self._time_of_day(one.wall), one_line(one.who, 40), one_line(one.what, longest), one.why, finish
        )

    @property
    def busiest(self) -> list[DeviceUsageRow]:
        """The busiest devices, as rows, as many as fit on page one."""
        return self.busiest_of(_DEVICES_ON_PAGE_ONE)

    @property
    def devices(self) -> list[DeviceUsageRow]:
        """All devices, up to a number, as rows."""
        return self.busiest_of(_MOST_DEVICES)

    def busiest_of(self, most: int) -> list[DeviceUsageRow]:
        """Up to so many devices, the busiest ones, as rows in their usual order."""
        kept = {one.id for one in sorted(self.report.devices, key=lambda one: -one.busy_s)[:most]}
        return [_device(one) for one in self.report.devices if one.id in kept]

    @property
    def devices_left(self) -> int:
        """The number of omitted devices."""
        return max(0, len(self.report.devices) - _MOST_DEVICES)

    # ---- the pages after it

    @property
    def slowest(self) -> list[AttemptRow]:
        """The attempts that took longest."""
        return [self._attempt(place, self.report.attempts[place].seconds) for place in self.report.slowest]

    @property
    def waits(self) -> list[AttemptRow]:
        """The attempts that waited longest to start, and when they started."""
        return [self._attempt(place, self.report.attempts[place].waited) for place in self.report.waits.attempts]

    def _attempt(self, place: int, seconds: float) -> AttemptRow:
        one = self.report.attempts[place]
        name = middle(one_line(self.names[one.task]), 40)
        return AttemptRow(name, middle(one_line(one.device), 20), took(seconds), self.clock(one.started))

    @property
    def wait_words(self) -> str:
        """The waiting times of attempts, in a sentence."""
        waits = self.report.waits
        if not waits.longest:
            return "Every attempt started as soon as it was ready."
        if waits.most_of_all < 0.005:
            return (
                f"95 % of all attempts started as soon as they were ready; the longest wait was {took(waits.longest)}."
            )
        half = f"waited {took(waits.median)} or less" if waits.median >= 0.005 else "did not wait"
        usual = f"Half of all attempts {half} to start, 95 % no more than {took(waits.most_of_all)}"
        return f"{usual}; the longest wait was {took(waits.longest)}."

    @property
    def interventions(self) -> list[InterventionRow]:
        """The interventions except refused edits, up to a number."""
        return self._lines(is_refusal=False)

    @property
    def interventions_left(self) -> int:
        """The number of omitted interventions."""
        return sum(not one.is_refusal for one in self.report.interventions) - len(self.interventions)

    @property
    def refusals(self) -> list[InterventionRow]:
        """The refused edits, up to a number."""
        return self._lines(is_refusal=True)

    @property
    def refusals_left(self) -> int:
        """The number of omitted refusals of edits."""
        return sum(one.is_refusal for one in self.report.interventions) - len(self.refusals)

    def _lines(self, *, is_refusal: bool) -> list[InterventionRow]:
        found = [one for one in self.report.interventions if one.is_refusal is is_refusal]
        return [self._line(one, 400) for one in found[:_MOST_INTERVENTIONS]]

    @property
    def agents(self) -> list[AgentRow]:
        """The questions to agents and their results, as rows."""
        return [_agent(one) for one in self.report.agents]

    @property
    def cycle_words(self) -> str:
        """The statistics of the edit cycles of all agents together, in a sentence; empty: the run had no agents."""
        told = self.report.modifications
        words = cycle_counts(told.total, told.completed, told.timeout)
        return f"Edit cycles: {words}." if self.report.agents else ""

    @property
    def environment(self) -> list[tuple[str, str]]:
        """The program and machine that ran the run."""
        report = self.report
        started = when(report.wall(0.0), self.zone).isoformat(timespec="seconds")
        own = [("Run", report.run_id), ("Started", started), ("Revision of the graph", str(report.revision))]
        own += [("Devices", _by_kind(report.devices))] if report.devices else []
        own += [("Programs that ran it", str(len(report.sessions)))] if len(report.sessions) > 1 else []
        return [*own, *report.provenance.named()]

    @property
    def footer(self) -> str:
        """The origin of the figures."""
        events, digest = count(self.report.events, "event"), self.report.provenance.journal_sha256
        known = f", sha256 {digest[:8]}…{digest[-8:]}" if digest != UNKNOWN else ""
        return f"Every number is folded from the journal of the run: {events}{known}."


def _average(slots: float) -> str:
    return f"{slots:,.0f}" if abs(slots - round(slots)) < 0.05 else f"{slots:,.1f}"


def _is_bad(task: ReportedTask) -> bool:
    """Whether it failed, and that is more than a warning."""
    return task.status == "failed" and task.severity != "warning"


def _device(one: ReportedDevice) -> DeviceUsageRow:
    return DeviceUsageRow(
        name=", ".join([middle(one_line(one.id), 40), *one.notes[:3]]),
        slots=f"{one.slots:,}" if one.slots is not None else "any" if one.kind else "unknown",
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
        applied=f"{one.applied + one.approved:,}",
        refused=f"{one.refused:,}",
        approval=", ".join(f"{many:,} {what}" for many, what in decided if many) or "none asked for",
        longest=took(one.longest_s) if one.answered else "none",
    )


def _by_whom(steered: Sequence[Intervention]) -> str:
    others = sum(one.who != OPERATOR for one in steered)
    if not steered:
        return "nobody stepped in"
    return f"{others:,} by others" if others else "by the operator"
