"""Attempts before the last ones in a checkpoint of the facts: those that have become history since the one before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from starloom.journal.kept_results import Kept, Odd, from_kept, to_kept
from starloom.scheduling.state.attempts import Attempt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.scheduling.state.run_facts import RunFacts


class Past(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """The attempts before the last ones, in columns."""

    tasks: list[int] = []
    numbers: list[int] = []
    devices: list[str] = []
    slots: list[int] = []
    ready: list[float] = []
    started: list[float] = []
    ended: list[float | None] = []
    statuses: list[str] = []
    results: list[Kept] = []
    odd: Odd = []
    awaited: list[float] = []
    """Missing in earlier checkpoints; empty: none of them waited for answers."""


def of(run: RunFacts, archived: dict[int, int]) -> Past:
    """The attempts that have become history since a checkpoint.

    Args:
        run: its facts.
        archived: how many attempts of each task were history then.
    """
    fresh = [(number, attempt) for number, past in run.history.items() for attempt in past[archived.get(number, 0) :]]
    past = Past(
        tasks=[number for number, _ in fresh],
        numbers=[attempt.number for _, attempt in fresh],
        devices=[attempt.device_id for _, attempt in fresh],
        slots=[attempt.slot for _, attempt in fresh],
        ready=[attempt.ready for _, attempt in fresh],
        started=[attempt.started for _, attempt in fresh],
        ended=[attempt.ended for _, attempt in fresh],
        statuses=[attempt.status for _, attempt in fresh],
    )
    past.results, past.odd = to_kept(attempt.result for _, attempt in fresh)
    if any(attempt.awaited for _, attempt in fresh):
        past.awaited = [attempt.awaited for _, attempt in fresh]
    return past


def history(chain: Sequence[tuple[Past, Sequence[float]]]) -> dict[int, list[Attempt]]:
    """The earlier attempts of each task.

    Args:
        chain: of each checkpoint, the oldest first: its part, and by how many seconds times were shifted before it.

    Raises:
        ValueError: columns differ in length.
    """
    found: dict[int, list[Attempt]] = {}
    for place, (past, _) in enumerate(chain):
        times: list[list[Any]] = [past.ready, past.started, past.ended]
        for _, shifts in chain[place + 1 :]:
            for shift in shifts:  # one after the other, as the fold adds them: sums of floats depend on that
                times = [[None if time is None else time + shift for time in column] for column in times]
        results = from_kept(past.results, past.odd)
        awaited = past.awaited or [0.0] * len(past.tasks)
        columns = (past.tasks, past.numbers, past.devices, past.slots, *times, past.statuses, results, awaited)
        for task, *fields in zip(*columns, strict=True):
            found.setdefault(task, []).append(Attempt(*fields))
    return found
