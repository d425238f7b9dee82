"""What is typed and neither set nor added is named before its tab or the window is closed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front, started
from tests.gui.composition.test_what_goes_wrong import asked
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.model.device import DeviceSpec
from starloom.model.task import Simulate
from starloom_gui.dialogs.closing import DISCARD, ClosingDialog, UnsavedDialog, UnsetDialog

if TYPE_CHECKING:
    from starloom.model.plan import Plan
    from starloom.model.task import Task
    from starloom_gui.canvas.draft_field import DraftField
    from starloom_gui.composition.console import Console

pytestmark = pytest.mark.usefixtures("app")


def made() -> Plan:
    """A task whose work is typed anew behind one that runs."""
    device = DeviceSpec(id="d", kind="simulated", slots=1)
    steps = [task("first", simulate=LONG), task("publish", simulate=20)]
    return replace(plan(steps, ["first>publish"]), devices=(device,))


def published(console: Console) -> Task:
    """The task as the engine has it."""
    (run,) = console.bridge.all_runs()
    return run.graph.task("publish")


async def typed(console: Console, words: str, field: str = "simulate") -> None:
    """Type into a field of the task that has not started, and leave it for the canvas."""
    view = front(console)
    run = view.source.editor.facts()
    assert run is not None
    console.window.workbench.show_pane("inspector")
    view.selection.select(run.graph.place["publish"])
    await at_rest(console)
    view.views["inspector"].widget.fields.value(field).write(words)
    view.canvas.setFocus()


def boxed(console: Console, name: str) -> DraftField:
    """Type the name of a new task into its box on the canvas, and leave that."""
    view = front(console)
    QTest.keyClick(view.canvas, Qt.Key.Key_Insert)
    verbs = view.canvas.gestures.verbs
    assert verbs is not None
    field = verbs.drafting.field
    assert field is not None
    field.name.setText(name)
    view.canvas.setFocus()
    return field


async def question(console: Console, verb: str) -> UnsetDialog:
    """The question before a tab or the window is closed."""
    console.window.asks_before_closing = True
    if verb == "close_tab":
        console.actions[verb].trigger()
    else:
        console.window.close()
    dialog = await asked(UnsetDialog)
    assert isinstance(dialog, UnsetDialog)
    return dialog


@pytest.mark.parametrize("verb", ["close_tab", "quit"])
@pytest.mark.parametrize("is_paused", [False, True])
def test_what_is_typed_for_a_task_of_a_run_is_named_and_in_its_field_if_one_goes_back(
    desktop: Desktop, verb: str, is_paused: bool
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await started(console, made())
            if is_paused:
                await orchestrator_of(console).run(run.run_id).pause()
            await typed(console, "90s")
            console.window.workbench.show_pane("changes")
            front(console).selection.select(0)
            dialog = await question(console, verb)
            assert dialog.typed.text() == "publish: Simulate"
            QTest.keyClick(dialog, Qt.Key.Key_Return)
            await console.files.leaving.settled()
            assert run in console.documents.runs
            await at_rest(console)
            fields = front(console).views["inspector"].widget.fields
            value = fields.value("simulate")
            assert value.text() == "90s"
            assert console.window.focusWidget() is value
            QTest.keyClick(value, Qt.Key.Key_Return)
            await until(lambda: published(console).simulate == Simulate(90))
            await at_rest(console)
            assert console.views.unset(run.key) == []

    desktop.run(main)


def test_the_window_is_closed_once_what_is_typed_may_be_lost(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await started(console, made())
            await typed(console, "90s")
            (await question(console, "quit")).choices.choose(DISCARD)
            unsaved = await asked(UnsavedDialog)
            assert isinstance(unsaved, UnsavedDialog)
            unsaved.choices.choose(DISCARD)
            closing = await asked(ClosingDialog)
            assert isinstance(closing, ClosingDialog)
            closing.choices.choose("")
            await console.files.leaving.settled()
            assert front(console).views["inspector"].widget.fields.value("simulate").text() == "90s"
            (await question(console, "close_tab")).choices.choose(DISCARD)
            await until(lambda: run not in console.documents.runs)
            assert console.strip.shown is not None
            assert console.strip.shown.remedy == "Open again"

    desktop.run(main)


def test_what_leaving_a_field_sends_is_sent_when_the_tab_is_closed_and_what_is_refused_is_named(
    desktop: Desktop,
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await started(console, made())
            await typed(console, "soon", "timeout")
            console.actions["close_tab"].trigger()
            dialog = await asked(UnsetDialog)
            assert isinstance(dialog, UnsetDialog)
            assert dialog.typed.text() == "publish: Timeout"
            dialog.choices.choose("")
            await console.files.leaving.settled()
            value = front(console).views["inspector"].widget.fields.value("timeout")
            value.selectAll()
            QTest.keyClicks(value, "5m")
            console.actions["close_tab"].trigger()
            assert run not in console.documents.runs
            await until(lambda: published(console).timeout == 300)

    desktop.run(main)


@pytest.mark.parametrize("verb", ["close_tab", "quit"])
@pytest.mark.parametrize("is_run", [False, True])
def test_a_new_task_that_is_not_added_yet_is_named_and_there_if_one_goes_back(
    desktop: Desktop, verb: str, is_run: bool
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            if is_run:
                await started(console, made())
            else:
                console.documents.put_new(made())
            await at_rest(console)
            tab, field = console.documents.front, boxed(console, "deploy")
            assert tab is not None
            console.documents.put_new()
            await at_rest(console)
            if verb == "close_tab":
                console.documents.turn_to(tab.key)
            dialog = await question(console, verb)
            assert dialog.typed.text() == "New task “deploy”"
            dialog.choices.choose("")
            await console.files.leaving.settled()
            assert console.documents.front == tab
            assert console.window.focusWidget() is field.name
            (await question(console, "close_tab")).choices.choose(DISCARD)
            await until(lambda: console.documents.item(tab.key) is None)

    desktop.run(main)
