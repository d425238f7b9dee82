"""Exporting, importing and reporting a recorded run: `starloom report`, `export`, and `runs --import`."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from starloom.cli.options import FAILED, GOOD
from starloom.cli.runs import list_folder
from starloom.cli.screen import plain
from starloom.errors import StarloomError
from starloom.journal.bundle import DamagedRun, is_bundle, unpack
from starloom.journal.foreign_child import trouble_in_child
from starloom.journal.names import JOURNAL
from starloom.journal.records import find_folder
from starloom.journal.taking_in import AlreadyHere, take_in
from starloom.settings import journal_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.cli.screen import Screen


def report_run(named: str, target: Path, journal: Path | None, screen: Screen, *, scale: float = 2.0) -> int:
    """Write the report of a run to a file; returns the exit code: 0, or 1 if a part of its journal is lost.

    Args:
        named: the run's id, the beginning of one, its folder, or the file of one that was exported.
        target: the file, which is replaced if it is there; its ending says the format.
        journal: the directory of the journals; None: the usual one.
        screen: where to say what was done.
        scale: pixels for each unit of a picture.

    Raises:
        StarloomError: there is no such run or format, the journal cannot be read, or the file cannot be written.
    """
    from starloom.reporting.export import export_report

    with folder_of(journal, named) as folder:
        exported = export_report(folder, target, scale=scale)
    for sentence in exported.notes:
        screen.note(sentence, "yellow")
    screen.result(f"{target}: {exported.what}")
    return FAILED if exported.damage else GOOD


def export_run(named: str, target: Path, journal: Path | None, screen: Screen) -> int:
    """Write a run as one file; returns the exit code: 0, or 1 if a part of the run is lost and nothing was written.

    Args:
        named: the run's id, the beginning of one, or its folder.
        target: the file, which is replaced if it is there.
        journal: the directory of the journals; None: the usual one.
        screen: where to say what was done.

    Raises:
        StarloomError: there is no such run, it cannot be read, or the file cannot be written.
    """
    from starloom.reporting.export import export_bundle

    try:
        exported = export_bundle(find_folder(journal or journal_path(), named), target)
    except DamagedRun as error:
        screen.error(str(error))
        return FAILED
    return screen.result(f"{target}: {exported.what}")


def import_run(bundle: Path, journal: Path | None, screen: Screen, *, as_json: bool = False) -> int:
    """Import the run of such a file; returns the exit code, 0.

    Args:
        bundle: the file.
        journal: the directory of the journals; None: the usual one.
        screen: where to say what was done.
        as_json: whether to print the run as `starloom runs --json` does; also one that was there already.

    Raises:
        StarloomError: it is none, or cannot be taken in; nothing has changed.
    """
    if not bundle.is_file():
        raise StarloomError(f"There is no file {bundle}. Name one that `starloom export` has made.")
    try:
        folder = take_in(bundle, journal or journal_path(), check=trouble_in_child)
        said = f"The run {plain(folder.name)} is in {folder}. It is there to be looked at and reported."
    except AlreadyHere as known:
        folder, said = known.folder, str(known)
        if not known.is_same:
            if as_json:
                list_folder(folder, screen)
            raise
    return list_folder(folder, screen) if as_json else screen.result(said)


@contextmanager
def folder_of(journal: Path | None, named: str) -> Iterator[Path]:
    """The folder of a run with its journal: of a run among others, or of one in a file of its own.

    Raises:
        StarloomError: there is no such run, or the file is no whole one.
    """
    if not is_bundle(Path(named)):
        yield find_folder(journal or journal_path(), named)
        return
    with tempfile.TemporaryDirectory(prefix="starloom-") as scratch:
        unpack(Path(named), Path(scratch), only=JOURNAL, check=trouble_in_child)
        yield Path(scratch)
