"""`starloom report`: what a run came to, from its journal alone, in the format that the file's ending names."""

from __future__ import annotations

from io import BytesIO, StringIO
from typing import TYPE_CHECKING, Final, TypeVar

from starloom.cli.bundles import folder_of
from starloom.cli.files import write_file
from starloom.errors import StarloomError
from starloom.journal.base import JournalError
from starloom.journal.library import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom.reporting.drawers import GRAPH, PDF, STAGE, TIMELINE, drawn
from starloom.reporting.folding import build
from starloom.reporting.text import here

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from starloom.cli.screen import Screen
    from starloom.events import Event
    from starloom.reporting.report import Report


_T = TypeVar("_T")


def report_run(
    named: str, target: Path, journal: Path | None, screen: Screen, *, scale: float = 2.0, stages: bool = False
) -> int:
    """Write the report of a run into a file; returns the exit code, 0.

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
        source = _Source(file, scale)
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
    return screen.result(f"{target}: {report.state.replace('_', ' ')}. {report.verdict}")


def stage(screen: Screen, name: str, *, wanted: bool) -> None:
    """Say on stderr what is being done, on a line of its own, if a program waits for that."""
    if wanted:
        screen.note(f"{STAGE}{name}")


class _Source:
    """The journal of a run, read when it is asked for.

    Attributes:
        notes: sentences about what could not be told.
        zone: whose clock documents show.
        scale: pixels for each unit of a picture.
    """

    def __init__(self, file: StreamFile, scale: float) -> None:
        self._file, self.scale = file, scale
        self._report: Report | None = None
        self.notes: list[str] = []
        self.zone = here()

    def events(self) -> Iterable[Event]:
        """The stream, up to where it can be read."""
        try:
            yield from self._file.committed()
        except JournalError as error:
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
            self._report = folded(self._file.stream, self.events(), self._environment())
        return self._report

    def _environment(self) -> dict[str, str]:
        meta = self._file.meta
        named = {"Starloom": "engine", "Journal made": "created", "Journal format": "format"}
        return {name: meta[key] for name, key in named.items() if meta.get(key)}


def folded(run_id: str, events: Iterable[Event], environment: Mapping[str, str] | None = None) -> Report:
    """The report of a stream, which may come from anywhere.

    Raises:
        StarloomError: its events are such that no run could have had them.
    """
    return _of_anybodys(lambda: build(run_id, events, environment))


def _of_anybodys(make: Callable[[], _T]) -> _T:
    """What is made of a stream which may come from anywhere."""
    try:
        return make()
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
    csv.write_events(source.events(), text)
    return text.getvalue().encode()


def _script(syntax: str) -> Callable[[_Source], bytes]:
    def write(source: _Source) -> bytes:
        from starloom.formats.script import dump_script
        from starloom.reporting.scripting import scripted

        return dump_script(_of_anybodys(lambda: scripted(source.run_id, source.events())), syntax).encode()

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
