"""The report as one HTML page that needs nothing else and runs nothing: its first printed page is enough for a manager.

The page allows no script at all and only the one style sheet it holds, whose hash stands in its policy. Everything that
comes from data goes through the template's escaping, or through `marks.said` in drawings.
"""

from __future__ import annotations

import base64
import hashlib
from datetime import UTC
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from starloom.reporting import charts, marks
from starloom.reporting.blocks import MOST_EDGES
from starloom.reporting.graph import graph
from starloom.reporting.text import clean, count, middle, one_line, took, when
from starloom.reporting.timeline import MOST_LANES, WIDTH, share_bar, timeline
from starloom.scheduling.commands import OPERATOR

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from starloom.reporting.blocks import Arrangement
    from starloom.reporting.report import Failure, Intervention, Report, ReportedDevice

_BADGES: Final = {"completed": "completed", "partially_failed": "failed", "failed": "failed", "cancelled": "cancelled"}
_GRAPH_HIGH: Final = 1_000.0
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


def page(report: Report, arrangement: Arrangement | None = None, zone: tzinfo = UTC) -> str:
    """The page as text, to be written in UTF-8.

    Args:
        report: what it tells.
        arrangement: where the tasks of the graph stand; None: without the graph.
        zone: whose clock it shows.
    """
    here = files("starloom.reporting")
    style = f"{here.joinpath('page.css').read_text('utf-8')}{marks.STYLE}"
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_finalize
    )
    template = environment.from_string(here.joinpath("page.html").read_text("utf-8"))
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    view = _View(report, arrangement, zone)
    return template.render(v=view, r=report, style=Markup(style), digest=digest, defs=Markup(marks.DEFS))


def _finalize(value: Any) -> Any:
    return clean(value) if type(value) is str else value


