"""Computes what determined the end of a completed run, while its view is in front."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from starloom.scheduling.read.critical_path import CriticalPath, critical_path
from starloom_gui.event_loop.background import in_background

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starloom.foresight.projection import Projection
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.viewmodel.lane_bars import LaneBars
    from starloom_gui.viewmodel.lanes import Slot

MANY: Final = 3_000
"""From so many tasks on what decided the finish is found in a thread."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Outlook:
    """The projection of a run, or once it has ended, what determined its end.

    Attributes:
        projection: None: nothing is, for the run has ended or nobody can tell.
        bars: what the timeline makes of it.
        path: the numbers of the run's tasks that decide its finish, or did, in order.
        made: the attempts that decided it; None: the run has not ended, or that is not known yet.
    """

    projection: Projection | None = None
    bars: Mapping[Slot, LaneBars] | None = None
    path: tuple[int, ...] = ()
    made: CriticalPath | None = None


NOTHING: Final = Outlook()


def looking_back(run: RunFacts) -> Outlook:
    """The tasks that determined the end of a completed run, by the rule of reports."""
    made = critical_path(run, run.run_ended_at if run.run_ended_at is not None else run.created_at)
    return Outlook(path=made.numbers, made=made)


class LookBack:
    """Computes what determined the end of one run at a time: at once for a small one, else in a thread.

    Args:
        tell: is told what was found, and before that takes long, that nothing is known yet.
    """

    def __init__(self, tell: Callable[[Outlook], None]) -> None:
        self._tell = tell
        self._of: tuple[RunFacts, int] | None = None
        self._task: asyncio.Task[None] | None = None

    def look(self, run: RunFacts) -> None:
        """Emit what determined the end of a run; once, however often it is called."""
        if self._of is not None and self._of[0] is run and self._of[1] == run.seq:
            return
        self.stop()
        self._of = run, run.seq
        if len(run.graph) < MANY:
            self._tell(looking_back(run))
            return
        self._tell(NOTHING)
        self._task = asyncio.get_running_loop().create_task(self._find(run), name="console: critical path")
        self._task.add_done_callback(_ended)

    def stop(self) -> None:
        """Drop the result of a computation that is not complete."""
        self._of = None
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _find(self, run: RunFacts) -> None:
        self._tell(await in_background(looking_back, run))


def _ended(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("the critical path was not found", exc_info=error)
