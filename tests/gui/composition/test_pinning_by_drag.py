"""A task is pinned by dragging its node onto a device's card or lane, or by a submenu; both can be taken back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, started
from tests.gui.composition.test_menus_at_the_pointer import Pointer, entry
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.constellation.edits import AddTask
from starloom.model.device import DeviceSpec
from starloom_gui.canvas.pin_drag import PinDrag, PinOverlay
from starloom_gui.editing.base import Mode, Step
from starloom_gui.editing.run_editor import RunEditor

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starloom_gui.composition.console import Console

LEFT = Qt.MouseButton.LeftButton
PLAIN = Qt.KeyboardModifier.NoModifier


def pins(pointer: Pointer) -> PinDrag:
    found = pointer.canvas.gestures.pins
    assert isinstance(found, PinDrag)
    return found


def card(console: Console, device_id: str) -> QPoint:
    """The middle of a device's card, on the screen."""
    cards = console.devices.cards
    for row in range(cards.model().rowCount()):
        index = cards.model().index(row, 0)
        if cards.row_at(index).id == device_id:
            return cards.viewport().mapToGlobal(cards.visualRect(index).center())
    raise AssertionError(f"{device_id} has no card")


def lane(pointer: Pointer, device_id: str) -> QPoint:
    """A place in the first lane of a device, on the screen."""
    timeline = pointer.document_view.timeline
    row = next(at for at, lane in enumerate(timeline.model.lanes) if lane.device_id == device_id)
    geometry = timeline.geometry_now()
    return timeline.viewport().mapToGlobal(QPoint(timeline.viewport().width() // 2, geometry.y_of(row) + 5))


def drag(pointer: Pointer, id: str, to: QPoint) -> None:
    """Take hold of a node and bring it to a place of the screen, in real moves; it is still held."""
    port, begin = pointer.canvas.viewport(), pointer.node(id)
    QTest.mousePress(port, LEFT, PLAIN, begin)
    end = port.mapFromGlobal(to)
    for share in (0.2, 0.6, 1.0):
        QTest.mouseMove(port, begin + (end - begin) * share)


def let_go(pointer: Pointer, to: QPoint) -> None:
    QTest.mouseRelease(pointer.canvas.viewport(), LEFT, PLAIN, pointer.canvas.viewport().mapFromGlobal(to))


def device_of(pointer: Pointer, id: str) -> str | None:
    facts = pointer.document_view.reader.facts()
    assert facts is not None
    return facts.pin_of(facts.graph.place[id])


def over(desktop: Desktop, doing: Callable[[Pointer], Awaitable[None]]) -> None:
    """Do something over a run on two devices: a runs, b and c wait for it, and alone runs."""

    async def main() -> None:
        async with desktop.console() as console:
            tasks = [task(name, simulate=LONG) for name in ("a", "b", "c", "alone")]
            devices = tuple(DeviceSpec(id=name, kind="simulated", slots=2) for name in ("first", "second"))
            await started(console, replace(plan(tasks, ["a>b", "a>c"]), devices=devices))
            await at_rest(console)
            await until(lambda: console.devices.cards.model().rowCount() == 2)
            pointer = Pointer(console)
            await until(
                lambda: {lane.device_id for lane in pointer.document_view.timeline.model.lanes} == {"first", "second"}
            )
            console.window.workbench.turn_to("timeline")
            await doing(pointer)
            while (popup := QApplication.activePopupWidget()) is not None:
                popup.close()

    desktop.run(main)


@pytest.mark.parametrize("onto", ["card", "lane"])
def test_a_node_dragged_onto_a_device_is_pinned_there_and_undo_takes_it_back(desktop: Desktop, onto: str) -> None:
    async def doing(pointer: Pointer) -> None:
        to = card(pointer.console, "second") if onto == "card" else lane(pointer, "second")
        before = pointer.canvas.layout_controller.arrangement
        drag(pointer, "b", to)
        assert pins(pointer).words.partition("\n")[0] == "Run b on second only"
        overlay = pointer.console.window.findChild(PinOverlay)
        assert overlay is not None
        assert overlay.isVisible()
        assert device_of(pointer, "b") is None
        let_go(pointer, to)
        await until(lambda: device_of(pointer, "b") == "second")
        assert pointer.canvas.layout_controller.arrangement == before, "the node stays where it stands"
        assert pins(pointer).words == ""
        await until(pointer.console.actions["undo"].isEnabled)
        pointer.console.actions["undo"].trigger()
        await until(lambda: device_of(pointer, "b") is None)

    over(desktop, doing)


@pytest.mark.parametrize("id", ["b", "new"])
@pytest.mark.parametrize("onto", ["card", "lane"])
def test_in_staged_mode_the_pin_of_a_drag_is_staged_also_of_a_task_that_is_only_staged(
    desktop: Desktop, onto: str, id: str
) -> None:
    async def doing(pointer: Pointer) -> None:
        editor = pointer.document_view.source.editor
        assert isinstance(editor, RunEditor)
        editor.set_mode(Mode.STAGED)
        editor.do(Step(label="Add new", edits=(AddTask(task("new")),)))
        await at_rest(pointer.console)
        to = card(pointer.console, "second") if onto == "card" else lane(pointer, "second")
        drag(pointer, id, to)
        assert pins(pointer).words.partition("\n")[0] == f"Run {id} on second only"
        let_go(pointer, to)
        await at_rest(pointer.console)
        assert pointer.facts.pin_of(pointer.facts.graph.place[id]) == "second"
        assert device_of(pointer, "b") is None, "it acted before the commit"
        editor.staging.discard()
        assert pointer.facts.pin_of(pointer.facts.graph.place["b"]) is None

    over(desktop, doing)


def test_what_cannot_be_pinned_says_why_and_nothing_is_done(desktop: Desktop) -> None:
    async def doing(pointer: Pointer) -> None:
        to = card(pointer.console, "second")
        drag(pointer, "a", to)
        assert "a" in pins(pointer).words
        assert "only" not in pins(pointer).words
        let_go(pointer, to)
        await at_rest(pointer.console)
        assert device_of(pointer, "a") is None

    over(desktop, doing)


def test_all_selected_tasks_are_pinned_together(desktop: Desktop) -> None:
    async def doing(pointer: Pointer) -> None:
        place, to = pointer.facts.graph.place, card(pointer.console, "first")
        pointer.document_view.selection.select_all([place["b"], place["c"]], place["b"])
        drag(pointer, "b", to)
        assert pins(pointer).words.startswith("Run 2 task(s) on first only")
        let_go(pointer, to)
        await until(lambda: (device_of(pointer, "b"), device_of(pointer, "c")) == ("first", "first"))

    over(desktop, doing)


def test_escape_or_coming_back_to_the_canvas_pins_nothing(desktop: Desktop) -> None:
    async def doing(pointer: Pointer) -> None:
        to = card(pointer.console, "second")
        drag(pointer, "b", to)
        QTest.keyClick(pointer.canvas, Qt.Key.Key_Escape)
        assert pins(pointer).words == ""
        let_go(pointer, to)
        drag(pointer, "b", to)
        back = pointer.node("b") + QPoint(40, 40)
        QTest.mouseMove(pointer.canvas.viewport(), back)
        assert pins(pointer).words == ""
        QTest.mouseRelease(pointer.canvas.viewport(), LEFT, PLAIN, back)
        await at_rest(pointer.console)
        assert device_of(pointer, "b") is None
        assert pointer.canvas.layout_controller.arrangement.pinned, "there it was only moved"

    over(desktop, doing)


def test_a_pane_that_is_behind_another_is_nothing_to_drop_on(desktop: Desktop) -> None:
    async def doing(pointer: Pointer) -> None:
        to = lane(pointer, "second")
        pointer.console.window.workbench.turn_to("output")
        drag(pointer, "b", to)
        assert pins(pointer).words == ""
        QTest.keyClick(pointer.canvas, Qt.Key.Key_Escape)

    over(desktop, doing)


def test_the_submenu_lists_the_devices_and_pins(desktop: Desktop) -> None:
    async def doing(pointer: Pointer) -> None:
        menu = pointer.menu_at(pointer.node("b"))
        devices = entry(menu, "Run on").menu()
        names = [action.text() for action in devices.actions()]
        assert names == ["Any device", "first", "second"]
        assert devices.actions()[0].isChecked()
        devices.actions()[2].trigger()
        menu.close()
        await until(lambda: device_of(pointer, "b") == "second")
        menu = pointer.menu_at(pointer.node("b"))
        devices = entry(menu, "Run on").menu()
        assert [action.isChecked() for action in devices.actions()] == [False, False, True]
        devices.actions()[0].trigger()
        menu.close()
        await until(lambda: device_of(pointer, "b") is None)

    over(desktop, doing)


def test_of_a_task_that_runs_the_submenu_says_why_not(desktop: Desktop) -> None:
    async def doing(pointer: Pointer) -> None:
        devices = entry(pointer.menu_at(pointer.node("a")), "Run on").menu()
        second = devices.actions()[2]
        assert not second.isEnabled()
        assert "a" in second.toolTip()

    over(desktop, doing)


def test_in_a_plan_it_becomes_the_device_of_the_task(desktop: Desktop) -> None:
    async def main() -> None:
        first = DeviceSpec(id="first", kind="simulated")
        async with desktop.console() as console:
            await started(console, replace(plan([task("x", simulate=LONG)]), devices=(first,)))
            await until(lambda: console.devices.cards.model().rowCount() == 1)
            console.documents.put_plan(plan(["a", "b"]))
            await at_rest(console)
            pointer = Pointer(console)
            to = card(console, "first")
            drag(pointer, "b", to)
            assert pins(pointer).words == "Run b on first only"
            let_go(pointer, to)
            await until(lambda: pointer.facts.graph.task("b").device == "first")

    desktop.run(main)


def test_only_what_is_pinned_can_be_unpinned(desktop: Desktop) -> None:
    async def doing(pointer: Pointer) -> None:
        console, view = pointer.console, pointer.document_view
        facts = view.reader.facts()
        assert facts is not None
        unpin = console.actions["unpin"]
        view.selection.select(facts.graph.place["b"])
        console.actions.refresh()
        assert not unpin.isEnabled()
        assert unpin.statusTip() == "No selected task is pinned to a device."
        await orchestrator_of(console).run(facts.run_id).pin("b", device="second")
        await at_rest(console)
        console.actions.refresh()
        assert unpin.isEnabled()
        unpin.trigger()
        await until(lambda: device_of(pointer, "b") is None)
        await at_rest(console)
        console.actions.refresh()
        assert not unpin.isEnabled()

    over(desktop, doing)
