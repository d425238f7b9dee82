"""The elapsed time at any moment of a recorded run, as its header counts it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from starloom.events import RunEnded, RunReopened, RunStarted

if TYPE_CHECKING:
    from starloom.events import Event


class ElapsedTime:
    """The time for which a run has gone on: from its start, without that between an end and its reopening.

    Attributes:
        KINDS: the events that matter to `take`.
        started: when it was started, in seconds on the run's clock; None: it was not.
    """

    KINDS: ClassVar = frozenset({RunStarted, RunEnded, RunReopened})

    def __init__(self) -> None:
        self.started: float | None = None
        self._ended: float | None = None
        self._idle: list[tuple[float, float]] = []

    def take(self, event: Event, at: float) -> None:
        """Record an event of a moment, in the order of the stream."""
        if isinstance(event, RunStarted) and self.started is None:
            self.started = at
        elif isinstance(event, RunEnded):
            self._ended = at
        elif isinstance(event, RunReopened) and self._ended is not None:
            self._idle.append((self._ended, at))
            self._ended = None

    def at(self, moment: float) -> float:
        """The elapsed seconds at a moment on the run's clock; 0 before the start."""
        if self.started is None or moment <= self.started:
            return 0.0
        until = moment if self._ended is None else min(moment, self._ended)
        idle = sum(max(0.0, min(until, again) - ended) for ended, again in self._idle)
        return until - self.started - idle
