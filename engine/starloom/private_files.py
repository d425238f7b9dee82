"""Files and folders that only this user can read, as the files of runs may hold passwords.

What the umask allows besides plays no part: all are made with the rights they keep.
"""

from __future__ import annotations

import os
import secrets
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, Final, Literal

from starloom.errors import StarloomError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FOLDER_MODE: Final = 0o700
FILE_MODE: Final = 0o600
_OTHERS: Final = 0o077


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing; one that is there stays as it is.

    Raises:
        OSError: it cannot be made.
    """
    missing = [folder]
    while not missing[-1].parent.exists():
        missing.append(missing[-1].parent)
    for path in reversed(missing):
        path.mkdir(mode=FOLDER_MODE, exist_ok=True)


def make_subfolder(folder: Path) -> None:
    """Make a folder in an existing one, e.g. a run's; does nothing if it exists.

    Raises:
        OSError: it cannot be made.
    """
    folder.mkdir(mode=FOLDER_MODE, exist_ok=True)


def close_to_others(folder: Path) -> None:
    """Remove the permissions of others from a folder of an earlier version.

    Raises:
        OSError: it cannot be looked at.
    """
    mode = folder.stat().st_mode
    if mode & _OTHERS:
        try:
            folder.chmod(mode & ~_OTHERS)
        except PermissionError:  # another user's, who decides about it
            return


def make_file(path: Path) -> None:
    """Make an empty file, before somebody who would make it with other rights opens it; one that is there stays.

    Raises:
        OSError: it cannot be made.
    """
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, FILE_MODE))


def open_private(path: Path, mode: Literal["wb", "xb"] = "xb") -> BinaryIO:
    """Open a file for writing bytes, made with these rights if it is new.

    Args:
        path: of the file.
        mode: `wb`, or `xb` where it must not be there.

    Raises:
        OSError: it cannot be opened.
    """
    return open(path, mode, opener=_opener)


def write_private(path: Path, data: bytes) -> None:
    """Write a file, made with these rights if it is new.

    Raises:
        OSError: it cannot be written.
    """
    with open_private(path, "wb") as file:
        file.write(data)


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """An empty file beside the target, which it replaces if all goes well, and else is gone.

    Raises:
        StarloomError: it cannot be written, as an `OSError` within says too.
    """
    path = target.resolve()  # replacing a link would cut it off from what it points to
    part = path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}.part")
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE))
        try:
            yield part
            if path.exists():
                part.chmod(path.stat().st_mode & 0o777)  # whoever may read it is decided
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise StarloomError(f"{target} cannot be written: {error.strerror or error}. Name another file.") from None


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags, FILE_MODE)
