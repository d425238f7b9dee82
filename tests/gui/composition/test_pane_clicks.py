"""Keys that edit act where tasks are listed: another pane that is clicked or shown by its key has the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front, small, started
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom_gui.shell.perspectives import ORDER

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.composition.console import Console

LISTS = {"tasks", "outline"}
"""Panes that list tasks, so that Delete removes the selected ones, as `test_removing_in_rows` shows."""
EDITING = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_Insert, Qt.Key.Key_F2, Qt.Key.Key_F4)
"""Keys that edit the graph, Delete first."""


def clicked(console: Console, pane: str) -> None:
    """Click into the middle of a pane, on whatever lies there, or below the button that does."""
    body = console.window.workbench.dock_of(pane).pane(pane)
    at = body.rect().center()
    while isinstance(hit := body.childAt(at) or body, QAbstractButton):
        at += QPoint(0, 4)
    QTest.mouseClick(hit, Qt.MouseButton.LeftButton, pos=hit.mapFrom(body, at))


def shown_by_key(console: Console, pane: str) -> None:
    """Show a pane as its key does."""
    console.window.show_pane(pane)


def in_graph(console: Console, task: str) -> None:
    """Select a task and have the keyboard in the graph."""
    document_view = front(console)
    facts = document_view.reader.facts()
    assert facts is not None
    number = facts.graph.place[task]
    document_view.selection.select_all([number], number)
    document_view.canvas.setFocus()
    assert document_view.canvas.hasFocus()


def leave_fields(console: Console) -> None:
    """Give up what a key has opened: a field for a name is no edit."""
    focus: QWidget | None = QApplication.focusWidget()
    if focus is not None:
        QTest.keyClick(focus, Qt.Key.Key_Escape)


def said_of(console: Console) -> tuple[object, ...]:
    """What keys that edit would change, or open: the graph, and what asks for a task beside it."""
    document_view = front(console)
    facts = document_view.reader.facts()
    assert facts is not None
    verbs = document_view.canvas.gestures.verbs
    assert verbs is not None
    is_drafting = verbs.drafting.field is not None
    graph = facts.graph
    return (
        facts.revision,
        tuple(graph.place),
        is_drafting,
        verbs.field,
        verbs.menu,
        document_view.canvas.overlay.chosen_edge,
    )


@pytest.mark.parametrize("reach", [clicked, shown_by_key])
@pytest.mark.parametrize("is_run", [False, True], ids=["plan", "run"])
def test_keys_that_edit_do_nothing_to_the_graph_from_another_pane(
    desktop: Desktop, reach: Callable[[Console, str], None], *, is_run: bool
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            if is_run:
                tab = await started(console, small(seconds=LONG))
                await until(lambda: bool(orchestrator_of(console).run(tab.run_id).state))
            else:
                console.documents.put_plan(small())
            await at_rest(console)
            for pane in ORDER:
                for task in ("a", "c"):
                    console.window.workbench.turn_to(pane)
                    in_graph(console, task)
                    await at_rest(console)
                    before = said_of(console)
                    reach(console, pane)
                    focus = QApplication.focusWidget()
                    assert focus is not None
                    assert console.window.workbench.dock_of(pane).isAncestorOf(focus), f"{pane} has the keyboard"
                    for key in EDITING[pane in LISTS :]:
                        QTest.keyClick(QApplication.focusWidget() or console.window, key)
                        await at_rest(console)
                        assert said_of(console) == before, f"{key.name} in {pane}"
                    leave_fields(console)

    desktop.run(main)
