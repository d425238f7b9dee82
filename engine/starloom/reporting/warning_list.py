"""Warnings of running tasks, and overdue tasks, collected from the events of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom import events as ev
from starloom.reporting.asked import ReportedWarning
from starloom.reporting.text import one_line, took

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.scheduling.state.run_facts import RunFacts

MOST: Final = 200
"""Of a run that warns of more the rest is only counted."""


class WarningWatch:
    """Keeps the first warnings of a run and counts them all.

    Attributes:
        count: how many there were.
    """

    def __init__(self) -> None:
        self.count = 0
        self._kept: list[tuple[float, ev.TaskWarned | ev.TaskOverdue]] = []

    def see(self, event: ev.Event) -> None:
        """Record one event."""
        if isinstance(event, ev.TaskWarned | ev.TaskOverdue):
            self.count += 1
            if self.count <= MOST:
                self._kept.append((event.at, event))
        elif isinstance(event, ev.RunRecovered):
            self._kept = [(at + event.shift, one) for at, one in self._kept]

    def told(self, run: RunFacts, place: Mapping[int, int], start: float) -> tuple[ReportedWarning, ...]:
        """The warnings, oldest first, without those of removed tasks.

        Args:
            run: whose tasks they are about.
            place: the place of each task in the report, by number.
            start: seconds on the engine's clock from which the report counts.
        """
        found = []
        for at, event in self._kept:
            number = run.graph.place.get(event.task_id)
            if number is not None and number in place:
                kind = "warned" if isinstance(event, ev.TaskWarned) else "overdue"
                found.append(ReportedWarning(place[number], event.attempt, at - start, kind, _message(event)))
        return tuple(found)


def _message(event: ev.TaskWarned | ev.TaskOverdue) -> str:
    if isinstance(event, ev.TaskWarned):
        return one_line(event.message, 2_000)
    return f"It was expected to take {took(event.expected)} on {one_line(event.device_id, 100)} and took far longer."
