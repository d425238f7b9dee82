"""Finding what decides the finish of a run: beside the loop, again and again while it is shown, seldom enough."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from starloom.errors import StarloomError
from starloom_gui.gateway.effort import Effort

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starloom.foresight.speedups import Speedups

EVERY: Final = 3.0
"""Seconds between two looks at least."""
REST: Final = 9.0
"""How many times as long as this program worked for a look nothing is done: each candidate of a run is simulated."""
_log = logging.getLogger(__name__)


class SpeedupFinder(QObject):
    """Has the speedups of a run looked for on demand. To be used where a loop runs.

    Args:
        look: tries what would help; None: nothing can, as the run is only recorded, or a plan.
        parent: of the object.

    Attributes:
        now: what was found last; None: nothing yet.

    Signals:
        found(): `now` is another one.
    """

    found = Signal()

    def __init__(self, look: Callable[[], Awaitable[Speedups]] | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._task: asyncio.Task[None] | None = None
        self._is_outdated = False
        self.now: Speedups | None = None

    def ask(self) -> None:
        """Look soon; several calls within a few seconds get one answer."""
        if self._look is None:
            return
        self._is_outdated = True
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._keep_looking(), name="console: speedups")
            self._task.add_done_callback(_report)

    def close(self) -> None:
        """Look no more, and forget what was found."""
        if self._task is not None:
            self._task.cancel()
        self._task = self.now = None
        self._is_outdated = False

    async def _keep_looking(self) -> None:
        while self._is_outdated and self._look is not None:
            self._is_outdated = False
            effort = Effort()
            try:
                self.now = await self._look()
            except (StarloomError, KeyError) as error:  # the run has gone meanwhile, or the engine has halted
                _log.debug("no speedup is known: %s", error)
                self.now = None
            self.found.emit()
            await asyncio.sleep(effort.rest(EVERY, REST))


def _report(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("looking for what decides the finish failed", exc_info=error)
