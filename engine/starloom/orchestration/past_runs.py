"""Durations of tasks in runs of earlier programs: the latest of each plan, read from their journals."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from starloom.journal.base import JournalError
from starloom.journal.names import IMPORTED, JOURNAL
from starloom.journal.records import run_folders
from starloom.journal.stream_file import StreamFile
from starloom.model.likeness import UNNAMED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starloom.scheduling.fork import Fork
    from starloom.scheduling.state.run_facts import RunFacts

_log = logging.getLogger(__name__)
MOST: Final = 3
"""Runs of a plan that are read."""
MOST_BESIDE: Final = 8
"""Runs beside another one whose plans' earlier runs are read, too; the latest."""
_LOOKED_AT: Final = 100
"""Journals among which they are looked for: those that were written last."""
_MOST_TASKS: Final = 20_000
"""Of all these runs together."""
_NAP: Final = 0.0005
"""Seconds between two journals in which the loop goes on."""


class PastRuns:
    """Reads earlier runs once for each name of a plan; in a thread, and without journals that cannot be read.

    Args:
        directory: of the journals; None: there are none.
    """

    def __init__(self, directory: Path | None) -> None:
        self._directory = directory
        self._known: dict[str, tuple[RunFacts, ...]] = {}
        self._reading = threading.Lock()

    def added_to(self, fork: Fork, run_id: str) -> Fork:
        """A fork that also has the durations of earlier runs of the same plan, and of those that run beside it.

        What runs beside holds slots that the run waits for.

        Args:
            fork: of the live state.
            run_id: a run of the fork; earlier runs of a plan of its name are read.
        """
        if self._directory is None:
            return fork
        names = dict.fromkeys(fork.run(one).name for one in (run_id, *fork.live[-MOST_BESIDE:]))
        known = [one for name in names if name not in ("", UNNAMED) for one in self._of(self._directory, name)]
        return replace(fork, past=tuple(one for one in known if one.run_id not in fork.copies))

    def of(self, plan: str) -> tuple[RunFacts, ...]:
        """The latest runs of the plan of a name that have ended; to be called in a thread."""
        if self._directory is None or plan in ("", UNNAMED):
            return ()
        return self._of(self._directory, plan)

    def _of(self, directory: Path, name: str) -> tuple[RunFacts, ...]:
        with self._reading:
            if name not in self._known:
                self._known[name] = tuple(_ended_runs(directory, name))
            return self._known[name]


def _ended_runs(directory: Path, name: str) -> Iterator[RunFacts]:
    """The runs of a plan that have ended, those whose journals were written last first."""
    try:
        folders = run_folders(directory)[:_LOOKED_AT]
    except JournalError:
        return
    found, left = 0, _MOST_TASKS
    for folder in folders:
        run = _run_in(folder, name)
        if run is not None:
            found, left = found + 1, left - len(run.status)
            if left < 0:
                return
            yield run
            if found == MOST:
                return
        time.sleep(_NAP)


def _run_in(folder: Path, name: str) -> RunFacts | None:
    """The facts of the run in a folder; None: it is another plan's, has not ended, or comes from elsewhere."""
    if (folder / IMPORTED).exists():
        return None
    try:
        with StreamFile(folder / JOURNAL, read_only=True) as file:
            known = file.view_without_graph()
            if known is not None and (known.view.run.name != name or not known.view.run.state.has_ended):
                return None
            run = file.view().view.run
    except Exception as error:  # noqa: BLE001 - bytes from anywhere may raise anything, and others tell as much
        _log.debug("what the run in %s tells of durations is not known: %s", folder, error)
        return None
    return run if run.name == name and run.state.has_ended else None
