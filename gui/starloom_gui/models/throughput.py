"""The throughput of devices, counted over all tasks of all runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.scheduling.state.codes import COMPLETED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.scheduling.state.run_facts import RunFacts

LATELY: Final = 60.0
"""Seconds over which completed tasks are counted."""


def throughput(runs: Iterable[RunFacts], now: float) -> dict[str, int]:
    """The number of tasks that each device has completed within the last minute, in all runs.

    Failed and cancelled ones are not done, here as everywhere.
    """
    counted: dict[str, int] = {}
    since = now - LATELY
    for run in runs:
        for number, ended in enumerate(run.ended_at):
            if ended > since and run.status[number] == COMPLETED:
                where = run.device_of[number]
                if where is not None:
                    counted[where] = counted.get(where, 0) + 1
    return counted
