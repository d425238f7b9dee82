"""Editing a running graph by mouse in a real window: what is dragged, dropped and drawn is in the journal then."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.end2end.operators import Operator, at_work, with_a_display
from tests.end2end.shell import until

from starloom import events as ev
from starloom.constellation.edits import AddDependency, AddTask, RemoveDependency

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.constellation.edits import Edit

HERE = Path(__file__).parent
STEPS = 8
"""Of the pointer, from where something is taken to where it is let go of."""
PACE = 0.02
"""Seconds between two places of the pointer: X tells of each of them only to whoever is not behind."""
REST = 0.1
"""Seconds before the last of them: what is dragged between windows is answered by the one it is over."""
HOLD = 0.3
"""Seconds something is held before it is let go of: so long, and a drag says what would come of it."""
BESIDE = 1460
"""Where there is room beside the console's window."""

LAB = """
starloom: 1
name: lab
devices:
  - {id: clock, kind: local, slots: 1}
  - {id: here, kind: local, slots: 2}
  - {id: there, kind: local, slots: 2}
tasks:
  build: {shell: sleep 300, estimate: 300, device: here}
  test: {shell: echo tested, estimate: 60, needs: [build]}
  ship: {shell: echo shipped, estimate: 60, needs: [test]}
""" + "".join(f"  tick-{at}: {{shell: sleep 8, device: clock}}\n" for at in range(16))

pytestmark = with_a_display


class Editing:
    """Somebody who edits a run with the mouse."""

    def __init__(self, operator: Operator) -> None:
        self.operator = operator

    # ---- where things are

    def ask(self, *what: Any) -> Any:
        """What the console answers, once it is to be seen."""
        return self.operator.ask(*what)

    # ---- hands

    def hand(self, *arguments: object) -> None:
        self.operator.hand(*map(str, arguments))

    def take(self, at: list[int]) -> None:
        """Press the button there and begin to drag."""
        self.hand("mousemove", "--sync", *at)
        self.hand("mousedown", 1)
        self._at = at
        self.carry([at[0] + 6, at[1] + 4])

    def carry(self, to: list[int]) -> None:
        """Move the pointer there in steps, as a hand does."""
        (x, y), (there, down) = self._at, to
        for step in range(1, STEPS + 1):
            self.hand("mousemove", x + (there - x) * step // STEPS, y + (down - y) * step // STEPS)
            time.sleep(PACE)
        self.hand("mousemove", there - 1, down)  # whoever has been told nothing new says nothing new
        time.sleep(REST)
        self.hand("mousemove", there, down)
        self._at = to

    def let_go(self) -> None:
        time.sleep(HOLD)
        self.hand("mouseup", 1)

    def drag(self, begin: list[int], end: list[int]) -> None:
        self.take(begin)
        self.carry(end)
        self.let_go()

    # ---- eyes

    def edits(self) -> list[Edit]:
        found = [event for event in self.operator.events() if isinstance(event, ev.ConstellationModified)]
        return [edit for event in found for edit in event.changes]

    def wait_for_edit(self, *wanted: str) -> list[Edit]:
        """All edits, once the last ones are these."""

        def look() -> list[Edit]:
            done = self.edits()
            return done if [words(edit) for edit in done[-len(wanted) :]] == list(wanted) else []

        try:
            done: list[Edit] = until(look, "the journal tells of it")
        except AssertionError:
            pytest.fail(f"{wanted} never came; there is {[words(edit) for edit in self.edits()]}")
        return done

    def ticks(self) -> int:
        return sum(
            isinstance(event, ev.TaskCompleted) and event.task_id.startswith("tick") for event in self.operator.events()
        )


def words(edit: Edit) -> str:
    if isinstance(edit, AddTask):
        return f"+ {edit.task.id}"
    if isinstance(edit, AddDependency):
        return f"{edit.dependency.parent} > {edit.dependency.child}"
    if isinstance(edit, RemoveDependency):
        return f"- {edit.parent} > {edit.child}"
    return repr(edit)


@pytest.fixture
def editing(tmp_path: Path) -> Iterator[Editing]:
    plan = tmp_path / "lab.yaml"
    plan.write_text(LAB, encoding="utf-8")
    command = (sys.executable, str(HERE / "pointing_console.py"), str(plan))
    with at_work(tmp_path, command, size="1640x900x24") as operator:
        yield Editing(operator)


def test_a_running_graph_is_edited_by_mouse(editing: Editing) -> None:
    operator = editing.operator
    editing.ask("node", "build")
    operator.take_keyboard("Starloom")
    operator.press("F5")
    operator.click(*editing.ask("answer", "Start"))
    operator.wait_for(ev.RunStarted)
    operator.take_keyboard("Starloom")
    operator.wait_for(ev.TaskStarted, task_id="build")

    # a kind out of the palette onto the canvas: it runs
    operator.click(*editing.ask("tab", "Palette"))
    editing.drag(editing.ask("kind", "Shell"), editing.ask("ground"))
    editing.ask("draft")  # it asks for a name, and begins with one
    operator.press("Return")
    editing.wait_for_edit("+ shell")
    operator.wait_for(ev.TaskCompleted, task_id="shell")

    # one that is given up leaves no trace, and the run goes on while it is held
    editing.take(editing.ask("kind", "Command"))
    editing.carry(editing.ask("ground"))
    before = editing.ticks()
    until(lambda: editing.ticks() > before, "the run goes on during the drag")
    operator.press("Escape")
    editing.let_go()

    # from a port to a node: a dependency
    editing.take(editing.ask("port", "shell", "out"))
    editing.carry(editing.ask("node", "test"))
    foretold = "Add dependency shell → test\nFinish "
    until(lambda: editing.ask("note").startswith(foretold), "it says what would come of it")
    before = editing.ticks()
    until(lambda: editing.ticks() > before, "the run goes on during the drag")
    editing.let_go()
    editing.wait_for_edit("+ shell", "shell > test")

    # and back: it can still be undone
    editing.ask("edge", "shell", "test")
    gone = (RemoveDependency("shell", "test"),)
    operator.press_until(("ctrl+z",), ev.ConstellationModified, changes=gone)
    editing.wait_for_edit("+ shell", "shell > test", "- shell > test")

    # a kind onto a dependency: between its ends
    editing.drag(editing.ask("kind", "Python"), editing.ask("edge", "test", "ship"))
    editing.ask("draft")
    operator.press("Return")
    editing.wait_for_edit("+ python", "- test > ship", "test > python", "python > ship")

    # a bar into another device's lane
    begin = editing.ask("bar", "test")
    editing.drag(begin, editing.ask("lane", "there", begin[0]))
    operator.wait_for(ev.TasksPinned, task_ids=("test",), device_id="there")

    assert [words(edit) for edit in editing.edits()][:3] == ["+ shell", "shell > test", "- shell > test"]
    assert operator.errors() == ""


def test_a_file_dropped_onto_the_window_is_opened(editing: Editing, tmp_path: Path) -> None:
    operator = editing.operator
    editing.ask("node", "build")
    other = tmp_path / "other.yaml"
    other.write_text("starloom: 1\nname: other\ntasks: {one: {shell: echo 1}}\n", encoding="utf-8")
    source = subprocess.Popen(
        [sys.executable, str(HERE / "file_source.py"), str(other), str(BESIDE), "100"], env=operator.environment
    )
    try:
        operator.find_window("Files")
        editing.drag([BESIDE + 60, 130], editing.ask("ground"))
        editing.ask("node", "one")
    finally:
        source.kill()
        source.wait()
    assert operator.errors() == ""
