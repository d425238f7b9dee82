"""The history while it is open: rows of runs that go on follow them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gui.composition.test_console import LONG, small, started
from tests.gui.composition.test_history import choose, shown
from tests.gui.engines import orchestrator_of
from tests.waiting import until

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop


def test_the_row_of_a_run_that_goes_on_follows_it(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            dialog = await shown(console)
            choose(dialog, tab.run_id)
            assert dialog.table.rows[0].state == "executing"
            console.history._again.setInterval(1)
            await orchestrator_of(console).run(tab.run_id).cancel()
            await until(lambda: dialog.table.rows[0].state == "cancelled")
            await until(lambda: dialog.table.rows[0].held_by is None or not console.history._again.isActive())
            assert dialog.delete.isEnabled(), "the row is still chosen, and may go now"

    desktop.run(main)
