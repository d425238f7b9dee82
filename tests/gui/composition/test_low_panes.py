"""In a small window what is to be answered has the room of the pane, and not the terms above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import front, started
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.agents.rules import RuleAgent
from starloom_gui.panels.agents import AgentsPane

if TYPE_CHECKING:
    from starloom_gui.composition.console import Console

pytestmark = pytest.mark.usefixtures("app")


def pane_of(console: Console) -> AgentsPane:
    found = front(console).pane("agents")
    assert isinstance(found, AgentsPane)
    return found


def test_where_the_pane_is_low_the_terms_make_room_for_what_waits(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.window.resize(1000, 600)
            run = await started(console, plan([task("ship", gate="Ship it?")]))
            await orchestrator_of(console).run(run.run_id).attach(RuleAgent((), name="watcher"))
            console.window.workbench.show_pane("agents")
            await at_rest(console)
            pane = pane_of(console)
            assert pane.isVisible()
            assert not pane.fence.isVisible()
            console.window.resize(1440, 900)
            await until(pane.fence.isVisible)

    desktop.run(main)
