"""The forms of Dask clusters and of containers, phones and the like: what they come to, and what failed where."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.dialogs.far_away import AddDeviceBench, FarAway
from tests.gui.event_loop.loops import run_on
from tests.virtual_time import run
from typing_extensions import override

from starloom.devices.acp import AcpDevice
from starloom.devices.aip import AipDevice
from starloom.devices.dask.cluster import DaskCluster
from starloom.devices.group import DeviceGroup, GroupChange
from starloom.devices.llm import LlmDevice
from starloom.devices.llm.key import OPENAI
from starloom.devices.wrapped import WrappedDevice
from starloom_gui.dialogs.add_device import AddDeviceDialog
from starloom_gui.dialogs.connection import ConnectionResult, ConnectionTest
from starloom_gui.event_loop import QtEventLoop

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom.devices.base import Device
    from starloom_gui.theme.appearance import Appearance


class Real(AddDeviceBench):
    """The dialog with the kinds there really are."""

    def __init__(self, appearance: Appearance, app: QApplication) -> None:
        self.added: list[Device] = []
        self.dialog = AddDeviceDialog(appearance, self.added.append, tuple)
        self.dialog.open()
        app.processEvents()

    def made(self, kind: str, **values: Any) -> Device:
        self.fill(kind, **values)
        self.dialog.default.click()
        return self.added[-1]


# ---- what the forms come to


def test_the_kinds_stand_in_the_order_of_their_use(app, appearance):
    labels = [button.text() for button in Real(appearance, app).dialog.kinds.buttons.buttons()]
    assert labels[:7] == ["This computer", "SSH", "Dask", "Container", "Agent", "UFO agent", "Language model"]


def test_a_cluster_that_runs_is_named_by_its_address(app, appearance):
    made = Real(appearance, app).made("dask", id="farm", address="tcp://10.0.0.5:8786", slots=2)
    assert isinstance(made, DaskCluster)
    assert (made.address, made.slots) == ("tcp://10.0.0.5:8786", 2)


def test_a_cluster_is_started_here_where_no_address_is_given(app, appearance):
    made = Real(appearance, app).made("dask", id="farm", workers=3)
    assert isinstance(made, DaskCluster)
    assert (made.address, made.workers, made.threads, made.slots) == (None, 3, 1, None)


@pytest.mark.parametrize(
    ("values", "wrapper"),
    [
        ({"wrapper": "docker exec"}, "docker exec"),
        ({"wrapper": "adb shell"}, "adb shell"),
        ({"wrapper": "other", "program": 'podman exec "a b" {target}'}, ("podman", "exec", "a b", "{target}")),
    ],
)
def test_a_container_is_reached_by_a_program_with_a_name_or_another_one(app, appearance, values, wrapper):
    made = Real(appearance, app).made("wrapped", id="box", target="web", **values)
    assert isinstance(made, WrappedDevice)
    assert (made.wrapper, made.target) == (wrapper, "web")


def test_an_agent_is_a_command_line_here_or_on_a_host(app, appearance):
    made = Real(appearance, app).made("acp", id="coder", command="gemini --acp 'a b'", permissions="allow_reads")
    assert isinstance(made, AcpDevice)
    assert (made.command, made.permissions, made.slots) == (("gemini", "--acp", "a b"), "allow_reads", 1)
    there = Real(appearance, app).made("acp", id="coder", command="gemini", host="box.example", user="me", cwd="work")
    assert there.describe()["machine"]["host"] == "box.example"


def test_an_agent_of_ufo_has_an_address_and_a_token_that_is_kept_elsewhere(app, appearance):
    made = Real(appearance, app).made("aip", id="pc", url="ws://localhost:5000/ws", token="env:KEY", target="agent_1")
    assert isinstance(made, AipDevice)
    assert (made.address.url, made.address.token, made.target) == ("ws://localhost:5000/ws", "env:KEY", "agent_1")
    far = Real(appearance, app).made("aip", id="pc", url="ws://box.example/ws", plaintext=True)
    assert far.describe()["plaintext"] is True


def test_a_language_model_is_a_name_and_an_address(app, appearance):
    made = Real(appearance, app).made("llm", id="mind", model="m", url="http://127.0.0.1:1/v1", system="Be brief.")
    assert isinstance(made, LlmDevice)
    assert (made.model, made.url, made.system, made.slots) == ("m", "http://127.0.0.1:1/v1", "Be brief.", 1)
    assert Real(appearance, app).made("llm", id="mind", model="m").url == OPENAI


@pytest.mark.parametrize(
    ("kind", "values", "field", "words"),
    [
        ("aip", {"url": "ws://box.example/ws"}, "url", "can be read and changed by others"),
        ("aip", {"url": "http://x"}, "url", "no address of a WebSocket"),
        ("aip", {"url": "ws://localhost/?token=x"}, "url", "holds a token or password"),
        ("aip", {"url": "ws://localhost/", "token": "s3cret"}, "token", "not what it is"),
        ("dask", {"address": "somewhere"}, "address", "address cannot be 'somewhere'"),
        ("dask", {"address": "tcp://h:1", "workers": 2}, "address", "cannot have both"),
        ("dask", {"workers": 0}, "workers", "workers cannot be 0"),
        ("dask", {"threads": "some"}, "threads", "“some” is no whole number."),
        ("llm", {"model": "m", "url": "http://far.example/v1"}, "plaintext", "can be read on its way"),
        ("wrapped", {}, "target", "needs a `target`"),
        ("wrapped", {"target": "-rm"}, "target", "target cannot be '-rm'"),
        ("wrapped", {"target": "t", "wrapper": "other"}, "program", "The program is missing"),
        ("wrapped", {"target": "t", "program": "podman"}, "program", "not used by “docker exec”"),
        ("wrapped", {"target": "t", "wrapper": "other", "program": "a 'b"}, "program", "quotation mark"),
    ],
)
def test_what_is_wrong_stands_under_its_field(app, appearance, kind, values, field, words):
    bench = Real(appearance, app)
    bench.fill(kind, id="x", **values)
    bench.dialog.default.click()
    assert not bench.added
    assert list(bench.reasons()) == [field]
    assert words in bench.reasons()[field]


@pytest.mark.parametrize("kind", ["dask", "wrapped"])
def test_every_field_is_reached_by_tab_and_has_a_name(app, appearance, kind):
    bench = Real(appearance, app)
    bench.fill(kind, id="x", target="t")
    bench.dialog.kinds.form.show_more()
    app.processEvents()
    reached = set()
    for _ in range(30):
        focused = app.focusWidget()
        reached |= {focused.accessibleName()} if focused is not None else set()
        bench.dialog.focusNextChild()
    fields = next(one.fields for one in bench.dialog.kinds.descriptions if one.kind == kind)
    assert {field.label for field in fields} <= reached
    QTest.keyClick(bench.dialog, Qt.Key.Key_Escape)
    assert not bench.dialog.isVisible()


# ---- trying them


class Farm(DeviceGroup):
    """A group that is reached at once, and has so many members, or never any."""

    kind: ClassVar[str] = "farm"
    heard: ClassVar[list[str]] = []

    def __init__(self, count: int) -> None:
        super().__init__("farm")
        self.count = count

    @override
    async def changed(self) -> GroupChange:
        if not self.count:
            await asyncio.Event().wait()
        return GroupChange(tuple(FarAway(f"w{n}", host="h") for n in range(self.count)))

    @override
    def forget(self, device_id: str) -> None:
        """All of them are told of each time."""

    @override
    async def disconnect(self) -> None:
        Farm.heard.append("disconnect")


@pytest.mark.parametrize(("count", "words"), [(3, "3 worker"), (0, "no worker is there yet")])
def test_of_a_cluster_it_is_said_how_many_workers_it_has(app, count, words):
    async def main() -> None:
        Farm.heard = []
        test = ConnectionTest()
        told: list[ConnectionResult] = []
        test.ended.connect(told.append)
        test.start(Farm(count))
        await test.settled()
        assert told[0].ok
        assert words in told[0].words
        assert Farm.heard == ["disconnect"]

    run(main())


def test_a_system_that_answers_is_reached(app, appearance):
    async def main() -> None:
        bench = Real(appearance, app)
        bench.fill("wrapped", id="here", wrapper="other", program="env")
        bench.dialog.test.click()
        await bench.dialog.connection.settled()
        assert bench.dialog.reason.startswith("Reached in")
        assert not bench.reasons()

    run_on(QtEventLoop, main)


def test_what_the_program_said_stands_under_the_target(app, appearance):
    async def main() -> None:
        bench = Real(appearance, app)
        bench.fill("wrapped", id="box", wrapper="other", program="sh -c 'echo no such container >&2; exit 1'")
        bench.dialog.test.click()
        await bench.dialog.connection.settled()
        assert list(bench.reasons()) == ["target"]
        assert "sh ended with 1: no such container" in bench.reasons()["target"]

    run_on(QtEventLoop, main)


def test_a_scheduler_that_is_not_there_is_said_under_its_address(app, appearance):
    async def main() -> None:
        bench = Real(appearance, app)
        bench.fill("dask", id="farm", address="tcp://127.0.0.1:1")
        bench.dialog.test.click()
        await bench.dialog.connection.settled()
        assert list(bench.reasons()) == ["address"]
        assert "127.0.0.1:1" in bench.reasons()["address"]

    run_on(QtEventLoop, main)


def test_a_directory_of_this_computer_that_is_not_there_is_said_under_its_field(app, appearance, tmp_path):
    bench = Real(appearance, app)
    bench.fill("local", id="here", working_directory=str(tmp_path / "away"))
    for pressed in (bench.dialog.test, bench.dialog.default):
        pressed.click()
        words = f"There is no folder {tmp_path / 'away'}. Nothing was added."
        assert bench.reasons() == {"working_directory": words}
        assert not bench.dialog.connection.is_trying
    assert not bench.added
    assert bench.made("local", id="here", working_directory=str(tmp_path)).id == "here"
