"""A plan is begun in the console, its properties typed into the dialog, and its file is one that `validate` accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import front
from tests.gui.engines import orchestrator_of
from tests.gui.pressing import press
from tests.waiting import until
from typer.testing import CliRunner

from starloom.cli.app import app as cli
from starloom.formats import load_plan
from starloom_gui.dialogs.plan_properties.dialog import PlanPropertiesDialog
from starloom_gui.dialogs.plan_properties.raw_form import RawForm
from starloom_gui.documents import files
from starloom_gui.editing.adding import GROUND, add_step
from starloom_gui.editing.plan_editor import PlanEditor
from starloom_gui.viewmodel.keys import Scope

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from starloom_gui.composition.console import Console


async def opened(console: Console) -> PlanPropertiesDialog:
    """The dialog over the plan in front, as its keys open it."""
    await at_rest(console)
    console.actions.refresh()
    press(console.window, Scope.WINDOW, "plan_properties")
    shown = lambda: [one for one in console.window.findChildren(PlanPropertiesDialog) if one.isVisible()]  # noqa: E731
    await until(lambda: bool(shown()))
    dialog = shown()[0]
    dialog.activateWindow()
    await until(dialog.isActiveWindow)
    return dialog


def field(dialog: PlanPropertiesDialog, section: str, name: str) -> Any:
    form = dialog.sections[section]
    assert isinstance(form, RawForm)
    return form.form.editor(name)


def test_what_is_typed_for_a_new_plan_is_one_step_of_undo_and_its_file_is_accepted(
    desktop: Desktop, tmp_path: Path
) -> None:
    file = tmp_path / "firmware.yaml"

    async def main() -> None:
        async with desktop.console() as console:
            console.actions["new"].trigger()
            editor = front(console).source.editor
            assert isinstance(editor, PlanEditor)
            dialog = await opened(console)
            name = field(dialog, "general", "name").line
            name.selectAll()
            QTest.keyClicks(name, "firmware")
            dialog.turn_to("defaults")
            QTest.keyClicks(field(dialog, "defaults", "defaults.timeout").line, "10m")
            dialog.turn_to("running")
            table = field(dialog, "running", "limits.groups").typed.table
            table.item(0, 0).setText("db")
            table.setFocus()
            table.setCurrentCell(0, 1)
            table.editItem(table.item(0, 1))
            await until(lambda: table.findChild(QLineEdit) is not None)
            QTest.keyClicks(table.findChild(QLineEdit), "2")
            QTest.mouseClick(dialog.default, Qt.MouseButton.LeftButton)
            await until(lambda: editor.plan.name == "firmware")
            assert editor.plan.limits.groups == {"db": 2}, "what stood in a cell counts"
            facts = editor.facts()
            assert facts is not None
            editor.do(add_step(task("build", shell="true"), facts, GROUND))
            assert editor.plan.tasks[0].timeout == 600.0
            files.write(editor.plan, file)
            assert load_plan(file) == editor.plan
            editor.undo()
            editor.undo()
            assert editor.plan.limits.groups == {}
            assert editor.undo_offer().label == ""

    desktop.run(main)
    done = CliRunner().invoke(cli, ["validate", str(file)])
    assert done.exit_code == 0, done.output


def test_a_run_has_no_plan_properties(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await orchestrator_of(console).start(plan(["a"]), paused=True)
            console.documents.put_run(run.id)
            await at_rest(console)
            assert not console.actions["plan_properties"].isEnabled()
            console.documents.put_plan(plan([task("a", shell="true")]))
            await at_rest(console)
            await until(console.actions["plan_properties"].isEnabled)

    desktop.run(main)
