"""`starloom resume` of a run that has ended: what failed runs again, or a task and all after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.cli.screen import plain
from starloom.errors import SettingsError, StarloomError, nearest
from starloom.journal.records import record
from starloom.model.status import TaskStatus

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.cli.job import RunOptions
    from starloom.journal.records import RunRecord
    from starloom.orchestration.run import Run

_AGAIN: Final = frozenset({TaskStatus.FAILED, TaskStatus.CANCELLED})
"""How tasks ended that are retried; what was skipped for them comes with them."""


def check_what_runs_again(folder: Path, wanted: RunOptions) -> None:
    """Check that it is said what of a run that has ended is to run again, and of no other one.

    Raises:
        StarloomError: it is not, both is said, or there is nothing that could be retried.
    """
    if wanted.retry and wanted.rerun_from is not None:
        raise SettingsError("--retry: --rerun-from says already what runs again; leave one of the two out.")
    is_said = wanted.retry or wanted.rerun_from is not None
    one = record(folder)
    if not one.can_reopen:
        if is_said and one.state == "interrupted":
            option = "--retry" if wanted.retry else "--rerun-from"
            raise SettingsError(f"{option}: the run has not ended. Leave it out, and the run goes on where it was.")
        return
    if not is_said:
        raise StarloomError(
            f"The run {plain(one.run_id)} has ended: {one.state.replace('_', ' ')}. Say what runs again: --retry what "
            "failed or was cancelled, --rerun-from TASK a task and all after it."
        )
    if wanted.retry and not _count(one):
        raise StarloomError(f"Nothing of the run {plain(one.run_id)} failed or was cancelled: use --rerun-from TASK.")


def _count(one: RunRecord) -> int:
    return sum(one.counts.get(str(status), 0) for status in _AGAIN)


async def run_again(run: Run, *, retry: bool, rerun_from: str | None) -> None:
    """Have what is wanted run again.

    Raises:
        SettingsError: there is no such task.
    """
    if retry:
        await run.retry(*(task.id for task in run.tasks if task.status in _AGAIN))
    elif rerun_from is not None:
        await run.rerun_from(_id_of(run, rerun_from))


def _id_of(run: Run, named: str) -> str:
    """The id of a task that is named by it, or by the name that it alone has."""
    graph = run.facts.graph
    if named in graph.place:
        return named
    found = [task.id for _, task in graph.present() if task.name == named]
    if len(found) == 1:
        return found[0]
    if found:
        raise SettingsError(f"--rerun-from: {len(found)} tasks are called {named!r}; use one of the ids {found}.")
    near = nearest(named, graph.place)
    raise SettingsError(f"--rerun-from: there is no task {named!r}." + (f" Did you mean {near!r}?" if near else ""))
