"""The process family of one attempt: its process, all descendants, and those that left the process group."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING, Final, NamedTuple

import psutil

if TYPE_CHECKING:
    from collections.abc import Iterable

TOKEN: Final = "STARLOOM_ATTEMPT_TOKEN"
"""The environment variable that every process of an attempt inherits, with a value no other attempt has."""


class Family:
    """The living processes of one attempt.

    They are known by descent, by session, and by the token in their environment: a daemon that forked twice has lost
    the first two only if it made a session of its own as well. Members are remembered from look to look with the time
    they were created, so that neither a parent's end nor a process id used again misleads.
    """

    def __init__(self, leader: int | None, token: str) -> None:
        """The family of an attempt.

        Args:
            leader: the first process, which certainly is the attempt's and leads its group and session; None: it may
                have gone, and what has its number now is another's.
            token: what the environments of the members hold.
        """
        self._leader = leader
        self._token = token
        # None: the leader is gone already, and its number may be another process's at any time.
        self._self = None if leader is None else _process(leader)
        self._known: set[psutil.Process] = set()

    def look(self, asked: float) -> set[psutil.Process]:
        """The living members, without zombies. May read the process table: some milliseconds, so off the loop.

        Args:
            asked: when the caller asked, by `time.monotonic`; a reading that began later serves this caller too.
        """
        entries = _TABLE.read(asked)
        children: dict[int, list[psutil.Process]] = {}
        for entry in entries:
            children.setdefault(entry.parent, []).append(entry.process)
        found = {entry.process for entry in entries if self._is_marked(entry)} | self._known
        found |= {self._self} if self._self is not None else set()
        queue = [process.pid for process in found]
        seen = set(queue)
        while queue:
            for child in children.get(queue.pop(), ()):
                found.add(child)
                if child.pid not in seen:
                    seen.add(child.pid)
                    queue.append(child.pid)
        self._known = {process for process in found if process.pid != os.getpid() and is_alive(process)}
        return set(self._known)

    def terminate(self, members: set[psutil.Process], *, group: bool) -> None:
        """Send SIGTERM to members; with `group`, to the process group at once, one by one only to those outside it."""
        outside = [process for process in members if not (group and _group_of(process.pid) == self._leader)]
        _suspend(outside)
        if group:
            self._signal_group(signal.SIGTERM)
        for act in (psutil.Process.terminate, psutil.Process.resume):
            for process in outside:
                with contextlib.suppress(psutil.Error):
                    act(process)

    def kill(self, members: set[psutil.Process], *, group: bool) -> None:
        """Send SIGKILL to members, with `group` to their process group too."""
        _suspend(members)
        if group and sys.platform != "win32":
            self._signal_group(signal.SIGKILL)
        for process in members:
            with contextlib.suppress(psutil.Error):
                process.kill()

    def _signal_group(self, number: int) -> None:
        if self._leader is None:
            return
        if sys.platform == "win32":
            # The nearest thing to TERM there; whoever does not listen to it is ended after the grace period.
            with contextlib.suppress(OSError):
                os.kill(self._leader, signal.CTRL_BREAK_EVENT)
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._leader, number)

    def _is_marked(self, entry: _Entry) -> bool:
        if self._token and entry.token == self._token:
            return True
        return self._self is not None and entry.session == self._leader


def token_beside(name: str, value: str) -> str | None:
    """The token of a living process that has this variable in its environment; None: there is no such process."""
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            env = process.environ()
            if env.get(name) == value and TOKEN in env:
                return env[TOKEN]
    return None


def bearer(pid: int, token: str) -> psutil.Process | None:
    """The process of this id if it lives and has the token; None: it has ended, or its id was reused."""
    process = _process(pid)
    try:
        is_ours = process is not None and process.environ().get(TOKEN) == token
    except (psutil.Error, OSError):
        return None
    return process if is_ours else None


def has_bearers(token: str) -> bool:
    """Whether any process has this token in its environment. May read the process table, so off the loop."""
    return any(entry.token == token for entry in _TABLE.read(time.monotonic()))


class _Entry(NamedTuple):
    """The entry of one process in the process table."""

    process: psutil.Process
    parent: int
    session: int | None
    token: str | None


class _Table:
    """The process table, read once for all who ask while it is being read: a cancelled run stops many tasks at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._began = -1.0
        self._entries: tuple[_Entry, ...] = ()

    def read(self, asked: float) -> tuple[_Entry, ...]:
        """The processes there were at some moment after `asked`."""
        with self._lock:
            if self._began < asked:
                began = time.monotonic()
                self._entries = tuple(entry for pid in psutil.pids() if (entry := _entry(pid)) is not None)
                self._began = began
            return self._entries


_TABLE: Final = _Table()


def _entry(pid: int) -> _Entry | None:
    try:
        process = psutil.Process(pid)
        parent = process.ppid()
    except psutil.Error:
        return None
    try:
        token = process.environ().get(TOKEN)
    except (psutil.Error, OSError):
        token = None  # another user's, or a zombie's
    return _Entry(process, parent, _session_of(pid), token)


def _process(pid: int) -> psutil.Process | None:
    try:
        return psutil.Process(pid)
    except psutil.Error:
        return None


def is_alive(process: psutil.Process) -> bool:
    """Whether this very process, not another with its id, still runs; a zombie does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _suspend(members: Iterable[psutil.Process]) -> None:
    """Stop processes that are about to be signalled one by one.

    A shell whose child ends before the shell has its own signal would go on with its next command.
    """
    for process in members:
        with contextlib.suppress(psutil.Error):
            process.suspend()


def _session_of(pid: int) -> int | None:
    if sys.platform == "win32":
        return None
    try:
        return os.getsid(pid)
    except OSError:
        return None


def _group_of(pid: int) -> int | None:
    if sys.platform == "win32":
        return None
    try:
        return os.getpgid(pid)
    except OSError:
        return None
