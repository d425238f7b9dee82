"""The base class of events, and the snapshot, which is sent to subscribers and never journalled."""

from __future__ import annotations

from typing import Any, Final

import msgspec

FORMAT_VERSION: Final = 1
"""Grows when the meaning or the fields of an event change; a journal names the version it was written with."""


class Event(msgspec.Struct, frozen=True, tag=True, omit_defaults=True, forbid_unknown_fields=True):
    """The base class of all events.

    Attributes:
        seq: the number in its stream, from 1.
        at: seconds on the engine's clock.
        run_id: the run whose stream this is; empty for the fleet's.
    """

    seq: int
    at: float
    run_id: str


class Snapshot(Event, frozen=True):
    """The state to fold on from, for a subscriber that joined late or fell behind.

    Attributes:
        missed: how many events the subscriber lost before this; 0 when it has just joined.
        state: a `scheduling.state.folded_run.FoldedRun` of its own, nobody else changes it.
    """

    missed: int = 0
    state: Any = None
