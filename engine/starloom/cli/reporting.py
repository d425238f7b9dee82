"""`starloom report`: what a run came to, from its journal alone, in the format that the file's ending names."""

from __future__ import annotations

import os
import secrets
from datetime import UTC, datetime
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, Final

from starloom.errors import StarloomError
from starloom.journal.base import JournalError
from starloom.journal.library import JOURNAL
from starloom.journal.records import find_folder
from starloom.journal.stream_file import StreamFile
from starloom.reporting.folding import build
from starloom.settings import journal_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import tzinfo
    from pathlib import Path

    from starloom.cli.screen import Screen
    from starloom.events import Event
    from starloom.reporting.blocks import Arrangement
    from starloom.reporting.report import Report


def report_run(named: str, target: Path, journal: Path | None, screen: Screen) -> int:
    """Write the report of a run into a file; returns the exit code, 0.

    Args:
        named: the run's id, the beginning of one, or its folder.
        target: the file, which is replaced if it is there; its ending says the format.
        journal: the directory of the journals; None: the usual one.
        screen: where to say what was done.

    Raises:
        StarloomError: there is no such run or format, the journal cannot be read, or the file cannot be written.
    """
    write = _writer(target)
    path = find_folder(journal or journal_path(), named) / JOURNAL
    with StreamFile(path, read_only=True) as file:
        source = _Source(file)
        if not file.last:
            raise StarloomError(f"The run in {path.parent} has not begun. There is nothing to report.")
        data, report = write(source), source.report()
    for sentence in source.notes:
        screen.note(sentence, "yellow")
    _replace(target, data)
    return screen.result(f"{target}: {report.state.replace('_', ' ')}. {report.verdict}")


class _Source:
    """The journal of a run, read when it is asked for.

    Attributes:
        notes: sentences about what could not be told.
        zone: whose clock documents show.
    """

    def __init__(self, file: StreamFile) -> None:
        self._file = file
        self._report: Report | None = None
        self.notes: list[str] = []
        self.zone: tzinfo = datetime.now(tz=UTC).astimezone().tzinfo or UTC

    def events(self) -> Iterable[Event]:
        """The stream, up to where it can be read."""
        try:
            yield from self._file.committed()
        except JournalError as error:
            sentence = f"The report ends before the damage: {error}"
            if sentence not in self.notes:
                self.notes.append(sentence)

    def report(self) -> Report:
        """The report, folded once."""
        if self._report is None:
            self._report = build(self._file.stream, self.events(), self._environment())
        return self._report

    def _environment(self) -> dict[str, str]:
        meta = self._file.meta
        named = {"Starloom": "engine", "Journal made": "created", "Journal format": "format"}
        return {name: meta[key] for name, key in named.items() if meta.get(key)}


def arranged(report: Report) -> Arrangement:
    """Where the tasks of a report's graph stand, by the layout that the console uses too."""
    from starloom.layout import LayoutGraph, layout
    from starloom.reporting.blocks import Arrangement

    ids = [task.id for task in report.tasks]
    made = layout(LayoutGraph.of_pairs(ids, ((ids[edge.parent], ids[edge.child]) for edge in report.edges)))
    corners = (made.positions - made.sizes / 2).tolist()
    boxes = [(x, y, wide, high) for (x, y), (wide, high) in zip(corners, made.sizes.tolist(), strict=True)]
    return Arrangement(boxes, [made.routes.of(edge).tolist() for edge in range(len(report.edges))])


# ---- the formats


def _html(source: _Source) -> bytes:
    from starloom.reporting.html import page

    report = source.report()
    return page(report, arranged(report), source.zone).encode()


def _json(source: _Source) -> bytes:
    from starloom.reporting import json

    data = BytesIO()
    json.write(source.report(), data)
    return data.getvalue()


def _trace(source: _Source) -> bytes:
    from starloom.reporting import trace

    text = StringIO()
    trace.write(source.report(), text)
    return text.getvalue().encode()


def _timeline(source: _Source) -> bytes:
    from starloom.reporting.svg import timeline_svg

    return timeline_svg(source.report(), source.zone).encode()


def _graph(source: _Source) -> bytes:
    from starloom.reporting.svg import graph_svg

    return graph_svg(source.report(), arranged(source.report())).encode()


def _tasks(source: _Source) -> bytes:
    from starloom.reporting import csv

    text = StringIO(newline="")
    csv.write_tasks(source.report(), text)
    return text.getvalue().encode()


def _attempts(source: _Source) -> bytes:
    from starloom.reporting import csv

    text = StringIO(newline="")
    csv.write_attempts(source.report(), text)
    return text.getvalue().encode()


def _events(source: _Source) -> bytes:
    from starloom.reporting import csv

    text = StringIO(newline="")
    csv.write_events(source.events(), text)
    return text.getvalue().encode()


FORMATS: Final[dict[str, Callable[[_Source], bytes]]] = {
    ".html": _html,
    ".htm": _html,
    ".trace.json": _trace,
    ".json": _json,
    ".attempts.csv": _attempts,
    ".events.csv": _events,
    ".tasks.csv": _tasks,
    ".csv": _tasks,
    ".graph.svg": _graph,
    ".timeline.svg": _timeline,
    ".svg": _timeline,
}
"""What to write, by ending; a longer ending stands before the shorter one it ends with."""


def _writer(target: Path) -> Callable[[_Source], bytes]:
    name = target.name.lower()
    for ending, write in FORMATS.items():
        if name.endswith(ending) and name != ending:
            return write
    raise StarloomError(f"{target}: no report is made in this format. End the name in {', '.join(sorted(FORMATS))}.")


def _replace(target: Path, data: bytes) -> None:
    """Write the file, all of it or nothing."""
    path = target.resolve()  # replacing a link would cut it off from what it points to
    part = path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}.part")
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        try:
            with open(handle, "wb") as file:
                file.write(data)
            part.replace(path)
        except OSError:
            part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise StarloomError(f"{target} cannot be written: {error.strerror or error}. Name another file.") from None
