"""`starloom report`: what a run came to, from its journal alone, in the format that the file's ending names."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, Final, TypeVar

from starloom.cli.bundles import folder_of
from starloom.cli.files import write_file
from starloom.cli.hindsight import Hindsight
from starloom.cli.options import GOOD
from starloom.cli.provenance import PlanWatch
from starloom.errors import StarloomError
from starloom.journal.base import JournalError
from starloom.journal.lock import holder_of
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom.reporting.drawers import DAMAGED, GRAPH, PDF, STAGE, TIMELINE, drawn
from starloom.reporting.folding import build
from starloom.reporting.provenance import provenance_of
from starloom.reporting.standing import as_it_stands
from starloom.reporting.text import here, one_line
from starloom.scheduling.stream_check import ImpossibleEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from starloom.cli.screen import Screen
    from starloom.events import Event
    from starloom.reporting.finish import Foresee
    from starloom.reporting.report import Report


_T = TypeVar("_T")


def report_run(
    named: str, target: Path, journal: Path | None, screen: Screen, *, scale: float = 2.0, stages: bool = False
) -> int:
    """Write the report of a run into a file; returns the exit code: 0, or 1 if a part of its journal is lost.

    Args:
        named: the run's id, the beginning of one, its folder, or the file of one that was exported.
        target: the file, which is replaced if it is there; its ending says the format.
        journal: the directory of the journals; None: the usual one.
        screen: where to say what was done.
        scale: pixels for each unit of a picture.
        stages: whether to say what is being done, for a program that waits.

    Raises:
        StarloomError: there is no such run or format, the journal cannot be read, or the file cannot be written.
    """
    write = _writer(target)
    with folder_of(journal, named) as folder, StreamFile(folder / JOURNAL, read_only=True) as file:
        source = _Source(file, scale, is_held=holder_of(folder / JOURNAL) is not None)
        if not file.last:
            raise StarloomError(f"The run in {folder} has not begun. There is nothing to report.")
        stage(screen, "reading", wanted=stages)
        report = source.report()
        stage(screen, "drawing", wanted=stages)
        data = write(source)
    stage(screen, "writing", wanted=stages)
    for sentence in source.notes:
        screen.note(sentence, "yellow")
    write_file(target, data)
    screen.result(f"{target}: {report.state.replace('_', ' ')}. {report.verdict}")
    return DAMAGED if source.damage else GOOD


def stage(screen: Screen, name: str, *, wanted: bool) -> None:
    """Say on stderr what is being done, on a line of its own, if a program waits for that."""
    if wanted:
        screen.note(f"{STAGE}{name}")


class _Source:
    """The journal of a run, read when it is asked for.

    Attributes:
        notes: sentences about what could not be told.
        damage: what is wrong with the journal, once it was read; empty: nothing.
        zone: whose clock documents show.
        scale: pixels for each unit of a picture.
    """

    def __init__(self, file: StreamFile, scale: float, *, is_held: bool) -> None:
        self._file, self.scale, self._is_held = file, scale, is_held
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
        """Whose journal it is."""
        return self._file.stream

    def report(self) -> Report:
        """The report, folded once."""
        if self._report is None:
            watch = PlanWatch()
            report = folded(self._file.stream, watch.seen(self.events()), Hindsight())
            provenance = provenance_of(
                self._file.meta, plan_sha256=watch.sha256(), journal_sha256=self._journal_sha256()
            )
            self._report = as_it_stands(report, is_held=self._is_held, damage=self.damage, provenance=provenance)
        return self._report

    def _journal_sha256(self) -> str:
        """Empty: it cannot be read to its end."""
        try:
            return self._file.sha256()
        except JournalError:
            return ""


def folded(run_id: str, events: Iterable[Event], foresee: Foresee | None = None) -> Report:
    """The report of a stream, which may come from anywhere; see `reporting.folding.build`.

    Raises:
        StarloomError: its events are such that no run could have had them.
    """
    return _of_anybodys(lambda: build(run_id, events, foresee))


def _of_anybodys(make: Callable[[], _T]) -> _T:
    """What is made of a stream which may come from anywhere."""
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
    from starloom.cli.arranging import arranged
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
    from starloom.cli.arranging import arranged
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


def _drawn(kind: str) -> Callable[[_Source], bytes]:
    return lambda source: drawn(kind, source.report(), source.scale)


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
