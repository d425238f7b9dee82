"""Stimuli that are kept while nothing can be decided: what they say of the past is as far back as they have waited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from starloom.scheduling.stimuli import AttemptEnded, AttemptWorkNoticed, LateEndNoticed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class KeptStimuli:
    """Keeps stimuli with the times at which they came.

    Args:
        clock: gives seconds that never go back.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._kept: list[tuple[float, Any]] = []

    def keep(self, stimuli: Iterable[Any]) -> None:
        """Keep stimuli that have come just now."""
        now = self._clock()
        self._kept += [(now, stimulus) for stimulus in stimuli]

    def take(self) -> list[Any]:
        """All that are kept, oldest first, as they are to be told now; none is kept any more."""
        kept, self._kept = self._kept, []
        now = self._clock()
        return [_told_late(stimulus, now - at) for at, stimulus in kept]


def _told_late(stimulus: Any, waited: float) -> Any:
    """A stimulus as it is told so many seconds after it has come."""
    if isinstance(stimulus, AttemptEnded):
        ago = stimulus.outcome.ended_ago
        return stimulus if ago is None else replace(stimulus, outcome=replace(stimulus.outcome, ended_ago=ago + waited))
    if isinstance(stimulus, AttemptWorkNoticed) and stimulus.has_begun:
        return replace(stimulus, began_ago=stimulus.began_ago + waited)
    if isinstance(stimulus, LateEndNoticed) and stimulus.ended_ago is not None:
        return replace(stimulus, ended_ago=stimulus.ended_ago + waited)
    return stimulus
