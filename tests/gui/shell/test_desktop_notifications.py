"""The desktop's notifications, over a real bus, to a service that Qt's own D-Bus makes; and what happens without."""

from __future__ import annotations

import socket
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QIcon
from tests.driver import Driver, plan
from tests.gui.event_loop.loops import run_on
from tests.gui.shell.notification_service import Heard, private_bus, service_on
from tests.waiting import until
from typing_extensions import override

from starloom_gui.event_loop import QtEventLoop
from starloom_gui.shell import session_bus
from starloom_gui.shell.notice import NoticeKind
from starloom_gui.shell.notifying import MOST_AT_ONCE, Desktop, Notifier, Tray
from starloom_gui.shell.session_bus import BusError, SessionBus, session_address

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
    from typing import Any

pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture
def bus() -> Iterator[str]:
    """The address of a bus on which nobody is."""
    with private_bus() as address:
        yield address


class Told(Tray):
    """A tray that remembers."""

    def __init__(self) -> None:
        super().__init__(QIcon)
        self.told: list[tuple[str, str]] = []

    @override
    def tell(self, number: int, title: str, detail: str) -> bool:
        self.told.append((title, detail))
        return True


class Bench:
    """A notifier over notices that are made by hand, for a window that is not in front."""

    def __init__(self, address: str) -> None:
        self.driver = Driver()
        self.driver.checked = False
        self.heard = Heard(self.driver)
        self.tray, self.desktop, self.is_in_front = Told(), Desktop(address), False
        self.notifier = Notifier(self.heard.notices, lambda: self.is_in_front, self.desktop, self.tray)
        self.notifier._timer.setInterval(0)
        self.chosen: list[object] = []
        self.notifier.chosen.connect(self.chosen.append)

    def fail(self, name: str, run_id: str = "r") -> None:
        if run_id not in self.driver.scheduler.runs:
            self.driver.create(plan([name, "other"]), run_id)
        self.driver.fail(name, run_id)
        self.heard.hear()


def scenario(address: str, main: Callable[[Bench], Coroutine[Any, Any, None]]) -> None:
    async def closed_afterwards() -> None:
        bench = Bench(address)
        try:
            await main(bench)
        finally:
            await bench.notifier.close()

    run_on(QtEventLoop, closed_afterwards)


def test_a_failure_is_shown_on_the_desktop_and_a_second_one_in_its_place(bus: str):
    async def main(bench: Bench) -> None:
        with service_on(bus) as shown:
            bench.fail("a")
            await until(lambda: bench.desktop._bubbles)
            first = shown.next()
            bench.driver.fail("other")
            bench.heard.notices.hidden = frozenset({NoticeKind.ENDED})
            bench.heard.hear()
            second = shown.next() if await until_idle(bench) else {}
        assert (first["title"], first["replaces"], first["hints"]["urgency"]) == ("a failed", 0, 2)
        assert (second["title"], second["replaces"]) == ("2 task(s) failed", 1)

    scenario(bus, main)


async def until_idle(bench: Bench) -> bool:
    """Return once nothing waits to be told."""
    await until(lambda: not bench.notifier._waiting and bench.notifier._told is None)
    return True


def test_a_click_on_the_desktop_chooses_the_notice(bus: str):
    async def main(bench: Bench) -> None:
        with service_on(bus) as shown:
            bench.fail("click me")
            await until(lambda: bench.chosen)
            assert shown.next()["actions"] == ["default", "Show"]
        assert bench.chosen == list(bench.heard.notices)

    scenario(bus, main)


def test_many_at_once_are_told_as_their_number(bus: str):
    async def main(bench: Bench) -> None:
        with service_on(bus) as shown:
            for number in range(MOST_AT_ONCE + 2):
                bench.fail("a", f"run {number}")
            await until(lambda: bench.desktop._bubbles)
            assert shown.next()["title"].startswith(f"{MOST_AT_ONCE + 2} ")

    scenario(bus, main)


