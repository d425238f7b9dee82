"""The queue beside a plan: the tasks of runs stand there, with what they wait for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.driver import plan, task
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.test_console import LONG, front, small
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.model.device import DeviceSpec
from starloom_gui.models.queue_table import QueueColumn
from starloom_gui.panels.queue import QueuePane
from starloom_gui.viewmodel.limit_lines import LimitPart

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop


def test_beside_a_plan_the_tasks_of_a_paused_run_are_not_said_to_wait_for_their_turn(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await orchestrator_of(console).start(small(seconds=LONG), paused=True)
            console.documents.put_new()
            await at_rest(console)
            pane = front(console).views["queue"].widget
            assert isinstance(pane, QueuePane)
            table = pane._table
            table.rebuild()
            assert [row.run_id for row in table.rows] == [run.id]
            assert table.index(0, QueueColumn.BLOCKED).data() == "the start of the run"

    desktop.run(main)


def test_beside_a_plan_the_queue_and_limits_follow_the_runs(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_new()
            await at_rest(console)
            console.window.workbench.show_pane("queue")
            await at_rest(console)
            device = DeviceSpec(id="d", kind="simulated", slots=2)
            wanted = replace(plan([task(name, simulate=LONG) for name in ("a", "b", "c")]), devices=(device,))
            pane = front(console).views["queue"].widget
            assert isinstance(pane, QueuePane)
            run = await orchestrator_of(console).start(wanted)
            of_device = (LimitPart.DEVICE, "d")
            await until(lambda: of_device in pane.limits._lines)
            await until(lambda: pane.limits.row(*of_device).figures.text().startswith("2"))
            await until(lambda: [row.run_id for row in pane._table.rows] == [run.id])
            await run.cancel()
            await until(lambda: pane.limits.row(*of_device).figures.text().startswith("0"))
            await until(lambda: not pane._table.rows)

    desktop.run(main)
