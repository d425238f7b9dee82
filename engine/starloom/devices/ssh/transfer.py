"""Files that a task wants on the other side before it runs, and back after it has completed.

On this side a path is relative to one folder and stays in it, whoever wrote the plan; on the other side it is relative
to where the task runs. Only files are copied, no folders; each appears whole or not at all.
"""

from __future__ import annotations

import os
import posixpath
import stat
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import asyncssh

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from starloom.devices.ssh.session import Session
    from starloom.model.task import Task

Direction = Literal["send", "fetch"]
_PART: Final = ".starloom-part"


class TransferFailed(Exception):  # noqa: N818 - becomes the error of an attempt
    """A file cannot be moved; the sentence says which and why."""


class Transfer(NamedTuple):
    """One file."""

    local: Path
    remote: str


def transfers_of(task: Task, direction: Direction, folder: Path, cwd: str) -> tuple[Transfer, ...]:
    """The files that a task wants copied.

    Args:
        task: the task.
        direction: which way.
        folder: in what all files on this side have to lie.
        cwd: where the task runs on the other side.

    Raises:
        TransferFailed: what the task says cannot be used.
    """
    try:
        files = task.copied
    except ValueError as error:
        raise TransferFailed(str(error)) from error
    if direction == "send":
        return tuple(Transfer(_inside(folder, one.source), posixpath.join(cwd, one.target)) for one in files.send)
    return tuple(Transfer(_inside(folder, one.target), posixpath.join(cwd, one.source)) for one in files.fetch)


def _inside(folder: Path, path: str) -> Path:
    """Where a file lies on this side, wherever links lead."""
    root = folder.resolve()
    found = (root / path).resolve()
    if root not in found.parents:
        raise TransferFailed(f"The file {path!r} lies outside {str(root)!r}; give a path in that folder.")
    return found


async def upload(session: Session, transfers: Sequence[Transfer], progress: Callable[[float, str], None]) -> None:
    """Bring files to the other side, with their permissions.

    Raises:
        TransferFailed: one cannot be read here or written there.
        LinkLost: the link broke; it may be begun anew.
    """
    told = _Told(progress, "send")
    try:
        for each in transfers:
            kind = each.local.stat()
            if not stat.S_ISREG(kind.st_mode):
                raise TransferFailed(f"{str(each.local)!r} is no file; pack a folder into one, say with tar.")
            told.expect(kind.st_size)
    except OSError as error:
        raise TransferFailed(f"The file {str(each.local)!r} cannot be read: {error.strerror}.") from error
    for each in transfers:
        with session.links():
            try:
                await _upload(session.sftp, each, told)
            except asyncssh.SFTPError as error:
                raise _failed(error, f"{each.remote!r} cannot be written on the other machine") from error


async def _upload(sftp: asyncssh.SFTPClient, each: Transfer, told: _Told) -> None:
    part = each.remote + _PART
    await sftp.makedirs(posixpath.dirname(each.remote), exist_ok=True)
    await sftp.put(str(each.local), part, progress_handler=told.hear(each.local.name))
    await sftp.chmod(part, each.local.stat().st_mode & 0o777)
    await sftp.posix_rename(part, each.remote)


async def fetch(session: Session, transfers: Sequence[Transfer], progress: Callable[[float, str], None]) -> None:
    """Bring files to this side.

    Raises:
        TransferFailed: one cannot be read there or written here.
        LinkLost: the link broke; it may be begun anew.
    """
    told = _Told(progress, "fetch")
    for each in transfers:
        with session.links():
            try:
                kind = await session.sftp.stat(each.remote)
            except asyncssh.SFTPError as error:
                raise _failed(error, f"{each.remote!r} cannot be read on the other machine") from error
        if not stat.S_ISREG(kind.permissions or 0):
            raise TransferFailed(f"{each.remote!r} on the other machine is no file; have the task pack it into one.")
        told.expect(kind.size or 0)
    for each in transfers:
        with session.links():
            try:
                await _fetch(session.sftp, each, told)
            except asyncssh.SFTPError as error:
                raise _failed(error, f"{each.remote!r} cannot be read on the other machine") from error
            except OSError as error:
                if isinstance(error, ConnectionError):
                    raise
                raise TransferFailed(f"The file {str(each.local)!r} cannot be written: {error.strerror}.") from error


async def _fetch(sftp: asyncssh.SFTPClient, each: Transfer, told: _Told) -> None:
    part = each.local.with_name(each.local.name + _PART)
    each.local.parent.mkdir(parents=True, exist_ok=True)
    await sftp.get(each.remote, str(part), follow_symlinks=True, progress_handler=told.hear(each.local.name))
    os.replace(part, each.local)


def _failed(error: asyncssh.SFTPError, sentence: str) -> Exception:
    """What to raise: an error of the link is told as it is."""
    if isinstance(error, asyncssh.SFTPConnectionLost | asyncssh.SFTPNoConnection):
        return error
    return TransferFailed(f"The file {sentence}: {error.reason.rstrip('.')}.")


class _Told:
    """How much of all files has been moved."""

    def __init__(self, progress: Callable[[float, str], None], verb: str) -> None:
        self._progress = progress
        self._verb = verb
        self._total = 0
        self._before = 0

    def expect(self, size: int) -> None:
        """So many bytes more are to come."""
        self._total += size

    def hear(self, name: str) -> Callable[[bytes, bytes, int, int], None]:
        """What is to be told of one file's progress."""
        before = self._before

        def heard(_source: bytes, _target: bytes, done: int, _size: int) -> None:
            self._before = before + done
            self._progress(self._before / max(1, self._total), f"{self._verb} {name}")

        return heard
