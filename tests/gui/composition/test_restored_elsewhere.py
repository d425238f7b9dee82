"""What an undo brings back over a server stands where it was, on the canvas and in the list."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTreeView
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import front
from tests.gui.composition.test_restored_tasks import EDGES, NAMES, is_gone, is_there, places
from tests.gui.engines import orchestrator_of
from tests.waiting import until

if TYPE_CHECKING:
    from starloom_gui.composition.console import Console

LONG = 3600.0


def outlined(console: Console) -> list[str]:
    """The names that the outline lists, from top to bottom."""
    tree = front(console).pane("outline").findChild(QTreeView)
    assert tree is not None
    model = tree.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


async def remove(console: Console, *gone: str) -> None:
    """Remove tasks by a key."""
    view, facts = front(console), front(console).reader.facts()
    assert facts is not None
    numbers = [facts.graph.place[one] for one in gone]
    view.selection.select_all(numbers, numbers[0])
    view.canvas.setFocus()
    QTest.keyClick(view.canvas, Qt.Key.Key_Delete)
    for one in gone:
        await until(partial(is_gone, console, one))
    await at_rest(console)


async def bring_back(console: Console, *gone: str) -> None:
    """Undo a removal."""
    await until(console.actions["undo"].isEnabled)
    console.actions["undo"].trigger()
    for one in gone:
        await until(partial(is_there, console, one))
    await at_rest(console)


@pytest.mark.parametrize("steps", [(("t7",),), (("t0",), ("t1",), ("t2",)), (("t5", "t12"),)])
def test_a_removed_task_of_a_run_elsewhere_comes_back_where_it_was_dragged(
    desktop: Desktop, steps: tuple[tuple[str, ...], ...]
) -> None:
    async def main() -> None:
        made = plan([task(name, simulate=LONG) for name in NAMES], EDGES)
        async with desktop.attached("r", made) as console:
            await orchestrator_of(console).run("r").pause()
            console.window.workbench.show_pane("outline")
            await at_rest(console)
            listed, facts = outlined(console), front(console).reader.facts()
            assert listed == list(NAMES)
            assert facts is not None
            order = [facts.graph.place[name] for name in NAMES]
            for one in (name for step in steps for name in step):
                front(console).canvas.layout_controller.move_tasks({facts.graph.place[one]: (300.0, 900.0)})
                await at_rest(console)
            before = places(console)
            for step in steps:
                await remove(console, *step)
            for step in reversed(steps):
                await bring_back(console, *step)
            facts = front(console).reader.facts()
            assert facts is not None
            assert [facts.graph.place[name] for name in NAMES] == order
            assert places(console) == before
            assert outlined(console) == listed

    desktop.run(main)
