"""Starting a server as a process of its own, which outlives whoever starts it."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, Final

from starloom.private_files import FILE_MODE, make_folder
from starloom.server.program import program
from starloom.server.socket_path import ServerError

if TYPE_CHECKING:
    from pathlib import Path

READY: Final = "ready"
"""What a server that takes runs over says on its standard output as it begins to wait for them."""
IDLE_EXIT: Final = "10m"
"""After how long without clients and runs a server ends that nobody has started by name."""
PATIENCE: Final = 120.0
"""Seconds in which a server that was started has to listen; it reaches for its devices first."""
LOOK_EVERY: Final = 0.05
"""Seconds between two looks for it."""


def log_of(journals: Path) -> Path:
    """The file with what servers of a folder of journals say that nobody has started by name."""
    return journals / "server.log"


def start_server(journals: Path, *options: str, talks: bool = False) -> subprocess.Popen[bytes]:
    """Start a server in a session of its own, which gives way to a console; returns at once.

    Args:
        journals: the folder.
        *options: more of `starloom serve`.
        talks: whether its standard input and output are pipes; else it has neither.

    Raises:
        ServerError: it cannot be started.
    """
    own = "--journal", str(journals.absolute()), "--idle-exit", IDLE_EXIT, "--give-way"
    command = *program(), "serve", *own, *options
    try:
        make_folder(journals)
        log = os.open(log_of(journals), os.O_WRONLY | os.O_CREAT | os.O_APPEND, FILE_MODE)
        try:
            given, told = (subprocess.PIPE, subprocess.PIPE) if talks else (subprocess.DEVNULL, log)
            return subprocess.Popen(command, stdin=given, stdout=told, stderr=log, start_new_session=True)
        finally:
            os.close(log)
    except OSError as error:
        raise ServerError(f"No server can be started: {error.strerror or error}.") from None


def not_up(journals: Path) -> ServerError:
    """The error of a server that was started and has ended, or takes too long."""
    return ServerError(f"The server does not come up. See {log_of(journals)} for why.")
