"""Whether a soak kept what was promised: the ledgers of the machines beside the plan and the run's journal."""

from __future__ import annotations

import zipfile
import zlib
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from tests.soak.work import FAILED

from starloom import events as ev

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from tests.soak.plans import Planned

    from starloom.model.result import Result

_SLACK: Final = 0.05
"""Seconds that a clock may be read before the line is written."""
_BY_ITSELF: Final = {"exit_code", "exception"}
_OPEN: Final = "running"


class Mark(NamedTuple):
    """A line of a ledger."""

    what: str
    """`begin` or `end`."""
    task: str
    attempt: int
    at: float
    """Seconds since 1970."""
    code: int | None = None
    """With which a task ended."""


@dataclass
class Tried:
    """An attempt, as the journal tells of it.

    Attributes:
        how: `running`, `completed`, `failed` or `interrupted`.
        code: of the error of a failed one.
        why: a sentence, if it did not complete.
    """

    device: str
    how: str = _OPEN
    code: str = ""
    why: str = ""

    @property
    def is_lost(self) -> bool:
        """Whether it came to no end of its own."""
        return self.how == "interrupted" or (self.how == "failed" and self.code not in {*_BY_ITSELF, "timeout"})


@dataclass
class Told:
    """What the journal tells.

    Attributes:
        attempts: of each task, by their numbers.
        statuses: how each task has ended, if it has.
        results: the last one of each task.
        counts: how often each kind of event happened.
    """

    attempts: dict[str, dict[int, Tried]] = field(default_factory=lambda: defaultdict(dict))
    statuses: dict[str, str] = field(default_factory=dict)
    results: dict[str, Result] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)


def read_marks(text: str) -> list[Mark]:
    """The lines of a ledger.

    Raises:
        ValueError: one is no such line.
    """
    marks = []
    for line in text.splitlines():
        what, task, attempt, _run, _pid, at, code = line.split()
        marks.append(Mark(what, task, int(attempt), float(at), None if code == "-" else int(code)))
    return marks


def told_by(events: Iterable[ev.Event]) -> Told:
    """What a run's events tell of its attempts and ends."""
    told = Told()
    for event in events:
        told.counts[type(event).__name__] += 1
        if isinstance(event, ev.TaskStarted):
            told.attempts[event.task_id][event.attempt] = Tried(event.device_id)
        elif isinstance(event, ev.TaskInterrupted):
            tried = told.attempts[event.task_id][event.attempt]
            tried.how, tried.why = "interrupted", event.reason
        elif isinstance(event, ev.TaskCompleted | ev.TaskFailed | ev.TaskRetryScheduled):
            _end(told, event)
        elif isinstance(event, ev.TaskSkipped | ev.TaskCancelled):
            told.statuses[event.task_id] = "skipped" if isinstance(event, ev.TaskSkipped) else "cancelled"
    return told


def _end(told: Told, event: ev.TaskCompleted | ev.TaskFailed | ev.TaskRetryScheduled) -> None:
    tried = told.attempts[event.task_id][event.attempt]
    tried.how = "completed" if isinstance(event, ev.TaskCompleted) else "failed"
    if event.result.error is not None:
        tried.code, tried.why = event.result.error.code, event.result.error.message
    told.results[event.task_id] = event.result
    if not isinstance(event, ev.TaskRetryScheduled):
        told.statuses[event.task_id] = tried.how


def judge(planned: Mapping[str, Planned], marks: Iterable[Mark], told: Told) -> list[str]:
    """A sentence for each promise that was broken."""
    by_attempt: dict[tuple[str, int], list[Mark]] = defaultdict(list)
    for mark in marks:
        by_attempt[mark.task, mark.attempt].append(mark)
    broken = [
        f"{task} ran as attempt {attempt}, of which the journal knows nothing."
        for task, attempt in by_attempt
        if attempt not in told.attempts.get(task, {})
    ]
    for task, attempts in told.attempts.items():
        for number, tried in attempts.items():
            found = by_attempt.get((task, number), [])
            broken += [f"{task}, attempt {number} on {tried.device}: {why}" for why in _wrong_with(tried, found)]
    for task, plan in planned.items():
        broken += [f"{task}: {why}" for why in _wrong_end(task, plan, told)]
        broken += [f"{task}: {why}" for why in _too_early(task, plan, by_attempt, told)]
    return broken


