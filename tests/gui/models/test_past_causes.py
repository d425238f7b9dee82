"""The causes of past events in the event log: they stay what they were, whatever is edited afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.driver import Driver, edge, plan

from starloom import events as ev
from starloom.constellation.edits import AddDependency, RemoveDependency, RemoveTask
from starloom.scheduling.commands import HoldTasks, RerunFrom
from starloom_gui.gateway.event_log import EventLog
from starloom_gui.models.event_table import EventColumn, EventTable

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.usefixtures("app")


def unhook(driver: Driver) -> None:
    driver.edit(RemoveDependency("a", "b"))


def unhook_and_rehang(driver: Driver) -> None:
    unhook(driver)
    driver.edit(AddDependency(edge("other", "b")))


def hang_below_another(driver: Driver) -> None:
    driver.edit(AddDependency(edge("other", "b")))


def rerun(driver: Driver) -> None:
    driver.do(RerunFrom(run_id="r", task_id="a"))
    driver.advance(1)
    driver.end("a")


def remove_another(driver: Driver) -> None:
    driver.edit(RemoveTask("c"))


@pytest.mark.parametrize("edit", [unhook, unhook_and_rehang, hang_below_another, rerun, remove_another])
def test_what_made_a_task_ready_stays_the_cause_when_the_graph_is_edited(edit: Callable[[Driver], None]) -> None:
    driver = Driver(slots=2)
    driver.create(plan(["a", "other", "b", "c"], ["a>b", "b>c"]))
    driver.advance(1)
    driver.do(HoldTasks(run_id="r", task_ids=("b",)))  # what has started could not be edited
    driver.end("other")
    driver.advance(1)
    driver.end("a")
    log = EventLog()

    def told() -> str:
        for event in driver.events[log.end :]:
            log.add(event)
        table = EventTable(log, lambda at: at, lambda _: driver.run())
        row = next(at for at, one in enumerate(driver.events) if isinstance(one, ev.TaskReady) and one.task_id == "b")
        return str(table.index(row, list(EventColumn).index(EventColumn.CAUSE)).data())

    assert told() == "a has ended"
    edit(driver)
    assert told() == "a has ended"
