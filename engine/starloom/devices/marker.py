"""The wrapper around a kept attempt's command, and the marker file that says how the command has ended.

An attempt may outlive the program that started it, so somebody else has to wait for its command: a shell that does
nothing but that. First it makes the marker, which must not exist, and writes down who it is; a later program that wants
to be certain that the attempt never begins makes something of that name itself. What ran under a wrapper that died
without writing down an end is interrupted.

Where a keeper starts commands there are no wrappers, and it writes the markers: see `keeper_child`.
"""

from __future__ import annotations

import errno
import os
import re
import time
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.devices import environment_child
from starloom.devices.attempt_files import read_bytes
from starloom.devices.environment import split
from starloom.devices.family import TOKEN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starloom.devices.attempt_files import AttemptFiles

SHELLS: Final = ("/bin/dash", "/usr/bin/dash", "/bin/sh")
"""What the wrapper runs under: the first of these that exists; dash starts in a third of bash's time."""

NOT_BEGUN: Final = 73
"""The wrapper's exit code if it could make no marker and ran nothing; a command may end with it as well."""

# Reads the seconds since the machine was started: a clock that nobody sets; nothing where there is none. Not in a
# subshell, as forks are most of what a short command costs; the names are ours, and the command does not see them.
_READ_UPTIME: Final = "STARLOOM_KEPT_AT=; { read -r STARLOOM_KEPT_AT STARLOOM_KEPT_IDLE </proc/uptime; } 2>/dev/null; "

# The shell's descriptors: 0 is the command's stderr, 1 its stdout, 2 its input. 2 becomes the marker, because there the
# shell says that a signal killed the command, which is all that tells exit code 137 from SIGKILL. It says so of every
# signal it has a trap for, except INT and PIPE: of those two, 130 and 141 are all that is known.
SCRIPT: Final = (
    # bash as sh says nothing about signals, and may have been told to end at the first failure.
    "case ${BASH_VERSION-} in ?*) command set +e +o posix;; esac; "
    # Whoever finds a marker there already, or cannot write down who he is, runs nothing. Without `command` dash would
    # end with a code of its own then.
    'set -C; command exec 3<&2 2>"$1" || exit NOT_BEGUN; shift; '
    f'{_READ_UPTIME}echo "begin $$ ${TOKEN} $STARLOOM_KEPT_AT ." >&2 || exit NOT_BEGUN; '
    # Signals to the group are for the command. Traps, unlike ignored signals, are not inherited.
    "trap : HUP INT QUIT PIPE ALRM TERM USR1 USR2; "
    '(unset STARLOOM_KEPT_AT STARLOOM_KEPT_IDLE; RESTOREexec "$@" 2>&0 <&3 3<&-); '
    f'set -- $?; {_READ_UPTIME}echo "end $1 $STARLOOM_KEPT_AT ." >&2; exit $1'
).replace("NOT_BEGUN", str(NOT_BEGUN))
# What shells set on their own account is given back as it was.
_SHELLS_OWN: Final = ("PWD", "OLDPWD", "SHLVL")
_KEPT: Final = "STARLOOM_KEPT_"
_KEPT_BY: Final = re.compile(rb"kept (\d{1,10}) ([\w-]+) ([\w-]+) \.\n")
_BEGIN: Final = re.compile(rb"begin (\d{1,10}) ([\w-]+) (?:(\S*) )?(?:(\S+) )?\.")
_END: Final = re.compile(rb"end (\d{1,3}) (?:(\S*) )?\.")
_REVOKED: Final = b"\nrevoked .\n"
MAX_MARKER_BYTES: Final = 64 * 1024
_LEAST_AGO: Final = 0.001
"""Seconds; what has just been written was written a moment ago, however clocks are set."""


class Keeping(NamedTuple):
    """The keeper that starts a command and waits for it."""

    pid: int
    token: str
    """What the environment of the keeper holds, and that of a process it has just made, which is no command yet."""


class Marker(NamedTuple):
    """The content of a marker file."""

    pid: int
    """The process id, and process group's and session's, of the wrapper or, with a keeper, of the command; 0: the
    keeper has not written yet that it has started one."""
    token: str
    """What the environment of that process, and of everything it has started, holds if nobody has taken it out."""
    code: int | None
    """The command's exit code, or minus the signal's number; None: no end is written down."""
    said: str = ""
    """What the shell has said besides."""
    took: float | None = None
    """Seconds that the command took, by the clock of its machine; None: it has not ended, or there is no such clock."""
    keeper: Keeping | None = None
    """None: there is a wrapper."""
    start: str = ""
    """By when the keeper had started the command's process, in seconds since the machine was started, and which run of
    the machine that was; empty: there is a wrapper."""
    began: str = ""
    """From when on its process was started, likewise in seconds."""
    is_revoked: bool = False
    """Whether the attempt counts as interrupted, whatever its keeper may still write of its end."""


