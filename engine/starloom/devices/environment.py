"""The environment of a task as it is passed on: as environment or standard input, never as arguments.

Arguments of processes can be read by every user of a machine, their environment only by the user they belong to.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
import tempfile
from typing import IO, TYPE_CHECKING, Final

from starloom.devices.environment_child import PREFIX
from starloom.devices.process import StartFailed
from starloom.devices.secret_sources import SecretError

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from starloom.model.task import Task

SHELLS_OWN: Final = frozenset(
    ["IFS", "PWD", "OLDPWD", "SHLVL", "UID", "EUID", "PPID", "BASHOPTS", "SHELLOPTS", "BASH_VERSINFO", "CDPATH"]
)
"""What a shell takes to heart itself, or refuses to have set."""


def environment_of(task: Task) -> dict[str, str]:
    """The variables of a task whose secrets have been looked up.

    Raises:
        SecretError: one of them has not.
    """
    env = {}
    for name, value in task.env.items():
        if not isinstance(value, str):
            raise SecretError(f"Nobody has looked up the {value} for the variable {name}; run the task by an engine.")
        env[name] = value
    return env


def is_shell_name(name: str) -> bool:
    """Whether a shell accepts a variable of this name, and passes it on."""
    return name.isascii() and name.isidentifier()


def packed(env: Mapping[str, str]) -> dict[str, str]:
    """Variables of any name, packed into names that each shell passes on; `environment_child` unpacks them."""
    return {f"{PREFIX}{number}": f"{name}={value}" for number, (name, value) in enumerate(env.items())}


def split(env: Mapping[str, str], others: Container[str]) -> tuple[dict[str, str], bool]:
    """The variables a shell exports, and whether `environment_child` has to unpack some of them.

    Args:
        env: the variables.
        others: the names that this shell must not be told to export, besides those that are none to a shell.
    """
    plain = {name: value for name, value in env.items() if is_shell_name(name) and name not in others}
    rest = {name: value for name, value in env.items() if name not in plain}
    return {**plain, **packed(rest)}, bool(rest)


def export_lines(env: Mapping[str, str]) -> list[str]:
    """Shell lines that export variables with valid names.

    Raises:
        ValueError: a value holds a NUL character, which no variable can.
    """
    return [f"export {name}={quoted(value)}" for name, value in env.items()]


def quoted(value: str) -> str:
    """A value quoted for a shell.

    Raises:
        ValueError: it holds a NUL character, which no argument can.
    """
    if "\0" in value:
        raise ValueError("embedded null byte")
    return shlex.quote(value)


@contextlib.contextmanager
def readable(data: bytes) -> Iterator[int]:
    """A descriptor from which a process reads these bytes, without a file to be opened; no bytes: no input at all.

    Raises:
        StartFailed: there is no room for it.
    """
    if not data:
        yield subprocess.DEVNULL
        return
    try:
        file = _filled(data)
    except OSError as error:
        raise StartFailed(f"What the process is to read has no room: {error.strerror or error}.") from error
    with file:
        yield file.fileno()


def _filled(data: bytes) -> IO[bytes]:
    # A temporary file is readable by us alone, and has no name where the system knows such files.
    with contextlib.ExitStack() as opened:
        in_memory = hasattr(os, "memfd_create")
        file = open(os.memfd_create("starloom"), "r+b") if in_memory else tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
        opened.enter_context(file)
        file.write(data)
        file.seek(0)
        opened.pop_all()
    return file
