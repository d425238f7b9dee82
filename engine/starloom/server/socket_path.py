"""The place of an engine's socket: in a folder that only this user can enter; a note in the journal folder names it.

The name of a socket has room for little more than a hundred bytes, and a folder of journals may be anywhere. So the
socket lies in the user's runtime folder or, where there is none, in a folder of the user's own among the temporary
files.
"""

from __future__ import annotations

import os
import stat
import tempfile
from hashlib import blake2b
from pathlib import Path
from typing import Final

import msgspec

from starloom.decodable import decodable
from starloom.errors import StarloomError
from starloom.private_files import FOLDER_MODE, replacing

LONGEST_PATH: Final = 107
"""Bytes the path of a socket may have on Linux."""
_NOTE: Final = "server.json"


class ServerError(StarloomError):
    """An engine cannot be served here, or none that is served answers; the sentence says why and what to do."""


class SocketNote(msgspec.Struct, frozen=True):
    """The note beside the journals that says where their server listens."""

    socket: str


def socket_path(journals: Path) -> Path:
    """A path for the socket of the server of a journal folder, in a folder that is made for it if need be.

    Raises:
        ServerError: no folder can be had that is private and has a short enough path.
    """
    name = f"{blake2b(os.fsencode(journals.resolve()), digest_size=8).hexdigest()}.sock"
    reasons = []
    for folder in _folders():
        path = folder / name
        if len(os.fsencode(path)) > LONGEST_PATH:
            reasons.append(f"{path} is longer than the {LONGEST_PATH} bytes that the path of a socket may have")
        elif reason := _trouble_with(folder):
            reasons.append(reason)
        else:
            return path
    raise ServerError(
        f"There is no place for the server's socket: {'; '.join(reasons)}. Set XDG_RUNTIME_DIR to a folder of your own "
        "with a short path and mode 0700."
    )


def _folders() -> list[Path]:
    """Where sockets may lie, the best place first."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    named = [Path(runtime) / "starloom"] if Path(runtime).is_absolute() else []
    return [*named, Path(tempfile.gettempdir()) / f"starloom-{os.getuid()}"]


def _trouble_with(folder: Path) -> str:
    """The reason why a folder is not safe, made first if it is not there; empty: it is a folder of ours alone.

    Whoever may write to the folder above it may have put a link or a folder of theirs there.
    """
    try:
        folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
        found = folder.lstat()
    except OSError as error:
        return f"{folder} cannot be made ({error.strerror})"
    if not stat.S_ISDIR(found.st_mode):
        return f"{folder} is a link, not a folder"
    if found.st_uid != os.getuid():
        return f"{folder} belongs to another user"
    return f"{folder} is open to other users" if found.st_mode & 0o077 else ""


def write_note(journals: Path, socket: Path) -> None:
    """Write down where the server of a journal folder listens.

    Raises:
        StarloomError: it cannot be written.
    """
    with replacing(journals / _NOTE) as part:
        part.write_bytes(msgspec.json.encode(SocketNote(str(socket))))


def remove_note(journals: Path) -> None:
    """Remove the note of a server that has ended.

    Raises:
        OSError: it cannot be removed.
    """
    (journals / _NOTE).unlink(missing_ok=True)


def noted_socket(journals: Path) -> Path | None:
    """The socket that the note names; None: there is no note, so no server.

    Raises:
        ServerError: it cannot be read.
    """
    path = journals / _NOTE
    try:
        return Path(msgspec.json.decode(path.read_bytes(), type=decodable(SocketNote)).socket)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ServerError(f"{path} cannot be read ({error.strerror}). Make it readable.") from None
    except msgspec.MsgspecError:
        raise ServerError(f"{path} names no socket. Remove it and start the server again.") from None
