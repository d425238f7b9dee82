"""The process that exports a run for the console, so that no frame waits for it and a crash ends it alone.

`python -m starloom.reporting.export_child FOLDER TARGET [GOES_ON_AT]`: what is being done and what is wrong on stderr.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starloom.errors import StarloomError
from starloom.journal import child

if TYPE_CHECKING:
    from collections.abc import Sequence

GOOD: Final = 0
DAMAGED: Final = 1
"""It is written, but a part of the journal is lost."""
REFUSED: Final = 2


def command_line() -> tuple[str, ...]:
    """Its command line, without the folder of the run and the file to write."""
    return child.command_line(__name__, __file__)


def main(arguments: Sequence[str]) -> int:
    """Export a run; returns the exit code.

    Args:
        arguments: the folder of the run, the file to write and, of a copy of a run that a program elsewhere has open,
            up to when it is told; see `export`.
    """
    from starloom.reporting.export import export  # here, as whoever only starts the process needs none of it

    folder, target = map(Path, arguments[:2])
    goes_on_at = next(map(float, arguments[2:]), None)
    try:
        exported = export(folder, target, goes_on_at=goes_on_at, tell=child.stages_to(sys.stderr))
    except StarloomError as error:
        print(error, file=sys.stderr)  # noqa: T201 - whoever waits reads it
        return REFUSED
    except KeyboardInterrupt:  # whoever has asked does not want it any more
        return REFUSED
    for sentence in exported.notes:
        print(sentence, file=sys.stderr)  # noqa: T201 - likewise
    return DAMAGED if exported.damage else GOOD


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
