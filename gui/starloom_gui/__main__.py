"""`python -m starloom_gui`, and what `starloom` opens: the window; where there is no display, the demo without one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from starloom_gui import app, headless

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Open the console; returns the exit code.

    Args:
        arguments: those of `starloom console`; None: those of the program.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    wants_help = any(word in ("-h", "--help") for word in given)
    return app.main(given) if wants_help or headless.has_display() else headless.main(given)


if __name__ == "__main__":
    sys.exit(main())
