"""A task that starts while its work is typed anew and not set is told over the graph, with a button that shows it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import front, started
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.model.device import DeviceSpec
from starloom.model.status import TaskStatus
from starloom.model.task import Gate, Simulate
from starloom.scheduling.read.run_view import RunView

if TYPE_CHECKING:
    from starloom_gui.composition.console import Console
    from starloom_gui.panels.inspector import Inspector

pytestmark = pytest.mark.usefixtures("app")


def test_a_task_that_starts_without_what_is_typed_is_told_with_a_button_that_shows_it(desktop: Desktop) -> None:
    steps = [task("first", gate=Gate(message="Now?")), task("publish", simulate=30)]
    wanted = replace(plan(steps, ["first>publish"]), devices=(DeviceSpec(id="d", kind="simulated", slots=1),))

    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, wanted)
            await at_rest(console)
            view, inspector = front(console), front(console).views["inspector"].widget
            number = console.bridge.all_runs()[0].graph.place["publish"]
            view.selection.select(number)
            inspector.fields.value("simulate").write("1s")
            view.selection.select(number - 1)
            await orchestrator_of(console).run(tab.run_id).answer_gate("first", approve=True)
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


def status(console: Console, name: str) -> TaskStatus | None:
    facts = console.bridge.all_runs()[0]
    return RunView(facts).task(facts.graph.place[name]).status


def test_what_was_told_goes_once_the_text_is_taken_back(desktop: Desktop) -> None:
    steps = [task("first", gate=Gate(message="Now?")), task("publish", simulate=30)]
    wanted = replace(plan(steps, ["first>publish"]), devices=(DeviceSpec(id="d", kind="simulated", slots=1),))

    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, wanted)
            await at_rest(console)
            view, inspector = front(console), front(console).views["inspector"].widget
            view.selection.select(console.bridge.all_runs()[0].graph.place["publish"])
            inspector.fields.value("simulate").write("1s")
            await orchestrator_of(console).run(tab.run_id).answer_gate("first", approve=True)
            await until(lambda: console.strip.shown is not None)
            value = inspector.fields.value("simulate")
            value.setFocus()
            QTest.keyClick(value, Qt.Key.Key_Escape)
            await until(lambda: console.strip.shown is None)

    desktop.run(main)


async def retried_with(console: Console, seconds: float, field: str, text: str) -> Inspector:
    """Retry a task that has failed after so long, with a text typed in one of its fields; returns the inspector."""
    fails = Simulate(duration=seconds, outcome="failed")
    device = DeviceSpec(id="d", kind="simulated", slots=1)
    await started(console, replace(plan([task("publish", simulate=fails)]), devices=(device,)))
    await until(lambda: status(console, "publish") is TaskStatus.FAILED)
    await at_rest(console)
    inspector: Inspector = front(console).views["inspector"].widget
    front(console).selection.select(0)
    inspector.fields.value(field).write(text)
    await until(console.actions["retry"].isEnabled)
    console.actions["retry"].trigger()
    return inspector


def test_a_retry_takes_what_is_typed_and_what_was_told_of_it_goes(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            inspector = await retried_with(console, 1.5, "description", "again")
            await until(lambda: status(console, "publish") is not TaskStatus.FAILED)
            made = console.bridge.all_runs()[0].graph.tasks[0]
            assert made is not None
            assert made.description == "again"
            await at_rest(console)
            assert console.strip.shown is None
            assert not inspector.fields.drafts.all

    desktop.run(main)


def test_a_retry_with_what_is_wrong_runs_nothing_and_says_so_below_the_field(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            inspector = await retried_with(console, 0.01, "simulate", "soon")
            await at_rest(console)
            assert status(console, "publish") is TaskStatus.FAILED
            assert inspector.isVisible()
            assert "Nothing was changed." in inspector.fields.reason("simulate")

    desktop.run(main)


@pytest.mark.parametrize(("typed", "runs"), [("3s", True), ("not a time", False)])
def test_a_release_takes_what_is_typed_or_says_what_is_wrong_and_releases_nothing(
    desktop: Desktop, typed: str, runs: bool
) -> None:
    steps = [task("publish", simulate=30, breakpoint=True)]
    wanted = replace(plan(steps), devices=(DeviceSpec(id="d", kind="simulated", slots=1),))

    async def main() -> None:
        async with desktop.console() as console:
            await started(console, wanted)
            await at_rest(console)
            view, inspector = front(console), front(console).views["inspector"].widget
            view.selection.select(console.bridge.all_runs()[0].graph.place["publish"])
            console.window.workbench.show_pane("inspector")
            inspector.fields.value("simulate").write(typed)
            await until(console.actions["release"].isEnabled)
            console.actions["release"].trigger()
            if runs:
                await until(lambda: status(console, "publish") is TaskStatus.RUNNING)
                released = console.bridge.all_runs()[0].graph.tasks[0]
                assert released is not None
                assert released.simulate == Simulate(3.0)
            else:
                await at_rest(console)
                assert RunView(console.bridge.all_runs()[0]).task(0).is_held
                assert inspector.fields.value("simulate").text() == typed

    desktop.run(main)
