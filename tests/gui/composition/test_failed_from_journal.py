"""A run with failures that is shown from its journal alone: what failed is said, and why it cannot be retried there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.driver import task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.unit.reporting.plan_runs import kept, ran
from tests.waiting import until

from starloom.settings import journal_path

if TYPE_CHECKING:
    from starloom_gui.composition.console import Console


def tip(console: Console) -> str:
    console.actions.refresh(thoroughly=True)
    return console.actions["retry_failed"].toolTip()


def test_that_it_is_shown_from_its_journal_is_why_and_not_that_nothing_has_failed(desktop: Desktop) -> None:
    async def main() -> None:
        kept(journal_path(), [ran(1, {"a": 1.0}, tasks=[task("a", shell="exit 3")], fails=["a"])])
        async with desktop.console() as console:
            console.recorded.open(journal_path() / "runs" / "r1", "r1")
            await console.recorded.settled()
            await until(lambda: console.views.front is not None)
            await at_rest(console)
            assert console.views.failed_tasks("r1") == ("a",)
            assert "shown from its journal" in tip(console)
            assert "No task has failed" not in tip(console)

    desktop.run(main)
