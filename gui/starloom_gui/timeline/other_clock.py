"""The bars of another run by the clock of the run that is shown: breaks have moved the past of each by its own time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from starloom_gui.viewmodel.lane_bars import NEVER, Bar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_TIMES: Final = [at for at, name in enumerate(Bar._fields) if name in {"start", "ready", "until"}]
_NO_TIME: Final = 1e-6
"""Seconds by which the end of an attempt may lie behind the begin of the time in which it was heard of."""
_START, _END, _READY = (Bar._fields.index(name) for name in ("start", "end", "ready"))


class OtherClock:
    """Converts the times of another run's bars to the clock of the run that is shown.

    What was while no program ran the run that is shown has no place on its clock; what began then and went on is seen
    from when the run was taken up on.

    Args:
        other: the sessions of the other run: when each program took it up, on the engine's clock and in seconds since
            1970.
        shown: those of the run that is shown.
    """

    def __init__(self, other: Sequence[tuple[float, float]], shown: Sequence[tuple[float, float]]) -> None:
        self._is_same = not other or not shown or len(other) == len(shown) == 1  # one program has run both
        if not self._is_same:
            (self._at, self._wall), (self._shown_at, self._shown_wall) = np.array(other).T, np.array(shown).T

    def bar(self, bar: Bar) -> Bar | None:
        """A bar at its time; None: it has no place."""
        if self._is_same:
            return bar
        chosen, columns = self.columns([np.array([value]) for value in bar])
        return Bar._make(column.item() for column in columns) if len(chosen) else None

    def columns(self, columns: list[NDArray[np.generic]]) -> tuple[NDArray[np.intp], list[NDArray[np.generic]]]:
        """The bars with a time on the other clock, at their times on it.

        Args:
            columns: in the order of `Bar`'s fields, of equal lengths.
        """
        if self._is_same:
            return np.arange(len(columns[_START])), columns
        starts, ends = (columns[at].astype(np.float64) for at in (_START, _END))
        (begin, begins_unseen), (end, _) = self._moved(starts), self._moved(ends, are_ends=True)
        chosen = np.flatnonzero(~(begins_unseen & (end <= begin)))
        made, by = [column[chosen] for column in columns], (begin - starts)[chosen]
        for at in _TIMES:
            made[at] = made[at].astype(np.float64) + by
        made[_END] = end[chosen]
        made[_READY] = np.where(begins_unseen[chosen], begin[chosen], made[_READY])
        return chosen, made

    def _moved(
        self, times: NDArray[np.float64], *, are_ends: bool = False
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Each time on the clock of the run that is shown, and whether nobody ran that run then.

        Such a time becomes that at which the run was taken up next.

        Args:
            times: on the clock of the other run; `NEVER` stays.
            are_ends: whether something ended then, which at the very begin of a program's time was in that before.
        """
        known = np.where(np.isfinite(times), times, self._at[-1])
        own = np.maximum(self._at.searchsorted(known - (_NO_TIME if are_ends else 0.0), "right") - 1, 0)
        wall = known + (self._wall - self._at)[own]
        place = np.maximum(self._shown_wall.searchsorted(wall, "right") - 1, 0)
        moved = wall + (self._shown_at - self._shown_wall)[place]
        until = np.append(self._shown_at[1:], NEVER)[place]
        is_now = (own == len(self._at) - 1) & (known >= self._shown_at[-1])  # both go by the clock of this program
        is_told = np.isfinite(times) & ~is_now
        found = np.where(is_told, np.minimum(moved, until), times)
        return found, is_told & (moved > until)
