"""Records of attempts in a Dask cluster: the order of each, so that a later program can take over."""

from __future__ import annotations

import logging
import os
import time
from typing import TYPE_CHECKING, Final

import msgspec

from starloom.devices import kept_record
from starloom.devices.kept_record import Unended
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from pathlib import Path

_SUFFIX: Final = ".dask"
_log = logging.getLogger(__name__)


class DaskRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The record of an attempt: where it was sent, and its order."""

    scheduler: str
    order_id: str
    is_own: bool = False
    """Whether the cluster was started by the program, on its machine, and has ended with it."""
    unended: Unended | None = None
    """That it counts as lost, and may still run; None: it does not."""


def write_record(kept: Path, scheduler: str, order_id: str, *, is_own: bool = False) -> None:
    """Write the record of an attempt, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    kept_record.write(_path(kept), DaskRecord(scheduler, order_id, is_own))


def read_record(kept: Path) -> DaskRecord | None:
    """The record of an attempt; None: it was never sent.

    Raises:
        DeviceError: it cannot be read.
    """
    return kept_record.read(_path(kept), DaskRecord)


def record_of(task_id: str, kept: Path | None, device_id: str, scheduler: str) -> DaskRecord | None:
    """The record of an attempt; None: it was never ordered.

    Args:
        task_id: of the attempt, for the sentence.
        kept: where its record is; None: there is none.
        device_id: the device that is to say what became of it, for the sentence.
        scheduler: the address of that device's cluster.

    Raises:
        DeviceError: the record cannot be read, or the attempt was in another cluster, which goes on.
    """
    record = read_record(kept) if kept is not None else None
    if record is not None and record.scheduler != scheduler and not record.is_own:
        raise DeviceError(
            f"An attempt of {task_id!r} ran in the Dask cluster at {record.scheduler}, but device {device_id!r} is "
            f"in that at {scheduler}, so nobody knows what became of it. Connect that one, then resume."
        )
    return record


def order_in_reach(kept: Path, scheduler: str) -> str:
    """The order of an attempt in the cluster at this address; empty: none. A useless record is removed."""
    try:
        record = read_record(kept)
    except DeviceError:
        remove_record(kept)  # nobody can say any more what it was about
        return ""
    if record is not None and record.is_own:
        remove_record(kept)  # its cluster ended with its program, or forgets it by itself
        return ""
    return record.order_id if record is not None and record.scheduler == scheduler else ""


def note_unended(kept: Path, where: str, why: str) -> None:
    """Record that an attempt that counts as ended may still run, so that a later program ends it."""
    try:
        record = read_record(kept)
        if record is not None:
            unended = Unended(where=where, since=time.time(), why=why)
            kept_record.write(_path(kept), msgspec.structs.replace(record, unended=unended))
    except (DeviceError, OSError) as error:
        _log.warning("that an attempt may still run cannot be written down beside %s: %s", kept, error)


def remove_record(kept: Path) -> None:
    """Remove the record, if there is one."""
    kept_record.remove(_path(kept))


def _path(kept: Path) -> str:
    return os.path.abspath(kept) + _SUFFIX
