"""The bars of another run by the clock of the run that is shown: breaks have moved the past of each by its own time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from starloom_gui.viewmodel.lane_bars import NEVER, Bar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_TIMES: Final = [at for at, name in enumerate(Bar._fields) if name in {"start", "ready", "until"}]
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
        by, by_end = self._ahead(starts), np.where(np.isfinite(ends), self._ahead(ends), 0.0)
        begins_unseen = np.isnan(by)
        chosen = np.flatnonzero(~(begins_unseen & np.isnan(by_end)))
        made, by, by_end = [column[chosen] for column in columns], by[chosen], by_end[chosen]
        begins_unseen = begins_unseen[chosen]
        back = self._taken_up_after(starts[chosen])
        by = np.where(begins_unseen, back - starts[chosen], by)  # it is seen from when the run was taken up on
        made[_END] = ends[chosen] + np.where(np.isnan(by_end), by, by_end)
        for at in _TIMES:
            made[at] = made[at].astype(np.float64) + by
        made[_READY] = np.where(begins_unseen, back, made[_READY])
        return chosen, made

    def _taken_up_after(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """When the run that is shown was taken up after each time in which nobody ran it."""
        own = np.maximum(self._at.searchsorted(times, "right") - 1, 0)
        wall = times + (self._wall - self._at)[own]
        following = np.minimum(self._shown_wall.searchsorted(wall, "right"), len(self._shown_at) - 1)
        return np.asarray(self._shown_at[following], dtype=np.float64)

    def _ahead(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """By how many seconds each time is moved; not a number: it was while nobody ran the run that is shown."""
        known = np.where(np.isfinite(times), times, self._at[-1])
        own = np.maximum(self._at.searchsorted(known, "right") - 1, 0)
        wall = known + (self._wall - self._at)[own]
        place = np.maximum(self._shown_wall.searchsorted(wall, "right") - 1, 0)
        moved = wall + (self._shown_at - self._shown_wall)[place]
        until = np.append(self._shown_at[1:], NEVER)[place]
        by = np.where(moved > until, np.nan, moved - known)
        is_now = (own == len(self._at) - 1) & (known >= self._shown_at[-1])  # both go by the clock of this program
        return np.where(is_now, 0.0, by)
