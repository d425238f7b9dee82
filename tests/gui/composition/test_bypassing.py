"""Bypassing a task in a console over a real engine, with keys: drawn, said, taken back, and passed in the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gui.composition.test_stopping import badge_of, choose, possible, readied, steps
from tests.gui.composition.test_without_a_mouse import ALT, CTRL, SHIFT, Key
from tests.waiting import until

from starloom.model.status import RunState
from starloom.scheduling.read.run_view import TaskView
from starloom_gui.canvas.badges import Badge
from starloom_gui.editing.base import Mode
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.models.task_cells import status
from starloom_gui.models.task_spoken import spoken
from starloom_gui.viewmodel.task_words import second_line

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop


def test_a_task_is_bypassed_and_taken_back_as_one_step_each_and_passed_in_the_run(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, keyboard = await readied(console, steps("a", "b", "c", edges=("a>b", "b>c")))
            number = run.facts.graph.place["b"]
            await choose(console, keyboard, "b")
            assert not console.actions["no_bypass"].isEnabled()
            assert "Nothing that is selected is bypassed." in console.actions["no_bypass"].toolTip()
            await keyboard.choose(Key.Key_B, CTRL | ALT)
            await until(lambda: badge_of(console, "b") == Badge.BYPASS)
            task = TaskView(run.facts, number)
            assert second_line(task, 0.0) == "bypassed"
            assert status(run.facts, number) == "Waiting, bypassed"
            assert spoken(task, 0.0).startswith("b, waits for a, bypassed, ")
            await possible(console, "undo")
            assert console.actions["undo"].text() == "Undo “Bypass b”"
            console.actions["undo"].trigger()
            await until(lambda: badge_of(console, "b") == Badge.NONE)
            await possible(console, "redo")
            console.actions["redo"].trigger()
            await possible(console, "no_bypass")
            await keyboard.choose(Key.Key_B, CTRL | ALT | SHIFT)
            await until(lambda: badge_of(console, "b") == Badge.NONE)
            await possible(console, "bypass")
            await keyboard.choose(Key.Key_B, CTRL | ALT)
            await possible(console, "no_bypass")
            await keyboard.choose(Key.Key_F5)
            await until(lambda: run.state is RunState.COMPLETED)
            assert [run.facts.starts(place) for place in range(3)] == [1, 0, 1]
            assert (second_line(task, 0.0), status(run.facts, number)) == ("bypassed", "Done, bypassed")
            await until(lambda: not console.actions["no_bypass"].isEnabled())
            assert "“b” has started or ended." in console.actions["no_bypass"].toolTip()

    desktop.run(main)


def test_a_bypass_is_staged_drawn_and_committed(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, keyboard = await readied(console, steps("a", "b", edges=("a>b",)))
            view = console.views.front
            assert view is not None
            editor = view.source.editor
            assert isinstance(editor, RunEditor)
            editor.set_mode(Mode.STAGED)
            await choose(console, keyboard, "b")
            await keyboard.choose(Key.Key_B, CTRL | ALT)
            await until(lambda: len(editor.steps) == 1)
            await until(lambda: badge_of(console, "b") == Badge.BYPASS)
            assert run.facts.graph.task("b").bypass is False
            await possible(console, "commit")
            console.actions["commit"].trigger()
            await until(lambda: run.facts.graph.task("b").bypass is True)

    desktop.run(main)
