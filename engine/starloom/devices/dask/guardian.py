"""The guardian process of one worker: when that ends, it kills leftover processes and removes the worker's folder.

A worker that is killed can clean up nothing. Its guardian waits for the end of its standard input, which the system
closes with the worker. Run by its path, and imports next to nothing, as there is one for each worker.
"""

from __future__ import annotations

import contextlib
import shutil
import sys
from typing import TYPE_CHECKING, Final

import psutil

if TYPE_CHECKING:
    from collections.abc import Sequence

MARK: Final = "STARLOOM_WORKER"
"""The environment variable that everything a worker's attempts start inherits."""
_BLOWS: Final = 200
_BREATH: Final = 0.02


def main(arguments: Sequence[str]) -> None:
    """Wait for the worker's end, then clean up: the arguments are the mark of its processes and its folder."""
    mark, folder = arguments
    sys.stdin.buffer.read()
    for _ in range(_BLOWS):  # a process may have forked just before its end, so look again after each blow
        bearers = bearers_of(mark)
        # All are stopped first: a shell whose child is killed before the shell would go on with its next command.
        for act in (psutil.Process.suspend, psutil.Process.kill):
            for process in bearers:
                with contextlib.suppress(psutil.Error):
                    act(process)
        if not bearers:
            break
        psutil.wait_procs(bearers, timeout=_BREATH)
    shutil.rmtree(folder, ignore_errors=True)


def bearers_of(mark: str) -> list[psutil.Process]:
    """The living processes with this mark in their environment."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(MARK) == mark and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
