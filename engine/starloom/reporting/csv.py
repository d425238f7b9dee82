"""The report as tables for a spreadsheet: tasks, attempts or events, one table a file, UTF-8.

A spreadsheet takes a cell that begins with `=` and the like for a formula, so such text gets a quote in front; all text
is quoted, so that no separator of whichever country's spreadsheet cuts it in two.

A table of a journal of which a part is lost ends in a row that says so: there the reading ended, too.
"""

from __future__ import annotations

import csv
import json
from datetime import UTC
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import msgspec

from starloom import events as ev
from starloom.reporting import interventions
from starloom.reporting.text import clean, when
from starloom.scheduling.apply import fold
from starloom.scheduling.naming import named, title_of
from starloom.scheduling.run_view import RunView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TextIO

    from starloom.events import Event
    from starloom.reporting.report import Report, ReportedAttempt, ReportedTask
    from starloom.scheduling.run_facts import RunFacts

TASKS: Final = (
    "task",
    "name",
    "status",
    "action",
    "severity",
    "priority",
    "groups",
    "attempts",
    "device",
    "started_s",
    "ended_s",
    "started_at",
    "ended_at",
    "ran_s",
    "waited_s",
    "on_critical_path",
    "exit_code",
    "error",
    "message",
    "reason",
    "command",
    "last_line",
)
ATTEMPTS: Final = (
    "task",
    "attempt",
    "device",
    "slot",
    "status",
    "ready_s",
    "started_s",
    "ended_s",
    "started_at",
    "ended_at",
    "ran_s",
    "waited_s",
    "exit_code",
    "error",
    "message",
    "output_bytes",
    "output_file",
    "severity",
)
EVENTS: Final = ("number", "at_s", "at", "event", "task", "name", "device", "attempt", "who", "why", "what", "more")
_AT: Final = EVENTS.index("at_s")
_FORMULA: Final = tuple("=+-@|%＝＋－＠")  # noqa: RUF001 - spreadsheets take the wide ones likewise
_LONGEST: Final = 4_000
_NAMED: Final = frozenset(
    {"type", "seq", "at", "run_id", "task_id", "device_id", "attempt", "origin", "reason", "result", "tasks"}
    | {"dependencies", "index", "fleet", "metadata", "devices", "notes", "changes", "inverse", "edits"}
)  # what has a column of its own, is large, or could hold what should not leave the journal


def write_tasks(report: Report, file: TextIO) -> None:
    """Write a line for each task; the file must be opened with `newline=""`."""
    _write(file, TASKS, (_task(report, task) for task in report.tasks), _lost(TASKS, report))


def write_attempts(report: Report, file: TextIO) -> None:
    """Write a line for each attempt in the order they started; the file must be opened with `newline=""`."""
    line = sorted(report.attempts, key=lambda attempt: attempt.started)
    _write(file, ATTEMPTS, (_attempt(report, attempt) for attempt in line), _lost(ATTEMPTS, report))


def write_events(events: Iterable[Event], file: TextIO, damage: Callable[[], str] = str) -> None:
    """Write a line for each event of a stream, with the seconds since the run's start, in which breaks do not count.

    What was before the start has negative seconds; of a run that was never started they count from its creation.

    What plans, edits and results hold is left out, it is in the journal; what somebody changed is told as a phrase,
    with tasks by their names.

    Args:
        events: the stream of one run, from its beginning.
        file: must be opened with `newline=""`.
        damage: what is wrong with the journal, asked for once the events have ended; empty: nothing.
    """
    _write(file, EVENTS, _events(events, damage))


