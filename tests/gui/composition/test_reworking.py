"""Many tasks at once, in the console: find and replace, and selecting along dependencies."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtTest import QTest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front, started
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.model.device import DeviceSpec
from starloom_gui.dialogs.find_replace import FindReplaceDialog
from starloom_gui.editing.run_editor import RunEditor

if TYPE_CHECKING:
    from starloom.model.plan import Plan
    from starloom_gui.composition.console import Console
    from starloom_gui.documents.document import RunTab


def commands() -> Plan:
    """`a` runs for long; `b` and `c` wait for it, and have a text in common."""
    steps = [task("a", simulate=LONG), task("b", command=("cc", "old")), task("c", shell="cd old")]
    device = DeviceSpec(id="d", kind="simulated", slots=1)
    return replace(plan(steps, ["a>b", "a>c"]), name="commands", devices=(device,))


async def running(console: Console) -> RunTab:
    """A run of them, as if they had been looked at before."""
    console.files.plan_verbs.trust(commands())
    tab = await started(console, commands())
    await at_rest(console)
    return tab


async def replaced(console: Console, sought: str, by: str) -> None:
    """Find and replace as users do."""
    await until(console.actions["replace"].isEnabled)
    console.actions["replace"].trigger()
    (dialog,) = (one for one in console.window.findChildren(FindReplaceDialog) if one.isVisible())
    QTest.keyClicks(dialog.sought, sought)  # in place of what was sought before, which is selected
    dialog.by.clear()
    QTest.keyClicks(dialog.by, by)
    await until(lambda: not dialog.is_looking and dialog.default.isEnabled())
    dialog.default.click()
    assert not dialog.isVisible()


def texts(console: Console) -> tuple[object, object]:
    run = front(console).reader.facts()
    assert run is not None
    return run.graph.task("b").command, run.graph.task("c").shell


OLD, NEW = (("cc", "old"), "cd old"), (("cc", "new"), "cd new")


def test_replacing_in_a_plan_is_one_step_that_is_taken_back_whole(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            assert not console.actions["replace"].isEnabled()
            console.documents.put_plan(commands())
            await at_rest(console)
            await replaced(console, "old", "new")
            assert texts(console) == NEW
            await until(lambda: "Replace “old” by “new”" in console.actions["undo"].text())
            console.actions["undo"].trigger()
            assert texts(console) == OLD

    desktop.run(main)


def test_replacing_in_a_run_is_one_batch_and_what_was_sought_stands_there_the_next_time(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await running(console)
            await replaced(console, "old", "new")
            await until(lambda: texts(console) == NEW)
            assert orchestrator_of(console).run(tab.run_id).revision == 1
            await until(lambda: "Replace “old” by “new”" in console.actions["undo"].text())
            console.actions["undo"].trigger()
            await until(lambda: texts(console) == OLD)
            console.actions["replace"].trigger()
            (dialog,) = (one for one in console.window.findChildren(FindReplaceDialog) if one.isVisible())
            assert (dialog.sought.text(), dialog.by.text()) == ("old", "new")
            dialog.reject()

    desktop.run(main)


def test_replacing_while_edits_are_staged_is_one_of_them(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await running(console)
            console.actions["staged"].trigger()
            await replaced(console, "old", "new")
            editor = front(console).source.editor
            assert isinstance(editor, RunEditor)
            assert [staged.step.label for staged in editor.steps] == ["Replace “old” by “new” in 2 task(s)"]
            assert texts(console) == OLD
            await replaced(console, "w", "xt")  # on top of what is staged
            editor.staging.commit()
            await until(lambda: texts(console) == (("cc", "next"), "cd next"))

    desktop.run(main)


def selected(console: Console) -> set[str]:
    return set(front(console).target.task_ids)


def test_what_is_before_and_behind_is_selected_with_what_is_selected_or_instead(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            steps = [task(name, simulate=1) for name in "abcde"]
            console.documents.put_plan(plan(steps, ["a>b", "b>c", "d>c"]))
            await at_rest(console)
            view, run = front(console), front(console).reader.facts()
            assert run is not None
            wanted = {
                "select_upstream": {"a", "b", "d"},
                "with_upstream": {"a", "b", "c", "d"},
            }
            assert "No task is selected." in console.actions["select_upstream"].toolTip()
            for key, ids in wanted.items():
                view.selection.select(run.graph.place["c"])
                await until(console.actions[key].isEnabled)
                await until(lambda: not console.actions["select_downstream"].isEnabled())
                console.actions[key].trigger()
                assert selected(console) == ids
            for key, ids in {"select_downstream": {"b", "c"}, "with_downstream": {"a", "b", "c"}}.items():
                view.selection.select(run.graph.place["a"])
                await until(console.actions[key].isEnabled)
                console.actions[key].trigger()
                assert selected(console) == ids
            view.selection.select(run.graph.place["e"])
            await until(lambda: not console.actions["with_downstream"].isEnabled())
            assert "Nothing depends on what is selected." in console.actions["with_downstream"].toolTip()
            assert "depends on nothing" in console.actions["with_upstream"].toolTip()

    desktop.run(main)
