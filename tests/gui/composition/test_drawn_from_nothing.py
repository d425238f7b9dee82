"""A plan of fifteen tasks is drawn from the empty canvas by keys and mouse, saved, accepted and run to its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton
from tests.gui.canvas.editing import let_go
from tests.gui.canvas.looking import row_in, shown_in
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import front
from tests.gui.composition.test_keyboard_alone import active, draft, front_plan, opened_with
from tests.gui.composition.test_plan_properties import opened
from tests.gui.composition.test_without_a_mouse import CTRL, Keyboard
from tests.gui.documents.plans import shown
from tests.gui.engines import orchestrator_of
from tests.gui.file_dialogs import name_file
from tests.gui.pressing import press
from tests.waiting import until
from typer.testing import CliRunner

from starloom.cli.app import app as cli
from starloom.formats import load_plan
from starloom.model.status import DependencyKind, RunState, TaskStatus
from starloom_gui.canvas.ports import port_place
from starloom_gui.dialogs.plan_properties.list_section import ListSection
from starloom_gui.documents.document import Document, RunTab
from starloom_gui.viewmodel.keys import Scope
from starloom_gui.viewmodel.task_specs import SPEC_OF
from starloom_gui.widgets.value_rows import NAME

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.composition.console import Console

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
ROWS = {
    "": ("fetch",),
    "fetch": ("unpack", "measure"),
    "unpack": ("compile", "lint", "docs"),
    "compile": ("unit", "bench", "link"),
    "measure": ("repair",),
    "link": ("ask", "image"),
    "ask": ("upload",),
    "upload": ("mail", "tidy"),
}
"""The tasks by the one that they come behind."""
WORK = {"measure": "echo 3", "ask": "Upload it?"}


class Hands(Keyboard):
    """Whoever draws with keys and mouse."""

    async def find(self, name: str) -> None:
        """Select a task by its name; the keyboard is in the graph then."""
        self.press(Key.Key_F, CTRL)
        self.console.window.tool_bar.search.selectAll()
        self.write(name)
        await self.choose(Key.Key_Return)
        view = front(self.console)
        facts = view.source.editor.facts()
        assert facts is not None
        assert view.selection.now.numbers == {facts.graph.place[name]}

    async def add(self, name: str, behind: str) -> None:
        """Write a task behind another one, or on the ground."""
        if behind:
            await self.find(behind)
        self.press(Key.Key_Insert)
        field = draft(self.console)
        assert field is not None
        self.write(name)
        self.press(Key.Key_Tab)
        self.write(WORK.get(name, "true"))
        await self.choose(Key.Key_Return)
        await active(self.console)
        assert draft(self.console) is None

    async def connect(self, parent: str, child: str) -> None:
        """Draw a dependency from port to node."""
        canvas = front(self.console).canvas
        canvas.setFocus()
        press(canvas, Scope.GRAPH, "fit_all")
        let_go(canvas)
        await at_rest(self.console)
        facts = front(self.console).source.editor.facts()
        assert facts is not None
        number = facts.graph.place
        place = QPointF(*port_place(shown_in(canvas), row_in(canvas, number[parent]), outgoing=True))
        begin = canvas.viewportTransform().map(place).toPoint()
        end = canvas.graph.node_rect(row_in(canvas, number[child])).center().toPoint()
        QTest.mousePress(canvas.viewport(), LEFT, NONE, begin)
        for at in (begin + QPoint(20, 0), end - QPoint(9, 0), end):
            QTest.mouseMove(canvas.viewport(), at)
        QTest.mouseRelease(canvas.viewport(), LEFT, NONE, end)
        await at_rest(self.console)

    async def field(self, task: str, name: str) -> Any:
        """The editor of a field of a task in the inspector, its part unfolded by a click."""
        await self.find(task)
        fields = front(self.console).pane("inspector").fields  # type: ignore[attr-defined]
        part = fields.parts[SPEC_OF[name].part]
        if not part.is_open:
            QTest.mouseClick(part.head, LEFT)
        await until(lambda: name in fields._rows)
        return fields.value(name)

    async def type_into(self, task: str, name: str, words: str) -> None:
        """Type a value of a task and press Enter."""
        editor = await self.field(task, name)
        editor.setFocus()
        editor.selectAll()
        QTest.keyClicks(editor, words)
        QTest.keyClick(editor, Key.Key_Return)
        await at_rest(self.console)


async def make_gate(hands: Hands, task: str) -> None:
    """Make a task a gate: the last kind of the list."""
    editor = await hands.field(task, "kind")
    editor.box.setFocus()
    QTest.keyClick(editor.box, Key.Key_End)
    await at_rest(hands.console)


async def add_variable(hands: Hands, task: str, name: str, value: str) -> None:
    """Type a variable into the empty rows of a task's environment."""
    tree = (await hands.field(task, "env")).table
    tree.setFocus()
    tree.setCurrentItem(next(iter(tree.rows.in_sight())), NAME)
    QTest.keyClick(tree, Key.Key_F2)
    hands.write(name)
    hands.press(Key.Key_Tab)
    hands.write(value)
    hands.press(Key.Key_Return)
    tasks = lambda: {one.id: one for one in front_plan(hands.console).tasks}  # noqa: E731
    await until(lambda: dict(tasks()[task].env) == {name: value})  # Qt hands a cell on in its next turn


