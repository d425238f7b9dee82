"""The state of the last run of each recent file, for the welcome page."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from starloom.journal.library import run_folder
from starloom.journal.records import record
from starloom.model.status import ENDED_STATES, RunState, TaskStatus
from starloom.scheduling.read.simulated import simulations
from starloom_gui.event_loop.background import in_background
from starloom_gui.viewmodel.run_views import run_view

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from starloom.journal.records import RunRecord
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.settings import RecentFile, Settings
    from starloom_gui.viewmodel.roles import FactsOf


_TOLD: Final = (TaskStatus.FAILED, TaskStatus.CANCELLED)


@dataclass(frozen=True, slots=True)
class _Seen:
    """A run as it was last seen: its tab may be closed before its plan gets a file.

    Attributes:
        state: of the run.
        failed, cancelled: how many of its tasks failed, or were cancelled, once it has ended.
        is_any_done: whether any task was done, likewise.
        simulated: how many of those that are done have not run, likewise.
        began, ended: in seconds since 1970; `ended` is None: it goes on.
    """

    state: str
    failed: int
    cancelled: int
    is_any_done: bool
    simulated: int
    began: float
    ended: float | None


class RecentRuns:
    """Stores the state of each file's last run, so that one whose program died is known as interrupted.

    Args:
        documents: knows which run was started from which file.
        settings: where it is remembered.
        facts: gives the facts of a run.
        tell: called when something else is remembered.
    """

    def __init__(
        self,
        documents: OpenDocuments,
        settings: Settings,
        facts: FactsOf,
        tell: Callable[[], None],
    ) -> None:
        self._documents, self._settings, self._facts, self._tell = documents, settings, facts, tell
        self._plan_ids: dict[str, str] = {}
        self._seen: dict[str, _Seen] = {}
        documents.changed.connect(self._on_documents)

    @property
    def run_ids(self) -> list[str]:
        """The last runs of the files that are not known here, as other programs have them or had them."""
        known = [file.run_id for file in self._settings.recent if file.run_id]
        return [run_id for run_id in known if self._facts(run_id) is None]

    async def correct(self, directory: Path) -> None:
        """Correct what is remembered of runs by their records, as other programs may have gone on with them.

        Args:
            directory: of the journals.
        """
        folders = [run_folder(directory, run_id) for run_id in self.run_ids]
        found = {one.run_id: one for one in await in_background(lambda: list(map(record, folders)))}
        before, unknown = self._settings.recent, found.keys() & self.run_ids  # one may have been opened meanwhile
        files = tuple(_corrected(file, found[file.run_id]) if file.run_id in unknown else file for file in before)
        if files != before:
            self._settings.keep_recent(files)
            self._tell()

    def on_changes(self, changes: Changes) -> None:
        """Store the state of the run that changed; to be connected to a feed of everything."""
        if changes.run or changes.everything:
            self._note(changes.run_id)

    def _on_documents(self) -> None:
        """Store the state of runs whose plan has got its file meanwhile, the newest first."""
        known = dict.fromkeys((*self._plan_ids, *(tab.run_id for tab in self._documents.runs)))
        plan_ids = {run_id: self._documents.plans.plan_id_of(run_id) for run_id in known}
        found = [run_id for run_id, plan_id in plan_ids.items() if self._plan_ids.get(run_id, plan_id) != plan_id]
        self._plan_ids = plan_ids
        found.sort(key=self._began)
        for run_id in found[::-1]:
            self._note(run_id)

    def _began(self, run_id: str) -> float:
        seen = self._seen.get(run_id)
        return seen.began if seen is not None else 0.0

    def _note(self, run_id: str) -> None:
        if (run := run_view(self._facts(run_id))) is not None:
            ended = None if run.ended_at is None else run.wall(run.ended_at, is_end=True)
            failed, cancelled = (run.count(one) if ended is not None else 0 for one in _TOLD)
            is_any_done = ended is None or run.count(TaskStatus.COMPLETED) > 0
            simulated = 0 if ended is None else simulations(run.facts)
            ends = (failed, cancelled, is_any_done, simulated)
            self._seen[run_id] = _Seen(str(run.state), *ends, run.facts.wall_time, ended)
        seen = self._seen.get(run_id)
        known = None if seen is None else self._file_of(run_id, seen)
        if seen is None or known is None:
            return
        told = replace(
            known,
            run_id=run_id,
            state=seen.state,
            failed=seen.failed,
            cancelled=seen.cancelled,
            is_any_done=seen.is_any_done,
            simulated=seen.simulated,
        )
        if told != known:
            now = time.time()  # the file may have got its name only now
            self._settings.remember(replace(told, at=now, ran_at=now if seen.ended is None else seen.ended))
            self._tell()

    def _file_of(self, run_id: str, seen: _Seen) -> RecentFile | None:
        """The file whose last run this is; None: there is none, or it was run again since."""
        path = self._documents.plans.plan_id_of(run_id)
        for known in self._settings.recent:
            is_later = not known.run_id or known.at <= seen.began
            if known.run_id == run_id or (known.path == path and is_later):
                return known
        return None


def _corrected(file: RecentFile, run: RunRecord) -> RecentFile:
    """What is to be remembered of a file by the record of its last run."""
    has_ended = run.state in ENDED_STATES
    if not has_ended and run.took is None:
        return file  # it was never started, is not there any more, or cannot be read
    failed, cancelled = (run.counts[one] if has_ended else 0 for one in _TOLD)
    told = replace(
        file,
        state=run.state if has_ended else RunState.PAUSED if run.is_paused else RunState.EXECUTING,
        failed=failed,
        cancelled=cancelled,
        is_any_done=not has_ended or run.done > 0,
        simulated=run.simulated if has_ended else 0,
    )
    return told if told == file else replace(told, ran_at=run.updated)
