"""Records on this side of kept attempts on other machines: machine and folder."""

from __future__ import annotations

import logging
import os
import time
from typing import TYPE_CHECKING, Final

import msgspec

from starloom.devices import kept_record
from starloom.devices.kept_record import Unended
from starloom.devices.ssh.address import Address
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from pathlib import Path

_SUFFIX: Final = ".ssh"
_log = logging.getLogger(__name__)


class SshRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The record of where an attempt runs; written before it starts, removed when nothing of it is left there."""

    host: str
    port: int
    user: str | None
    folder: str
    token: str
    unended: Unended | None = None
    """That it counts as lost, and may still run; None: it does not."""

    def is_on(self, address: Address) -> bool:
        """Whether the attempt runs at this address."""
        return (self.host, self.port, self.user) == (address.host, address.port, address.user)


def write_record(kept: Path, record: SshRecord) -> None:
    """Write the record, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    kept_record.write(_path(kept), record)


def read_record(kept: Path) -> SshRecord | None:
    """The record; None: there is none, so nothing has started.

    Raises:
        DeviceError: it cannot be read.
    """
    return kept_record.read(_path(kept), SshRecord)


def record_of(task_id: str, kept: Path | None, device_id: str, address: Address) -> SshRecord | None:
    """The record of an attempt; None: nothing of it has started.

    Args:
        task_id: of the attempt, for the sentence.
        kept: where its record is; None: there is none.
        device_id: the device that is to say what became of it, for the sentence.
        address: of that device's machine.

    Raises:
        DeviceError: the record cannot be read, or the attempt was on another machine.
    """
    record = read_record(kept) if kept is not None else None
    if record is not None and not record.is_on(address):
        raise DeviceError(
            f"An attempt of {task_id!r} ran on {record.host} port {record.port}, but device {device_id!r} is "
            f"{address}, so nobody knows what became of it. Connect that machine, and resume again."
        )
    return record


def note_unended(kept: Path, why: str) -> None:
    """Record that an attempt that counts as ended may still run, so that a later program ends it."""
    try:
        record = read_record(kept)
        if record is not None:
            address = Address(record.host, record.port, record.user)
            unended = Unended(where=str(address), since=time.time(), why=why)
            write_record(kept, msgspec.structs.replace(record, unended=unended))
    except (DeviceError, OSError) as error:
        _log.warning("that an attempt may still run cannot be written down beside %s: %s", kept, error)


def remove_record(kept: Path) -> None:
    """Remove the record, if there is one."""
    kept_record.remove(_path(kept))


def _path(kept: Path) -> str:
    return os.path.abspath(kept) + _SUFFIX
