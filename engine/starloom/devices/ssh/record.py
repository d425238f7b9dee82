"""What is kept on this side of a kept attempt: where on which machine the other side is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

import msgspec

from starloom.devices import kept_record

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.devices.ssh.address import Address

_SUFFIX: Final = ".ssh"


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where an attempt runs; written before anything of it begins."""

    host: str
    port: int
    user: str | None
    folder: str
    token: str

    def is_on(self, address: Address) -> bool:
        """Whether that is where it runs."""
        return (self.host, self.port, self.user) == (address.host, address.port, address.user)


def write_record(kept: Path, record: Record) -> None:
    """Write it down, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    kept_record.write(_path(kept), record)


def read_record(kept: Path) -> Record | None:
    """What was written; None: nothing, so nothing has begun.

    Raises:
        DeviceError: it cannot be read.
    """
    return kept_record.read(_path(kept), Record)


def remove_record(kept: Path) -> None:
    """Remove it, if it is there."""
    kept_record.remove(_path(kept))


def _path(kept: Path) -> str:
    return os.path.abspath(kept) + _SUFFIX
