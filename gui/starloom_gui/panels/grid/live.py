"""Columns of runs that are in memory, kept up to date task by task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.reporting.run_digest import digest_of, numbers_of, put_tasks, since_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from starloom.reporting.run_digest import RunDigest
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.gateway.plan_runs import PlanRuns


class LiveColumns:
    """The columns of runs as their facts make them; one of a run that has left the memory stays as it was.

    Args:
        store: tells which runs are no more.

    Attributes:
        columns: by run.
    """

    def __init__(self, store: PlanRuns) -> None:
        store.forgotten.connect(self.forget)
        self.columns: dict[str, RunDigest] = {}
        self._known: dict[str, tuple[RunFacts, int, Mapping[int, int]]] = {}
        self._stale: dict[str, set[int] | None] = {}

    def note(self, run_id: str, tasks: Iterable[int] | None) -> None:
        """Note that tasks of a run have others facts now; None: maybe all of them."""
        before = self._stale.get(run_id, set())
        self._stale[run_id] = None if tasks is None or before is None else before | set(tasks)

    def forget(self, run_ids: Iterable[str]) -> None:
        """Drop the columns of runs that are no more."""
        for run_id in run_ids:
            for known in (self.columns, self._known, self._stale):
                known.pop(run_id, None)

    def update(self, runs: Iterable[RunFacts]) -> tuple[bool, list[str]]:
        """Read what has been noted of these runs.

        Returns:
            Whether there are other runs or tasks than before, and the runs of which tasks have changed.
        """
        is_other, changed = False, []
        for run in runs:
            known, is_noted = self._known.get(run.run_id), run.run_id in self._stale
            numbers = self._stale.pop(run.run_id, None)
            if known is None or known[0] is not run or known[1] != run.revision:
                self.columns[run.run_id] = digest_of(run)
                places = {number: place for place, number in enumerate(numbers_of(run))}
                self._known[run.run_id] = run, run.revision, places
                is_other = True
            elif is_noted:
                self._put(run, known[2], numbers)
                changed.append(run.run_id)
        return is_other, changed

    def _put(self, run: RunFacts, places: Mapping[int, int], numbers: set[int] | None) -> None:
        column = self.columns[run.run_id]
        column.state, column.since = str(run.state), since_of(run)
        wanted = places if numbers is None else numbers & places.keys()
        put_tasks(column, run, ((places[number], number) for number in wanted))
