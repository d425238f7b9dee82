"""Export of a run from its journal to a file; the file's ending names the format.

This is the one door: `starloom report` and `starloom export` call it, and the console has it called in one process of
its own (`export_child`). PDF and PNG need Qt, which is found by an entry point and imported where one of them is made.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from importlib.metadata import entry_points
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, Final, TypeVar

from starloom.errors import StarloomError
from starloom.journal.base import JournalError
from starloom.journal.bundle import ENDING, pack
from starloom.journal.lock import holder_of
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom.private_files import replacing
from starloom.reporting.blocks import arranged
from starloom.reporting.folding import build
from starloom.reporting.hindsight import Hindsight
from starloom.reporting.provenance import PlanWatch, provenance_of
from starloom.reporting.standing import as_it_stands
from starloom.reporting.text import here, one_line
from starloom.scheduling.fold.stream_check import ImpossibleEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import tzinfo
    from importlib.metadata import EntryPoint
    from pathlib import Path

    from starloom.events import Event
    from starloom.reporting.finish import Foresee
    from starloom.reporting.report import Report

    Tell = Callable[[str, float], object]

_T = TypeVar("_T")
ENTRY_POINT_GROUP: Final = "starloom.reports"
"""An entry point of this group is named like a kind, and is called with the kind, a report, where the tasks of its
graph stand or None, whose clock to show, and how many pixels there are for a unit; it returns the document."""
PDF: Final = "pdf"
TIMELINE: Final = "timeline.png"
GRAPH: Final = "graph.png"
MISSING: Final = (
    "PDF and PNG are drawn by the console, which is not part of this version of Starloom. "
    "Install starloom with its console (PySide6-Essentials), or end the name in .html or .svg."
)


@dataclass(frozen=True, slots=True)
class Exported:
    """The result of an export.

    Attributes:
        what: the same as a sentence, or several.
        notes: sentences about what could not be told.
        damage: what is wrong with the journal, as a sentence; empty: nothing. What came after is not in the file.
    """

    what: str
    notes: tuple[str, ...] = ()
    damage: str = ""


def _tell_nobody(_stage: str, _share: float) -> None:
    """Nobody waits."""


def export(
    folder: Path, target: Path, *, scale: float = 2.0, goes_on_at: float | None = None, tell: Tell = _tell_nobody
) -> Exported:
    """Write a run to a file, whole or not at all: its report, or the whole run.

    Args:
        folder: of the run, with its journal; a run that goes on is told as it stands.
        target: the file, which is replaced if it is there; its ending says the format.
        scale: pixels for each unit of a picture.
        goes_on_at: up to when a copy of a run that a program elsewhere has open is told, in seconds since 1970 by the
            clock there; None: the journal's own lock says whether one has.
        tell: is told what is begun (reading, packing, drawing, writing), and what share of it is done, 0 to 1.

    Raises:
        StarloomError: there is no such format, the journal cannot be read, or the file cannot be written; it is as it
            was.
    """
    if target.name.lower().endswith(ENDING):
        return export_bundle(folder, target, tell)
    return export_report(folder, target, scale=scale, goes_on_at=goes_on_at, tell=tell)


def export_bundle(folder: Path, target: Path, tell: Tell = _tell_nobody) -> Exported:
    """Write the whole run as one file; see `export`.

    Raises:
        DamagedRun: a part of it is lost, and nothing was written.
        StarloomError: see `export`.
    """
    if target.suffix.lower() != ENDING:
        raise StarloomError(f"{target}: a run in one file ends in {ENDING}. Name it so.")
    tell("reading", 0.0)
    with replacing(target) as part, part.open("w+b") as file:
        manifest = pack(folder, file, lambda share: tell("packing", share))
        size = file.tell()
    outputs = len(manifest.parts) - 1
    held = f"{outputs:,} file{'' if outputs == 1 else 's'} of output"
    return Exported(f"the run {one_line(manifest.run_id)}, with {held}, {size:,} bytes.")


def export_report(
    folder: Path, target: Path, *, scale: float = 2.0, goes_on_at: float | None = None, tell: Tell = _tell_nobody
) -> Exported:
    """Write the report of a run; see `export`."""
    write = _writer(target)
    with StreamFile(folder / JOURNAL, read_only=True) as file:
        if goes_on_at is None and holder_of(folder / JOURNAL) is not None:
            goes_on_at = time.time()
        source = _Source(file, scale, goes_on_at)
        if not file.last:
            raise StarloomError(f"The run in {folder} has not begun. There is nothing to report.")
        tell("reading", 0.0)
        report = source.report()
        tell("drawing", 0.0)
        data = write(source)
    tell("writing", 0.0)
    with replacing(target) as part:
        part.write_bytes(data)
    return Exported(f"{report.state.replace('_', ' ')}. {report.verdict}", tuple(source.notes), source.damage)


class _Source:
    """The journal of a run, read when it is asked for.

    Attributes:
        notes: sentences about what could not be told.
        damage: what is wrong with the journal, once it was read; empty: nothing.
        zone: whose clock documents show.
        scale: pixels for each unit of a picture.
    """

    def __init__(self, file: StreamFile, scale: float, goes_on_at: float | None) -> None:
        self._file, self.scale, self._goes_on_at = file, scale, goes_on_at
        self.damage = ""
        self._report: Report | None = None
        self.notes: list[str] = []
        self.zone = here()

    def events(self) -> Iterable[Event]:
        """The stream, up to where it can be read."""
        try:
            yield from self._file.committed()
        except JournalError as error:
            self.damage = str(error)
            sentence = f"The report ends before the damage: {error}"
            if sentence not in self.notes:
                self.notes.append(sentence)

    @property
    def run_id(self) -> str:
        """The id of the journal's run."""
        return self._file.stream

    def report(self) -> Report:
        """The report, folded once."""
        if self._report is None:
            watch, now = PlanWatch(), self._goes_on_at
            report = folded(self._file.stream, watch.seen(self.events()), Hindsight(), now)
            provenance = provenance_of(
                self._file.meta, plan_sha256=watch.sha256(), journal_sha256=self._journal_sha256()
            )
            self._report = as_it_stands(report, is_held=now is not None, damage=self.damage, provenance=provenance)
        return self._report

    def _journal_sha256(self) -> str:
        """Empty: it cannot be read to its end."""
        try:
            return self._file.sha256()
        except JournalError:
            return ""


