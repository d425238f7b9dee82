"""What an undo brings back stands where it was, and is in sight."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import front
from tests.gui.composition.test_new_tasks_in_sight import is_in_sight
from tests.waiting import until

from starloom_gui.canvas.motion import ViewPosition

if TYPE_CHECKING:
    from starloom.layout import Point
    from starloom_gui.composition.console import Console

NAMES = tuple(f"t{at}" for at in range(24))
EDGES = [f"t{at}>t{at + 3}" for at in range(21)] + ["t0>t7", "t7>t16", "t2>t10", "t5>t12"]


def places(console: Console) -> dict[str, Point]:
    """Where the nodes stand, by id."""
    picture, facts = front(console).canvas.graph.picture, front(console).reader.facts()
    assert picture is not None
    assert facts is not None
    numbers, positions = picture.layout.graph.numbers.tolist(), picture.layout.positions.tolist()
    return {facts.graph.ids[number]: (x, y) for number, (x, y) in zip(numbers, positions, strict=True)}


def is_there(console: Console, name: str) -> bool:
    """Whether a task is drawn."""
    return name in places(console)


def is_gone(console: Console, name: str) -> bool:
    """Whether a task is drawn no more."""
    return not is_there(console, name)


@pytest.mark.parametrize("gone", [("t7",), ("t0", "t1", "t2"), ("t5", "t12")])
def test_a_removed_task_that_is_brought_back_stands_where_it_was_and_is_in_sight(
    desktop: Desktop, gone: tuple[str, ...]
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(plan([task(name) for name in NAMES], EDGES))
            await at_rest(console)
            document_view, before = front(console), places(console)
            view, facts = document_view.canvas, document_view.reader.facts()
            assert facts is not None
            for one in gone:  # one step of undo each
                document_view.selection.select_all([facts.graph.place[one]], facts.graph.place[one])
                view.setFocus()
                QTest.keyClick(view, Qt.Key.Key_Delete)
                await until(partial(is_gone, console, one))
                await at_rest(console)
            seen = view.pan_zoom.seen
            view.pan_zoom.look(ViewPosition(1.0, seen.left() - 9000, seen.top() - 9000), at_once=True)
            for one in reversed(gone):
                await until(console.actions["undo"].isEnabled)
                console.actions["undo"].trigger()
                await until(partial(is_there, console, one))
                await at_rest(console)
                await until(partial(is_in_sight, console, one))
            assert places(console) == before

    desktop.run(main)
