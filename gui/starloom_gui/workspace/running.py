"""The plans that run now, in this program or another one, as the journals tell."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QObject

from starloom.journal.base import JournalError
from starloom.journal.library import run_folder
from starloom.journal.lock import holder_of
from starloom.journal.names import JOURNAL
from starloom.journal.records import record, run_folders
from starloom.model.status import RunState, TaskStatus
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.event_loop.background import in_background
from starloom_gui.viewmodel.run_views import run_view

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.workspace.recent import RecentRuns

PERIOD: Final = 2.0
"""Seconds between two looks."""
_NEWEST: Final = 20
"""Runs that are looked at: those whose journals were written last."""
_STATES: Final = frozenset({RunState.EXECUTING, RunState.PAUSED})


class Going(NamedTuple):
    """The progress of an executing run.

    Attributes:
        state: executing or paused.
        done: how many of its tasks completed.
        total: how many it has.
    """

    state: RunState
    done: int
    total: int


def going_on(directory: Path, also: Iterable[str] = ()) -> dict[str, Going]:
    """The runs that some program has open and that have not ended, by the names of their plans; takes milliseconds.

    Of several runs of one plan the one that was written last counts.

    Args:
        directory: of the journals.
        also: the ids of runs that are looked at however long ago they were written.
    """
    try:
        folders = run_folders(directory)[:_NEWEST]
    except JournalError:
        return {}
    found: dict[str, Going] = {}
    for folder in dict.fromkeys((*folders, *(run_folder(directory, run_id) for run_id in also))):
        if holder_of(folder / JOURNAL) is None:
            continue
        known = record(folder)
        if known.held_by is not None and known.name and known.state in _STATES:
            found.setdefault(known.name, Going(RunState(known.state), known.done, known.total))
    return found


def going_there(runs: Iterable[RunFacts]) -> dict[str, Going]:
    """Those of the runs of an engine that have not ended, by the names of their plans; of several the newest."""
    views = [view for view in map(run_view, runs) if view is not None and view.state in _STATES]
    return {one.facts.name: Going(one.state, one.count(TaskStatus.COMPLETED), len(one.facts.graph)) for one in views}


class RunningPlans(QObject):
    """Polls which plans run, while that is wanted.

    To be used where the loop runs.

    Args:
        directory: of the journals; None: it is on another machine.
        runs: gives the facts of the runs of the engine, which are all that is known where there is no directory.
        recent: what is remembered of the last runs of files; corrected when something has begun or ended elsewhere.
        is_wanted: whether anybody wants to know now.
        tell: is told what has changed since it was told last; None: nothing is known yet.
        parent: of the object.
    """

    def __init__(
        self,
        directory: Path | None,
        runs: Callable[[], Iterable[RunFacts]],
        recent: RecentRuns,
        is_wanted: Callable[[], bool],
        tell: Callable[[Mapping[str, Going] | None], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._directory, self._runs, self._recent = directory, runs, recent
        self._is_wanted, self._tell = is_wanted, tell
        self._found: dict[str, Going] | None = None
        self._is_due = asyncio.Event()
        self.background_tasks = BackgroundTasks("console: plans that run")

    def begin(self) -> None:
        """Start to poll; returns at once."""
        self.background_tasks.begin(self._watch())

    def look_again(self) -> None:
        """Forget what was found while it was wanted before, and poll now; returns at once."""
        self._found = None
        self._tell(None)
        self._is_due.set()

    async def look(self) -> None:
        """Poll once."""
        if self._directory is None:
            found = going_there(self._runs())
        else:
            found = await in_background(going_on, self._directory, self._recent.run_ids)
        if found != self._found:
            if self._directory is not None:
                await self._recent.correct(self._directory)
            self._found = found
            self._tell(found)

    def close(self) -> None:
        """Poll no more."""
        self.background_tasks.cancel()

    async def _watch(self) -> None:
        while True:
            self._is_due.clear()
            if self._is_wanted():
                await self.look()
            with suppress(TimeoutError):
                async with asyncio.timeout(PERIOD):
                    await self._is_due.wait()
