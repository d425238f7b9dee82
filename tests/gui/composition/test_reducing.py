"""Removing redundant dependencies in the console: ghosts first, one step of undo, a reason if there is none."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front, started
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.constellation.edits import RemoveTask
from starloom.model.device import DeviceSpec
from starloom.scheduling.state.codes import FAILED
from starloom_gui.dialogs.command_palette import verbs_of
from starloom_gui.editing import reducing
from starloom_gui.editing.base import Mode, Step
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.editing.words import EditPlurals
from starloom_gui.theme.palette import colour
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from starloom.model.plan import Plan
    from starloom_gui.composition.console import Console

KEY = "remove_redundant"
ALL = {("a", "b"), ("b", "c"), ("a", "c"), ("c", "d"), ("a", "d")}
NEEDED = ALL - {("a", "c"), ("a", "d")}


def shaped() -> Plan:
    """`a` runs for long; the others wait for it, some of them twice."""
    device = DeviceSpec(id="d", kind="simulated", slots=1)
    tasks = [task("a", simulate=LONG), *(task(id, simulate=1) for id in "bcd")]
    return replace(
        plan(tasks, [f"{parent}>{child}" for parent, child in sorted(ALL)]), name="shaped", devices=(device,)
    )


def edges(console: Console) -> set[tuple[str, str]]:
    """The dependencies of the run, or plan, in front; without what is staged."""
    run = front(console).reader.facts()
    assert run is not None
    return {(edge.parent, edge.child) for edge in run.graph.dependencies()}


def is_loud(console: Console) -> bool:
    """Whether the strip is painted with the red of a failure."""
    console.strip.ensurePolished()
    palette, image = console.appearance.palette.status[FAILED], console.strip.grab().toImage()
    reds = {colour(palette.shape).rgb(), colour(palette.text).rgb()}
    return any(image.pixel(x, y) in reds for x in range(image.width()) for y in range(image.height()))


def told(console: Console) -> str:
    """What the strip says; empty: nothing."""
    return console.strip.shown.text if console.strip.shown is not None else ""


def test_in_a_plan_they_are_removed_in_one_step_of_undo(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            assert not console.actions[KEY].isEnabled()
            console.documents.put_plan(shaped())
            await at_rest(console)
            console.actions[KEY].trigger()
            assert edges(console) == NEEDED
            await until(lambda: "Remove 2 redundant" in console.actions["undo"].text())
            console.actions["undo"].trigger()
            assert edges(console) == ALL

    desktop.run(main)


def test_in_a_plan_it_is_said_how_many_were_removed_with_undo(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(shaped())
            await at_rest(console)
            console.actions[KEY].trigger()
            said = console.strip.shown
            assert said is not None
            assert (said.text, said.remedy) == (f"Redundant and removed: {EditPlurals().dependencies(2)}.", "Undo")
            assert not is_loud(console)
            assert said.act is not None
            said.act()
            assert edges(console) == ALL
            assert console.strip.shown is None, "there is nothing to undo any more"

    desktop.run(main)


def test_a_later_edit_puts_the_notice_away_as_undo_would_take_back_that_edit(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(shaped())
            await at_rest(console)
            console.actions[KEY].trigger()
            assert console.strip.shown is not None
            editor = front(console).source.editor
            editor.do(Step(label="Remove d", edits=(RemoveTask("d"),)))
            assert console.strip.shown is None

    desktop.run(main)


def test_the_notice_goes_with_its_plan(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(shaped())
            await at_rest(console)
            console.actions[KEY].trigger()
            assert console.strip.shown is not None
            console.documents.put_new()
            await until(lambda: console.strip.shown is None)

    desktop.run(main)


def test_a_plan_in_which_nothing_is_redundant_is_no_failure(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(plan([task("a"), task("b")], ["a>b"]))
            await at_rest(console)
            console.actions[KEY].trigger()
            said = console.strip.shown
            assert said is not None
            assert said.text == "No dependency is redundant."
            assert not is_loud(console)
            console.strip.show_trouble(ErrorMessage("a", "It was not done."))
            assert is_loud(console), "what went wrong is"

    desktop.run(main)


@pytest.mark.parametrize("many", [1, reducing.MANY], ids=["in a thread", "at once"])
def test_in_a_run_they_are_ghosts_first_and_committed_as_one_step(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    monkeypatch.setattr(reducing, "MANY", many)

    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, shaped())
            await at_rest(console)
            editor = front(console).source.editor
            assert isinstance(editor, RunEditor)
            assert editor.mode is Mode.LIVE
            console.actions[KEY].trigger()
            await until(lambda: editor.steps)
            assert (editor.mode, len(editor.steps)) == (Mode.STAGED, 1)
            assert editor.ghosts is not None
            assert edges(console) == ALL
            assert "Remove 2 redundant" in editor.steps[0].step.label
            editor.undo()
            assert not editor.steps
            editor.redo()
            editor.staging.commit()
            await until(lambda: edges(console) == NEEDED)
            assert orchestrator_of(console).run(tab.run_id).revision == 1
            await until(lambda: not editor.is_busy)
            editor.undo()
            await until(lambda: edges(console) == ALL)

    desktop.run(main)


def test_what_is_staged_counts_and_where_nothing_is_redundant_that_is_said(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await started(console, shaped())
            await at_rest(console)
            editor = front(console).source.editor
            assert isinstance(editor, RunEditor)
            console.actions[KEY].trigger()
            await until(lambda: editor.steps)
            assert told(console) == "", "the strip of what is staged says it"
            console.actions[KEY].trigger()
            assert told(console) == "No dependency is redundant."
            assert len(editor.steps) == 1
            editor.staging.discard()

    desktop.run(main)


def test_the_menu_and_the_palette_have_it(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            names = [verb.action.text() for verb in verbs_of(console.window.menuBar())]
            assert "Remove redundant dependencies" in names
            assert console.actions[KEY].toolTip()

    desktop.run(main)
