"""The process that imports the run of a bundle for the console, so that no frame waits for it.

`python -m starloom.journal.import_child FILE DIRECTORY`: the folder of the run on stdout, as JSON; what is being done
and what is wrong on stderr.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starloom.errors import StarloomError
from starloom.journal import child

if TYPE_CHECKING:
    from collections.abc import Sequence

GOOD: Final = 0
REFUSED: Final = 2


def command_line() -> tuple[str, ...]:
    """Its command line, without the file and the directory of the journals."""
    return child.command_line(__name__, __file__)


def main(arguments: Sequence[str]) -> int:
    """Import a run; returns the exit code: `GOOD` if the run that is there now is that of the file, else `REFUSED`.

    Args:
        arguments: the bundle, and the directory of the journals.
    """
    from starloom.journal.foreign_child import trouble_in_child  # here, as whoever only starts the process needs
    from starloom.journal.taking_in import AlreadyHere, take_in  # none of it

    path, directory = map(Path, arguments)
    tell = child.stages_to(sys.stderr)
    folder: Path | None = None
    trouble = ""
    try:
        folder = take_in(path, directory, lambda share: tell("unpacking", share), check=trouble_in_child)
    except AlreadyHere as known:
        folder, trouble = known.folder, "" if known.is_same else str(known)
    except StarloomError as error:
        trouble = str(error)
    except KeyboardInterrupt:  # whoever has asked does not want it any more
        return REFUSED
    if folder is not None:
        print(json.dumps(str(folder)))  # noqa: T201 - its answer
    if trouble:
        print(trouble, file=sys.stderr)  # noqa: T201 - likewise
    return REFUSED if trouble else GOOD


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
