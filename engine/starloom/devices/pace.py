"""The size of requests over a link of unknown speed."""

from __future__ import annotations

from typing import Final

FIRST_PIECE: Final = 32 * 1024
LEAST_PIECE: Final = 4 * 1024
_SECONDS: Final = 0.5
"""For how long one piece may be under way."""


class Pace:
    """Adapts the size of reads to the link, so that one takes half a second at most.

    Attributes:
        size: of the next piece, in bytes.

    Args:
        largest: how many bytes a piece may have.
    """

    def __init__(self, largest: int) -> None:
        self.size = FIRST_PIECE
        self._largest = largest

    def shrink(self) -> None:
        """Make the next piece smaller, as one was lost with the link, and links may break again and again."""
        self.size = max(LEAST_PIECE, self.size // 4)

    def note(self, got: int, seconds: float, round_trip: float) -> None:
        """Adapt to the duration of a piece.

        Args:
            got: bytes that came.
            seconds: how long that took, with the way there and back.
            round_trip: seconds that an answer takes which holds nothing.
        """
        under_way = seconds - round_trip
        if got >= self.size or under_way > _SECONDS:
            fits = got / under_way * _SECONDS if under_way > 0 else self._largest
            self.size = int(min(self._largest, 2 * self.size, max(LEAST_PIECE, fits)))
