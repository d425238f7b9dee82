"""The queue beside a plan: the tasks of runs stand there, with what they wait for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gui.composition.conftest import at_rest
from tests.gui.composition.test_console import LONG, front, small

from starloom_gui.models.queue_table import QueueColumn
from starloom_gui.panels.queue import QueuePane

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop


def test_beside_a_plan_the_tasks_of_a_paused_run_are_not_said_to_wait_for_their_turn(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await console.engine.start(small(seconds=LONG), paused=True)
            console.documents.put_new()
            await at_rest(console)
            pane = front(console).views["queue"].widget
            assert isinstance(pane, QueuePane)
            table = pane._table
            table.rebuild()
            assert [row.run_id for row in table.rows] == [run.id]
            assert table.index(0, QueueColumn.BLOCKED).data() == "the start of the run"

    desktop.run(main)
