"""The mapping of time to pixels on the timeline: the time of its left edge and the time of a pixel. No Qt here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

FINEST: Final = 1e-5
"""Seconds a pixel can stand for at least."""
COARSEST: Final = 86_400.0
"""Seconds a pixel can stand for at most."""
_MARGIN: Final = 24.0
"""Pixels left free on either side of what is fitted."""
_NARROWEST: Final = 1.0
"""Seconds: what is shorter is fitted as if it took that long."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time on a row of pixels; every change gives a new one.

    Attributes:
        left: the time at x = 0, in seconds on the engine's clock.
        per_px: seconds a logical pixel stands for, `FINEST` to `COARSEST`.
    """

    left: float
    per_px: float

    @classmethod
    def fitted(cls, first: float, last: float, width: float) -> Span:
        """All of `first` to `last` on `width` pixels, with a margin on either side.

        Args:
            first: seconds on the engine's clock.
            last: seconds on the engine's clock.
            width: logical pixels.
        """
        room = max(1.0, width - 2 * _MARGIN)
        per_px = _bounded(max(last - first, _NARROWEST) / room)
        middle = (first + max(last, first + _NARROWEST)) / 2
        return cls(middle - per_px * width / 2, per_px)

    @classmethod
    def between(cls, first: float, last: float, width: float) -> Span:
        """From `first` to `last` without a margin, as an area that was drawn asks for.

        Args:
            first: seconds on the engine's clock.
            last: seconds on the engine's clock.
            width: logical pixels.
        """
        per_px = _bounded((last - first) / max(1.0, width))
        return cls((first + last) / 2 - per_px * width / 2, per_px)

    def x_of(self, at: float) -> float:
        """The pixel of a time."""
        return (at - self.left) / self.per_px

    def time_at(self, x: float) -> float:
        """The time of a pixel."""
        return self.left + x * self.per_px

    def zoomed(self, factor: float, x: float) -> Span:
        """`factor` times as large, with the time at `x` staying where it is.

        Args:
            factor: over 1: a pixel stands for less time.
            x: logical pixels from the left edge.
        """
        per_px = _bounded(self.per_px / factor)
        return Span(self.time_at(x) - x * per_px, per_px)

    def panned(self, px: float) -> Span:
        """The span moved to the right by `px` pixels."""
        return replace(self, left=self.left + px * self.per_px)

    def with_at(self, at: float, x: float) -> Span:
        """The span of the same size with the time `at` at the pixel `x`.

        Args:
            at: seconds on the engine's clock.
            x: logical pixels from the left edge.
        """
        return replace(self, left=at - x * self.per_px)

    def toward(self, other: Span, share: float) -> Span:
        """A stretch between this one and another, `share` of the way; sizes change evenly to the eye.

        Args:
            other: the one at the end of the way.
            share: 0 to 1.
        """
        per_px = self.per_px * (other.per_px / self.per_px) ** share
        return Span(self.left + (other.left - self.left) * share, per_px)


def _bounded(per_px: float) -> float:
    return min(COARSEST, max(FINEST, per_px))