class _View:
    """What the template shows, by name; text here is plain, drawings are markup."""

    def __init__(self, report: Report, arrangement: Arrangement | None, zone: tzinfo) -> None:
        self.report, self.zone = report, zone
        self.title = one_line(report.title, 200)
        self.state = report.state.replace("_", " ").capitalize()
        self.badge = _drawn(marks.badge(_BADGES.get(report.state, "running")))
        self.badge_failed = _drawn(marks.badge("failed"))
        self.is_bad = report.state in {"failed", "partially_failed"}
        self.ended_bar = self._draw(charts.ended_bar(report.counts), "tasks by how they ended")
        self.timeline = self._draw(timeline(report, zone), "timeline of all slots")
        self.at_once = self._draw(charts.at_once(report, zone), "attempts at once over time")
        self.in_line = self._draw(charts.in_line(report, zone), "attempts waiting over time")
        drawn = None if arrangement is None or not report.tasks else graph(report, arrangement, WIDTH, _GRAPH_HIGH)
        self.graph = None if drawn is None else self._draw(drawn, "graph of tasks")
        self.first_failures = report.failures[:_FAILED_ON_PAGE_ONE]
        self.more_failures = report.failures[_FAILED_ON_PAGE_ONE:_MOST_FAILED]
        self.failures_left = report.counts.failed - min(len(report.failures), _MOST_FAILED)

    @staticmethod
    def _draw(drawing: marks.Drawing, label: str) -> Markup:
        return _drawn(marks.inline(drawing, label))

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
    def legend(self) -> list[tuple[Markup, str]]:
        """Badge and count of each status there is."""
        there = [(getattr(self.report.counts, name), status) for name, status in charts.STATUSES]
        return [(_drawn(marks.badge(status)), f"{many:,} {marks.WORDS[status]}") for many, status in there if many]

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

    def failure(self, failure: Failure) -> dict[str, Any]:
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
        return {
            "name": name,
            "about": about,
            "message": failure.message,
            "output": "\n".join(lines),
            "skipped": skipped,
        }

    @property
    def steps(self) -> list[tuple[str, Markup, str, str]]:
        """The critical path: name, bar, how long, what it waited for; the longest ones if there are many."""
        report = self.report
        path = list(enumerate(report.critical_path))
        if len(path) > _MOST_STEPS:
            path.sort(key=lambda item: -report.attempts[item[1].attempt].seconds)
            path = sorted(path[:_MOST_STEPS])
        longest = max((report.attempts[step.attempt].seconds for _, step in path), default=0.0) or 1.0
        return [self._step(step.attempt, step.waited_for, step.gap, longest) for _, step in path]

    def _step(self, place: int, waited_for: str, gap: float, longest: float) -> tuple[str, Markup, str, str]:
        one = self.report.attempts[place]
        again = f", attempt {one.number}" if one.number > 1 else ""
        reasons = {"slot": "slot", "retry": "retry"}
        waited = [reasons[waited_for]] if waited_for in reasons else []
        waited += [f"{took(gap)} idle"] if gap >= 0.5 else []
        name = middle(one_line(self.report.tasks[one.task].name), 34)
        return f"{name}{again}", _drawn(share_bar(one.seconds / longest)), took(one.seconds), ", ".join(waited)

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
    def busiest(self) -> list[dict[str, Any]]:
        """The busiest devices, as rows, as many as page one has room for."""
        return self._rows(_DEVICES_ON_PAGE_ONE)

    @property
    def devices(self) -> list[dict[str, Any]]:
        """All devices, up to a number, as rows."""
        return self._rows(_MOST_DEVICES)

    def _rows(self, most: int) -> list[dict[str, Any]]:
        kept = {one.id for one in sorted(self.report.devices, key=lambda one: -one.busy_s)[:most]}
        return [_device(one) for one in self.report.devices if one.id in kept]

    @property
    def devices_left(self) -> int:
        """How many devices are not shown."""
        return max(0, len(self.report.devices) - _MOST_DEVICES)

    # ---- the pages after it

    @property
    def slowest(self) -> list[tuple[str, str, str, str]]:
        """Name, device, how long, when."""
        return [self._attempt(place, self.report.attempts[place].seconds) for place in self.report.slowest]

    @property
    def waits(self) -> list[tuple[str, str, str, str]]:
        """Those that waited longest for a slot: name, device, how long, when they started."""
        return [self._attempt(place, self.report.attempts[place].waited) for place in self.report.waits.attempts]

    def _attempt(self, place: int, seconds: float) -> tuple[str, str, str, str]:
        one = self.report.attempts[place]
        name = middle(one_line(self.report.tasks[one.task].name), 40)
        return name, middle(one_line(one.device), 20), took(seconds), self.clock(one.started)

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
    def environment(self) -> list[tuple[str, str]]:
        """What ran it."""
        report = self.report
        started = when(report.wall(0.0), self.zone).isoformat(timespec="seconds")
        own = [("Run", report.run_id), ("Started", started), ("Revision of the graph", str(report.revision))]
        own += [("Programs that ran it", str(len(report.sessions)))] if len(report.sessions) > 1 else []
        return [*own, *((one_line(name, 80), one_line(value, 300)) for name, value in report.environment.items())]

    @property
    def footer(self) -> str:
        """Where the numbers come from."""
        return f"Every number is folded from the journal of the run: {count(self.report.events, 'event')}."


def _device(one: ReportedDevice) -> dict[str, Any]:
    return {
        "name": ", ".join([middle(one_line(one.id), 40), *one.notes[:3]]),
        "slots": "any" if one.slots is None else f"{one.slots:,}",
        "bar": _drawn(share_bar(one.utilisation)),
        "busy": f"{one.utilisation:.0%}",
        "attempts": f"{one.attempts:,}",
        "failed": one.failed,
        "wait": took(one.longest_wait) if one.longest_wait else "none",
    }


def _by_whom(steered: Sequence[Intervention]) -> str:
    others = sum(one.who != OPERATOR for one in steered)
    if not steered:
        return "nobody stepped in"
    return f"{others:,} not by the operator" if others else "by the operator"


def _drawn(markup: str) -> Markup:
    return Markup(markup)  # made by `marks`, which escapes whatever comes from data
