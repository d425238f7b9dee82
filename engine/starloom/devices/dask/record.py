"""What is kept of an attempt while it runs in a Dask cluster: its order, so that a later program can end it."""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec

from starloom.errors import DeviceError


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where an attempt was sent, and as which order."""

    scheduler: str
    order_id: str


def write_record(kept: Path, scheduler: str, order_id: str) -> None:
    """Keep the record of an attempt.

    Raises:
        OSError: it cannot be written.
    """
    path = _path(kept)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.encode(Record(scheduler, order_id)))


def read_record(kept: Path) -> Record | None:
    """The record of an attempt; None: it was never sent.

    Raises:
        DeviceError: it cannot be read.
    """
    path = _path(kept)
    try:
        return msgspec.json.decode(path.read_bytes(), type=Record)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise DeviceError(f"The record {str(path)!r} of an attempt cannot be read: {error}.") from error


def remove_record(kept: Path) -> None:
    """Let the record go, if there is one."""
    with contextlib.suppress(OSError):
        _path(kept).unlink()


def _path(kept: Path) -> Path:
    return Path(f"{kept}.dask")
