"""What is typed for a task that somebody else removes is kept and told, and comes back with the task."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QGuiApplication
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.constellation.edits import AddTask, RemoveTask
from starloom.model.device import DeviceSpec
from starloom_gui.dialogs.closing import UnsetDialog

if TYPE_CHECKING:
    from starloom.model.plan import Plan
    from starloom_gui.composition.console import Console

pytestmark = pytest.mark.usefixtures("app")
REMOVED = "bob has removed publish. What you typed in “Shell” was not set; it is kept, and comes back with the task."
BACK = "publish is back. What you typed in “Shell” is in its field again, and not set yet."


def made() -> Plan:
    """A task that is about to be changed, and another one, behind one that runs."""
    steps = [task("first", simulate=LONG), task("publish", shell="make old"), task("other", simulate=LONG)]
    edges = ["first>publish", "first>other"]
    return replace(plan(steps, edges), devices=(DeviceSpec(id="lab", kind="simulated", slots=1),))


def said(console: Console) -> str:
    """The message over the canvas; empty: there is none."""
    return console.strip.shown.text if console.strip.shown is not None else ""


@pytest.mark.parametrize("pane", ["inspector", "changes"])
def test_what_is_typed_for_a_task_that_somebody_removes_is_told_and_comes_back_with_it(
    desktop: Desktop, pane: str
) -> None:
    async def main() -> None:
        async with desktop.attached("r", made()) as console:
            await at_rest(console)
            run, view = orchestrator_of(console).run("r"), front(console)
            console.window.workbench.show_pane("inspector")
            fields = view.views["inspector"].widget.fields
            view.selection.select(run.facts.graph.place["publish"])
            await at_rest(console)
            fields.value("shell").write("make new")
            console.window.workbench.show_pane(pane)
            await run.edit(RemoveTask("publish"), origin="bob")
            await until(lambda: said(console) == REMOVED)
            assert console.strip.shown is not None
            assert console.strip.shown.act is not None
            console.strip.shown.act()
            assert QGuiApplication.clipboard().text() == "make new"
            view.selection.select(run.facts.graph.place["other"])
            await at_rest(console)

            console.actions["close_tab"].trigger()
            await until(lambda: bool(console.window.findChildren(UnsetDialog)))
            (question,) = console.window.findChildren(UnsetDialog)
            assert question.typed.text() == "publish (removed): Shell"
            question.choices.choose("")
            await console.files.leaving.settled()
            assert said(console) == REMOVED, "going back tells where it is"

            await run.edit(AddTask(task("publish", shell="make old")), origin="bob")
            await until(lambda: said(console) == BACK)
            assert console.strip.shown.act is not None
            console.strip.shown.act()
            await at_rest(console)
            assert view.selection.now.numbers == {run.facts.graph.place["publish"]}
            assert fields.value("shell").text() == "make new"
            assert fields.told("shell") == "Not set yet: Ctrl+Enter sets it, Esc takes it back"

    desktop.run(main)


def test_it_is_told_once_the_tab_is_in_front_again(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.attached("r", made()) as console:
            await at_rest(console)
            run, view, tab = orchestrator_of(console).run("r"), front(console), console.documents.front
            assert tab is not None
            console.window.workbench.show_pane("inspector")
            view.selection.select(run.facts.graph.place["publish"])
            await at_rest(console)
            view.views["inspector"].widget.fields.value("shell").write("make new")
            console.documents.put_new()
            await at_rest(console)
            await run.edit(RemoveTask("publish"), origin="bob")
            await at_rest(console)
            assert said(console) == ""
            console.documents.turn_to(tab.key)
            await until(lambda: said(console) == REMOVED)

    desktop.run(main)
