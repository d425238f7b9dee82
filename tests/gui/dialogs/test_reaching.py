"""Trying whether a device can be reached: what came of it, when it ends, and whose key is trusted."""

from __future__ import annotations

import asyncio
import sys

import pytest
from PySide6.QtGui import QGuiApplication
from tests.aip_server import UfoServer
from tests.gui.dialogs.far_away import FINGERPRINT, AddDeviceBench, FarAway, remedies, unknown
from tests.virtual_time import loop, pass_time, run

from starloom.devices.acp import AcpDevice
from starloom.devices.aip import AipDevice
from starloom.errors import DeviceError
from starloom_gui.dialogs.connection import ConnectionResult, ConnectionTest

pytestmark = pytest.mark.usefixtures("far_away")


def test_a_device_that_can_be_reached_is_let_go_again(app, appearance):
    async def main() -> None:
        bench = AddDeviceBench(appearance, app)
        bench.fill("far", id="f", host="h")
        bench.dialog.test.click()
        assert bench.dialog.reason == "Connecting…"
        await bench.dialog.connection.settled()
        assert FarAway.heard == ["connect", "disconnect"]
        assert bench.dialog.reason.startswith("Reached in 0")
        assert not bench.added

    run(main())


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (DeviceError("The host key is not known."), "The host key is not known."),
        (OSError("no route"), "OSError: no route. This is a defect of that kind of device."),
    ],
)
def test_what_failed_stands_under_the_place_of_the_device(app, appearance, answer, words):
    async def main() -> None:
        FarAway.answer = answer
        bench = AddDeviceBench(appearance, app)
        bench.fill("far", id="f", host="h")
        bench.dialog.test.click()
        await bench.dialog.connection.settled()
        assert bench.reasons() == {"host": words}
        assert FarAway.heard == ["connect"]
        assert bench.dialog.default.isEnabled()

    run(main())


def test_a_host_key_is_trusted_when_somebody_says_so_and_the_try_goes_on(app, appearance, tmp_path):
    async def main() -> None:
        FarAway.answer = key = unknown(tmp_path / "known_hosts")
        bench = AddDeviceBench(appearance, app)
        bench.fill("far", id="f", host="lab.example")
        bench.dialog.test.click()
        await bench.dialog.connection.settled()
        assert "The host key of lab.example is not in known_hosts." in bench.reasons()["host"]
        assert bench.dialog.kinds.form._troubles["host"].facts.text() == f"ssh-ed25519\n{FINGERPRINT}"
        facts = bench.dialog.kinds.form._troubles["host"].facts
        app.processEvents()
        assert facts.fontMetrics().horizontalAdvance(FINGERPRINT) <= facts.width()
        assert bench.dialog.reason == "Trust the key to go on"
        assert not bench.dialog.default.isEnabled()
        assert not key.known_hosts.exists()
        buttons = remedies(bench)
        buttons["Copy text"].click()
        assert FINGERPRINT in QGuiApplication.clipboard().text()
        FarAway.answer = None
        buttons["Trust this key"].setFocus()
        buttons["Trust this key"].click()
        await bench.dialog.connection.settled()
        app.processEvents()
        assert bench.dialog.focusWidget() is bench.dialog.default, "the ring is where Enter acts"
        assert key.known_hosts.read_text() == "lab.example ssh-ed25519 AAAA\n"
        assert not bench.reasons()
        assert bench.dialog.default.isEnabled()
        assert bench.dialog.reason.startswith("Reached in")

    run(main())


def test_a_host_key_that_cannot_be_noted_is_not_trusted(app, appearance, tmp_path):
    async def main() -> None:
        (tmp_path / "file").touch()
        FarAway.answer = unknown(tmp_path / "file" / "known_hosts")
        bench = AddDeviceBench(appearance, app)
        bench.fill("far", id="f", host="lab.example")
        bench.dialog.test.click()
        await bench.dialog.connection.settled()
        remedies(bench)["Trust this key"].click()
        assert "cannot be added" in bench.reasons()["host"]
        assert "Nothing was noted." in bench.reasons()["host"]
        assert FarAway.heard == ["connect"]

    run(main())


def test_a_device_that_does_not_answer_is_given_up_after_a_while(app, appearance):
    async def main() -> None:
        FarAway.is_slow = True
        bench = AddDeviceBench(appearance, app)
        bench.fill("far", id="f", host="h")
        begun = loop().time()
        bench.dialog.test.click()
        await bench.dialog.connection.settled()
        assert loop().time() - begun == pytest.approx(20)
        assert bench.reasons() == {"host": "It did not answer within 20 s."}

    run(main())


@pytest.mark.parametrize("how", ["the button", "an edit", "closing"])
def test_a_try_ends_with_its_reason(app, appearance, how):
    async def main() -> None:
        FarAway.is_slow = True
        bench = AddDeviceBench(appearance, app)
        told: list[ConnectionResult] = []
        bench.dialog.connection.ended.connect(told.append)
        bench.fill("far", id="f", host="h")
        bench.dialog.test.click()
        await pass_time(1)
        connection = bench.dialog.connection
        assert bench.dialog.test.text() == "Stop testing"
        {
            "the button": bench.dialog.test.click,
            "an edit": lambda: bench.dialog.kinds.form.editor("host").show_value("other"),
            "closing": bench.dialog.reject,
        }[how]()
        assert not connection.is_trying
        await connection.settled()
        assert not told

    run(main())


def test_a_new_try_takes_the_place_of_one_that_waits(app):
    async def main() -> None:
        FarAway.is_slow = True
        test = ConnectionTest()
        told: list[ConnectionResult] = []
        test.ended.connect(told.append)
        test.start(FarAway("slow", host="h"))
        await pass_time(1)
        FarAway.is_slow = False
        test.start(FarAway("fast", host="h"))
        await test.settled()
        assert [one.ok for one in told] == [True]

    run(main())


def test_an_agent_of_ufo_tells_of_its_machine_and_is_asked_for_nothing_else(app):
    with UfoServer() as server:

        async def main() -> ConnectionResult:
            connection = ConnectionTest()
            results: list[ConnectionResult] = []
            connection.ended.connect(results.append)
            connection.start(AipDevice("dev", url=server.url))
            await connection.settled()
            return results[0]

        result = asyncio.run(main())
    assert result.ok
    assert result.words.startswith("Reached in ")
    assert "box · linux 6.1 · 8 CPU · 15.5 GB · browser, computer, linux, office, shell" in result.words
    assert [one["type"] for one in server.heard] == ["register", "device_info_request"]


def test_a_program_that_merely_prints_is_not_reached_as_an_agent(app):
    async def main() -> ConnectionResult:
        connection = ConnectionTest()
        results: list[ConnectionResult] = []
        connection.ended.connect(results.append)
        connection.start(AcpDevice("dev", command=[sys.executable, "-c", "print('Welcome to the shop')"]))
        await connection.settled()
        return results[0]

    result = asyncio.run(main())
    assert not result.ok
    assert "is no agent of the Agent Client Protocol" in result.words
    assert "Welcome to the shop" in result.words
