"""Chooses the span of time that a timeline shows at first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from starloom_gui.timeline.model import TimelineModel
    from starloom_gui.viewmodel.movement import Movement

_SURE_SECONDS: Final = 10.0
"""What a run that goes on is shown at least at first, as estimates are often too short."""
_UNSURE_SECONDS: Final = 60.0
"""The same where tasks have no estimate, so that the end that is foreseen is the earliest one."""


class InitialSpan:
    """Shows all of a run first, or, before it has begun, the minutes to come.

    That is so again once it begins, and once its end is foreseen for the first time, unless the user has moved. It is
    so, too, once another program has taken it up, as all its times are others then.

    A projection without bars foresees nothing of what has not begun: a plan gets estimates as it is written, or run.

    Args:
        movement: which time is shown.
    """

    def __init__(self, movement: Movement) -> None:
        self._movement = movement
        self._is_placed, self._known, self._sessions = False, 0, 0

    def begin_anew(self) -> None:
        """Start over, as another run is shown."""
        self._is_placed, self._known = False, 0

    def place(self, model: TimelineModel, now: float, *, is_live: bool) -> None:
        """Show it, if it has not been shown yet.

        Args:
            model: of the run.
            now: the present, or when the run has ended.
            is_live: whether the run goes on.
        """
        if len(model.run.sessions) != self._sessions:
            self.begin_anew()
            self._sessions = len(model.run.sessions)
        has_begun = model.run.run_started_at is not None
        known = has_begun + (model.outlook is not None and (has_begun or model.is_foreseen))
        if not self._is_placed or (known > self._known and not self._movement.is_touched):
            self._is_placed = True
            self._movement.place(_extent(model, now, is_live=is_live))
        self._known = max(self._known, known)

    def place_unseen(self, model: TimelineModel, now: float, width: int, *, is_live: bool) -> None:
        """Show it although nobody sees the timeline yet, as another view shows the same time.

        Args:
            model: of the run.
            now: the present, or when the run has ended.
            width: of that view, in pixels.
            is_live: whether the run goes on.
        """
        if not self._is_placed:
            self._is_placed = True
            self._movement.width = width
            self._movement.place(_extent(model, now, is_live=is_live))


def _extent(model: TimelineModel, now: float, *, is_live: bool) -> tuple[float, float] | None:
    """The known and projected time of a run, and of an executing one also the present and some time to come.

    What is foreseen may all lie far ahead, as after a reservation, and yet begin at once.
    """
    extent, outlook = model.extent(now), model.outlook
    if extent is None or not is_live:
        return extent
    first, last = min(extent[0], now), extent[1]
    is_sure = outlook is not None and outlook.end is not None and not outlook.unestimated
    return first, max(last, now, first + (_SURE_SECONDS if is_sure else _UNSURE_SECONDS))
