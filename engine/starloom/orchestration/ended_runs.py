"""Ended runs: the newest stay in memory, of the others a summary; their facts are read from their journals."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Protocol

from starloom.journal.base import JournalError
from starloom.scheduling.read.simulated import simulations
from starloom.scheduling.read.summary import EndedRun, RunSummary
from starloom.scheduling.retention import recall, release

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from starloom.journal.base import Journal
    from starloom.orchestration.sliced_turn import LargeTurns
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.scheduler_state import SchedulerState

_READ: Final = 2
"""How many runs that were read from their journals are kept, as one is mostly asked several things."""


class Turning(Protocol):
    """The protocol of the pump, as far as ended runs need it."""

    journal: Journal
    halted: JournalError | None
    large: LargeTurns

    @property
    def scheduler(self) -> SchedulerState:
        """The runs that are in memory."""

    @property
    def is_committing(self) -> bool:
        """Whether the facts are one turn ahead of what is committed."""

    async def at_rest(self) -> None:
        """Return when everything that has arrived so far is decided about and committed, or the engine is halted."""


class EndedRuns:
    """Releases ended runs from memory, oldest first, and reads their facts back from their journals.

    Args:
        pump: whose runs.
        most: how many ended runs stay in memory; None: all.

    Attributes:
        in_use: gives the ids of runs that stay in memory however many there are, e.g. because a window shows them.
        on_release: called with the id of each run that was let go of.
        on_recall: called with the id of each run that is about to be in memory again.
    """

    def __init__(self, pump: Turning, most: int | None = None) -> None:
        self.most = most
        self.in_use: Callable[[], Collection[str]] = tuple
        self.on_release: Callable[[str], None] = lambda _run_id: None
        self.on_recall: Callable[[str], None] = lambda _run_id: None
        self._pump = pump
        self._ended: dict[str, None] = {}
        self._released: dict[str, EndedRun] = {}
        self._read: dict[str, RunFacts] = {}
        self._recalling: dict[str, asyncio.Task[None]] = {}

    # ---- letting go

    def note(self, run_ids: Iterable[str]) -> None:
        """Record runs whose end is committed."""
        for run_id in run_ids:
            self._ended.pop(run_id, None)  # it was reopened and has ended again
            self._ended[run_id] = None
        self.tidy()

    def tidy(self) -> None:
        """Release the runs beyond the limit; between turns only, else when the next run ends."""
        if self.most is None or len(self._ended) <= self.most or self._pump.is_committing or self._pump.halted:
            return
        runs, in_use = self._pump.scheduler.runs, self.in_use()
        for run_id in [one for one in self._ended if one not in runs or not runs[one].run.state.has_ended]:
            del self._ended[run_id]  # it goes on, and will end again
        idle = [run_id for run_id in self._ended if run_id not in in_use]
        for run_id in idle[: max(0, len(idle) - self.most)]:
            del self._ended[run_id]
            self._release(run_id)

    def _release(self, run_id: str) -> None:
        if not self._pump.journal.release(run_id):
            return  # it stays for good
        run = self._pump.scheduler.run(run_id)
        summary = RunSummary(run, 0.0)
        self._released[run_id] = EndedRun(
            run_id=run_id,
            name=summary.name,
            state=summary.state,
            makespan_s=summary.makespan_s,
            tasks=summary.tasks,
            simulated=simulations(run),
            scheduler=release(self._pump.scheduler, run_id),
        )
        self.on_release(run_id)

    def forget(self, run_id: str) -> None:
        """Remove an ended run. Its tasks stay counted."""
        self._ended.pop(run_id, None)
        if run_id in self._pump.scheduler.runs:
            self._pump.journal.release(run_id)
            release(self._pump.scheduler, run_id)
            self.on_release(run_id)
        self._released.pop(run_id, None)
        self._read.pop(run_id, None)

    async def dismiss(self, run_id: str) -> None:
        """Remove a run, if it has ended; returns once its journal is closed."""
        await self._pump.at_rest()
        known = self._pump.scheduler.runs.get(run_id)
        if self._pump.halted or (known is not None and not known.run.state.has_ended):
            return
        self.forget(run_id)
        await asyncio.wrap_future(self._pump.journal.settled())

    # ---- giving back

    @property
    def released(self) -> Collection[str]:
        """The ids of the runs that were released and are still known."""
        return self._released.keys()

    def get(self, run_id: str) -> EndedRun | None:
        """The summary of a run that was released; None: it is in memory, or not known."""
        return self._released.get(run_id)

    def facts(self, run_id: str) -> RunFacts:
        """The facts of a run that is not in memory, read from its journal; for reading only.

        Raises:
            JournalError: they cannot be read; says where they were looked for.
        """
        known = self._read.get(run_id)
        if known is None:
            try:
                known = self._pump.journal.released(run_id).run
            except JournalError as error:
                raise _lost(run_id, error) from None
            while len(self._read) >= _READ:
                del self._read[next(iter(self._read))]
            self._read[run_id] = known
        return known

    async def recall(self, run_id: str) -> None:
        """Load a released run into memory again; others are unchanged.

        Raises:
            JournalError: its journal cannot be read or written.
        """
        if run_id not in self._released:
            return
        recalling = self._recalling.get(run_id)
        if recalling is None:
            recalling = asyncio.get_running_loop().create_task(self._recall(run_id), name=f"starloom recall {run_id}")
            self._recalling[run_id] = recalling
            recalling.add_done_callback(lambda _: self._recalling.pop(run_id))
        await asyncio.shield(recalling)  # whoever asks may give up; the journal is open by then

    async def _recall(self, run_id: str) -> None:
        try:
            view = await asyncio.wrap_future(self._pump.journal.reopen(run_id))
        except JournalError as error:
            raise _lost(run_id, error) from None
        await self._pump.large.finished()
        self.on_recall(run_id)
        recall(self._pump.scheduler, view.run, self._released.pop(run_id).scheduler)
        self._read.pop(run_id, None)
        self._ended[run_id] = None


def _lost(run_id: str, error: JournalError) -> JournalError:
    return JournalError(
        f"The run {run_id!r} has ended and was let go of, and its journal cannot be read: {error} See History for "
        "where it may be now."
    )
