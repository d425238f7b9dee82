"""The runs of an engine as whoever closes its console sees them: what goes on, what would end, what would be lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from starloom.model.status import RunState, TaskStatus
from starloom.scheduling.read.open_questions import waits_of
from starloom_gui.dialogs.closing import UnfinishedRun

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from starloom.scheduling.read.run_view import RunView
    from starloom_gui.documents.open_documents import OpenDocuments

ALIVE = frozenset({RunState.EXECUTING, RunState.PAUSED})


class EngineRuns(Protocol):
    """The protocol that lists and ends the runs of the engine."""

    def runs(self) -> Iterable[RunView]:
        """All runs."""

    def awaited(self) -> Iterable[RunView]:
        """Those that end with the window."""

    def cancel(self, run_id: str) -> None:
        """Cancel a run; returns at once."""

    def pause(self, run_id: str) -> None:
        """Pause a run; returns at once."""

    def resume(self, run_id: str) -> None:
        """Resume a run; returns at once."""

    def staged(self, run_id: str) -> int:
        """The count of changes that are staged for a run and not committed."""

    def discard_staged(self, run_id: str) -> None:
        """Drop what is staged for a run, so that no later session finds it."""

    def keeps_staged(self, run_id: str) -> bool:
        """Whether changes that are staged for a run that goes on are kept for the next session."""

    @property
    def can_go_on(self) -> bool:
        """Whether the runs can go on in another program."""

    def interrupted_tasks(self) -> list[str]:
        """The names of running tasks that would be interrupted if they were handed over now."""

    def interrupted_agents(self) -> list[str]:
        """The names of the agents that would be detached then."""

    async def hand_over(self, paused: Collection[str]) -> None:
        """Hand all runs over; those that were paused for that go on.

        Raises:
            StarloomError: they cannot be; nothing has changed.
        """

    @property
    def keeps_runs(self) -> bool:
        """Whether runs have journals, from which they can be resumed."""


def is_unfinished(run: RunView) -> bool:
    """Whether a run has work left: tasks that have not ended, or agents or proposals that may give it more.

    One that was created and not started has; an idle one that is only kept open has none.
    """
    cycles = run.facts.cycles
    return not run.state.has_ended and bool(run.open or (cycles is not None and cycles.is_open))


def awaited_of(runs: EngineRuns, documents: OpenDocuments) -> list[UnfinishedRun]:
    """The runs with work left, by their titles.

    Args:
        runs: the runs of the engine.
        documents: knows their titles.
    """
    titles = {run.run_id: run.title for run in documents.runs}
    return [
        UnfinishedRun(
            titles.get(run.run_id, run.name),
            run.count(TaskStatus.RUNNING),
            run.open,
            is_paused=run.state is RunState.PAUSED,
            is_started=run.state in ALIVE,
            is_kept=runs.keeps_runs,
            staged=runs.staged(run.run_id),
            waits_for_person=waits_of(run.facts) > 0,
        )
        for run in runs.awaited()
        if is_unfinished(run)
    ]
