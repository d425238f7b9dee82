"""`python -m starloom_gui`, and what `starloom` opens: the window; where there is no display, the demo without one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from starloom_gui import first_sight
from starloom_gui.displays import has_display

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Open the console; returns the exit code.

    Args:
        arguments: those of `starloom console`; None: those of the program.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    wants_help = any(word in ("-h", "--help") for word in given)
    if wants_help or has_display():
        return first_sight.main(given)
    from starloom_gui import headless  # it needs all that `first_sight` shows a window before

    return headless.main(given)


if __name__ == "__main__":
    sys.exit(main())
