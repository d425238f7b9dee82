"""What is kept of an attempt while it runs in a Dask cluster: its order, so that a later program can take it up."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

import msgspec

from starloom.devices import kept_record

if TYPE_CHECKING:
    from pathlib import Path

_SUFFIX: Final = ".dask"


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where an attempt was sent, and as which order."""

    scheduler: str
    order_id: str
    is_own: bool = False
    """Whether the cluster was started by the program, on its machine, and has ended with it."""


def write_record(kept: Path, scheduler: str, order_id: str, *, is_own: bool = False) -> None:
    """Keep the record of an attempt, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    kept_record.write(_path(kept), Record(scheduler, order_id, is_own))


def read_record(kept: Path) -> Record | None:
    """The record of an attempt; None: it was never sent.

    Raises:
        DeviceError: it cannot be read.
    """
    return kept_record.read(_path(kept), Record)


def remove_record(kept: Path) -> None:
    """Let the record go, if there is one."""
    kept_record.remove(_path(kept))


def _path(kept: Path) -> str:
    return os.path.abspath(kept) + _SUFFIX
