"""Sets variables that no shell passes on, because of their names, and then execs the command.

Run by its path, and also copied to machines that have no Starloom: so it keeps to the standard library of Python 3.8.
Each variable comes as `NAME=value` in one whose name begins with PREFIX: so none of them stands in a process list.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

PREFIX: Final = "STARLOOM_ENV_"
FROZEN: Final = "--starloom-child"
"""A packaged program is no interpreter; with this it becomes one for a file of its own: `packaging/frozen_entry.py`."""


def command_line() -> tuple[str, ...]:
    """The command line of this program, which goes before a command on this machine."""
    if getattr(sys, "frozen", False):
        return (sys.executable, FROZEN, __file__)
    return (sys.executable, "-I", "-S", __file__)


def main(command: Sequence[str]) -> None:
    """Exec the command; prints why if that is not possible, as `env` does."""
    for packed in [name for name in os.environ if name.startswith(PREFIX)]:
        name, _, value = os.environ.pop(packed).partition("=")
        os.environ[name] = value
    try:
        os.execvp(command[0], list(command))
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        sys.exit(127 if isinstance(error, FileNotFoundError) else 126)


if __name__ == "__main__":
    main(sys.argv[1:])
