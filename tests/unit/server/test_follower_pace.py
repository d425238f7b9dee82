"""How often those who follow an engine are told: at once while little happens, less often while much does."""

from __future__ import annotations

from starloom.server.feeds import FollowerPace

OFTEN, SELDOM = 0.001, 0.02


def told(pace: FollowerPace, count: int, begin: float, seconds: float) -> tuple[float, list[float]]:
    """Tell of so many rows a second from a moment on; returns when that ended, and the time between the calls."""
    now, end, gaps, rest = begin, begin + seconds, list[float](), 0.0
    while now < end:
        later = max(pace.due, now + 1 / count)
        rest += (later - now) * count
        whole = int(rest)
        rest -= whole
        gaps.append(later - now)
        now = later
        pace.note(whole, now)
    return now, gaps


def test_of_a_few_hundred_rows_a_second_each_is_told_at_once():
    pace = FollowerPace()
    _, gaps = told(pace, 500, 10.0, 1.0)
    assert max(gaps) <= 1 / 500 + 1e-9


def test_of_thousands_many_are_told_together_and_afterwards_each_at_once_again():
    pace = FollowerPace()
    now, gaps = told(pace, 8_000, 10.0, 1.0)
    assert len(gaps) < 100, "each call wakes whoever follows"
    assert max(gaps) <= SELDOM + 1 / 8_000 + 1e-9
    now, gaps = told(pace, 200, now, 0.2)
    assert gaps[-1] <= 1 / 200 + 1e-9
    assert abs(pace.due - now - OFTEN) < 1e-9