async def set_condition(hands: Hands, child: str, words: str) -> None:
    """Make the dependency of a task a condition, in the card of the edge."""
    await hands.find(child)
    canvas = front(hands.console).canvas
    press(canvas, Scope.GRAPH, "next_edge")
    let_go(canvas)
    QTest.keyClick(canvas, Key.Key_Return)
    verbs = canvas.gestures.verbs
    assert verbs is not None
    await until(verbs.card.isVisible)
    QTest.mouseClick(verbs.card._kinds.buttons[DependencyKind.CONDITION], LEFT)
    QTest.keyClicks(verbs.card.condition, words)
    QTest.keyClick(verbs.card.condition, Key.Key_Return)
    await at_rest(hands.console)
    QTest.keyClick(verbs.card.condition, Key.Key_Escape)


async def add_devices(console: Console, *names: str) -> None:
    """Add devices to the plan in its properties."""
    dialog = await opened(console)
    dialog.turn_to("devices")
    section = dialog.sections["devices"]
    assert isinstance(section, ListSection)
    for name in names:
        QTest.mouseClick(section.entries.add, LEFT)
        line = section.entries.entry_form._current.form.editor("id").line
        line.selectAll()
        QTest.keyClicks(line, name)
    QTest.mouseClick(dialog.default, LEFT)
    await until(lambda: [one.id for one in front_plan(console).devices] == list(names))
    await active(console)


async def save(console: Console, path: Path) -> None:
    """Save the plan in front through the dialog."""
    console.actions["save"].trigger()
    await name_file(await shown(console.window, QFileDialog), path)
    await until(lambda: isinstance(console.documents.front, Document) and console.documents.front.path == path)
    await until(path.exists)
    await active(console)


def check(file: Path) -> None:
    """See that a file holds all that was drawn, and nothing else."""
    plan = load_plan(file)
    tasks = {one.id: one for one in plan.tasks}
    edges = {(one.parent, one.child) for one in plan.dependencies}
    assert tasks.keys() == {name for row in ROWS.values() for name in row}
    assert edges == {(p, c) for p, row in ROWS.items() for c in row if p} | {
        ("repair", "upload"),
        ("unit", "image"),
        ("lint", "image"),
    }
    assert (tasks["fetch"].retry.attempts, tasks["upload"].retry.attempts) == (3, 2)
    assert tasks["ask"].action == "gate"
    assert tasks["bench"].device == "west"
    assert dict(tasks["docs"].env) == {"LEVEL": "3"}
    (condition,) = [one for one in plan.dependencies if one.condition]
    assert (condition.child, condition.condition) == ("repair", "value > 2")
    assert [one.id for one in plan.devices] == ["east", "west"]
    done = CliRunner().invoke(cli, ["validate", str(file)])
    assert done.exit_code == 0, done.output


def test_fifteen_tasks_are_drawn_from_nothing_saved_accepted_and_run(desktop: Desktop, tmp_path: Path) -> None:
    file = tmp_path / "drawn.yaml"

    async def main() -> None:
        async with desktop.console() as console:
            await opened_with(console, "empty plan")
            hands = Hands(console)
            for parent, children in ROWS.items():
                for name in children:
                    await hands.add(name, parent)
            await set_condition(hands, "repair", "value > 2")  # while it has one dependency
            for parent, child in (("repair", "upload"), ("unit", "image"), ("lint", "image")):
                await hands.connect(parent, child)
            await make_gate(hands, "ask")
            await hands.type_into("fetch", "retry", "2")
            await hands.type_into("upload", "retry", "1")
            await hands.type_into("bench", "device", "west")
            await add_variable(hands, "docs", "LEVEL", "3")
            await add_devices(console, "east", "west")
            await save(console, file)
            plan = front_plan(console)
            assert load_plan(file).tasks == plan.tasks
            await hands.choose(Key.Key_F5)
            await until(lambda: isinstance(console.documents.front, RunTab))
            run = orchestrator_of(console).run(console.documents.runs[0].run_id)
            await until(lambda: bool(run.gates) or run.state.has_ended)
            await hands.find("ask")
            pane = front(console).pane("inspector")
            approve = lambda: [b for b in pane.findChildren(QPushButton) if b.isVisible() and b.text() == "Approve"]  # noqa: E731
            await until(lambda: bool(approve()))
            QTest.mouseClick(approve()[0], LEFT)
            await until(lambda: run.state.has_ended)
            assert run.state is RunState.COMPLETED
            assert {run.task(one.id).status for one in plan.tasks} == {TaskStatus.COMPLETED}

    desktop.run(main)
    check(file)
