"""What is kept on this side of a kept attempt: where on which machine the other side is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

import msgspec

from starloom.errors import DeviceError

if TYPE_CHECKING:
    from pathlib import Path

_SUFFIX: Final = ".ssh"


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where an attempt runs; written before anything of it begins."""

    host: str
    port: int
    user: str | None
    folder: str
    token: str


def write_record(kept: Path, record: Record) -> None:
    """Write it down; in one step, so that nobody reads half of it.

    Raises:
        OSError: it cannot be written.
    """
    path = _path(kept)
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    fd = os.open(path + ".new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(fd, "wb") as file:
        file.write(msgspec.json.encode(record))
    os.replace(path + ".new", path)


def read_record(kept: Path) -> Record | None:
    """What was written; None: nothing, so nothing has begun.

    Raises:
        DeviceError: it cannot be read.
    """
    path = _path(kept)
    try:
        with open(path, "rb") as file:
            return msgspec.json.decode(file.read(), type=Record)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise DeviceError(f"Where an attempt ran cannot be read from {path!r}: {error}.") from error


def remove_record(kept: Path) -> None:
    """Remove it, if it is there."""
    try:
        os.unlink(_path(kept))
    except OSError:
        return


def _path(kept: Path) -> str:
    return os.path.abspath(kept) + _SUFFIX