class MeasuredEnd(NamedTuple):
    """The times of a command's end."""

    ago: float | None
    """Seconds since then; None: unknown."""
    took: float | None
    """Seconds that the command took; None: nobody measured them."""


def wrapped(argv: Sequence[str], files: AttemptFiles, env: Mapping[str, str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """The command line and environment of the wrapper for a command, which gets its environment unchanged.

    Its descriptors are to be: 0 the file for the command's stderr, 1 the file for its stdout, 2 what the command reads.

    Args:
        argv: the program and its arguments.
        files: of the attempt.
        env: the whole environment of the command.
    """
    own = {f"{_KEPT}{name}": env[name] for name in _SHELLS_OWN if name in env}
    restoring = "".join(
        f"{name}=${_KEPT}{name}; unset {_KEPT}{name}; " if name in env else f"unset {name}; " for name in _SHELLS_OWN
    )
    passed, is_packed = split(env, ())
    shell = next((shell for shell in SHELLS if os.path.exists(shell)), SHELLS[-1])
    command = (*environment_child.command_line(), *argv) if is_packed else tuple(argv)
    return (shell, "-c", SCRIPT.replace("RESTORE", restoring), "sh", files.marker, *command), {**passed, **own}


def read_marker(path: str) -> Marker | None:
    """The content of a wrapper's marker file; None: none that can be used."""
    try:
        data = read_bytes(path, MAX_MARKER_BYTES) or b""
    except OSError:
        return None
    return parse_marker(data)


def measured_end(path: str) -> MeasuredEnd | None:
    """The times of a command's end, as its wrapper's marker file has them; None: no end is written down."""
    marker = read_marker(path)
    if marker is None or marker.code is None:
        return None
    try:
        return MeasuredEnd(max(_LEAST_AGO, time.time() - os.stat(path).st_mtime), marker.took)
    except OSError:
        return MeasuredEnd(None, marker.took)


def parse_marker(data: bytes) -> Marker | None:
    """The marker from the bytes of its file; None: they cannot be used."""
    kept = _KEPT_BY.match(data)
    if kept is None:
        return _parsed(data)
    keeper = Keeping(int(kept[1]), kept[2].decode())
    said, revoked, _ = data[kept.end() :].partition(_REVOKED)
    marker = _parsed(said) or Marker(0, kept[3].decode(), None)
    return marker._replace(keeper=keeper, is_revoked=bool(revoked) and marker.code is None)


def _parsed(data: bytes) -> Marker | None:
    begin, _, rest = data.partition(b"\n")
    who = _BEGIN.fullmatch(begin)
    if who is None:
        return None
    lines = rest.split(b"\n")
    # The last line is only an end when it is one to its very last character.
    end = _END.fullmatch(lines[-2]) if len(lines) > 1 and not lines[-1] else None
    said = b"\n".join(lines[:-2] if end else lines).decode(errors="replace").strip()
    code = _exit_code(int(end[1]), said) if end else None
    took = seconds_between(who[3], end[2]) if end else None
    return Marker(
        int(who[1]), who[2].decode(), code, said, took, None, (who[4] or b"").decode(), (who[3] or b"").decode()
    )


def seconds_between(began: bytes | str | None, ended: bytes | str | None) -> float | None:
    """Seconds between two times of a wrapper's machine; None: unknown, or they contradict each other."""
    try:
        seconds = round(float(ended or ""), 2) - round(float(began or ""), 2)
    except ValueError:
        return None
    return round(seconds, 2) if seconds >= 0 else None


def take_back(path: str) -> bool:
    """Revoke the attempt of this marker; returns whether it has not started and never will.

    A directory in the marker's place says so: it is made in one step, which a file with something in it is not, and
    keeps a wrapper that starts late from making its file.

    Raises:
        OSError: it can be neither made nor looked at.
    """
    try:
        os.mkdir(path)
    except FileExistsError:
        return os.path.isdir(path)
    return True


def revoke(path: str) -> None:
    """Have a keeper's attempt count as interrupted, unless its end is written down already.

    What is appended first counts, so that nobody has to be asked who came first.

    Raises:
        OSError: it cannot be written down.
    """
    fd = os.open(path, os.O_WRONLY | os.O_APPEND)
    try:
        if os.write(fd, _REVOKED) != len(_REVOKED):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)
    finally:
        os.close(fd)


def _exit_code(status: int, said: str) -> int:
    """A shell gives 128 and the signal's number for a killed command, and says something; other codes are its own."""
    return 128 - status if status > 128 and said else status
