"""Runs of one plan for tests, each from a driver of its own, as columns and as journals."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.driver import Driver, as_journalled, plan, task
from tests.unit.journal.test_library import commit

from starloom.journal.library import Library
from starloom.reporting.run_digest import RunDigest, digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from starloom.model.task import Task

DAY = 86_400.0
BEGIN = 1_795_000_000.0
"""When the first run is made, in seconds since 1970."""


def ran(
    number: int,
    seconds: Mapping[str, float],
    *,
    tasks: Iterable[Task] | None = None,
    fails: Iterable[str] = (),
    name: str = "nightly",
    device: str = "local",
) -> Driver:
    """A run of a plan whose tasks run one after the other.

    Args:
        number: of the run; one is made each day.
        seconds: how long an attempt of each task takes; it is left to run if that is infinite.
        tasks: of the plan; None: one that calls a handler for each of `seconds`.
        fails: the tasks whose attempts fail, one for each time a task is named.
        name: of the plan.
        device: the kind of the one that they run on.
    """
    driver = Driver(devices=(), checked=False)
    driver.add_device("lab-1", slots=1, kind=device)
    made = plan([task(one) for one in seconds] if tasks is None else tasks)
    driver.create(replace(made, name=name), run_id=f"r{number}", wall_time=BEGIN + number * DAY)
    left = list(fails)
    while driver.ordered:
        ((run_id, task_id),) = driver.ordered
        if seconds[task_id] == float("inf"):
            break
        driver.now += seconds[task_id]
        is_bad = task_id in left
        if is_bad:
            left.remove(task_id)
        driver.end(task_id, run_id, ok=not is_bad)
    return driver


def column(number: int, seconds: Mapping[str, float], **fields: object) -> RunDigest:
    """The column of such a run."""
    return digest_of(ran(number, seconds, **fields).run(f"r{number}"))  # type: ignore[arg-type]


def kept(directory: Path, drivers: Iterable[Driver]) -> None:
    """Write the journals of such runs, in this order."""
    with Library(directory) as library:
        for driver in drivers:
            (run_id,) = driver.scheduler.runs
            library.prepare(run_id)
            for turn in driver.turns:
                events = [as_journalled(event) for event in turn.events if event.run_id == run_id]
                if events:
                    commit(library, events)
