"""What earlier programs left behind of attempts whose ends they had committed, as they died before it could go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.journal.library import attempt_name, kept_attempts
from starloom.journal.names import ATTEMPTS
from starloom.scheduling.codes import RUNNING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starloom.scheduling.run_facts import RunFacts


def of_ended_attempts(folder: Path, run: RunFacts) -> tuple[Path, ...]:
    """How the paths begin of what devices still keep of attempts that have ended.

    What the journal does not know of is left alone: a part of it may be lost, and the attempt may run.

    Args:
        folder: of the run.
        run: what its journal says.
    """
    kept = kept_attempts(folder)
    if not kept:
        return ()
    return tuple(folder / ATTEMPTS / name for name in sorted(kept.intersection(_ended(run))))


def _ended(run: RunFacts) -> Iterator[str]:
    for number, tries in enumerate(run.tries):
        runs = run.status[number] == RUNNING
        for attempt in range(1, tries + (not runs)):
            yield attempt_name(run.graph.ids[number], attempt)
