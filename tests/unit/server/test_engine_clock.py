"""The clock of an engine elsewhere: near the truth, whatever the clocks here and there show, and never going back."""

from __future__ import annotations

from random import Random

import pytest

from starloom.server.engine_clock import EngineClock


class TwoClocks:
    """A program and an engine whose clocks differ, and questions that take their time both ways."""

    def __init__(self, apart: float, drift: float = 0.0) -> None:
        self.at = 1_000.0
        self.apart, self.drift = apart, drift
        self.clock = EngineClock(lambda: self.at)

    def there(self) -> float:
        return self.at * (1 + self.drift) + self.apart

    def ask(self, forth: float, back: float) -> None:
        asked = self.at
        self.at += forth
        told = self.there()
        self.at += back
        self.clock.measure(asked, told)

    @property
    def off(self) -> float:
        self.at += 1  # it may have been ahead, and stands still then
        return abs(self.clock.now() - self.there())


@pytest.mark.parametrize("apart", [0.0, 3 * 3600.0, -900.0])
def test_it_is_off_by_half_of_the_quickest_round_trip_at_most(apart: float) -> None:
    clocks = TwoClocks(apart)
    clocks.ask(0.3, 0.0)
    assert clocks.off == pytest.approx(0.15)
    assert clocks.clock.error == pytest.approx(0.15)
    clocks.ask(0.01, 0.03)
    assert clocks.off <= 0.02 + 1e-9
    clocks.ask(0.5, 0.0)
    assert clocks.off <= 0.02 + 1e-9, "a slow answer tells nothing new"


def test_a_measurement_is_not_kept_for_ever_as_clocks_part() -> None:
    clocks = TwoClocks(0.0, drift=5e-5)
    clocks.ask(0.001, 0.001)
    clocks.at += 3600
    assert clocks.off > 0.1
    clocks.ask(0.02, 0.02)
    assert clocks.off < 0.03


def test_time_never_goes_back_until_another_engine_is_asked() -> None:
    dice = Random(4)
    clocks = TwoClocks(50.0)
    told = -1e9
    for _ in range(200):
        clocks.ask(dice.random(), dice.random())
        clocks.at += dice.random() / 100
        assert clocks.clock.now() >= told
        told = clocks.clock.now()
        assert clocks.off < 1.0
    clocks.apart = -500.0
    clocks.clock.begin_anew()
    clocks.ask(0.001, 0.001)
    assert clocks.off < 0.01


@pytest.mark.parametrize("by", [7200.0, -7200.0])
def test_a_computer_that_has_slept_is_found_out(by: float) -> None:
    clocks = TwoClocks(50.0)
    clocks.ask(0.001, 0.001)
    assert clocks.off < 0.01
    clocks.apart += by
    clocks.ask(0.2, 0.2)
    assert clocks.off < 0.3, "though the answer took longer"


def test_an_engine_that_was_started_again_with_an_earlier_clock_is_right_at_once() -> None:
    clocks = TwoClocks(50.0)
    clocks.ask(0.01, 0.01)
    clocks.at += 10
    clocks.clock.begin_anew()
    for _ in range(5):
        clocks.at += 1
        clocks.clock.now()  # as for a window that goes on showing what it has
    clocks.apart -= 24.0  # it goes on where its journal ended
    clocks.ask(0.01, 0.01)
    assert clocks.clock.now() == pytest.approx(clocks.there(), abs=0.02), "not 24 s ahead until it has caught up"
