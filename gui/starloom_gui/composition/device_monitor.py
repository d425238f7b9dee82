"""The devices of one engine: their load, and the pane that shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom_gui.dialogs.host_key import changed_key
from starloom_gui.gateway.device_load import DeviceLoad
from starloom_gui.gateway.feed_visibility import Watch, feed_while_seen
from starloom_gui.gateway.remote_engine import only_watches
from starloom_gui.models.device_table import DeviceTable
from starloom_gui.panels.devices import DevicesPanel
from starloom_gui.time_travel.fleet_age import fleet_age
from starloom_gui.time_travel.fleet_reader import FleetReader
from starloom_gui.time_travel.read_only_gateway import refusal_of
from starloom_gui.viewmodel.roles import ItemRole

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.gateway.engine import Engine
    from starloom_gui.theme.appearance import Appearance


class DeviceMonitor(QObject):
    """Keeps the pane of the devices as they are, or as they were at the moment that is in front.

    Args:
        engine: whose devices they are.
        bridge: tells of it.
        gateway: gives who answers for what is in front.
        appearance: the colours.
        parent: of the object.

    Attributes:
        reader: reads the fleet as what is in front shows it.
        panel: the pane.
    """

    def __init__(
        self,
        engine: Engine,
        bridge: Bridge,
        gateway: Callable[[], CommandGateway],
        appearance: Appearance,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        devices = engine.devices
        self._load = DeviceLoad(devices, parent=self)
        self._barred = " ".join(only_watches()) if engine.watches else ""
        self.reader = reader = FleetReader(bridge, self._load, devices.unended)
        other_key = lambda device_id: changed_key(reader.refusal(device_id)) is not None  # noqa: E731
        told = reader.heard, reader.load, reader.unended, reader.about, reader.is_late, other_key
        self._table = DeviceTable(reader.fleet, reader.runs, reader.now, *told, engine.origin, self)
        self.panel = DevicesPanel(self._table, appearance, gateway, now=reader.now, memory=reader.memory)
        feed_while_seen(self.panel, bridge.feed(parent=self.panel)).changed.connect(self._table.on_changes)
        reader.tell(self._show)
        self.panel.forbid_adding(self._barred)
        Watch(self.panel, self._load.set_watched)
        self._load.measured.connect(self._table.rebuild)

    @property
    def selected(self) -> str:
        """The id of the device that is selected; empty: none is."""
        return self.panel.cards.currentIndex().data(ItemRole.ID) or ""

    def _show(self, changes: Changes) -> None:
        """Update the device panel to another moment, or the present."""
        self._table.on_changes(changes)
        self.panel.show_age(fleet_age(self.reader.past) if self.reader.past is not None else "")
        why = refusal_of(self.reader.past) if self.reader.past is not None else None
        self.panel.forbid_adding(f"{why.reason} {why.hint}" if why is not None else self._barred)

    def close(self) -> None:
        """Measure no more."""
        self._load.set_watched(False)
