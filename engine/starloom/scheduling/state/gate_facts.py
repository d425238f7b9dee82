"""Facts about an open or answered gate: part of the facts of a run (`RunFacts.gates`)."""

from __future__ import annotations

from typing import Final

import msgspec

WITHDRAWN: Final = "withdrawn"
UNREACHED: Final = -1
"""In `RunFacts.breakpoints`: nobody has stopped there yet."""


class GateFacts(msgspec.Struct, frozen=True):
    """The last question of a gate, and its answer.

    Attributes:
        attempt: how often it was asked by then, from 1.
        at: when, on the engine's clock, in seconds.
        how: how it was answered: `approved`, `rejected`; `proceeded`, `skipped` or `aborted` when its countdown was
            over; `withdrawn`: it was held, removed, reset or cancelled meanwhile. Empty: it is open.
        ended: when it was answered, likewise.
        note: what was said with the answer.
        origin: who answered.
    """

    attempt: int
    at: float
    how: str = ""
    ended: float | None = None
    note: str = ""
    origin: str = ""

    @property
    def is_open(self) -> bool:
        """Whether it waits for an answer."""
        return not self.how
