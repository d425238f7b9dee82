"""What random histories choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starloom.events import AttemptWorkEnded, GateAnswered, TaskMarked, TaskSkipped, TaskStarted
from starloom.model.question import Option, Question
from starloom.scheduling import commands as c
from starloom.scheduling.reservation_commands import (
    BreakReservation,
    ReleaseReservation,
    ReservationCommand,
    Reserve,
)
from starloom.scheduling.state import stops
from starloom.scheduling.stimuli import AttemptWorkEndNoticed, QuestionDropped, QuestionRaised

if TYPE_CHECKING:
    from collections.abc import Sequence
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


def some_answer_to_a_gate(driver: Driver, dice: Random, run_id: str, other: str) -> c.AnswerGate:
    """One to a gate that is open, mostly; else to another task."""
    run = driver.run(run_id)
    asked = [run.graph.ids[number] for number in stops.open_gates(run)]
    name = dice.choice(asked) if asked and dice.random() < 0.9 else other
    attempt = dice.choice([None, None, 1, 2])
    return c.AnswerGate(run_id=run_id, task_id=name, approve=dice.random() < 0.6, note="well", attempt=attempt)


QUESTIONS = (
    Question("Which?"),
    Question("Which?", alike="which"),
    Question("May I?", "permission", (Option("yes", "Yes"), Option("no", "No", allows=False)), "rm x", "command", "rm"),
)


def ask_something(driver: Driver, dice: Random) -> None:
    """Have some attempt ask a person now and then, or take a question back; what it asks twice is asked once."""
    if not driver.ordered or dice.random() < 0.1:
        return
    (run_id, name), start = dice.choice(list(driver.ordered.items()))
    key, chance = dice.randint(1, 3), dice.random()
    if chance < 0.15:
        driver.turn(QuestionDropped(run_id, name, start.attempt, key))
    elif chance < 0.45:
        driver.turn(some_answer(driver, dice, run_id))
    else:
        asked = QuestionRaised(run_id, name, start.attempt, key, dice.choice(QUESTIONS))
        driver.turn(asked, asked)


def some_answer(driver: Driver, dice: Random, run_id: str) -> c.AnswerQuestion:
    """An answer to questions that are open, mostly."""
    open_ones = [*driver.run(run_id).questions]
    numbers = dice.sample(open_ones, min(len(open_ones), dice.choice([1, 1, 2]))) if dice.random() < 0.9 else [0]
    option = dice.choice(["", "", "yes", "no", "odd"])
    return c.AnswerQuestion(
        run_id=run_id,
        numbers=tuple(numbers),
        option=option,
        note=dice.choice(["", "well", "well"]),
        reject=dice.random() < 0.4,
    )


def some_reservation(dice: Random, run_id: str, device_id: str, people: Sequence[str]) -> ReservationCommand:
    """A command about the reservation of a run, a device or, rarely, the fleet, by one of these people."""
    target = dice.choice([{"run_id": run_id}] * 3 + [{"device_id": device_id}] * 3 + [{}])
    said: dict[str, Any] = {"origin": dice.choice(people), **target}
    kind = dice.randrange(6)
    if kind < 4:
        seconds, wall = dice.choice([1, 4.5, 30, 30, -1]), dice.choice([0.0, 1.0])
        return Reserve(
            **said, seconds=seconds, reason=dice.choice(["it is under repair", "look here.", " "]), wall_time=wall
        )
    return ReleaseReservation(**said) if kind == 4 else BreakReservation(**said, reason=dice.choice(["needed", ""]))
