"""Scrolling at the border of a view: faster the deeper, and only for a drag that went there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject, QPointF, QRectF

from starloom_gui.widgets.border_scroll import FASTEST, INSIDE, OUTSIDE, BorderScroll, depth, speed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

ROOM = QRectF(0, 0, 400, 300)
MIDDLE = QPointF(200, 150)


@pytest.mark.parametrize(
    ("at", "deep"),
    [
        (200.0, 0.0),
        (INSIDE, 0.0),
        (0.0, -INSIDE),
        (-OUTSIDE, -INSIDE - OUTSIDE),
        (400 - INSIDE, 0.0),
        (400 + OUTSIDE, INSIDE + OUTSIDE),
        (401 + OUTSIDE, None),
        (-1 - OUTSIDE, None),
    ],
)
def test_the_border_reaches_in_and_a_little_out(at: float, deep: float | None) -> None:
    assert depth(at, 0, 400) == deep


def test_a_small_view_keeps_half_of_itself_without_border() -> None:
    assert depth(11, 0, 40) == 0
    assert depth(29, 0, 40) == 0
    assert depth(0, 0, 40) == -10


def test_it_is_faster_the_deeper_up_to_a_limit() -> None:
    speeds = [speed(deep) for deep in (1, 10, 24, 48, 60)]
    assert speeds == sorted(speeds)
    assert speeds[-1] == speeds[-2] == FASTEST
    assert speed(-10) == -speed(10)
    assert speed(0) == 0


class Moved:
    """What was scrolled."""

    def __init__(self) -> None:
        self.owner = QObject()
        self.by: list[tuple[int, int]] = []
        self.border = BorderScroll(lambda dx, dy: self.by.append((dx, dy)), self.owner)

    def follow(self, *places: tuple[float, float]) -> bool:
        for x, y in places:
            self.border.follow(QPointF(x, y), ROOM)
        return self.border.is_scrolling


@pytest.fixture
def moved(app: QApplication) -> Iterator[Moved]:
    made = Moved()
    yield made
    made.border.stop()


def test_a_pointer_that_rests_in_the_border_goes_on_scrolling(moved: Moved, qtbot: QtBot) -> None:
    assert moved.follow((200, 150), (395, 150))
    qtbot.waitUntil(lambda: len(moved.by) > 2)
    assert all(dx > 0 and dy == 0 for dx, dy in moved.by)


def test_in_a_corner_it_scrolls_both_ways(moved: Moved, qtbot: QtBot) -> None:
    assert moved.follow((200, 150), (-10, -10))
    qtbot.waitUntil(lambda: any(dx < 0 and dy < 0 for dx, dy in moved.by))


@pytest.mark.parametrize("away", [(200, 150), (395 + 2 * OUTSIDE, 150)])
def test_back_in_the_middle_or_far_away_it_stops(moved: Moved, away: tuple[float, float]) -> None:
    moved.follow((200, 150), (395, 150))
    assert not moved.follow(away)


def test_what_begins_in_the_border_scrolls_only_when_it_goes_deeper(moved: Moved) -> None:
    assert not moved.follow((390, 150), (389, 150), (389, 151))
    assert moved.follow((398, 150))


def test_what_comes_in_from_outside_does_not_scroll_on_its_way(moved: Moved) -> None:
    assert not moved.follow((-5, 150), (1, 150), (10, 150), (200, 150))
    assert moved.follow((10, 150))


def test_another_drag_begins_anew(moved: Moved) -> None:
    moved.follow((200, 150), (395, 150))
    moved.border.stop()
    assert not moved.border.is_scrolling
    assert not moved.follow((395, 150))
