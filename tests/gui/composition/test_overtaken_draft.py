"""A task that starts while its work is typed anew and not set is told over the graph, with a button that shows it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import front, started
from tests.waiting import until

from starloom.model.device import DeviceSpec

pytestmark = pytest.mark.usefixtures("app")


def test_a_task_that_starts_without_what_is_typed_is_told_with_a_button_that_shows_it(desktop: Desktop) -> None:
    steps = [task("first", simulate=1.5), task("publish", simulate=30)]
    wanted = replace(plan(steps, ["first>publish"]), devices=(DeviceSpec(id="d", kind="simulated", slots=1),))

    async def main() -> None:
        async with desktop.console() as console:
            await started(console, wanted)
            await at_rest(console)
            view, inspector = front(console), front(console).views["inspector"].widget
            number = console.bridge.all_runs()[0].graph.place["publish"]
            view.selection.select(number)
            inspector.fields.value("simulate").write("1s")
            view.selection.select(number - 1)
            await until(lambda: console.strip.shown is not None)
            notice = console.strip.shown
            assert notice is not None
            assert notice.text.startswith("publish started without what you typed in “Simulate”:")
            assert notice.act is not None
            notice.act()
            assert view.selection.now.numbers == {number}
            await at_rest(console)
            assert inspector.fields.value("simulate").text() == "1s"
            assert inspector.fields.told("simulate") == "Not while it runs. What you typed was not set."

    desktop.run(main)
