"""Node positions of a run that a person placed by hand, in a small file beside its journal: no event depends on it.

What cannot be read is no reason to refuse a run: it is said in the log, and the run is laid out as if nothing had been
placed.
"""

from __future__ import annotations

import logging
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import msgspec
from pydantic import TypeAdapter, ValidationError

from starloom.journal.names import LAYOUT
from starloom.model.frozen import EMPTY
from starloom.model.positions import Positions
from starloom.private_files import write_private

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES: Final = 32 * 1024**2
"""Of a file that is read; 100,000 nodes take a tenth of that."""
_POSITIONS: Final[TypeAdapter[Positions]] = TypeAdapter(Positions)
_log = logging.getLogger(__name__)


def read_layout(folder: Path) -> Positions:
    """The positions of nodes of the run in a folder; empty if the file does not exist, or cannot be used."""
    try:
        with (folder / LAYOUT).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return EMPTY
    except OSError as error:
        return _nowhere(folder, error.strerror or str(error))
    if len(data) > MOST_BYTES:
        return _nowhere(folder, "it is too large")
    try:
        return _POSITIONS.validate_python(msgspec.json.decode(data))
    except (msgspec.MsgspecError, ValidationError, RecursionError, UnicodeDecodeError):
        return _nowhere(folder, "it does not say where nodes stand")


def _nowhere(folder: Path, why: str) -> Positions:
    _log.warning("%s was left alone: %s. The nodes of the run are laid out anew.", folder / LAYOUT, why)
    return EMPTY


def write_layout(folder: Path, layout: Positions) -> None:
    """Write the positions of nodes of the run in a folder: the file is replaced whole, or stays as it was.

    Args:
        folder: of the run.
        layout: the positions; none: the file is removed.

    Raises:
        OSError: it cannot be written.
    """
    target = folder / LAYOUT
    if not layout:
        target.unlink(missing_ok=True)
        return
    part = target.with_name(f".{LAYOUT}.{secrets.token_hex(6)}.part")
    try:
        write_private(part, msgspec.json.encode(dict(layout)))
        part.replace(target)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def keep_layout(folder: Path | None, layout: Positions) -> None:
    """Write the positions as `write_layout` does; a failure is only logged, as no run should wait for a drawing.

    Args:
        folder: None: nothing is kept of the run.
        layout: the positions.
    """
    if folder is None or not folder.is_dir():  # a run that was tidied away needs none
        return
    try:
        write_layout(folder, layout)
    except OSError as error:
        _log.warning("Where nodes were placed could not be kept in %s: %s.", folder, error.strerror or error)
