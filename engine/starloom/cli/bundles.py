"""`starloom export` and `starloom runs --import`: a run as one file, to be carried to another computer."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from starloom.cli.files import replacing
from starloom.cli.foreign import trouble_in_child
from starloom.cli.options import FAILED
from starloom.cli.runs import list_folder
from starloom.cli.screen import plain
from starloom.errors import StarloomError
from starloom.journal.bundle import ENDING, DamagedRun, is_bundle, pack, unpack
from starloom.journal.names import JOURNAL
from starloom.journal.records import find_folder
from starloom.journal.taking_in import AlreadyHere, take_in
from starloom.reporting.drawers import STAGE
from starloom.settings import journal_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from starloom.cli.screen import Screen


def export_run(named: str, target: Path, journal: Path | None, screen: Screen, *, stages: bool = False) -> int:
    """Write a run as one file; returns the exit code: 0, or 1 if a part of the run is lost, and nothing was written.

    Args:
        named: the run's id, the beginning of one, or its folder.
        target: the file, which is replaced if it is there.
        journal: the directory of the journals; None: the usual one.
        screen: where to say what was done.
        stages: whether to say what is being done, for a program that waits.

    Raises:
        StarloomError: there is no such run, it cannot be read, or the file cannot be written.
    """
    if target.suffix.lower() != ENDING:
        raise StarloomError(f"{target}: a run in one file ends in {ENDING}. Name it so.")
    folder = find_folder(journal or journal_path(), named)
    if stages:
        screen.note(f"{STAGE}reading")
    try:
        with replacing(target) as part, part.open("w+b") as file:
            manifest = pack(folder, file, _shares("packing", screen) if stages else _tell_nobody)
            size = file.tell()
    except DamagedRun as error:
        screen.error(str(error))
        return FAILED
    outputs = len(manifest.parts) - 1
    held = f"{outputs:,} file{'' if outputs == 1 else 's'} of output"
    return screen.result(f"{target}: the run {plain(manifest.run_id)}, with {held}, {size:,} bytes.")


def import_run(
    bundle: Path, journal: Path | None, screen: Screen, *, as_json: bool = False, stages: bool = False
) -> int:
    """Put the run of such a file beside the others; returns the exit code, 0.

    Args:
        bundle: the file.
        journal: the directory of the journals; None: the usual one.
        screen: where to say what was done.
        as_json: whether to print the run as `starloom runs --json` does; also one that was there already.
        stages: whether to say what is being done, for a program that waits.

    Raises:
        StarloomError: it is none, or cannot be taken in; nothing has changed.
    """
    if not bundle.is_file():
        raise StarloomError(f"There is no file {bundle}. Name one that `starloom export` has made.")
    shares = _shares("unpacking", screen) if stages else _tell_nobody
    try:
        folder = take_in(bundle, journal or journal_path(), shares, check=trouble_in_child)
        said = f"The run {plain(folder.name)} is in {folder}. It is there to be looked at and reported."
    except AlreadyHere as known:
        folder, said = known.folder, str(known)
        if not known.is_same:
            if as_json:
                list_folder(folder, screen)
            raise
    return list_folder(folder, screen) if as_json else screen.result(said)


def _shares(stage: str, screen: Screen) -> Callable[[float], None]:
    """Says how many percent of a stage are done, each once."""
    said = -1

    def tell(share: float) -> None:
        nonlocal said
        if (percent := int(share * 100)) > said:
            said = percent
            screen.note(f"{STAGE}{stage} {percent}")

    return tell


def _tell_nobody(_: float) -> None:
    """Nobody waits."""


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
