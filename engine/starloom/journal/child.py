"""Child processes that run modules of this package: their command line, and how they report progress."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

STAGE: Final = "stage: "
"""What lines on stderr begin with that say what is being done: a word, and maybe how many percent of it are done."""
_FROZEN: Final = "--starloom-child"
"""A packaged program is no interpreter; with this it runs a file of its own: `packaging/frozen_entry.py`."""


def command_line(module: str, file: str, *arguments: str) -> tuple[str, ...]:
    """The command line that runs a module of this package.

    Args:
        module: its name.
        file: where it is.
        arguments: of the program.
    """
    if getattr(sys, "frozen", False):
        return (sys.executable, _FROZEN, file, *arguments)
    return (sys.executable, "-P", "-m", module, *arguments)


def stages_to(stream: TextIO) -> Callable[[str, float], None]:
    """A callback that writes the present stage and its progress, 0 to 1, to a stream: each percent once."""
    said = ("", -1)

    def tell(stage: str, share: float = 0.0) -> None:
        nonlocal said
        if (now := (stage, int(share * 100))) != said:
            said = now
            stream.write(f"{STAGE}{stage} {now[1]}\n")
            stream.flush()

    return tell
