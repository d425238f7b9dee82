"""What the canvas says of a task beyond the words that every view uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.scheduling.codes import RUNNING
from starloom_gui.task_words import second_line
from starloom_gui.words import fill, status_word, translate

if TYPE_CHECKING:
    from starloom.scheduling.run_facts import RunFacts


def title(facts: RunFacts, number: int) -> str:
    """A task's name."""
    task = facts.graph.tasks[number]
    return task.title if task is not None else facts.graph.ids[number]


def share_done(facts: RunFacts, number: int, now: float) -> float | None:
    """The share of a running task's expected time that is over, at most 1; None where nothing is expected of it."""
    task = facts.graph.tasks[number]
    expected = task.expected_duration if task is not None else None
    if facts.status[number] != RUNNING or not expected:
        return None
    device = facts.fleet.devices.get(facts.device_of[number] or "")
    speed = device.speed if device is not None else 1.0
    return min(1.0, (now - facts.started_at[number]) * speed / expected)


def description(facts: RunFacts, number: int, now: float) -> str:
    """Name, status and second line in one sentence, for screen readers."""
    status, line = status_word(facts.status_of(number)), second_line(facts, number, now)
    return fill(translate("Canvas", "%1, %2, %3"), title(facts, number), status, line)
