"""A kind of device that nobody has described and that answers as it is told to, and the dialog that adds it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtWidgets import QPushButton
from typing_extensions import override

from starloom.devices.base import Device, TaskContext
from starloom.devices.local import LocalDevice
from starloom.devices.simulated import SimulatedDevice
from starloom.devices.ssh.errors import HostKeyUnknown
from starloom.errors import DeviceError
from starloom.model.result import Outcome, OutcomeStatus
from starloom_gui.dialogs.add_device import AddDeviceDialog
from starloom_gui.dialogs.device_forms import device_forms

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from starloom.model.task import Task
    from starloom_gui.theme.appearance import Appearance


class FarAway(Device):
    """A device of a plug-in that nobody has described, which answers as it is told to."""

    kind: ClassVar[str] = "far"
    heard: ClassVar[list[str]] = []
    answer: ClassVar[BaseException | None] = None
    is_slow: ClassVar[bool] = False

    def __init__(
        self, id: str, *, host: str, port: int = 22, agent: bool = True, ratio: float | None = None, **common: Any
    ) -> None:
        super().__init__(id, **common)
        if port < 1:
            raise DeviceError(f"Device {id!r}: port cannot be {port}; give it 1 or more.")
        self.host, self.port, self.agent, self.ratio = host, port, agent, ratio

    @override
    async def connect(self) -> None:
        FarAway.heard.append("connect")
        if FarAway.is_slow:
            await asyncio.sleep(3600)
        if FarAway.answer is not None:
            raise FarAway.answer

    @override
    async def disconnect(self) -> None:
        FarAway.heard.append("disconnect")

    @override
    async def run(self, task: Task, context: TaskContext) -> Outcome:
        return Outcome(OutcomeStatus.COMPLETED)


class Broken(dict[str, Any]):
    """Kinds one of which cannot be loaded."""

    @override
    def __getitem__(self, name: str) -> Any:
        if name == "broken":
            raise DeviceError("The device kind 'broken' cannot be loaded.")
        return super().__getitem__(name)


FINGERPRINT = "SHA256:" + "W" * 43
KINDS: Mapping[str, Any] = {"simulated": SimulatedDevice, "far": FarAway, "local": LocalDevice, "inprocess": object}


class AddDeviceBench:
    """The dialog, and what it has added."""

    def __init__(self, appearance: Appearance, app: QApplication, *known: str, **given: Any) -> None:
        self.added: list[Device] = []
        forms = device_forms(KINDS)
        self.dialog = AddDeviceDialog(appearance, self.added.append, lambda: known, forms=forms, **given)
        self.dialog.open()
        app.processEvents()

    def fill(self, kind: str, **values: Any) -> None:
        self.dialog.kinds.choose(kind)
        self.dialog.kinds.form.fill(values)

    def reasons(self) -> dict[str, str]:
        form = self.dialog.kinds.form
        return {name: form.reason(name) for name in form.names if form.reason(name)}


def unknown(known_hosts: Path) -> HostKeyUnknown:
    return HostKeyUnknown("lab.example", 22, "ssh-ed25519", FINGERPRINT, "lab.example ssh-ed25519 AAAA", known_hosts)


def remedies(bench: AddDeviceBench) -> dict[str, QPushButton]:
    found = {one.text(): one for one in bench.dialog.kinds.form.findChildren(QPushButton)}
    return {name: found[name] for name in ("Trust this key", "Copy text")}
