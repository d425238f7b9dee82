"""Records on this side of attempts that run elsewhere: a small value in a file, whole or absent."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from starloom.decodable import decodable
from starloom.errors import DeviceError
from starloom.private_files import make_subfolder

_T = TypeVar("_T", bound=msgspec.Struct)
SUFFIXES: Final = (".ssh", ".dask")
"""How the files of these values end, of each kind of device that keeps some."""


class Unended(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The record of an attempt that counts as ended but may still run, as its machine could not be told."""

    where: str
    """The machine, as people write its address."""
    since: float
    """When it was given up, in seconds since 1970."""
    why: str


class _AnyRecord(msgspec.Struct, frozen=True):
    unended: Unended | None = None


def unended(kept: Path) -> Unended | None:
    """The record, of whatever device, that an attempt may still run; None: there is none."""
    for suffix in SUFFIXES:
        with contextlib.suppress(DeviceError):
            if (record := read(os.path.abspath(kept) + suffix, _AnyRecord)) is not None:
                return record.unended
    return None


def is_elsewhere(kept: Path) -> bool:
    """Whether an attempt has a record, and so runs or ran elsewhere."""
    return any(os.path.exists(os.path.abspath(kept) + suffix) for suffix in SUFFIXES)


def write(path: str, value: msgspec.Struct) -> None:
    """Write the record atomically, so that it is never read half written.

    Raises:
        OSError: it cannot be written.
    """
    make_subfolder(Path(path).parent)
    fd = os.open(path + ".new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(fd, "wb") as file:
        file.write(msgspec.json.encode(value))
    os.replace(path + ".new", path)


def read(path: str, kind: type[_T]) -> _T | None:
    """The record; None: there is none, so nothing has begun.

    Raises:
        DeviceError: it cannot be read.
    """
    try:
        with open(path, "rb") as file:
            return msgspec.json.decode(file.read(), type=decodable(kind))
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise DeviceError(f"Where an attempt ran cannot be read from {path!r}: {error}.") from error


def remove(path: str) -> None:
    """Remove the record, if there is one."""
    with contextlib.suppress(OSError):
        os.unlink(path)
