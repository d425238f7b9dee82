"""What random histories choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starloom.events import AttemptWorkEnded, GateAnswered, TaskMarked, TaskSkipped, TaskStarted
from starloom.scheduling.stimuli import AttemptWorkEndNoticed

if TYPE_CHECKING:
    from random import Random

    from tests.driver import Driver

ENDS: tuple[dict[str, Any], ...] = (
    {},
    {},
    {},
    {"value": 2},
    {"ok": False},
    {"ok": False},
    {"lost": True},
    {"stopped": True},
    {"faulted": True},
)
GATES: tuple[dict[str, Any], ...] = (
    {},
    {"message": "Well?"},
    {"after": 5, "then": "proceed"},
    {"after": 0, "then": "proceed"},
    {"after": 30, "then": "skip"},
    {"after": 30, "then": "abort"},
)
STOPS: tuple[dict[str, Any], ...] = ({"breakpoint": True}, {"bypass": True}, {"bypass": {"value": [1, "x"]}})
BEGINNINGS = (TaskStarted, TaskSkipped, TaskMarked, GateAnswered)
"""After these an edit may be there to stay: of a bypassed task it may be the very edit that ends it."""
CHANGES: tuple[dict[str, Any], ...] = (
    {"timeout": 3},
    {"priority": 90},
    {"groups": ("g",)},
    {"groups": ()},
    {"join": "any"},
    {"join": "all"},
    {"device": "d0"},
    {"requires": ["gpu"]},
    {"command": ["true"]},
    {"retry": 2},
    {"gate": "Well?"},
    {"gate": {"after": 3, "then": "proceed"}},
    {"breakpoint": True},
    {"breakpoint": False},
    {"bypass": True},
    {"bypass": {"value": None}},
    {"bypass": False},
    {"bogus": 1},
    {"timeout": -1},
    {},
)


def end_some_work(driver: Driver, dice: Random) -> None:
    """Have the work of some attempt end now and then, whose task has not ended yet; said again, it does nothing."""
    if not driver.ordered or dice.random() < 0.5:
        return
    (run_id, name), start = dice.choice(list(driver.ordered.items()))
    driver.turn(AttemptWorkEndNoticed(run_id, name, start.attempt))
    again = driver.turn(AttemptWorkEndNoticed(run_id, name, start.attempt))
    assert not any(isinstance(event, AttemptWorkEnded) for event in again.events)
