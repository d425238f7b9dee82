"""What has ended in the background is shown, and said, when the console is opened again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.driver import plan, task
from tests.gui.composition.test_console import small, started
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom_gui.settings import Settings

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop

pytestmark = pytest.mark.usefixtures("app")


def test_a_run_that_ended_in_the_background_is_there_and_its_end_is_told_once(desktop: Desktop) -> None:
    left: list[str] = []

    async def first() -> None:
        async with desktop.console() as console:
            for work in (plan([task("a", simulate={"duration": 0.1, "fail_attempts": 1})]), small()):
                tab = await started(console, work)
                run = orchestrator_of(console).run(tab.run_id)
                await run.finished()
                left.append(tab.run_id)
        Settings(desktop.store).left_runs = (left[0], "gone-since")

    async def second() -> None:
        async with desktop.console() as console:
            assert not console.documents.runs
            console.files.begin()
            await until(lambda: console.strip.shown is not None)
            await console.files.left_runs.settled()
            assert [tab.run_id for tab in console.documents.runs] == left[:1], "the other one was not left"
            told = console.strip.shown
            assert told is not None
            assert told.is_notice
            assert told.text.endswith("has ended meanwhile: failed.")

    desktop.run(first)
    desktop.run(second)
    assert Settings(desktop.store).left_runs == (), "it is said once"
