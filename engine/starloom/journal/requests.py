"""Requests to a running program from another terminal: files beside the journals that it polls."""

from __future__ import annotations

import contextlib
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from starloom.journal.base import JournalError
from starloom.private_files import make_folder

if TYPE_CHECKING:
    from pathlib import Path

_TRY_AGAIN: Final = "try-again"


def request_try_again(directory: Path, device_id: str) -> None:
    """Request that the program with these journals reconnects a device now, or ends its suspension.

    Args:
        directory: of the journals.
        device_id: the device.

    Raises:
        JournalError: nothing can be written there.
    """
    try:
        make_folder(directory / _TRY_AGAIN)
        _path(directory, device_id).touch(mode=0o600)
    except OSError as error:
        raise JournalError(f"Nothing can be written in {directory}: {error.strerror or error}.") from None


def take_request(directory: Path, device_id: str) -> bool:
    """Whether the request was made since the last call.

    Args:
        directory: of the journals.
        device_id: the device.
    """
    with contextlib.suppress(OSError):
        _path(directory, device_id).unlink()
        return True
    return False


def _path(directory: Path, device_id: str) -> Path:
    return directory / _TRY_AGAIN / sha256(device_id.encode("utf-8", "surrogatepass")).hexdigest()[:32]
