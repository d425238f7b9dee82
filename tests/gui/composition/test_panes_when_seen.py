"""Panes are made when they are first seen, and show then what has happened and what is selected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.test_console import LONG, front, small, started
from tests.gui.engines import orchestrator_of
from tests.waiting import until

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop

pytestmark = pytest.mark.usefixtures("app")

HIDDEN = ("output", "events", "tasks", "queue", "plots", "grid", "agents")


def test_a_document_makes_the_panes_that_are_seen_and_no_others(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await started(console, small(seconds=LONG))
            await at_rest(console)
            view = front(console)
            made = set(view.views.made)
            assert made == {key for key in view.views.keys if view.views.is_visible(key)}
            assert made.isdisjoint(HIDDEN)
            console.window.workbench.show_pane("events")
            await until(lambda: view.views.is_visible("events"))
            assert set(view.views.made) == made | {"events"}

    desktop.run(main)


def test_a_pane_that_is_first_seen_late_shows_what_has_happened_and_is_selected(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small())
            run = orchestrator_of(console).run(tab.run_id)
            await run.finished()
            await at_rest(console)
            view = front(console)
            facts = view.reader.facts()
            assert facts is not None
            number = min(facts.graph.place.values())
            view.selection.select(number)
            for key in HIDDEN:
                assert key not in view.views.made, key
                console.window.workbench.show_pane(key)
                await until(lambda key=key: view.views.is_visible(key))  # type: ignore[misc]
            await at_rest(console)
            panes = {key: view.pane(key) for key in HIDDEN}
            assert panes["tasks"]._table.rowCount() == len(facts.graph.place)  # type: ignore[attr-defined]
            selected = panes["tasks"].grid.selectionModel().selectedRows()  # type: ignore[attr-defined]
            assert [panes["tasks"]._table.numbers()[row.row()] for row in selected] == [number]  # type: ignore[attr-defined]
            assert panes["events"]._table.rowCount() > len(facts.graph.place)  # type: ignore[attr-defined]
            assert panes["events"].grid.marked == facts.graph.ids[number]  # type: ignore[attr-defined]
            assert panes["output"].number == number  # type: ignore[attr-defined]
            assert panes["grid"].grid.names.marked == {facts.graph.ids[number]}  # type: ignore[attr-defined]

    desktop.run(main)
