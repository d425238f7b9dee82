"""The numbers of ready and of waiting tasks and the limit over time, folded from the event log. No Qt here.

The facts know only how these stand now. The log may lack the beginning of a long run, or events that the console was
too slow for: there the curves have a gap with a word, and they end where the facts are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from starloom import events as ev
from starloom.constellation.edits import AddDependency, AddTask, RemoveTask
from starloom.scheduling.state.codes import PENDING, RUNNING, WAITING
from starloom_gui.panels.plots.steps import Gap, Steps
from starloom_gui.text.words import translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.events import Event
    from starloom.scheduling.state.run_facts import RunFacts

_WAITING: Final = 0
_READY: Final = 1
_ELSEWHERE: Final = 2
"""It runs, has ended, or was removed."""
_RUNS: Final = 3

_BECOMES: Final[dict[type[Event], tuple[int, int]]] = {
    ev.TaskReady: (_READY, _WAITING),
    ev.TaskStarted: (_RUNS, _READY),
    ev.TaskCompleted: (_ELSEWHERE, _RUNS),
    ev.TaskRetryScheduled: (_READY, _RUNS),
    ev.TaskInterrupted: (_READY, _RUNS),
    ev.TaskFailed: (_ELSEWHERE, _RUNS),
    ev.TaskCancelled: (_ELSEWHERE, _WAITING),
    ev.TaskSkipped: (_ELSEWHERE, _WAITING),
    ev.TaskMarked: (_ELSEWHERE, _WAITING),
    ev.TaskReset: (_WAITING, _ELSEWHERE),
}
"""What a task is after an event, and what it was before if nothing was heard of it."""


class Standing:
    """Counts of ready and of waiting tasks.

    Attributes:
        ready, waiting: the counts over time.
        since: the first moment that is known; None: nothing has been heard yet.

    Args:
        run_id: of the run.
    """

    def __init__(self, run_id: str) -> None:
        self._run_id = run_id
        self.ready, self.waiting = Steps(), Steps()
        self.since: float | None = None
        self._of: dict[str, int] = {}
        self._times: list[float] = []
        self._changes: list[tuple[int, int]] = []
        self._seq = 0
        self._is_anchored = False

    def take(self, event: Event, run: RunFacts) -> None:
        """Count an event of the run; `settle` adds the counts to the curves."""
        self._seq = event.seq
        if self.since is None:
            self.since = event.at
            self._note(event.at, 0, 0)
        kind = type(event)
        known = _BECOMES.get(kind)
        if known is not None:
            one: Any = event
            self._move(one.task_id, known[0], event.at, known[1])
            if kind is ev.TaskReset:
                self._hold_children(one.task_id, event.at, run)
        elif isinstance(event, ev.ConstellationModified):
            self._edit(event)

    def _move(self, task_id: str, to: int, at: float, guess: int) -> None:
        was = self._of.get(task_id, guess)
        self._of[task_id] = to
        if was != to:
            self._note(at, (to == _READY) - (was == _READY), (to == _WAITING) - (was == _WAITING))

    def _hold_children(self, parent: str, at: float, run: RunFacts) -> None:
        """A parent runs again: children that were ready wait for it."""
        number = run.graph.place.get(parent)
        for child in run.graph.children[number] if number is not None else ():
            if self._of.get(run.graph.ids[child]) == _READY:
                self._move(run.graph.ids[child], _WAITING, at, _READY)

    def _edit(self, event: ev.ConstellationModified) -> None:
        for change in event.changes:
            if isinstance(change, AddTask):
                self._move(change.task.id, _WAITING, event.at, _ELSEWHERE)
            elif isinstance(change, RemoveTask):
                self._move(change.task_id, _ELSEWHERE, event.at, _WAITING)
            elif isinstance(change, AddDependency):
                parent, child = change.dependency.parent, change.dependency.child
                if self._of.get(child) == _READY and self._of.get(parent, _WAITING) != _ELSEWHERE:
                    self._move(child, _WAITING, event.at, _READY)

    def _note(self, at: float, ready: int, waiting: int) -> None:
        self._times.append(at)
        self._changes.append((ready, waiting))

    def forget(self, run: RunFacts) -> None:
        """Continue from the facts, as earlier events were lost."""
        codes = {WAITING: _WAITING, PENDING: _READY, RUNNING: _RUNS}
        self._of = {id: codes.get(run.status[number], _ELSEWHERE) for id, number in run.graph.place.items()}

    def settle(self, run: RunFacts, now: float) -> None:
        """Add the counts to the curves, and end these at the figures of the facts.

        Args:
            run: the facts.
            now: of the facts, in seconds on the engine's clock.
        """
        if self.since is None:
            self.since = now
            self._note(now, 0, 0)
        if self._times:
            times, changes = np.array(self._times), np.array(self._changes, np.float64)
            self.ready.add(times, changes[:, 0])
            self.waiting.add(times, changes[:, 1])
            self._times, self._changes = [], []
        if self._is_anchored and run.seq != self._seq:
            return
        counts = run.counts()
        for steps, count in ((self.ready, counts["queued"]), (self.waiting, counts["waiting"])):
            off = count - float(steps.values[-1])
            if off and not self._is_anchored:
                steps.lift(off)
            elif off:
                steps.add(np.array([max(now, float(steps.times[-1]))]), np.array([off]))
        self._is_anchored = run.seq == self._seq


class LimitHistory:
    """The number of tasks that a run could run at once: the least of its limit, the fleet's limit, and the slots.

    Attributes:
        steps: the limit over time; not a number where there was none.

    Args:
        most_of: gives the limit of a fleet; None: none.
    """

    def __init__(self, most_of: Callable[[Any], int | None]) -> None:
        self.steps = Steps(adds=False)
        self._most_of = most_of
        self._last: float | None = None

    def note(self, fleet: Any, own: int | None, at: float) -> None:
        """Record the limit that holds from a moment on.

        Args:
            fleet: the facts of the fleet.
            own: the run's own limit; None: it has none.
            at: seconds on the engine's clock; not before the last one.
        """
        known = [one for one in (self._most_of(fleet), own) if one is not None]
        value = float(min(known)) if known else float("nan")
        if self._last is None or (value != self._last and not (np.isnan(value) and np.isnan(self._last))):
            self._last = value
            self.steps.add(np.array([at]), np.array([value]))


def unlimited(steps: Steps, until: float) -> list[Gap]:
    """The stretches in which there was no limit, as gaps that say so."""
    word = translate("Plots", "no limit")
    edges = [*steps.times.tolist(), until]
    return [
        Gap(edges[at], edges[at + 1], word)
        for at, value in enumerate(steps.values.tolist())
        if np.isnan(value) and edges[at + 1] > edges[at]
    ]
