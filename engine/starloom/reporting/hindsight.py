"""Projections of a run's end at moments of its past, for its report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.foresight.projection import Certainty, project
from starloom.reporting.finish import Foreseen
from starloom.scheduling.fork import Fork
from starloom.scheduling.restore import beside

if TYPE_CHECKING:
    from starloom.scheduling.state.folded_run import FoldedRun

MOST_TASKS: Final = 200_000
"""So many tasks are looked ahead over for one report, those of all moments together: some seconds."""
MOST_PAUSES: Final = 8_000
"""So often a look ahead may say that it could give way; one that goes on, as of a task that fails for ever, is left."""


class _TooLong(Exception):  # noqa: N818 - it never leaves this module
    """A look ahead takes longer than it is worth."""


class Hindsight:
    """Makes projections at moments of a run's past, up to a total cost; deterministic."""

    def __init__(self) -> None:
        self._left = MOST_TASKS

    def __call__(self, folded: FoldedRun, at: float) -> Foreseen | None:
        """See `reporting.finish.Foresee`."""
        self._left -= folded.run.open
        if self._left < 0 or folded.run.run_started_at is None:
            return None
        pauses = 0

        def pause() -> None:
            nonlocal pauses
            pauses += 1
            if pauses > MOST_PAUSES:
                raise _TooLong

        fork = Fork.of(beside(folded.copy(), at), at, also=[folded.run.run_id])
        try:
            found = project(fork, folded.run.run_id, samples=0, pause=pause)
        except _TooLong:
            return None
        if found.end is None or found.certainty is Certainty.UNKNOWN:
            return None
        return Foreseen(found.end, is_least=found.certainty is Certainty.LOWER_BOUND)
