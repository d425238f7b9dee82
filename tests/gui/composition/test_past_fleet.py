"""Devices and limits at a past moment: a run's journal tells of them until its end."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from tests.driver import plan, task
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.test_console import LONG, front, small, started
from tests.gui.composition.test_time_travel import looking_back, settled
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.scheduling.state.codes import FAILED
from starloom_gui.panels.tasks import TasksPanel
from starloom_gui.text import wall_clock

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop

pytestmark = pytest.mark.usefixtures("app")


def test_devices_and_limits_after_the_end_of_a_run_are_said_to_be_those_at_its_end(desktop: Desktop) -> None:
    def told(pane: QWidget) -> list[str]:
        return [one.text() for one in pane.findChildren(QLabel) if one.isVisible() and "at the run's end" in one.text()]

    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small())
            run = orchestrator_of(console).run(tab.run_id)
            await until(lambda: run.state.has_ended)
            await at_rest(console)
            await asyncio.sleep(0.3)
            await run.set_limit(3)  # its journal goes on
            await at_rest(console)
            console.window.workbench.show_pane("queue")
            panes = front(console).views["queue"].widget, console.monitor.panel
            assert [told(pane) for pane in panes] == [[], []]
            travel = await looking_back(console)
            assert run.facts.run_ended_at is not None
            travel.show_moment(run.facts.run_ended_at + 0.1)
            await settled(console, travel)
            at = wall_clock.shown(travel.reader.wall(run.facts.run_ended_at))
            words = f"As at the run's end, {at:%H:%M:%S}: its journal tells nothing later of devices and limits."
            await until(lambda: [told(pane) for pane in panes] == [[words], [words]])  # others may use devices by then
            travel.show_moment(run.facts.run_ended_at)
            await settled(console, travel)
            await until(lambda: [told(pane) for pane in panes] == [[], []])
            travel.show_moment(run.facts.run_ended_at + 0.1)
            await settled(console, travel)
            console.actions["present"].trigger()
            await settled(console, travel)
            await until(lambda: [told(pane) for pane in panes] == [[], []])

    desktop.run(main)


def test_all_failed_tasks_are_not_offered_to_be_tried_again_a_step_back(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            work = plan([task("a", simulate={"duration": 0.1, "fail_attempts": 1}), task("b", simulate=LONG)])
            tab = await started(console, work)
            run = orchestrator_of(console).run(tab.run_id)
            await until(lambda: run.facts.status[0] == FAILED)
            await run.set_limit(3)
            await at_rest(console)
            console.window.workbench.show_pane("tasks")
            pane = front(console).views["tasks"].widget
            assert isinstance(pane, TasksPanel)
            await until(pane.retry_button.isEnabled)
            travel = await looking_back(console)
            travel.step(-1)
            await settled(console, travel)
            assert front(console).reader.is_past
            assert not pane.retry_button.isEnabled()
            assert "The past is shown" in pane.retry_button.toolTip()
            console.actions["present"].trigger()
            await settled(console, travel)
            await until(pane.retry_button.isEnabled)

    desktop.run(main)