def _events(events: Iterable[Event], damage: Callable[[], str]) -> Iterator[Sequence[Any]]:
    """The rows, each with names as they were right after its event, and one for the damage."""
    view: RunView | None = None
    early: list[list[Any]] = []  # what was before the start, until that is known
    for event in events:
        view = view or RunView(event.run_id)
        fold(view, (event,))
        if type(event) is ev.RunRecovered:
            for row in early:
                row[_AT] += event.shift
        early.append(_event(event, view.run))
        if view.run.run_started_at is not None:
            yield from _since(view.run.run_started_at, early)
            early = []
    if view is not None:
        yield from _since(view.run.created_at, early)
    if lost := damage():
        told = {"event": "JournalDamaged", "what": f"A part of the journal is lost. {lost}"}
        yield [told.get(name) for name in EVENTS]


def _since(start: float, rows: Iterable[list[Any]]) -> Iterator[Sequence[Any]]:
    """Rows of events with their times counted from the run's start, all of them on one clock."""
    for row in rows:
        row[_AT] -= start
        yield row


def _lost(head: Sequence[str], report: Report) -> list[Sequence[Any]]:
    told = {"status": "unknown", "message": f"A part of the journal is lost. {report.damage}"}
    return [[told.get(name) for name in head]] if report.damage else []


def _write(file: TextIO, head: Sequence[str], *parts: Iterable[Sequence[Any]]) -> None:
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerow(head)
    for row in chain.from_iterable(parts):
        writer.writerow([cell(value) for value in row])


def cell(value: Any) -> Any:
    """What a cell holds: numbers as they are, nothing as nothing, text on one line that no spreadsheet computes."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return value
    text = " ".join(clean(str(value)).split())[:_LONGEST]
    return f"'{text}" if text.startswith(_FORMULA) else text


def _task(report: Report, task: ReportedTask) -> Sequence[Any]:
    own = [report.attempts[place] for place in task.attempts]
    last = own[-1] if own else None
    head = (task.id, task.name, task.status, task.action, task.severity, task.priority, " ".join(task.groups), len(own))
    if last is None:
        return (*head, *[None] * 5, 0.0, 0.0, task.is_critical, None, None, None, task.reason, task.command, None)
    end = task.ended
    return (
        *head,
        last.device,
        own[0].started,
        end,
        _wall(report, own[0].started),
        None if end is None else _wall(report, end, is_end=True),
        sum(attempt.seconds for attempt in own),
        sum(attempt.waited for attempt in own),
        task.is_critical,
        last.exit_code,
        last.error,
        last.message,
        task.reason,
        task.command,
        task.last_line,
    )


def _attempt(report: Report, one: ReportedAttempt) -> Sequence[Any]:
    return (
        report.tasks[one.task].id,
        one.number,
        one.device,
        one.slot + 1,
        one.status,
        one.ready,
        one.started,
        one.ended,
        _wall(report, one.started),
        _wall(report, one.ended, is_end=True),
        one.seconds,
        one.waited,
        one.exit_code,
        one.error,
        one.message,
        one.output_bytes,
        one.output_file,
        one.severity,
    )


def _wall(report: Report, at: float, *, is_end: bool = False) -> str:
    return when(report.wall(at, is_end=is_end), UTC).isoformat(timespec="milliseconds")


def _event(event: Event, run: RunFacts) -> list[Any]:
    """The row of an event right after it, with its time on the engine's clock as it was then."""
    more = {
        name: value
        for name in event.__struct_fields__
        if name not in _NAMED and (value := getattr(event, name)) not in ("", None, (), 0, False)
    }
    plain = json.dumps(msgspec.to_builtins(more), default=str) if more else ""
    task_id = getattr(event, "task_id", None)
    called = title_of(run, task_id)
    names = ("device_id", "attempt", "origin", "reason")
    own = [getattr(event, name, None) for name in names]
    what = interventions.told(named(event, run))
    return [event.seq, event.at, _clock(event, run), type(event).__name__, task_id, called, *own, what, plain]


def _clock(event: Event, run: RunFacts) -> str:
    """When an event was, by the clock of the program that runs the run; empty: that is not known yet."""
    if not run.sessions:
        return ""
    at, wall = run.sessions[-1]
    return when(wall + event.at - at, UTC).isoformat(timespec="milliseconds")
