"""A priority that a task does not have of itself says from where it comes, where it is seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from tests.driver import Driver, plan, task

from starloom.scheduling.read.inherited_priority import lender_of
from starloom.scheduling.read.line import in_line
from starloom.scheduling.read.run_view import RunView, TaskView
from starloom_gui.models.queue_table import QueueColumn, QueueTable
from starloom_gui.models.task_cells import TaskColumn
from starloom_gui.models.task_table import TaskTable
from starloom_gui.viewmodel.inherited_priority import inherited_words
from starloom_gui.viewmodel.task_fields import fields_of
from starloom_gui.viewmodel.task_specs import FormPart

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

SENTENCE = "80 inherited from “Deploy it”, which waits for it"


def lending() -> Driver:
    """`fetch` and `other` are ready behind `busy`, and `deploy`, of priority 80, waits for `fetch` through `build`."""
    driver = Driver(slots=1)
    deploy = task("deploy", name="Deploy it", priority=80)
    driver.create(
        plan([task("busy", priority=100), "fetch", "build", deploy, "other"], ["fetch>build", "build>deploy"])
    )
    return driver


def of(driver: Driver, task_id: str) -> TaskView:
    return RunView(driver.run()).task(driver.run().graph.place[task_id])


def test_the_source_is_the_highest_of_what_waits_for_it() -> None:
    driver = lending()
    assert inherited_words(of(driver, "fetch")) == inherited_words(of(driver, "build")) == SENTENCE
    assert [inherited_words(of(driver, one)) for one in ("deploy", "other", "busy")] == ["", "", ""]


def test_it_is_what_the_scheduler_goes_by() -> None:
    driver = lending()
    index = driver.scheduler.live[driver.run().run_id]
    for number, base in enumerate(index.base):
        lender = lender_of(driver.run(), number)
        assert base == driver.run().priority[number if lender is None else lender]


def test_the_queue_the_table_and_the_form_say_it(app: QApplication) -> None:
    driver = lending()
    run = driver.run()
    queue = QueueTable(lambda most: in_line(driver.scheduler, driver.now, most), lambda _: run)
    tips = [queue.index(row, QueueColumn.BASE).data(Qt.ItemDataRole.ToolTipRole) for row in range(2)]
    assert tips == [f"80\n{SENTENCE}", "50"]
    tasks = TaskTable(lambda: run, lambda: driver.now)
    row = run.graph.place["fetch"]
    assert tasks.index(row, TaskColumn.PRIORITY).data(Qt.ItemDataRole.ToolTipRole) == f"50\n{SENTENCE}"
    fields = {one.name: one for one in fields_of(of(driver, "fetch"), (FormPart.WHEN,))}
    assert fields["priority"].note == "inherits 80"
    assert SENTENCE in fields["priority"].said
    assert not {one.name: one for one in fields_of(of(driver, "other"), (FormPart.WHEN,))}["priority"].note
