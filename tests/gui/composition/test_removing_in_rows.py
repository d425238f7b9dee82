"""Del removes the selected tasks in the Outline and in Tasks, as on the canvas."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.driver import plan, task
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.test_console import front
from tests.gui.composition.test_renaming_in_rows import PANES, rows
from tests.gui.composition.test_stopping import readied, steps
from tests.gui.composition.test_without_a_mouse import LONG, Key
from tests.gui.pressing import press
from tests.waiting import until

from starloom.model.status import TaskStatus
from starloom_gui.viewmodel.keys import Scope

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop

    from starloom_gui.composition.console import Console


def there(console: Console) -> set[str]:
    """The tasks of the graph in front."""
    facts = front(console).source.editor.facts()
    assert facts is not None
    return {one.id for _, one in facts.graph.present()}


def edges(console: Console) -> set[tuple[str, str]]:
    facts = front(console).source.editor.facts()
    assert facts is not None
    return {(one.parent, one.child) for one in facts.graph.dependencies()}


@pytest.mark.parametrize("pane", PANES)
def test_del_removes_what_is_selected_where_it_is_listed_and_undo_takes_it_back(desktop: Desktop, pane: str) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(plan([task("a"), task("b"), task("c"), task("d")], ["a>b", "b>c"]))
            await at_rest(console)
            view = await rows(console, pane, "b")
            press(view, Scope.GRAPH, "remove_and_reconnect")
            await until(lambda: edges(console) == {("a", "c")})
            view = await rows(console, pane, "c")
            front(console).selection.select_all([0, 3], 3)
            press(view, Scope.GRAPH, "remove")
            await until(lambda: there(console) == {"c"})
            await until(console.actions["undo"].isEnabled)
            console.actions["undo"].trigger()
            await until(lambda: there(console) == {"a", "c", "d"})
            console.actions["undo"].trigger()
            await until(lambda: edges(console) == {("a", "b"), ("b", "c")})

    desktop.run(main)


@pytest.mark.parametrize("pane", PANES)
def test_what_cannot_be_removed_stays_and_it_is_said_why(desktop: Desktop, pane: str) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, keyboard = await readied(console, steps("a", "b", edges=("a>b",), lasts=LONG))
            await keyboard.choose(Key.Key_F5)
            await until(lambda: run.task("a").status is TaskStatus.RUNNING)
            await at_rest(console)
            said: list[tuple[str, str]] = []
            front(console).refused.connect(lambda what, why: said.append((what, why)))
            view = await rows(console, pane, "a")
            press(view, Scope.GRAPH, "remove")
            front(console).selection.clear()
            press(view, Scope.GRAPH, "remove_and_reconnect")
            assert [what for what, _ in said] == ["Remove", "Remove and reconnect"]
            assert said[0][1].startswith("a ")
            assert said[1][1] == "No task is selected."
            assert there(console) == {"a", "b"}

    desktop.run(main)
