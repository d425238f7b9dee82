"""A private folder for files that attempts need only while this program lives."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from typing import Final

import psutil

from starloom.errors import DeviceError

_PREFIX: Final = "starloom-"
_OF_A_PROGRAM: Final = re.compile(rf"{_PREFIX}(\d{{1,10}})-\w+")


class ScratchFolder:
    """A folder in the system's temporary directory, created on first use, as most attempts need none.

    Its name holds the program's process id. Empty folders of programs that were killed are removed when one is made.

    Args:
        device_id: the device that uses it, for messages.
    """

    def __init__(self, device_id: str) -> None:
        self._device_id = device_id
        self._path: str | None = None

    def path(self) -> str:
        """The folder, which exists and which only this user can read.

        Raises:
            DeviceError: it cannot be made.
        """
        if self._path is None:
            _remove_what_killed_programs_left()
            try:
                self._path = tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-")
            except OSError as error:
                raise DeviceError(f"Device {self._device_id!r} cannot make a folder for its files: {error}.") from error
        return self._path

    def remove(self) -> None:
        """Remove the folder with everything in it, if there is one."""
        path, self._path = self._path, None
        if path is not None:
            shutil.rmtree(path, ignore_errors=True)


def _remove_what_killed_programs_left() -> None:
    folder = tempfile.gettempdir()
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            found = _OF_A_PROGRAM.fullmatch(name)
            if found is not None and not psutil.pid_exists(int(found[1])):
                with contextlib.suppress(OSError):
                    os.rmdir(os.path.join(folder, name))  # refuses a folder that holds something
