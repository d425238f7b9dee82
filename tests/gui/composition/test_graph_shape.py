"""The shape of the graph in the inspector's summary: known at once or from a thread, anew after each edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLabel
from tests.driver import edge, plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import front, started
from tests.waiting import until

from starloom.constellation.edits import AddDependency, AddTask
from starloom_gui.editing.base import Step
from starloom_gui.panels import graph_shape

if TYPE_CHECKING:
    from starloom_gui.composition.console import Console

NAMES = ("Separate parts", "Longest dependency chain", "Most at one level")


def rows(console: Console) -> tuple[str, ...]:
    """What stands in the inspector beside the names of the figures."""
    said = [label.text() for label in front(console).views["inspector"].widget.overview.facts.findChildren(QLabel)]
    return tuple(said[said.index(name) + 1] for name in NAMES if name in said)


@pytest.mark.parametrize("many", [1, graph_shape.MANY], ids=["in a thread", "at once"])
def test_the_summary_tells_the_shape_of_a_plan_and_of_a_run_and_follows_their_edits(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    monkeypatch.setattr(graph_shape, "MANY", many)
    steps = [task(id, simulate=1000) for id in "abcd"]

    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(plan(steps, ["a>b", "b>c"]))
            await at_rest(console)
            await until(lambda: rows(console) == ("2", "3", "2"))
            more = (AddTask(task("e", simulate=1)), AddDependency(edge("d", "e")), AddDependency(edge("c", "e")))
            front(console).source.editor.do(Step(label="more", edits=more))
            await until(lambda: rows(console) == ("1", "4", "2"))
            await started(console, plan(steps, ["a>b"]))
            await at_rest(console)
            await until(lambda: rows(console) == ("3", "2", "3"))

    desktop.run(main)


def test_an_empty_plan_has_no_shape(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(plan([]))
            await at_rest(console)
            assert rows(console) == ()

    desktop.run(main)
