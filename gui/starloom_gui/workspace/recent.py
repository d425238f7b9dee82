"""The state of the last run of each recent file, for the welcome page."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from starloom.model.status import TaskStatus
from starloom_gui.viewmodel.run_views import run_view

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.read.run_view import RunView
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.settings import RecentFile, Settings
    from starloom_gui.viewmodel.roles import FactsOf


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
        documents.changed.connect(self._on_documents)

    def on_changes(self, changes: Changes) -> None:
        """Store the state of the run that changed; to be connected to a feed of everything."""
        if changes.run or changes.everything:
            self._note(changes.run_id)

    def _on_documents(self) -> None:
        """Store the state of runs whose plan has got its file meanwhile, the newest first."""
        plan_ids = {tab.run_id: self._documents.plans.plan_id_of(tab.run_id) for tab in self._documents.runs}
        if plan_ids != self._plan_ids:
            found = [run_id for run_id, plan_id in plan_ids.items() if self._plan_ids.get(run_id, plan_id) != plan_id]
            self._plan_ids = plan_ids
            for run_id in reversed(found):
                self._note(run_id)

    def _note(self, run_id: str) -> None:
        run = run_view(self._facts(run_id))
        known = None if run is None else self._file_of(run)
        if run is None or known is None:
            return
        failed = run.count(TaskStatus.FAILED) if run.state.has_ended else 0
        told = replace(known, run_id=run.run_id, state=str(run.state), failed=failed)
        if told != known:
            now, ended = time.time(), run.ended_at
            ran_at = now if ended is None else run.wall(ended, is_end=True)  # its file may have got its name only now
            self._settings.remember(replace(told, at=now, ran_at=ran_at))
            self._tell()

    def _file_of(self, run: RunView) -> RecentFile | None:
        """The file whose last run this is; None: there is none, or it was run again since."""
        path = self._documents.plans.plan_id_of(run.run_id)
        for known in self._settings.recent:
            is_later = not known.run_id or known.at <= run.facts.wall_time
            if known.run_id == run.run_id or (known.path == path and is_later):
                return known
        return None
