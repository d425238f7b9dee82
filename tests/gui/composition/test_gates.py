"""Gates in the console: a real engine, answered as users do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from tests.driver import plan, task
from tests.gui.composition.test_agents import (
    badge_of,
    pane_of,
    readied,
    waiting,
)
from tests.gui.composition.test_console import LONG, front
from tests.gui.composition.test_time_travel import looking_back, settled
from tests.waiting import until

from starloom.model.device import DeviceSpec
from starloom.model.status import GateDefault
from starloom.model.task import Gate
from starloom_gui.canvas.badges import Badge

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop

    from starloom.model.plan import Plan


def gated() -> Plan:
    """A gate that asks, one whose countdown ends soon, and what waits for the first."""
    ask = task("ask", gate=Gate(message="Ship it to everybody?"))
    soon = task("soon", gate=Gate(message="", after=600.0, then=GateDefault.SKIP))
    device = DeviceSpec(id="dev", kind="simulated", slots=2)
    return replace(plan([ask, soon, task("ship", simulate=LONG)], ["ask>ship"]), name="gated", devices=(device,))


def test_gates_wait_with_proposals_in_one_list_each_answered_by_its_own_id(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, pane = await readied(console, gated()), pane_of(console)
            console.actions["start"].trigger()
            await until(lambda: len([entry for entry in pane.entries.entries if entry.key]) == 2)
            await until(lambda: waiting(console).startswith("2 "))
            await until(lambda: badge_of(console, "ask") == Badge.GATE)
            assert "waits for you" in front(console).canvas.marks.description_of(run.facts.graph.place["ask"])
            assert pane.accept_all.isHidden() or not pane.accept_all.isVisible()
            titles = {entry.title: entry.detail for entry in pane.entries.entries if entry.key}
            assert "gate ask" in titles["Ship it to everybody?"]
            assert titles["soon"].startswith("skipped in ")
            await until(lambda: console.notifications.notices.unseen == 2)
            pane.show_gate("ask")
            assert pane.gate.isVisible()
            assert not pane.fence.isVisible(), "no agent is asked, so that nothing waits meanwhile"
            pane.gate.bar.note.setText("all tests are green")
            pane.gate.bar.accept.click()
            await until(lambda: run.task("ship").status == "running")
            result = run.task("ask").result
            assert result is not None
            assert result.value == "all tests are green"
            await until(lambda: waiting(console).startswith("1 "))
            pane.show_gate("soon")
            pane.gate.bar.reject.click()
            await until(lambda: run.task("soon").status == "failed")
            await until(lambda: not waiting(console))

    desktop.run(main)


def test_a_click_on_the_badge_of_a_gate_opens_its_question(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, pane = await readied(console, gated()), pane_of(console)
            console.actions["start"].trigger()
            await until(lambda: badge_of(console, "ask") == Badge.GATE)
            canvas = front(console).canvas
            console.window.workbench.show_pane("timeline")
            assert canvas.graph.picture is not None
            row = canvas.graph.picture.row(run.facts.graph.place["ask"])
            assert row is not None
            spot = canvas.graph.node_rect(row).topRight().toPoint() + QPoint(-3, -1)
            QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=spot)
            await until(pane.gate.isVisible)
            assert pane.entries.key == ("gate", ("ask", 1))

    desktop.run(main)


def test_the_number_on_the_tab_is_of_now_whatever_moment_is_shown(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await readied(console, gated())
            pane = pane_of(console)
            console.actions["start"].trigger()
            await until(lambda: waiting(console).startswith("2 "))
            travel = await looking_back(console)
            travel.go_to_begin()
            await settled(console, travel)
            assert not [entry for entry in pane.entries.entries if entry.key]
            console.views.turned.emit(front(console))  # as when one comes back from another tab
            assert waiting(console).startswith("2 ")
            travel.go_live()
            await settled(console, travel)
            assert waiting(console).startswith("2 ")

    desktop.run(main)


def test_a_gate_is_answered_in_the_inspector_too(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await readied(console, gated())
            console.actions["start"].trigger()
            await until(lambda: waiting(console).startswith("2 "))
            front(console).selection.select(run.facts.graph.place["ask"])
            inspector = front(console).pane("inspector")

            def buttons() -> dict[str, QPushButton]:
                return {one.text(): one for one in inspector.findChildren(QPushButton) if one.isVisible()}

            await until(lambda: {"Approve", "Reject", "With a note…"} <= set(buttons()))
            buttons()["Approve"].click()
            await until(lambda: run.task("ask").status == "completed")

    desktop.run(main)


@pytest.mark.parametrize(("label", "task_id"), [("Approve", "ask"), ("Reject", "ask"), ("Skip", "ship")])
def test_after_an_answer_in_the_inspector_the_keyboard_is_where_it_came_from(
    desktop: Desktop, label: str, task_id: str
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await readied(console, gated())
            console.actions["start"].trigger()
            console.window.activateWindow()
            view = front(console)
            await until(lambda: badge_of(console, "ask") == Badge.GATE)
            view.selection.select(run.facts.graph.place[task_id])
            console.window.workbench.show_pane("inspector")
            view.canvas.setFocus()
            inspector = view.views["inspector"].widget

            def offered() -> list[QPushButton]:
                buttons = inspector.findChildren(QPushButton)
                return [one for one in buttons if one.text() == label and one.isVisible() and one.isEnabled()]

            QTest.mouseClick((await until(offered))[0], Qt.MouseButton.LeftButton)
            await until(lambda: not offered())
            assert QApplication.focusWidget() is view.canvas

    desktop.run(main)


def test_with_a_note_the_keyboard_is_where_the_note_is_typed(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await readied(console, gated())
            console.actions["start"].trigger()
            console.window.activateWindow()
            await until(lambda: badge_of(console, "ask") == Badge.GATE)
            front(console).selection.select(run.facts.graph.place["ask"])
            console.window.workbench.show_pane("inspector")
            inspector = front(console).pane("inspector")

            def offered() -> list[QPushButton]:
                buttons = inspector.findChildren(QPushButton)
                return [one for one in buttons if one.text() == "With a note…" and one.isVisible()]

            QTest.mouseClick((await until(offered))[0], Qt.MouseButton.LeftButton)
            note = pane_of(console).gate.bar.note
            await until(lambda: QApplication.focusWidget() is note)

    desktop.run(main)
