"""A bridge without a loop or a timer: the changes a view would be told of, from a scheduler driven by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.scheduling.state.fleet_facts import FleetFacts
from starloom_gui.gateway.changes import FLEET, Changes, changes_of
from starloom_gui.gateway.event_log import EventLog
from starloom_gui.specs.event_list import EVENTS
from starloom_gui.specs.event_spec import EventSort
from starloom_gui.specs.notes import Notes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.driver import Driver

    from starloom.scheduling.state.run_facts import RunFacts


class DrivenBridge:
    """Gives the changes since the last call."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.heard = 0
        self.log = EventLog(fleet=FleetFacts())  # it tells all there ever was

    def facts(self, run_id: str) -> RunFacts | None:
        index = self.driver.scheduler.runs.get(run_id)
        return index.run if index is not None else None

    def news(self) -> Iterator[Changes]:
        """The changes of the fleet and of each run, also empty ones."""
        noted = {run_id: Notes() for run_id in (FLEET, *self.driver.scheduler.runs)}
        for event in self.driver.events[self.heard :]:
            spec = EVENTS[type(event)]
            notes = noted.setdefault(event.run_id, Notes())
            if (spec.sort is EventSort.FLEET) is not bool(event.run_id):
                spec.note(notes, event)
                if spec.name is not None:
                    self.log.add(event)
                    notes.log = True
        self.heard = len(self.driver.events)
        for run_id, notes in noted.items():
            yield changes_of(notes, run_id, self.facts(run_id))

    def of(self, run_id: str) -> Changes:
        """The changes of one run."""
        return next(changes for changes in self.news() if changes.run_id == run_id)
