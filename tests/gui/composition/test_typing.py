"""Typing never acts: over any view it finds, and only what `keys.KEYS` names does something else."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QAbstractSpinBox, QApplication, QComboBox, QLineEdit
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.model.device import DeviceSpec
from starloom.model.status import RunState
from starloom_gui.documents.document import RunTab

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom.orchestration.run import Run
    from starloom_gui.canvas.view import CanvasView
    from starloom_gui.composition.console import Console

LONG: Final = 3600.0
TYPED: Final = [chr(code) for code in range(0x20, 0x7F)]
NAMES: Final = ("build", "check", "drive", "eval", "flash", "note", "test")
EDITORS: Final = (QLineEdit, QComboBox, QAbstractSpinBox)
PANES: Final = ("outline", "palette", "devices", "timeline", "events", "tasks", "queue")


def chain():
    steps = [task(name, simulate=LONG) for name in (*NAMES, "in line", "also in line")]
    made = plan(steps, [f"{one}>{two}" for one, two in pairwise(NAMES)])
    return replace(made, name="typed over", devices=(DeviceSpec(id="d", kind="simulated", slots=1),))


async def running(console: Console) -> Run:
    """A live run of a chain, in front of a window that has the keyboard."""
    handle = console.window.windowHandle()
    await until(handle.isExposed)
    handle.requestActivate()
    await until(console.window.isActiveWindow)
    console.documents.put_plan(chain())
    await at_rest(console)
    QTest.keyClick(console.window, Qt.Key.Key_F5)
    await until(lambda: isinstance(console.documents.front, RunTab))
    front = console.documents.front
    assert isinstance(front, RunTab)
    run = orchestrator_of(console).run(front.run_id)
    await until(lambda: run.state is RunState.EXECUTING)
    await at_rest(console)
    return run


def views_in(pane: QWidget) -> list[QWidget]:
    """What takes the keyboard in a pane, but for editors and buttons."""
    inside = [pane, *pane.findChildren(QAbstractScrollArea)]
    return [
        one
        for one in inside
        if one.focusPolicy() != Qt.FocusPolicy.NoFocus
        and one.isVisible()
        and one.isEnabled()
        and not isinstance(one, (*EDITORS, QAbstractButton))
        and not isinstance(one.parentWidget(), EDITORS)
    ]


def places_on(canvas: CanvasView) -> list[object]:
    """Where everything stands on a canvas."""
    picture = canvas.graph.picture
    assert picture is not None
    return [
        *picture.layout.positions.tolist(),
        canvas.layout_controller.arrangement.direction,
        canvas.layout_controller.arrangement.pinned,
    ]


async def typed(console: Console, view: QWidget, text: str) -> None:
    """Type over a view; a dialog or menu that a key has opened is closed again."""
    for character in text:
        view.setFocus()
        await until(view.hasFocus)  # a dialog that has just been closed may still have the keyboard
        QTest.keyClicks(view, character)
        await at_rest(console)
        while (popup := QApplication.activePopupWidget() or QApplication.activeModalWidget()) is not None:
            assert character == "?", f"{character!r} opened {popup}"
            popup.close()
            console.window.activateWindow()
            await at_rest(console)


@pytest.mark.parametrize("pane", ["canvas", *PANES])
def test_no_character_typed_over_a_view_of_a_live_run_changes_it(desktop: Desktop, pane: str) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await running(console)
            document_view = console.views.front
            assert document_view is not None
            document_view.selection.select(1)
            if pane != "canvas":
                console.window.workbench.show_pane(pane)
                await at_rest(console)
            shown = {"canvas": document_view.canvas, "devices": console.devices, "palette": console.palette}.get(pane)
            views = views_in(shown if shown is not None else document_view.pane(pane))
            asked: list[object] = []
            console.commands.done.connect(asked.append)
            console.commands.refused.connect(asked.append)
            revision, places = run.revision, places_on(document_view.canvas)
            assert views, pane
            for view in views:
                await typed(console, view, "".join(TYPED))
                QTest.keyClick(view, Qt.Key.Key_Escape)
                await typed(console, view, "sleep 5; echo fixed")
                for character in TYPED:  # each as the first one typed
                    QTest.keyClick(view, Qt.Key.Key_Escape)
                    await typed(console, view, character)
                QTest.keyClick(view, Qt.Key.Key_Escape)
            assert run.revision == revision
            assert asked == []
            assert places_on(document_view.canvas) == places
            assert run.state is RunState.EXECUTING

    desktop.run(main)


def test_turning_to_another_tab_never_puts_the_keyboard_into_a_field(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await running(console)
            document_view = console.views.front
            assert document_view is not None
            console.window.workbench.show_pane("queue")
            await at_rest(console)
            field = next(one for one in document_view.pane("queue").findChildren(QLineEdit) if one.isVisible())
            field.setFocus()
            await until(lambda: QApplication.focusWidget() is field)
            console.documents.turn_to(next(iter(console.documents)).key)
            await until(lambda: console.views.front is not document_view)
            await at_rest(console)
            assert not isinstance(QApplication.focusWidget(), EDITORS)
            await run.cancel()

    desktop.run(main)
