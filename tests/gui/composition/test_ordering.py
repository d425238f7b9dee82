"""A task that is put before another one in the whole console: by keys in the queue, foreseen, asked for, taken back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front, started
from tests.gui.composition.test_time_travel import looking_back, settled
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.model.device import DeviceSpec
from starloom.scheduling.state.codes import RUNNING
from starloom_gui.models.queue_table import QueueColumn

if TYPE_CHECKING:
    from starloom.model.plan import Plan
    from starloom_gui.composition.console import Console
    from starloom_gui.panels.queue_list import QueueList

pytestmark = pytest.mark.usefixtures("app")
ALT = Qt.KeyboardModifier.AltModifier


def queued() -> Plan:
    """One slot, and four tasks that take an hour each."""
    device = DeviceSpec(id="d", kind="simulated", slots=1)
    return replace(plan([task(name, simulate=LONG) for name in "abcd"]), name="queued", devices=(device,))


async def queue_of(console: Console) -> QueueList:
    """The queue of a run of that plan, in sight: b, c and d stand in it."""
    await started(console, queued())
    await at_rest(console)
    run = front(console).reader.facts()
    assert run is not None
    await until(lambda: run.status.count(RUNNING) == 1)
    console.window.workbench.turn_to("queue")
    queue: QueueList = front(console).views["queue"].widget.queue
    await until(lambda: queue.model().rowCount() == 3)
    return queue


def names(queue: QueueList) -> list[str]:
    return [queue.model().index(row, QueueColumn.TASK).data() for row in range(queue.model().rowCount())]


def test_a_task_is_put_before_another_one_by_keys_foreseen_and_taken_back(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            queue = await queue_of(console)
            run = front(console).reader.facts()
            assert run is not None
            queue.setFocus()
            queue.setCurrentIndex(queue.model().index(2, QueueColumn.TASK))
            QTest.keyClick(queue, Qt.Key.Key_Up, ALT)
            moving = queue.moving
            assert moving is not None
            await until(lambda: "Finish " in moving.words)
            assert moving.words.startswith("Before “c”: priority 51\nAlso before “b”")
            QTest.keyClick(queue, Qt.Key.Key_Return)
            await until(lambda: list(run.priority) == [50, 50, 50, 51])
            await until(lambda: names(queue) == ["d", "b", "c"])
            await until(lambda: "Run d before c" in console.actions["undo"].text())
            console.actions["undo"].trigger()
            await until(lambda: list(run.priority) == [50] * 4)
            await until(lambda: names(queue) == ["b", "c", "d"])

    desktop.run(main)


def test_in_the_past_nothing_is_moved_and_it_says_why(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            queue = await queue_of(console)
            travel = await looking_back(console)
            travel.go_to_begin()
            await settled(console, travel)
            travel.go_to_position(travel.count - 1)
            await settled(console, travel)
            await until(lambda: queue.model().rowCount() >= 3)  # whichever event was the last
            queue.setCurrentIndex(queue.model().index(2, QueueColumn.TASK))
            QTest.keyClick(queue, Qt.Key.Key_Up, ALT)
            assert queue.moving is not None
            assert queue.moving.words == "The past is shown. Go back to live first."
            QTest.keyClick(queue, Qt.Key.Key_Return)
            await at_rest(console)
            run = orchestrator_of(console).run(front(console).source.run_id).facts
            assert list(run.priority) == [50] * 4

    desktop.run(main)
