"""A fleet with a queue before it, and the pane that shows them, on an engine driven by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.driver import Driver, task
from tests.gui.panels.fleets import ByHand

from starloom.model.plan import Limits, Plan
from starloom.scheduling import commands as c
from starloom.scheduling.read.line import in_line
from starloom.scheduling.read.run_view import RunView
from starloom.scheduling.read.why import Reason, why
from starloom_gui.models.queue_table import QueueTable
from starloom_gui.panels.queue import QueuePane
from starloom_gui.viewmodel.run_views import run_view
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.theme.appearance import Appearance


def waiting(count: int = 12) -> Driver:
    """Two run, `count` are ready; every third wants the group `licences`, of which there is one."""
    driver = Driver(devices=(), checked=False)
    driver.add_device("local", slots=4)
    driver.add_device("lab", slots=1, capabilities=("jtag",))
    tasks = [task("first", groups="licences", priority=100), task("second", priority=100)]
    tasks += [task(f"t{n}", name=f"step {n}", priority=80 if n == 5 else 50, groups=_groups(n)) for n in range(count)]
    made = Plan(name="firmware", tasks=tuple(tasks), limits=Limits(groups={"licences": 1}))
    driver.do(c.SetLimits(max_concurrency=2))
    driver.create(made)
    driver.advance(6)
    return driver


def _groups(number: int) -> tuple[str, ...]:
    return () if number % 3 else ("licences",)


class QueueBench:
    """The pane with what it is made of.

    Attributes:
        asked: how often the engine was asked why a task waits.
    """

    def __init__(self, driver: Driver, appearance: Appearance, app: QApplication, *, run_id: str = "r") -> None:
        self.driver, self.app, self.run_id = driver, app, run_id
        self.asks = ByHand(driver)
        self.selection = Selection()
        self.asked: list[str] = []
        self.table = QueueTable(lambda most: in_line(driver.scheduler, driver.now, most), self.facts_of, self._why)
        self.pane = QueuePane(
            self.table,
            appearance,
            self.selection,
            fleet=lambda: driver.scheduler.fleet,
            run=lambda: run_view(self.facts_of(self.run_id)),
            runs=lambda: [RunView(index.run) for index in driver.scheduler.runs.values()],
            gateway=self.asks,
        )
        self.pane.resize(1144, 252)
        self.pane.show()
        app.processEvents()

    def facts_of(self, run_id: str) -> RunFacts | None:
        index = self.driver.scheduler.runs.get(run_id)
        return None if index is None else index.run

    def _why(self, run_id: str, task_id: str) -> tuple[Reason, ...]:
        self.asked.append(task_id)
        index = self.driver.scheduler.runs[run_id]
        return why(self.driver.scheduler, index, index.run.graph.place[task_id])

    def told(self) -> None:
        """Have the pane show what there is now."""
        self.pane.refresh()
        self.app.processEvents()
