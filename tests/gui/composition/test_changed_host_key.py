"""A device whose host key has changed, in the real console: from its card to the dialog, and connected again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QPushButton
from tests.driver import plan, task
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.device_sight import card
from tests.gui.dialogs.test_changed_key import changed
from tests.gui.engines import orchestrator_of
from tests.waiting import until
from typing_extensions import override

from starloom.devices.simulated import SimulatedDevice
from starloom_gui.dialogs.changed_key import ChangedKeyDialog

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gui.composition.conftest import Desktop

    from starloom.devices.ssh.errors import HostKeyChanged


class Guarded(SimulatedDevice):
    """A device whose machine shows another host key until that is trusted."""

    def __init__(self, key: HostKeyChanged) -> None:
        super().__init__("lab", slots=1, heartbeat_interval=0.05)
        self.lost_after = 600.0
        self._key = key
        self.is_replaced = False

    @override
    async def ping(self) -> None:
        if self.is_replaced and self._key.line not in self._key.known_hosts.read_text():
            raise self._key


def test_from_the_card_to_the_dialog_and_the_device_is_connected_at_once(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            device = Guarded(changed(tmp_path / "known_hosts"))
            await orchestrator_of(console).fleet.add(device)
            run = await orchestrator_of(console).start(plan([task("a", simulate=3600.0)]))
            console.documents.put_run(run.id)
            await until(lambda: card(console).status == "busy")
            device.is_replaced = True
            await until(lambda: card(console).status == "refused")
            await at_rest(console)
            cards = console.devices.cards
            menu = cards.open_menu(cards.model().index(0, 0), QPoint(0, 0))
            next(action for action in menu.actions() if action.text() == "Compare host key…").trigger()
            menu.close()
            (dialog,) = console.window.findChildren(ChangedKeyDialog)
            dialog.close()
            await until(lambda: not console.window.findChildren(ChangedKeyDialog))
            view = console.views.front
            assert view is not None
            view.selection.select(0)
            await at_rest(console)
            buttons = view.views["inspector"].widget.findChildren(QPushButton)
            next(one for one in buttons if one.text() == "Compare host key…").click()
            (dialog,) = console.window.findChildren(ChangedKeyDialog)
            dialog.compared.click()
            dialog.default.click()
            await until(lambda: card(console).status == "busy")
            assert run.task("a").status == "running"
            assert orchestrator_of(console).supervisor.refusal("lab") is None
            await console.commands.answered()

    desktop.run(main)
