"""How much output is asked for at once over a link to another machine."""

from __future__ import annotations

from starloom.devices.pace import FIRST_PIECE, LEAST_PIECE, Pace
from starloom.devices.ssh.bulk import LARGEST_PIECE


def paced(rate: float, round_trip: float, pieces: int = 20) -> Pace:
    """What is made of a link with so many bytes a second and such seconds there and back."""
    pace = Pace(LARGEST_PIECE)
    for _ in range(pieces):
        pace.note(pace.size, pace.size / rate + round_trip, round_trip)
    return pace


def test_over_a_slow_link_pieces_are_under_way_for_half_a_second():
    for rate in (30_000, 250_000):
        assert paced(rate, 0.05).size == rate // 2


def test_pieces_are_bounded_on_any_link():
    assert paced(1e9, 0.0).size == LARGEST_PIECE
    assert paced(10, 0.0).size == LEAST_PIECE


def test_a_long_way_makes_no_small_pieces():
    assert paced(1e7, 3.0).size == LARGEST_PIECE


def test_the_little_that_there_was_says_nothing_unless_it_took_long():
    pace = Pace(LARGEST_PIECE)
    pace.note(10, 0.01, 0.0)
    assert pace.size == FIRST_PIECE
    pace.note(10, 2.0, 0.0)
    assert pace.size == LEAST_PIECE


def test_an_answer_that_took_no_time_counts_as_fast():
    pace = Pace(LARGEST_PIECE)
    pace.note(pace.size, 0.0, 0.0)
    assert pace.size == 2 * FIRST_PIECE
