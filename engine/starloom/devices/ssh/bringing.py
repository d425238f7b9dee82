"""Fetching what an ended attempt has left in its folder on the other side, besides its output."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from starloom.model.result import MAX_VALUE_BYTES
from starloom.private_files import write_private

if TYPE_CHECKING:
    from starloom.devices.ssh.session import SshSession
    from starloom.devices.ssh.work import Work


async def bring_result(session: SshSession, work: Work) -> None:
    """Fetch the file with its result, if there is one.

    Raises:
        LinkLost: the link broke.
    """
    path = work.files.result
    try:
        data = await session.read(f"{work.place.folder}/result", MAX_VALUE_BYTES)
    except OSError:
        os.makedirs(path, exist_ok=True)  # what is no file there is to be none here, and is told so
        return
    if data is not None:
        write_private(Path(path), data)


async def bring_error(session: SshSession, work: Work) -> None:
    """Fetch the error of a `python` task's child; one that cannot be used counts as none.

    Raises:
        LinkLost: the link broke.
    """
    with contextlib.suppress(OSError):
        data = await session.read(f"{work.place.folder}/error", MAX_VALUE_BYTES)
        if data is not None:
            work.files.write_error(data)