def folded(run_id: str, events: Iterable[Event], foresee: Foresee | None = None, now: float | None = None) -> Report:
    """The report of an untrusted stream; see `reporting.folding.build`.

    Raises:
        StarloomError: its events are such that no run could have had them.
    """
    return _of_anybodys(lambda: build(run_id, events, foresee, now))


def _of_anybodys(make: Callable[[], _T]) -> _T:
    """Call a function on a stream of any origin, whose errors become a `StarloomError`."""
    try:
        return make()
    except ImpossibleEvent as error:
        raise StarloomError(
            f"The journal tells what no run could have done: event {error.number}, {error.why}. Nothing was written."
        ) from None
    except StarloomError:
        raise
    except Exception as error:
        raise StarloomError(
            f"The journal tells what no run could have done ({type(error).__name__}: {error}). Nothing was written."
        ) from error


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
    csv.write_events(source.events(), text, lambda: source.damage)
    return text.getvalue().encode()


def _script(syntax: str) -> Callable[[_Source], bytes]:
    def write(source: _Source) -> bytes:
        from starloom.formats.script import dump_script
        from starloom.reporting.scripting import scripted

        made = _of_anybodys(lambda: scripted(source.run_id, source.events()))
        if source.damage:
            lost = one_line(f"What came after the damage of the journal is lost: {source.damage}")
            made = replace(made, left_out=(*made.left_out, lost))
        return dump_script(made, syntax).encode()

    return write


def _junit(source: _Source) -> bytes:
    from starloom.reporting import junit

    return junit.write(source.report())


def drawer(kind: str) -> EntryPoint | None:
    """The renderer of a kind of document; None: there is none."""
    return next((entry for entry in entry_points(group=ENTRY_POINT_GROUP) if entry.name == kind), None)


def drawn(kind: str, report: Report, zone: tzinfo, scale: float = 2.0) -> bytes:
    """A document of a report rendered by Qt, in this process.

    Args:
        kind: `pdf`, `timeline.png` or `graph.png`.
        report: what is told.
        zone: whose clock it shows.
        scale: pixels for each unit of a picture.

    Raises:
        StarloomError: there is nobody who draws it, or it failed.
    """
    entry = drawer(kind)
    if entry is None:
        raise StarloomError(MISSING)
    try:
        draw = entry.load()
        data: bytes = draw(kind, report, None if kind == TIMELINE else arranged(report), zone, scale)
    except StarloomError as error:
        raise _undrawn(str(error)) from None
    except Exception as error:
        raise _undrawn(f"{entry.value} failed: {type(error).__name__}: {error}") from error
    return data


def _undrawn(why: str) -> StarloomError:
    return StarloomError(f"It could not be drawn: {one_line(why).rstrip('.')}. An .html or .svg needs no drawing.")


def _drawn(kind: str) -> Callable[[_Source], bytes]:
    return lambda source: drawn(kind, source.report(), source.zone, source.scale)


FORMATS: Final[dict[str, Callable[[_Source], bytes]]] = {
    ".html": _html,
    ".htm": _html,
    ".trace.json": _trace,
    ".script.json": _script("json"),
    ".script.yaml": _script("yaml"),
    ".script.yml": _script("yaml"),
    ".json": _json,
    ".attempts.csv": _attempts,
    ".events.csv": _events,
    ".tasks.csv": _tasks,
    ".csv": _tasks,
    ".junit.xml": _junit,
    ".xml": _junit,
    ".pdf": _drawn(PDF),
    ".graph.png": _drawn(GRAPH),
    ".timeline.png": _drawn(TIMELINE),
    ".png": _drawn(TIMELINE),
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
