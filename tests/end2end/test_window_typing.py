"""Typing into a live run in a real window: over a view it changes nothing, in a field it is what is sent."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.end2end.operators import Operator, at_work, with_a_display
from tests.end2end.shell import until

from starloom import events as ev
from starloom.constellation.edits import UpdateTask

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
COMMAND = "sleep 5; echo fixed"
LOOKS = 50
"""Answers of a console, which goes on between them."""
TICKS = 5
"""Tasks that begin and end between two things a user does."""

LIVE = """
starloom: 1
name: live
devices:
  - {id: clock, kind: local, slots: 1}
  - {id: here, kind: local, slots: 2}
tasks:
  build: {shell: sleep 300, device: here}
  test: {shell: exit 3, needs: [build]}
  ship: {shell: echo shipped, needs: [test]}
""" + "".join(f"  tick-{at}: {{shell: sleep 0.2, device: clock}}\n" for at in range(900))

pytestmark = with_a_display


class Typing:
    """Somebody who types while a run goes on, in which something happens five times a second."""

    def __init__(self, operator: Operator) -> None:
        self.operator = operator

    def look(self, *what: Any) -> Any:
        """What the console answers; null while it is not to be seen."""
        program = self.operator.program
        to, of = program.stdin, program.stdout
        assert to is not None
        assert of is not None
        assert program.poll() is None, self.operator.errors()
        to.write(json.dumps(what) + "\n")
        to.flush()
        return json.loads(of.readline())

    def ask(self, *what: Any) -> Any:
        """What the console answers, once it is to be seen."""
        return until(lambda: self.look(*what), f"the console knows {what}: {self.operator.errors()}")

    def enter(self, label: str) -> None:
        """Click on a field of the inspector, once it stays where it is, until it has the keyboard."""

        def has_keyboard() -> bool:
            place, *later = [self.look("field", label) for _ in range(LOOKS)]
            if place and all(one == place for one in later):
                self.operator.click(*place)
            return any(self.look("typed") == label for _ in range(LOOKS))

        until(has_keyboard, f"{label} has the keyboard: {self.operator.errors()}")

    def begin(self) -> None:
        """Start the run and select a task that waits."""
        self.ask("node", "build")
        self.operator.take_keyboard("Starloom")
        self.operator.press("F5")
        self.operator.click(*self.ask("answer", "Start"))
        self.operator.wait_for(ev.TaskStarted, task_id="build")
        self.operator.take_keyboard("Starloom")
        until(self._finds_the_task, "the task that waits is selected")

    def _finds_the_task(self) -> bool:
        """Search for it, as often as keys were lost to a dialog that closes slowly."""
        self.operator.press("ctrl+f", "ctrl+a")
        self.operator.write("test")
        self.operator.press("Return")
        return any(self.look("field", "Shell") for _ in range(10 * LOOKS))

    def ticks(self) -> int:
        return sum(isinstance(event, ev.TaskCompleted) for event in self.operator.events())

    def let_happen(self, count: int = TICKS) -> None:
        """Do nothing until so many tasks have ended."""
        before = self.ticks()
        until(lambda: self.ticks() >= before + count, "the run goes on")

    def edits(self) -> list[Any]:
        found = [event for event in self.operator.events() if isinstance(event, ev.ConstellationModified)]
        return [edit for event in found for edit in event.changes]


@pytest.fixture
def typing(tmp_path: Path) -> Iterator[Typing]:
    plan = tmp_path / "live.yaml"
    plan.write_text(LIVE, encoding="utf-8")
    with at_work(tmp_path, (sys.executable, str(HERE / "pointing_console.py"), str(plan))) as operator:
        yield Typing(operator)


def test_a_command_typed_over_the_graph_changes_nothing(typing: Typing) -> None:
    typing.begin()
    typing.operator.click(*typing.ask("node", "test"))
    typing.operator.write(COMMAND)
    typing.operator.press("Return")
    typing.operator.write("q".join("abcdefghijklmnopqrstuvwxyz"))
    typing.operator.press("Return")
    typing.let_happen()
    assert typing.edits() == []
    steering = (ev.TasksHeld, ev.TasksPinned, ev.TasksPrioritised, ev.RunPaused, ev.LimitsChanged, ev.TaskCancelled)
    assert not any(isinstance(event, steering) for event in typing.operator.events())
    assert typing.operator.errors() == ""


def test_a_field_of_a_live_run_holds_what_was_typed_and_nothing_else(typing: Typing) -> None:
    typing.begin()
    typing.enter("Shell")
    typing.operator.press("ctrl+a")
    began = time.monotonic()
    typing.let_happen()
    for word in COMMAND.split(" "):
        typing.operator.write(word if word == "sleep" else f" {word}")
        typing.let_happen(10)
    assert time.monotonic() - began > 5, "events came all the while"
    typing.operator.press("ctrl+Return")
    until(typing.edits, "the journal tells of the edit")
    (edit,) = typing.edits()
    assert isinstance(edit, UpdateTask)
    assert (edit.task_id, edit.fields["shell"]) == ("test", COMMAND)
    assert typing.operator.errors() == ""
