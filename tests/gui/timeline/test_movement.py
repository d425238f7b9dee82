"""The range of time that is shown while the present is followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject

from starloom_gui.viewmodel.movement import Movement

if TYPE_CHECKING:
    from starloom_gui.theme.appearance import Appearance


def test_the_present_stays_at_its_pixel_and_is_found_where_it_has_jumped_back(
    appearance: Appearance,
) -> None:
    owner, now = QObject(), [100.0]
    movement = Movement(appearance, lambda: now[0], owner)
    movement.resize(1000, None)
    movement.place((0.0, 100.0))
    pinned = movement.span.x_of(100.0)
    for moment in (150.0, 500.0):
        now[0] = moment
        movement.follow()
        assert movement.span.x_of(moment) == pytest.approx(pinned, abs=1)
    before = movement.span
    now[0] = before.left + 1.0
    movement.follow()
    assert movement.span == before, "it waits at the left until the present has come so far"
    now[0] = before.left - 30.0  # of a server that was started again
    movement.follow()
    assert movement.span.x_of(now[0]) == pytest.approx(pinned, abs=1)
