"""Whether a program can be started, and a sentence on why not."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_BINFMT: Final = "/proc/sys/fs/binfmt_misc"
_LONGEST_FIRST_LINE: Final = 256
_PROBE: Final = 4096
"""Bytes, as a file system gives space in blocks."""


def check_program(program: str, cwd: str | None, env: Mapping[str, str]) -> str:
    """The path of a program that can be started; raises what starting it would raise.

    For a program that a shell is going to start: the shell would only say 126 or 127, or run what is no program as a
    script.

    Args:
        program: its name, looked for in PATH, or its path, relative to `cwd`.
        cwd: the working directory; None: where we are.
        env: its environment.

    Raises:
        OSError: it cannot be started; `why_not_started` makes a sentence of it.
        ValueError: its name cannot be given to the system.
    """
    if b"\0" in os.fsencode(program):
        raise ValueError("embedded null byte")
    folder = cwd or "."
    if not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), cwd)
    if not os.access(folder, os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), cwd)
    places = [""] if os.sep in program else os.get_exec_path(env)
    denied = False
    for place in places:
        path = os.path.join(folder, place, program)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            _check_format(path, folder)
            return os.path.abspath(path)
        denied = denied or os.path.exists(path)
    number = errno.EACCES if denied else errno.ENOENT
    raise OSError(number, os.strerror(number), program)


def _check_format(path: str, folder: str) -> None:
    """Raise if the system would not know how to run the file, or misses the interpreter it names."""
    try:
        with open(path, "rb") as file:
            first = file.read(_LONGEST_FIRST_LINE)
    except OSError:
        return  # it may be run but not read
    if first.startswith(b"#!"):
        interpreter = first[2:].split(b"\n")[0].split()[:1]
        if interpreter and not os.path.exists(os.path.join(os.fsencode(folder), interpreter[0])):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    elif sys.platform == "linux" and not first.startswith(b"\x7fELF") and not _knows_other_formats():
        raise OSError(errno.ENOEXEC, os.strerror(errno.ENOEXEC), path)


def _knows_other_formats() -> bool:
    try:
        return len(os.listdir(_BINFMT)) > len(("register", "status"))
    except OSError:
        return False


def why_unwritable(folder: str) -> str:
    """The reason why a folder cannot be written, as the system's message; empty: it can."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"?" * _PROBE)
            file.flush()
    except OSError as error:
        return error.strerror or str(error)
    return ""


_REASONS: Final[Mapping[int, str]] = {
    errno.ENOEXEC: "the system does not know how to run it; a script needs a first line like #!/bin/sh",
    errno.E2BIG: "its arguments and environment are longer than the system allows; pass large values in files",
    errno.EMFILE: "this program has too many files open; run fewer tasks at once or raise `ulimit -n`",
    errno.ENFILE: "the system has too many files open",
    errno.EAGAIN: "the system allows no more processes now; run fewer tasks at once or raise `ulimit -u`",
    errno.ENOMEM: "there is not enough memory",
}


SHORTAGES: Final = frozenset(
    {errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM, errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO}
)
"""What the machine lacks when nothing could be started there, whatever the program is."""


def is_shortage(error: BaseException | None) -> bool:
    """Whether an error, or its cause, is a shortage of the machine and not the program's fault."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in SHORTAGES:
            return True
        error = error.__cause__
    return False


def why_not_started(error: OSError | ValueError, program: str, cwd: str | None) -> str:
    """A sentence on why a program could not be started in this working directory."""
    if not isinstance(error, OSError):
        # A NUL character or half a surrogate pair; Python refuses both before there is a process.
        return f"The program {program!r} cannot be started: its arguments or environment hold {error}."
    if cwd is not None and not os.path.isdir(cwd):
        return f"The working directory {cwd!r} does not exist or is no directory; create it or change `cwd`."
    if cwd is not None and error.filename == cwd:
        return f"The working directory {cwd!r} cannot be entered: {error.strerror}."
    if isinstance(error, FileNotFoundError):
        return _not_found(program)
    if isinstance(error, PermissionError):
        return f"The program {program!r} cannot be executed; check its permissions (`chmod +x`)."
    reason = _REASONS.get(error.errno or 0, error.strerror or str(error))
    return f"The program {program!r} cannot be started: {reason}."


def _not_found(program: str) -> str:
    if os.sep not in program:
        return f"The program {program!r} was not found; check its name, or that its directory is in PATH."
    return f"The program {program!r} was not found; check the path, and the interpreter its first line names."
