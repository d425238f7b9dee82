"""The past of a run that is looked at: what the window tells of it, and how it grows."""

from __future__ import annotations

import pytest
from tests.driver import task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front, small, started
from tests.gui.composition.test_time_travel import looking_back, settled
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.constellation.edits import AddTask
from starloom.model.status import TaskStatus
from starloom_gui.gateway.run_reader import Availability
from starloom_gui.panels.changes import ChangesPane

pytestmark = pytest.mark.usefixtures("app")


def test_the_load_of_a_past_moment_is_that_of_its_run(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            view = front(console)
            await until(lambda: view.reader.view().count(TaskStatus.RUNNING) == 1)  # type: ignore[union-attr]
            await orchestrator_of(console).run(tab.run_id).hold("c")
            await at_rest(console)
            button = console.window.tool_bar.limit
            travel = await looking_back(console)
            travel.step(-1)
            await settled(console, travel)
            assert button.accessibleName() == "Running, This run 1", "nothing is known of others"

    desktop.run(main)


def test_an_ended_run_that_goes_on_again_can_be_gone_through_to_its_new_end(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=0))
            run = orchestrator_of(console).run(tab.run_id)
            await run.finished()
            await at_rest(console)
            travel = await looking_back(console)
            travel.go_live()
            count = travel.count
            travel._follower.look()  # as its timer does, also long after the end
            await travel.settled()
            await run.edit(AddTask(task("after", simulate=0.0)))
            await run.finished()
            await until(lambda: travel.count > count)

            def last() -> int:
                assert travel.recording is not None
                return travel.recording.events[-1].seq

            await until(lambda: last() == run.facts.seq)

    desktop.run(main)


def test_a_journal_that_is_read_for_its_marks_is_followed_once_that_is_wanted(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            await at_rest(console)
            travel = front(console).source.travel
            assert travel is not None
            travel.open(follows=False)
            travel.open()  # before it has been read
            await until(lambda: travel.availability is Availability.READY)
            count = travel.count
            await orchestrator_of(console).run(tab.run_id).hold("c")
            await until(lambda: travel.count > count)

    desktop.run(main)


def test_changes_are_possible_again_once_the_present_is_shown(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await started(console, small(seconds=LONG))
            await at_rest(console)
            console.window.workbench.show_pane("changes")
            pane = front(console).pane("changes").findChild(ChangesPane)
            assert pane is not None
            travel = await looking_back(console)
            travel.go_to_begin()
            await settled(console, travel)
            assert "The past is shown" in pane._nothing.text()
            travel.go_live()
            await at_rest(console)
            assert "Edits take effect at once" in pane._nothing.text()

    desktop.run(main)
