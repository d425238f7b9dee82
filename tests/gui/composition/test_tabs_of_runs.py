"""The tab of a run shows what has become of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.driver import plan, task
from tests.gui.composition.test_console import LONG
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom import SimulatedDevice
from starloom.model.task import Simulate
from starloom_gui.theme.icons import glyph_icon
from starloom_gui.theme.status_form import StatusForm

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop

    from starloom_gui.composition.console import Console


def tips(console: Console) -> list[str]:
    tabs = console.window.header.tabs
    return [tabs.tabToolTip(at) for at in range(tabs.count())]


def shows(console: Console, at: int, form: StatusForm) -> bool:
    """Whether a tab has the glyph of a form."""
    bar, palette = console.window.header.tabs, console.appearance.palette
    return bar.tabIcon(at).pixmap(16).toImage() == glyph_icon(form, palette).pixmap(16).toImage()


def test_runs_that_go_on_and_runs_that_have_ended_look_different(desktop: Desktop) -> None:
    fails = Simulate(duration=0.0, outcome="failed")
    plans = {"good": [task("a", simulate=0.0)], "bad": [task("a", simulate=fails)], "long": [task("a", simulate=LONG)]}

    async def main() -> None:
        async with desktop.console() as console:
            await orchestrator_of(console).fleet.add(SimulatedDevice("d", slots=4))
            for name, steps in plans.items():
                run = await orchestrator_of(console).start(replace(plan(steps), name=name))
                console.documents.put_run(run.id, None, name)
            await until(lambda: tips(console) == ["Run: good, done", "Run: bad, failed", "Run: long, executing"])
            assert shows(console, 0, StatusForm.COMPLETED)
            assert shows(console, 1, StatusForm.FAILED)
            assert shows(console, 2, StatusForm.RUNNING)
            await run.cancel()
            await until(lambda: tips(console)[2] == "Run: long, cancelled")
            assert shows(console, 2, StatusForm.CANCELLED)

    desktop.run(main)