def _wrong_with(tried: Tried, marks: list[Mark]) -> list[str]:
    """What is wrong with an attempt that left these marks."""
    begins = sum(mark.what == "begin" for mark in marks)
    ends = [mark.code for mark in marks if mark.what == "end"]
    wrong = [f"it {what} {count} times." for what, count in (("began", begins), ("ended", len(ends))) if count > 1]
    if len(ends) > begins:
        wrong.append("it ended and never began.")
    if tried.how == _OPEN:
        wrong.append("the journal does not say how it ended.")
    elif tried.how == "completed" or tried.code in _BY_ITSELF:
        due = 0 if tried.how == "completed" else FAILED
        if ends != [due]:
            wrong.append(f"it counts as {tried.how}, but its marks of an end say {ends}: {tried.why}")
    elif tried.code == "timeout" and ends:
        wrong.append("it counts as stopped after its timeout, but it has ended.")
    elif tried.code == "start_failed" and begins:
        wrong.append(f"it counts as never begun, but it has: {tried.why}")
    elif tried.is_lost and begins and not tried.why:
        wrong.append("it began and was lost, and nothing says why.")
    return wrong


def _wrong_end(task: str, plan: Planned, told: Told) -> list[str]:
    """What is wrong with how a task has ended."""
    status, attempts = told.statuses.get(task, "not ended"), told.attempts.get(task, {})
    last = attempts[max(attempts)] if attempts else None
    if status != plan.status:
        return [f"it is {status} and not {plan.status}. {last.why if last is not None else ''}".rstrip()]
    if last is None:
        return [] if status == "skipped" else ["it counts as ended, but was never tried."]
    if status == "skipped":
        return ["it counts as skipped, but was tried."]
    if status == "failed":
        is_as_planned = last.code == plan.code or last.is_lost
        return [] if is_as_planned else [f"it failed with {last.code} and not {plan.code}. {last.why}"]
    result, wrong = told.results[task], []
    if result.value != {"n": plan.value}:
        wrong.append(f"its value is {result.value!r} and not {plan.value}.")
    printed = plan.printed
    if printed is not None and result.output_length != len(printed):
        wrong.append(f"{result.output_length} bytes of its output were kept, and it printed {len(printed)}.")
    return wrong


def _too_early(task: str, plan: Planned, by_attempt: Mapping[tuple[str, int], list[Mark]], told: Told) -> list[str]:
    """The parents that ended after a task had begun."""
    begins = [mark.at for number in told.attempts.get(task, {}) for mark in by_attempt.get((task, number), [])[:1]]
    if not begins:
        return []
    wrong = []
    for parent in plan.needs:
        ends = _ends_that_count(parent, by_attempt, told)
        if ends and min(begins) < ends[-1] - _SLACK:
            wrong.append(f"it began {ends[-1] - min(begins):.2f} s before {parent} had ended, which it waits for.")
    return wrong


def _ends_that_count(task: str, by_attempt: Mapping[tuple[str, int], list[Mark]], told: Told) -> list[float]:
    """When a task ended, of attempts that were not lost."""
    return [
        mark.at
        for number, tried in sorted(told.attempts.get(task, {}).items())
        if not tried.is_lost
        for mark in by_attempt.get((task, number), [])
        if mark.what == "end"
    ]


def lost_attempts(told: Told) -> list[tuple[str, int, Tried]]:
    """Those that came to no end of their own, with their tasks and numbers."""
    return [
        (task, number, tried)
        for task, attempts in told.attempts.items()
        for number, tried in attempts.items()
        if tried.is_lost
    ]


def files_that_tell(folder: Path, secret: str) -> list[str]:
    """The files in a folder, however deep, with a secret in their name or in them, also where they are compressed."""
    wanted, found = secret.encode(), []
    for path in sorted(folder.rglob("*")):
        try:
            is_told = secret in path.name or (path.is_file() and any(wanted in one for one in _contents(path)))
        except FileNotFoundError:  # removed meanwhile
            continue
        if is_told:
            found.append(str(path))
    return found


def _contents(path: Path) -> Iterable[bytes]:
    """What a file holds, as it is, and unpacked if it is packed."""
    data = path.read_bytes()
    yield data
    if data[:2] == b"PK" and zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as file:
            for name in file.namelist():
                yield file.read(name)
    elif data[:2] == b"\x1f\x8b":
        yield zlib.decompress(data, wbits=31)
