"""Notes that a person has written beside the tasks of a run, in a small file beside its journal: no event has them."""

from __future__ import annotations

import logging
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import msgspec
from pydantic import TypeAdapter, ValidationError

from starloom.errors import StarloomError
from starloom.journal.names import NOTES
from starloom.journal.window_file import read_entries, write_entries
from starloom.model.note import MOST_NOTES, Note

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES: Final = 4 * 1024**2
"""Of a file that is read; so many notes of the greatest length take less."""
_NOTES: Final[TypeAdapter[tuple[Note, ...]]] = TypeAdapter(tuple[Note, ...])
_UNUSABLE: Final = (msgspec.MsgspecError, ValidationError, ValueError, RecursionError)
_log = logging.getLogger(__name__)


def read_notes(folder: Path) -> tuple[Note, ...] | None:
    """The notes of the run in a folder, lowest first; None: there are only those of its plan, or they are unusable."""
    found = read_entries(folder / NOTES, MOST_BYTES, _decoded, _UNUSABLE)
    return found[0] if found else None


def _decoded(data: bytes) -> tuple[tuple[Note, ...]]:
    return (_NOTES.validate_python(msgspec.json.decode(data))[:MOST_NOTES],)


def keep_notes(folder: Path | None, notes: tuple[Note, ...] | None) -> None:
    """Write the notes of a run: the file is replaced whole, or stays as it was; a failure is only logged.

    Args:
        folder: of the run; None: nothing is kept of it.
        notes: None: they are those of its plan, and the file is removed.
    """
    if folder is None or not folder.is_dir():  # a run that was tidied away needs none
        return
    try:
        write_entries(folder / NOTES, None if notes is None else msgspec.json.encode([asdict(one) for one in notes]))
    except (StarloomError, OSError) as error:
        _log.warning("The notes of the run in %s could not be kept: %s", folder, error)
