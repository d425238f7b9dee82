"""The report as a trace for Perfetto and Chrome: devices as processes, slots as tracks, dependencies as arrows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from starloom.reporting.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from starloom.reporting.report import Report, ReportedAttempt

_MICRO: Final = 1e6
_RUN: Final = 1
"""The process of what concerns the run as a whole; devices follow."""
_LONGEST: Final = 500
_COLOURS: Final = {"completed": "good", "failed": "terrible", "cancelled": "bad", "interrupted": "bad"}

Entry = dict[str, Any]


def write(report: Report, file: TextIO) -> None:
    """Write the trace, an entry a line, in plain ASCII; its clock is microseconds since the run's start."""
    file.write('{"displayTimeUnit":"ms","otherData":')
    told = {"run": _text(report.title), "verdict": _text(report.verdict), **dict(report.provenance.named())}
    json.dump(told | ({"damage": _text(report.damage)} if report.damage else {}), file)
    file.write(',"traceEvents":[')
    for number, entry in enumerate(entries(report)):
        file.write(",\n" if number else "\n")
        file.write(json.dumps(entry, separators=(",", ":"), allow_nan=False))
    file.write("\n]}\n")


def entries(report: Report) -> Iterator[Entry]:
    """The entries of the trace: names of tracks, slices, arrows, counters, marks."""
    processes = {device.id: number for number, device in enumerate(report.devices, _RUN + 1)}
    yield from _names(report, processes)
    for attempt in report.attempts:
        yield _slice(report, attempt, processes)
    yield from _arrows(report, processes)
    for part in report.load:
        counts = {"running": round(part.running, 3), "waiting": round(part.waiting, 3)}
        yield {"ph": "C", "name": "attempts", "pid": _RUN, "ts": part.at * _MICRO, "args": counts}
    for one in report.interventions:
        told = {"who": _text(one.who), "why": _text(one.why)}
        mark = {"ph": "i", "s": "p", "name": _text(one.what), "cat": "steering", "pid": _RUN, "tid": 0, "args": told}
        yield mark | {"ts": one.at * _MICRO}
    if report.damage:
        name, why = "The journal is damaged: what came after this is lost", {"why": _text(report.damage)}
        mark = {"ph": "i", "s": "g", "name": name, "cat": "damage", "pid": _RUN, "tid": 0, "args": why}
        yield mark | {"ts": report.seconds * _MICRO}


def _names(report: Report, processes: dict[str, int]) -> Iterator[Entry]:
    yield _name("process_name", _RUN, 0, _text(report.title))
    for device in report.devices:
        process = processes[device.id]
        yield _name("process_name", process, 0, _text(device.id))
        yield {"ph": "M", "name": "process_sort_index", "pid": process, "tid": 0, "args": {"sort_index": process}}
        for slot in range(device.lanes):
            yield _name("thread_name", process, slot + 1, f"slot {slot + 1}")


def _name(kind: str, process: int, thread: int, text: str) -> Entry:
    return {"ph": "M", "name": kind, "pid": process, "tid": thread, "args": {"name": text}}


def _slice(report: Report, one: ReportedAttempt, processes: dict[str, int]) -> Entry:
    task = report.tasks[one.task]
    told: Entry = {"task": _text(task.id), "attempt": one.number, "status": one.status, "waited_s": one.waited}
    if one.exit_code is not None:
        told["exit_code"] = one.exit_code
    if one.message:
        told["why"] = _text(one.message)
    where: Entry = {"pid": processes[one.device], "tid": one.slot + 1, "ts": one.started * _MICRO}
    entry: Entry = {"ph": "X", "name": _text(task.name), "cat": one.status, "dur": one.seconds * _MICRO, "args": told}
    colour = {"cname": _COLOURS[one.status]} if one.status in _COLOURS else {}
    return entry | where | colour


def _arrows(report: Report, processes: dict[str, int]) -> Iterator[Entry]:
    """From the end of a parent's last attempt to the start of the child's first one."""
    for number, edge in enumerate(report.edges):
        before, after = report.tasks[edge.parent].attempts, report.tasks[edge.child].attempts
        if not before or not after:
            continue
        parent, child = report.attempts[before[-1]], report.attempts[after[0]]
        common: Entry = {"name": "needs", "cat": edge.kind, "id": number}
        last = max(parent.started, parent.ended - min(1e-6, parent.seconds / 2))  # within the slice, so that it binds
        yield common | _end(parent, processes, last) | {"ph": "s"}
        yield common | _end(child, processes, max(last, child.started)) | {"ph": "f", "bp": "e"}


def _end(one: ReportedAttempt, processes: dict[str, int], at: float) -> Entry:
    return {"pid": processes[one.device], "tid": one.slot + 1, "ts": at * _MICRO}


def _text(text: str) -> str:
    return clean(text)[:_LONGEST]
