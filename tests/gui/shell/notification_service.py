"""A private session bus, and on it, in a process of its own, a service that shows notifications to nobody."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.gui.gateway.driven_bridge import DrivenBridge

from starloom_gui.shell.notices import Notices

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.driver import Driver

    from starloom_gui.shell.notice import Notice

SERVICE = Path(__file__).with_name("fake_service.py")
CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:dir={folder}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy></busconfig>"""


@contextmanager
def program(*command: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A program whose lines are read; it is ended afterwards."""
    made = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=os.environ | environment
    )
    try:
        yield made
    finally:
        made.kill()
        made.communicate()


@contextmanager
def private_bus() -> Iterator[str]:
    """The address of a bus on which nobody is."""
    daemon = shutil.which("dbus-daemon")
    if daemon is None:
        pytest.skip("There is no dbus-daemon here, so there is no bus to talk to.")
    with tempfile.TemporaryDirectory(prefix="bus-") as folder:  # a test's own folder is too long a name for a socket
        written = Path(folder, "bus.conf")
        written.write_text(CONFIGURATION.format(folder=folder), encoding="utf-8")
        with program(daemon, f"--config-file={written}", "--nofork", "--print-address=1") as made:
            assert made.stdout is not None
            yield made.stdout.readline().strip()


class Shown:
    """What a service of notifications was asked to show."""

    def __init__(self, service: subprocess.Popen[str]) -> None:
        self._service = service

    def next(self) -> dict[str, Any]:
        """What comes next; there must be something."""
        assert self._service.stdout is not None
        line = self._service.stdout.readline()
        assert line, "the service has ended"
        said: dict[str, Any] = json.loads(line)
        return said


@contextmanager
def service_on(bus: str, *words: str) -> Iterator[Shown]:
    """A service that is ready on a bus."""
    with program(sys.executable, str(SERVICE), *words, DBUS_SESSION_BUS_ADDRESS=bus) as made:
        shown = Shown(made)
        assert shown.next() == {"ready": True}
        yield shown


class Heard:
    """Notices of a scheduler that is driven by hand.

    Attributes:
        began: when the engine's clock stood at 0, in seconds since 1970.
    """

    def __init__(self, driver: Driver) -> None:
        self.began = 1_800_000_000.0
        self._bridge = DrivenBridge(driver)
        fleet = driver.scheduler.fleet
        self.notices = Notices(
            self._bridge.log, self._bridge.facts, lambda: fleet, lambda run_id: f"Run {run_id}", self.wall
        )
        self.came: list[Notice] = []
        self.notices.came.connect(self.came.append)

    def wall(self, at: float) -> float:
        """Seconds since 1970 at a moment on the engine's clock."""
        return self.began + at

    def hear(self) -> list[Notice]:
        """Hear what has happened; returns all notices, oldest first."""
        for changes in self._bridge.news():
            self.notices.on_changes(changes)
        return list(self.notices)
