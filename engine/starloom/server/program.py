"""The command line of this very program, to be started again in another process."""

from __future__ import annotations

import sys


def program() -> tuple[str, ...]:
    """The words before the arguments: of an interpreter or, where it is packaged, of the program itself."""
    return (sys.executable,) if getattr(sys, "frozen", False) else (sys.executable, "-P", "-m", "starloom.cli")
