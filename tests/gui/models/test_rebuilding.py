"""Views hold no truth: a model that was told of every change shows what one that was just made shows."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from tests.examples import few_examples
from tests.gui.gateway.driven_bridge import DrivenBridge
from tests.gui.models.cells import Painted, cells
from tests.properties.test_scheduler import Walk

from starloom.scheduling.read.line import in_line
from starloom_gui.gateway.changes import Changes
from starloom_gui.models.device_table import DeviceTable
from starloom_gui.models.event_table import EventFilter, EventTable
from starloom_gui.models.outline import Outline
from starloom_gui.models.queue_table import QueueTable
from starloom_gui.models.task_cells import TaskColumn
from starloom_gui.models.task_filter import TaskFilter
from starloom_gui.models.task_table import TaskTable
from starloom_gui.specs.event_spec import EventSort
from starloom_gui.theme.status_form import StatusForm

FILTERS = (
    TaskFilter(),
    TaskFilter(text="n"),
    TaskFilter(forms=frozenset({StatusForm.WAITING, StatusForm.PENDING, StatusForm.RUNNING})),
    TaskFilter(forms=frozenset({StatusForm.FAILED, StatusForm.COMPLETED})),
    TaskFilter(device="d0"),
)
ORDERS = (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder)


class Audience:
    """One of each model of what a walk goes through."""

    def __init__(self, walk: Walk) -> None:
        dice = walk.dice
        self.walk = walk
        self.bridge = DrivenBridge(walk.driver)
        self.heard_at = walk.driver.now
        self.filter, self.column, self.order = dice.choice(FILTERS), dice.choice([-1, *TaskColumn]), dice.choice(ORDERS)
        self.wanted = EventFilter(sorts=dice.choice([frozenset(), frozenset({EventSort.ENDS, EventSort.STEERING})]))
        self.models = self.made()
        self.painted = {name: Painted(model) for name, model in self.models.items()}
        self.testers = [
            QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
            for model in self.models.values()
        ]

    def made(self) -> dict[str, Any]:
        tasks = TaskTable(lambda: self.bridge.facts("r0"), self.now)
        tasks.set_filter(self.filter)
        tasks.sort(self.column, self.order)
        events = EventTable(self.bridge.log, lambda at: at)
        events.set_filter(self.wanted)
        return {
            "tasks": tasks,
            "outline": Outline(lambda: self.bridge.facts("r0"), self.now),
            "devices": DeviceTable(self.fleet, self.runs, self.now),
            "queue": QueueTable(self.line, self.bridge.facts),
            "events": events,
        }

    def now(self) -> float:
        return self.walk.driver.now

    def fleet(self):
        return self.walk.driver.scheduler.fleet

    def runs(self):
        return [index.run for index in self.walk.driver.scheduler.runs.values()]

    def line(self, most: int):
        return in_line(self.walk.driver.scheduler, self.now(), most)

    def hear(self) -> None:
        if self.bridge.driver is not self.walk.driver:  # another program: another bridge tells of it
            self.bridge.driver, self.bridge.heard = self.walk.driver, len(self.walk.driver.events)
            for model in self.models.values():
                model.rebuild()
        for changes in self.bridge.news():
            self.tell(changes)
        if self.now() != self.heard_at:
            self.tell(Changes(run_id="r0", second=True))
            self.heard_at = self.now()

    def tell(self, changes: Changes) -> None:
        for model in self.models.values():
            model.on_changes(changes)

    def settle(self) -> None:
        """Do what would be done a moment later."""
        self.models["tasks"].settle()
        self.models["queue"].rebuild()


@pytest.mark.usefixtures("app")
@few_examples(25)
@given(seed=st.integers(0, 2**32), steps=st.integers(1, 40))
def test_a_model_thrown_away_and_made_anew_shows_the_same(seed, steps):
    walk = Walk(seed, checked=False)
    audience = Audience(walk)
    for _ in range(steps):
        walk.step()
        audience.hear()
    audience.settle()
    for name, fresh in audience.made().items():
        assert cells(audience.models[name]) == cells(fresh), name
        assert audience.painted[name].rows == cells(fresh), f"{name}: something changed and nobody was told"