def test_what_a_name_says_is_not_taken_for_markup(bus: str):
    async def main(bench: Bench) -> None:
        with service_on(bus) as shown:
            await bench.desktop.tell(1, "t", "<b>& Ä\0", is_loud=False)
            said = shown.next()
        assert (said["text"], said["hints"]["urgency"]) == ("&lt;b&gt;&amp; Ä", 1)

    scenario(bus, main)


def test_nothing_is_told_there_while_somebody_looks_or_if_nobody_wants_it(bus: str):
    async def main(bench: Bench) -> None:
        with service_on(bus) as shown:
            bench.is_in_front = True
            bench.fail("a", "looked at")
            bench.is_in_front, bench.notifier.is_on = False, False
            bench.fail("a", "unwanted")
            bench.notifier.is_on = True
            bench.fail("b", "told")
            await until(lambda: bench.desktop._bubbles)
            assert shown.next()["title"] == "b failed"

    scenario(bus, main)


def test_coming_to_the_window_before_it_is_told_is_enough(bus: str):
    async def main(bench: Bench) -> None:
        with service_on(bus) as shown:
            bench.fail("a")
            bench.notifier.rest()
            bench.fail("b", "s")
            await until(lambda: bench.desktop._bubbles)
            assert shown.next()["title"] == "b failed"

    scenario(bus, main)


def test_the_tray_tells_what_a_service_refuses(bus: str):
    async def main(bench: Bench) -> None:
        with service_on(bus, "refuse") as shown:
            bench.fail("a")
            await until(lambda: bench.tray.told)
            assert shown.next() == {"refused": "susssasa{sv}i"}
        assert bench.tray.told[0][0] == "a failed"
        assert bench.notifier.last_error.endswith("Do not disturb.")

    scenario(bus, main)


def test_without_a_service_the_tray_tells_and_the_next_one_is_tried_again(bus: str):
    async def main(bench: Bench) -> None:
        bench.fail("a")
        await until(lambda: bench.tray.told)
        assert "org.freedesktop.Notifications" in bench.notifier.last_error
        with service_on(bus) as shown:
            bench.fail("b", "s")
            await until(lambda: bench.desktop._bubbles)
            assert shown.next()["title"] == "b failed"
        assert bench.notifier.last_error == ""

    scenario(bus, main)


def test_a_bus_that_ends_is_connected_to_anew(bus: str):
    async def main(bench: Bench) -> None:
        with service_on(bus) as shown:
            await bench.desktop.tell(1, "a", "", is_loud=False)
            assert bench.desktop._bus is not None
            bench.desktop._bus.close()
            await bench.desktop.tell(2, "b", "", is_loud=False)
            assert [shown.next()["title"] for _ in range(2)] == ["a", "b"]

    scenario(bus, main)


@pytest.mark.parametrize("address", ["", "unix:path=/nowhere/at/all", "tcp:host=example.org", "nonsense"])
def test_without_a_bus_the_tray_tells(address: str):
    async def main(bench: Bench) -> None:
        bench.fail("a")
        await until(lambda: bench.tray.told)
        assert bench.notifier.last_error

    scenario(address, main)


async def hanging(folder: str) -> AsyncIterator[str]:
    """The address of something that takes connections and never says a word."""
    path = Path(folder, "bus")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        yield f"unix:path={path}"


@pytest.mark.parametrize("seconds", [0.0, 0.01])
def test_a_bus_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch, seconds: float):
    """Time may be up before the connection is there, too."""
    monkeypatch.setattr(session_bus, "ANSWER_SECONDS", seconds)

    async def main() -> None:
        with tempfile.TemporaryDirectory(prefix="bus-") as folder:
            async for address in hanging(folder):
                with pytest.raises(BusError, match="does not answer"):
                    await SessionBus.connect(address)

    run_on(QtEventLoop, main)


def test_the_usual_place_of_the_bus_is_looked_at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert session_address() == ""
    (tmp_path / "bus").touch()
    assert session_address() == f"unix:path={tmp_path / 'bus'}"
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/elsewhere")
    assert session_address() == "unix:path=/elsewhere"


def test_a_platform_without_a_tray_shows_nothing_and_says_so():
    assert not Tray(QIcon).tell(1, "a", "b")
