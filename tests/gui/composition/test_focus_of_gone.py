"""When the widget that has the keyboard goes, no button gets it that happens to come next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.test_console import front, small
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom import InProcessDevice
from starloom.scheduling import commands as c
from starloom_gui.panels.devices import DeviceCards

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop


def test_the_graph_gets_the_keyboard_of_a_pane_that_goes_and_a_device_stays_removed(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            for name in ("lab", "sim"):
                await orchestrator_of(console).fleet.add(InProcessDevice(name))
            console.documents.put_plan(small())
            await at_rest(console)
            bench = console.window.workbench
            bench.show_pane("devices")
            await at_rest(console)
            cards = console.window.findChild(DeviceCards)
            assert isinstance(cards, QWidget)
            cards.setFocus()
            assert QApplication.focusWidget() is cards
            console.commands.do(c.RemoveDevice(device_id="sim"))
            await until(lambda: console.strip.isVisible())
            dock = next(dock for dock in bench.docks.values() if "devices" in dock.keys)
            dock.hide()
            canvas = front(console).canvas
            assert QApplication.focusWidget() is canvas
            QTest.keyClick(canvas, Qt.Key.Key_Space)
            await at_rest(console)
            assert set(orchestrator_of(console).fleet.devices) == {"lab"}

    desktop.run(main)


def test_what_is_disabled_leaves_the_keyboard_in_its_pane_and_not_to_the_graph(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await orchestrator_of(console).fleet.add(InProcessDevice("lab"))
            console.documents.put_plan(small())
            await at_rest(console)
            console.window.workbench.show_pane("devices")
            cards = console.window.findChild(DeviceCards)
            assert isinstance(cards, DeviceCards)
            cards.setFocus()
            cards.setEnabled(False)
            focus = QApplication.focusWidget()
            assert focus is not None
            assert console.window.workbench.dock_of("devices").isAncestorOf(focus)

    desktop.run(main)
