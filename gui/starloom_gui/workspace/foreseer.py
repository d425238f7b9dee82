"""Updating the projection of a run while it is shown: at most once a second, and for at most a fifth of the time."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from starloom.errors import StarloomError
from starloom.foresight.projection import Certainty
from starloom_gui.gateway.effort import Effort
from starloom_gui.viewmodel.projected import give_way, projected_bars
from starloom_gui.workspace.looking_back import NOTHING, LookBack, Outlook

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starloom.foresight.projection import Projection
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.viewmodel.roles import Facts

EVERY: Final = 1.0
"""Seconds between two looks at least."""
REST: Final = 4.0
"""How many times as long as this program worked for a look nothing is done after it."""
_log = logging.getLogger(__name__)


class Foreseer(QObject):
    """Updates the projection of a run on demand, until it is closed. To be used where a loop runs.

    Args:
        foresee: makes a projection of the run.
        facts: gives the facts of the run.
        parent: of the object.

    Attributes:
        now: what was foreseen last.

    Signals:
        foreseen(Outlook): something else is foreseen now.
    """

    foreseen = Signal(object)

    def __init__(
        self, foresee: Callable[[], Awaitable[Projection]], facts: Facts, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._foresee, self._facts = foresee, facts
        self._task: asyncio.Task[None] | None = None
        self._is_outdated = False
        self._back = LookBack(self._tell)
        self.now = NOTHING

    def ask(self, *_: object) -> None:
        """Update the projection soon; several calls within a second get one answer. To be connected to a feed, too."""
        run = self._facts()
        if run is None:
            self._tell(NOTHING)
            return
        if run.state.has_ended:
            self._back.look(run)
            return
        self._is_outdated = True
        if self._task is None or self._task.done():  # one that is done looks no more, though nobody has heard of it
            self._task = asyncio.get_running_loop().create_task(self._keep_looking(), name="console: foresight")
            self._task.add_done_callback(self._rested)

    def close(self) -> None:
        """Update no more."""
        self._back.stop()
        if self._task is not None:
            self._task.cancel()

    def _rested(self, task: asyncio.Task[None]) -> None:
        if task is self._task:
            self._task = None
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("looking ahead failed", exc_info=error)

    async def _keep_looking(self) -> None:
        while self._is_outdated:
            self._is_outdated = False
            effort = Effort()
            self._tell(await self._look())
            await asyncio.sleep(effort.rest(EVERY, REST))

    async def _look(self) -> Outlook:
        run = self._facts()
        if run is None or run.state.has_ended:
            return NOTHING
        try:
            projection = await self._foresee()
        except (StarloomError, KeyError) as error:  # the run has gone meanwhile, or the engine has halted
            _log.debug("nothing is foreseen: %s", error)
            return NOTHING
        is_guess = run.run_started_at is None and projection.certainty is Certainty.UNKNOWN
        bars = {} if is_guess else await asyncio.to_thread(projected_bars, projection, run, give_way)
        return Outlook(projection, bars, _path(projection, run))

    def _tell(self, outlook: Outlook) -> None:
        run = self._facts()
        if run is not None and run.state.has_ended and outlook.made is None:
            if self.now.made is not None:
                return  # it has ended since this was looked for
            outlook = NOTHING
        if outlook is not self.now:
            self.now = outlook
            self.foreseen.emit(outlook)


def _path(projection: Projection, run: RunFacts) -> tuple[int, ...]:
    """The steps of the deciding path that are tasks of this run."""
    own = (step.task_id for step in projection.path if step.run_id == run.run_id)
    return tuple(run.graph.place[task_id] for task_id in own if task_id in run.graph.place)
