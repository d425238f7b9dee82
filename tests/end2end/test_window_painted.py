"""What is painted is what is: the display is read as the X server has it, with no pointer near and no program asked."""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter
from tests.end2end.operators import Operator, at_work, with_a_display
from tests.end2end.shell import PATIENCE, until

from starloom import events as ev
from starloom_gui.panels.task_marks import TILE, paint_tile
from starloom_gui.theme.palette import LIGHT
from starloom_gui.theme.status_form import StatusForm

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
MARKS: dict[Any, StatusForm] = {
    ev.TaskReady: StatusForm.PENDING,
    ev.TaskStarted: StatusForm.RUNNING,
    ev.TaskCompleted: StatusForm.COMPLETED,
    ev.TaskFailed: StatusForm.FAILED,
    ev.TaskSkipped: StatusForm.SKIPPED,
}
BLOCKS = {StatusForm.COMPLETED: LIGHT.tint, StatusForm.WAITING: LIGHT.panel, StatusForm.SKIPPED: LIGHT.panel}
"""What fills a node's block, where it is not the colour of the status."""
DOINGS = (
    *("alt+1", "alt+2", "alt+8", "alt+9"),  # outline, palette, events, tasks: one in front of the others
    *("ctrl+alt+1", "ctrl+alt+2", "ctrl+alt+3"),  # other perspectives: docks of another size
    *("End", "Home", "Next", "Prior"),  # whatever has the keyboard is scrolled
)
ALONE = ("build", "check", "drive", "eval", "flash", "graph", "hold", "ink")
"""Tasks that are in no group."""
CLEAR = ("1000", "890")
"""A place of the status bar, where the pointer rests over nothing."""

pytestmark = with_a_display


def plan_of(chance: random.Random) -> str:
    """Tasks in groups and out of groups, in layers, some of which fail."""
    lines = ["starloom: 1", "name: painted", "devices: [{id: here, kind: local, slots: 3}]", "tasks:"]
    before: list[str] = []
    for layer in range(4):
        names = [f"{chance.choice(('unit', 'it'))}-{layer}{at}" for at in range(2)] + list(ALONE[2 * layer :][:2])
        for name in names:
            needs = chance.sample(before, k=min(len(before), chance.randint(0, 2)))
            script = f"sleep 0.{chance.randint(1, 5)}; exit {int(chance.random() < 0.25)}"
            lines.append(f"  {name}: {{shell: '{script}', needs: {json.dumps(needs)}}}")
        before += names
    return "\n".join(lines) + "\n"


def mark_of(form: StatusForm, ground: str) -> QImage:
    """How the mark of a status looks in a row."""
    made = QImage(TILE, TILE, QImage.Format.Format_RGB32)
    made.fill(QColor(ground))
    painter = QPainter(made)
    paint_tile(painter, QPointF(0, 0), form, LIGHT)
    painter.end()
    return made


class Onlooker:
    """Somebody who starts a run, turns panes by keys, and compares the display with the journal."""

    def __init__(self, operator: Operator) -> None:
        self.operator = operator

    def ask(self, *what: Any) -> Any:
        """What the console answers at once."""
        program = self.operator.program
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.poll() is None, self.operator.errors()
        program.stdin.write(json.dumps(what) + "\n")
        program.stdin.flush()
        return json.loads(program.stdout.readline())

    def start(self) -> None:
        """Start the plan, and let the pointer rest over nothing."""
        until(lambda: self.ask("node", ALONE[0]), "the plan is drawn")
        self.operator.take_keyboard("Starloom")
        self.operator.press("F5")
        self.operator.click(*until(lambda: self.ask("answer", "Start"), "it asks whether to start"))
        self.operator.hand("mousemove", *CLEAR)

    def statuses(self) -> dict[str, StatusForm]:
        """How each task stands, by the journal."""
        found: dict[str, StatusForm] = {}
        for event in self.operator.events():
            if type(event) in MARKS:
                found[event.task_id] = MARKS[type(event)]
        return found

    def wrong(self) -> list[str]:
        """What is painted otherwise than it is."""
        screen, known, found = self.operator.screen(), self.statuses(), []
        for pane in ("rows", "cells"):
            for id, x, y in self.ask(pane) or ():
                wanted = mark_of(known.get(id, StatusForm.WAITING), LIGHT.panel)
                if screen.copy(x, y, TILE, TILE) != wanted:
                    found.append(f"{id} in {pane} is not {known.get(id, StatusForm.WAITING)}")
        for id, x, y in self.ask("blocks") or ():
            form = known.get(id, StatusForm.WAITING)
            fill = BLOCKS.get(form, LIGHT.status[form].shape)
            if screen.pixelColor(x, y) != QColor(fill):
                found.append(f"the node of {id} is {screen.pixelColor(x, y).name()}, not {form} {fill}")
        return found

    def expect_truth(self) -> None:
        """Wait for the display to tell the truth; nothing is moved meanwhile."""
        deadline = time.monotonic() + PATIENCE / 3
        while wrong := self.wrong():
            assert time.monotonic() < deadline, wrong


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.param)


@pytest.fixture
def onlooker(chance: random.Random, tmp_path: Path) -> Iterator[Onlooker]:
    plan = tmp_path / "painted.yaml"
    plan.write_text(plan_of(chance), encoding="utf-8")
    with at_work(tmp_path, (sys.executable, str(HERE / "pointing_console.py"), str(plan))) as operator:
        yield Onlooker(operator)


@pytest.mark.parametrize("chance", [1, 2, 3], indirect=True)
def test_marks_and_nodes_on_the_screen_are_those_of_the_journal(onlooker: Onlooker, chance: random.Random) -> None:
    operator = onlooker.operator
    onlooker.start()
    operator.wait_for(ev.RunStarted)
    operator.take_keyboard("Starloom")
    while not operator.sees(ev.RunEnded):
        operator.press(chance.choice(DOINGS))
    onlooker.expect_truth()
    for keys in ("alt+1", "alt+9", "ctrl+alt+2", "alt+1", "ctrl+alt+1"):
        operator.press(keys)
        onlooker.expect_truth()
    assert onlooker.ask("rows"), "the outline was in sight"
    assert operator.errors() == ""


@pytest.mark.parametrize("chance", [4], indirect=True)
def test_it_is_so_while_nobody_touches_anything(onlooker: Onlooker, chance: random.Random) -> None:
    operator = onlooker.operator
    onlooker.start()
    operator.wait_for(ev.RunEnded)
    onlooker.expect_truth()
    assert onlooker.ask("rows")
    assert onlooker.ask("blocks")
