"""The program at the other end of a Unix socket: whose it is, and whether it may give commands."""

from __future__ import annotations

import os
import socket
import struct
from typing import Final, NamedTuple

import psutil

from starloom.devices.family import TOKEN

_CREDENTIALS: Final = struct.Struct("3i")
"""As Linux fills in `SO_PEERCRED`: process, user and group."""


class PeerCredentials(NamedTuple):
    """What the system says of the program at the other end.

    Attributes:
        pid: its process as it connected; 0: it lives where its number means nothing here.
        uid: its user.
    """

    pid: int
    uid: int


def credentials(connection: socket.socket) -> PeerCredentials:
    """The credentials of the program at the other end of a connected Unix socket; Linux only.

    Raises:
        OSError: the system does not tell.
    """
    pid, uid, _ = _CREDENTIALS.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))
    return PeerCredentials(pid, uid)


def may_command(pid: int) -> bool:
    """Whether a process may give this engine commands: not if it, or what has started it, is one of its attempts.

    A task is known by descent from this program, or by the token in its environment, which also those have whose
    attempts an earlier program has begun. Who cannot be looked at may not. That keeps a task from steering its own run
    by mistake; it is no sandbox, as code of the same user can do all that this program can.

    Args:
        pid: of the process.
    """
    try:
        process = psutil.Process(pid)
        parents = process.parents()
        return not _has_token(process) and not any(one.pid == os.getpid() or _is_marked(one) for one in parents)
    except (psutil.Error, OSError, ValueError):
        return False


def _is_marked(parent: psutil.Process) -> bool:
    """Whether a process has the token, as far as one may look: nobody may look into a login's or another user's."""
    try:
        return _has_token(parent)
    except psutil.AccessDenied:
        return False


def _has_token(process: psutil.Process) -> bool:
    """Whether a process has a token in its environment, other than one that this program itself was given."""
    token = process.environ().get(TOKEN)
    return token is not None and token != os.environ.get(TOKEN)
