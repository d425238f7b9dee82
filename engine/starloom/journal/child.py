"""Modules of ours in a process of their own: what starts one, and how it says what it is doing to who waits for it."""

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
    """What starts a module of ours as a program.

    Args:
        module: its name.
        file: where it is.
        arguments: of the program.
    """
    if getattr(sys, "frozen", False):
        return (sys.executable, _FROZEN, file, *arguments)
    return (sys.executable, "-P", "-m", module, *arguments)


def stages_to(stream: TextIO) -> Callable[[str, float], None]:
    """Says on a stream which stage has begun, and how much of it is done, 0 to 1: each percent once."""
    said = ("", -1)

    def tell(stage: str, share: float = 0.0) -> None:
        nonlocal said
        if (now := (stage, int(share * 100))) != said:
            said = now
            stream.write(f"{STAGE}{stage} {now[1]}\n")
            stream.flush()

    return tell
