"""A clock that stands still until a test moves it."""

from __future__ import annotations


class FakeClock:
    """Callable like the engine's clock; its time changes only by `advance` or by setting `at`, never backwards.

    >>> clock = FakeClock()
    >>> clock.advance(1.5)
    1.5
    >>> clock()
    1.5
    """

    __slots__ = ("_at",)

    def __init__(self, at: float = 0.0) -> None:
        self._at = float(at)

    def __call__(self) -> float:
        """Seconds on this clock, now."""
        return self._at

    @property
    def at(self) -> float:
        """Seconds on this clock, now.

        Raises:
            ValueError: on setting it, when that would turn the clock back.
        """
        return self._at

    @at.setter
    def at(self, seconds: float) -> None:
        if not seconds >= self._at:
            raise ValueError(f"a clock cannot go back from {self._at} to {seconds}")
        self._at = float(seconds)

    def advance(self, seconds: float) -> float:
        """Advance by a number of seconds; returns the new time.

        Raises:
            ValueError: the seconds are negative.
        """
        self.at = self._at + seconds
        return self._at
