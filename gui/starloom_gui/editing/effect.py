"""The effect of staged edits, projected in a thread once they have not changed for a while."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from starloom.errors import StarloomError
from starloom.foresight.estimates import EstimateSource
from starloom_gui.gateway.effort import Effort
from starloom_gui.viewmodel.projected import give_way, projected_bars
from starloom_gui.viewmodel.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from typing import Any

    from starloom.constellation.edits import Edit
    from starloom.foresight.projection import TaskForecast
    from starloom.foresight.what_if import WhatIf
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.viewmodel.lane_bars import LaneBars
    from starloom_gui.viewmodel.lanes import Slot
    from starloom_gui.viewmodel.staged_overlay import StagedOverlay

REST_MS: Final = 300
"""So long edits have to stay the same before anything is foreseen."""
_SELDOM_MS: Final = 1000
_PAUSE: Final = 4.0
"""How many times as long as a look took nothing is looked at anew of its own accord."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of edits.

    Attributes:
        edits: which.
        what_if: what is foreseen with and without them.
        facts: of the run with the edits applied.
        bars: what the timeline makes of what is foreseen with them; None: nothing is.
    """

    edits: tuple[Edit, ...]
    what_if: WhatIf
    facts: RunFacts
    bars: Mapping[Slot, LaneBars] | None = None


def durations(ghosts: StagedOverlay, effect: Effect | None) -> dict[int, float]:
    """The durations of tasks that would be added, in seconds by number; unknown ones are left out.

    Args:
        ghosts: what is drawn.
        effect: what was foreseen of it; None: what the tasks declare has to do.
    """
    after = effect.what_if.after if effect is not None else None
    graph, found = ghosts.facts.graph, {}
    for number, stage in ghosts.stages.items():
        task = graph.tasks[number]
        if stage is not Stage.ADDED or task is None:
            continue
        forecast = after.tasks.get(task.id) if after is not None else None
        foreseen = _seconds(forecast) if forecast is not None else None
        seconds = foreseen if foreseen is not None else task.expected_duration
        if seconds is not None:
            found[number] = seconds
    return found


def _seconds(forecast: TaskForecast) -> float | None:
    if forecast.start is None or forecast.finish is None or forecast.estimate.source is EstimateSource.NONE:
        return None
    return forecast.finish - forecast.start


class Weigher(QObject):
    """Projects the effect of edits, one set at a time. To be used where a loop runs.

    Args:
        what_if: foresees what edits would change; cancelling it is safe.
        parent: of the object.

    Attributes:
        effect: what was foreseen of the edits that were asked about last; None: nothing yet.

    Signals:
        weighed: `effect` is another one, or it is known by now that there is none.
    """

    weighed = Signal()

    def __init__(self, what_if: Callable[..., Coroutine[Any, Any, WhatIf]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._what_if = what_if
        self._asked: tuple[tuple[Edit, ...], RunFacts] | None = None
        self._task: asyncio.Task[Effect | None] | None = None
        self._took = 0.0
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._look)
        self.effect: Effect | None = None

    @property
    def is_weighing(self) -> bool:
        """Whether an answer is to come."""
        return self._rest.isActive() or self._task is not None

    def ask(self, edits: tuple[Edit, ...], facts: RunFacts) -> None:
        """Project these edits once they have not changed for a while; the effect of others is dropped.

        Args:
            edits: of which something is to be known; none: of nothing.
            facts: of the run with them applied.
        """
        self._give_up()
        self._asked = (edits, facts) if edits else None
        if edits:
            self._rest.start(REST_MS)
        self._tell(None)

    def ask_again(self) -> None:
        """Project the same edits again, after a delay, as the run has changed; the last effect stays until then."""
        if self._asked is not None and not self.is_weighing:
            self._rest.start(round(max(_SELDOM_MS, self._took * _PAUSE * 1000)))

    def close(self) -> None:
        """Stop projecting."""
        self._asked = None
        self._give_up()

    def _give_up(self) -> None:
        self._rest.stop()
        task, self._task = self._task, None
        if task is not None:
            task.cancel()

    def _look(self) -> None:
        if self._asked is not None:
            looking = self._looked(*self._asked)
            self._task = asyncio.get_running_loop().create_task(looking, name="console: what if")
            self._task.add_done_callback(self._seen)

    async def _looked(self, edits: tuple[Edit, ...], facts: RunFacts) -> Effect | None:
        effort = Effort()
        try:
            found = await self._what_if(*edits)
        except (StarloomError, KeyError) as error:  # the run has gone meanwhile, or the engine has halted
            _log.debug("nothing is foreseen: %s", error)
            return None
        after = found.after
        bars = await asyncio.to_thread(projected_bars, after, facts, give_way) if after is not None else None
        self._took = effort.spent()
        return Effect(edits, found, facts, bars)

    def _seen(self, task: asyncio.Task[Effect | None]) -> None:
        error = None if task.cancelled() else task.exception()
        if task is not self._task:
            return  # given up
        self._task = None
        if error is not None:
            _log.error("foreseeing what edits would change failed", exc_info=error)
        self.effect = task.result() if error is None else None
        self.weighed.emit()

    def _tell(self, effect: Effect | None) -> None:
        if effect is not self.effect:
            self.effect = effect
            self.weighed.emit()
