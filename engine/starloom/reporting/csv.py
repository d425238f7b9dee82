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
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from starloom import events as ev
from starloom.reporting import interventions
from starloom.reporting.text import clean, when
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.read.naming import named, title_of
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import TextIO

    from starloom.events import Event
    from starloom.reporting.report import Report, ReportedAttempt, ReportedTask
    from starloom.scheduling.state.run_facts import RunFacts

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
    rows = (_TaskRow.of(report, task) for task in report.tasks)
    _write(file, tuple(TASKS), ([made(row) for made in TASKS.values()] for row in rows), _lost(tuple(TASKS), report))


def write_attempts(report: Report, file: TextIO) -> None:
    """Write a line for each attempt in the order they started; the file must be opened with `newline=""`."""
    line = sorted(report.attempts, key=lambda attempt: attempt.started)
    head = tuple(ATTEMPTS)
    _write(file, head, ([made(report, one) for made in ATTEMPTS.values()] for one in line), _lost(head, report))


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
    folded: FoldedRun | None = None
    early: list[list[Any]] = []  # what was before the start, until that is known
    for event in events:
        folded = folded or FoldedRun(event.run_id)
        fold(folded, (event,))
        if type(event) is ev.RunRecovered:
            for row in early:
                row[_AT] += event.shift
        early.append(_event(event, folded.run))
        if folded.run.run_started_at is not None:
            yield from _since(folded.run.run_started_at, early)
            early = []
    if folded is not None:
        yield from _since(folded.run.created_at, early)
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
    """The content of a cell: numbers, nothing, or text on one line that no spreadsheet evaluates."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return value
    text = " ".join(clean(str(value)).split())[:_LONGEST]
    return f"'{text}" if text.startswith(_FORMULA) else text


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


class _TaskRow(NamedTuple):
    """The source of a task's cells.

    Attributes:
        report: that has it.
        task: of the row.
        attempts: its own.
        last: the last of them; None: there is none.
    """

    report: Report
    task: ReportedTask
    attempts: list[ReportedAttempt]
    last: ReportedAttempt | None

    @classmethod
    def of(cls, report: Report, task: ReportedTask) -> _TaskRow:
        """The row of a task."""
        own = [report.attempts[place] for place in task.attempts]
        return cls(report, task, own, own[-1] if own else None)

    def start(self) -> float | None:
        """When its first attempt started, or it was asked as a gate; None: neither has happened."""
        if self.attempts:
            return self.attempts[0].started
        return None if self.task.gate is None else self.task.gate.asked

    def waited(self) -> float:
        """The seconds for which its attempts waited for a place, and as a gate for an answer."""
        gate = self.task.gate
        answer = 0.0 if gate is None else gate.answered - gate.asked
        return sum((attempt.waited for attempt in self.attempts), answer)

    def by_the_clock(self, at: float | None, *, is_end: bool = False) -> str | None:
        """A moment of the run as a time of day."""
        return None if at is None else _wall(self.report, at, is_end=is_end)


TASKS: Final[Mapping[str, Callable[[_TaskRow], Any]]] = {
    "task": lambda row: row.task.id,
    "name": lambda row: row.task.name,
    "status": lambda row: row.task.status,
    "action": lambda row: row.task.action,
    "severity": lambda row: row.task.severity,
    "priority": lambda row: row.task.priority,
    "groups": lambda row: " ".join(row.task.groups),
    "attempts": lambda row: len(row.attempts),
    "device": lambda row: row.last and row.last.device,
    "started_s": _TaskRow.start,
    "ended_s": lambda row: row.task.ended,
    "started_at": lambda row: row.by_the_clock(row.start()),
    "ended_at": lambda row: row.by_the_clock(row.task.ended, is_end=True),
    "ran_s": lambda row: sum((attempt.seconds for attempt in row.attempts), 0.0),
    "waited_s": _TaskRow.waited,
    "on_critical_path": lambda row: row.task.is_critical,
    "exit_code": lambda row: row.last and row.last.exit_code,
    "error": lambda row: row.last and row.last.error,
    "message": lambda row: row.last and row.last.message,
    "reason": lambda row: row.task.reason,
    "command": lambda row: row.task.command,
    "last_line": lambda row: row.task.last_line,
    "answer": lambda row: row.task.gate and row.task.gate.answer,
    "answered_by": lambda row: row.task.gate and row.task.gate.by,
    "note": lambda row: row.task.gate and row.task.gate.note,
    "bypassed": lambda row: row.task.bypassed,
    "simulated": lambda row: row.task.simulated,
    "marked": lambda row: row.task.marked,
}
"""The columns of the table of tasks, each with what gives its cells. A new one is one more."""
ATTEMPTS: Final[Mapping[str, Callable[[Report, ReportedAttempt], Any]]] = {
    "task": lambda report, one: report.tasks[one.task].id,
    "attempt": lambda _, one: one.number,
    "device": lambda _, one: one.device,
    "slot": lambda _, one: one.slot + 1,
    "status": lambda _, one: one.status,
    "ready_s": lambda _, one: one.ready,
    "started_s": lambda _, one: one.started,
    "ended_s": lambda _, one: one.ended,
    "started_at": lambda report, one: _wall(report, one.started),
    "ended_at": lambda report, one: _wall(report, one.ended, is_end=True),
    "ran_s": lambda _, one: one.seconds,
    "waited_s": lambda _, one: one.waited,
    "exit_code": lambda _, one: one.exit_code,
    "error": lambda _, one: one.error,
    "message": lambda _, one: one.message,
    "output_bytes": lambda _, one: one.output_bytes,
    "output_file": lambda _, one: one.output_file,
    "severity": lambda _, one: one.severity,
    "awaited_answers_s": lambda _, one: one.awaited,
    "simulated": lambda _, one: one.simulated,
}
"""The columns of the table of attempts, likewise."""
