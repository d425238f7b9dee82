"""Attempts of a task as values."""

from __future__ import annotations

import msgspec

from starloom.model.result import Result


class Attempt(msgspec.Struct, frozen=True):
    """One attempt of a task; the last one may still run.

    Attributes:
        ready: when its task became ready, on the engine's clock, in seconds; pauses of the run don't move it.
        started: when, on the engine's clock, in seconds.
        ended: likewise; None while it runs.
        awaited: seconds of it for which it waited for answers of people, without those for which it still does.
    """

    number: int
    device_id: str
    slot: int
    ready: float
    started: float
    ended: float | None
    status: str
    result: Result | None
    awaited: float = 0.0


class LateEnd(msgspec.Struct, frozen=True):
    """The end of an attempt that had been given up as lost, after its task had gone on without it.

    Attributes:
        attempt: its number.
        exit_code: None: it was ended when its device was back, or nobody knows how it ended.
        ended: when, on the engine's clock, in seconds; None: nobody knows.
    """

    attempt: int
    exit_code: int | None
    ended: float | None
