"""What the tests of the SSH device share: a device on a server of its own, attempts, and who is left of them."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from tests.integration.local_harness import BOUND, Attempt, alive, error_of
from tests.ssh_servers import SERVERS, AsyncsshServer, OpensshServer, SshServer

from starloom.devices.base import TaskContext
from starloom.devices.ssh import SshDevice
from starloom.model.result import OutcomeStatus
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path

    from starloom.model.result import Outcome

__all__ = ["BOUND", "Attempt", "alive", "error_of"]
COMPLETED, FAILED = OutcomeStatus.COMPLETED, OutcomeStatus.FAILED
STOPPED, LOST = OutcomeStatus.STOPPED, OutcomeStatus.LOST
_NUMBERS = itertools.count(1)
_ENDING = 10.0
"""Seconds in which a process is gone that a test has ended: one that is signalled still has to be scheduled."""


@pytest.fixture(params=SERVERS)
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SshServer]:
    """Each server there is."""
    with SERVERS[request.param](tmp_path / "ssh") as serving, _nobody_left(serving):
        yield serving


@pytest.fixture
def one_server(tmp_path: Path) -> Iterator[SshServer]:
    """One of them, for what has nothing to do with the server."""
    with AsyncsshServer(tmp_path / "ssh") as serving, _nobody_left(serving):
        yield serving


@pytest.fixture
def mortal_server(tmp_path: Path) -> Iterator[OpensshServer]:
    """One that is a process of its own, and can be killed."""
    with OpensshServer(tmp_path / "ssh") as serving, _nobody_left(serving):
        yield serving


@contextlib.contextmanager
def _nobody_left(server: SshServer) -> Iterator[None]:
    """Fails a test that leaves something running which is nobody's child, and ends it."""
    logger = logging.getLogger("asyncio")
    logger.addFilter(_is_news)
    try:
        yield
    finally:
        logger.removeFilter(_is_news)
    _, left = psutil.wait_procs(left_of(server), timeout=_ENDING)
    if left:
        for process in left:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        pytest.fail(f"processes of attempts left behind: {left}")


def _is_news(record: logging.LogRecord) -> bool:
    """Not what asyncio says when a link breaks while several write to it: here links are broken on purpose."""
    return record.getMessage() != "socket.send() raised exception."


def device_on(server: SshServer, **options: Any) -> SshDevice:
    return SshDevice("there", slots=options.pop("slots", 4), **server.options(**options))


def on_device(server: SshServer, scenario: Callable[[SshDevice], Awaitable[Any]], **options: Any) -> Any:
    """Run the scenario on a connected device, within the bound."""

    async def within_bound() -> Any:
        device = device_on(server, **options)
        async with asyncio.timeout(BOUND):
            await device.connect()
        try:
            async with asyncio.timeout(BOUND):
                return await scenario(device)
        finally:
            await device.disconnect()

    return asyncio.run(within_bound())


def outcome_of(server: SshServer, task: Task, options: dict[str, Any] | None = None, **context: Any) -> Outcome:
    outcome: Outcome = on_device(server, lambda device: Attempt(device, task, **context).run(), **options or {})
    return outcome


def be_patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give programs of this process all the time they need to see, as they end, to what is left on a slow machine."""
    monkeypatch.setattr("starloom.devices.ssh.sweeping._LONGEST_GOODBYE", BOUND)
    monkeypatch.setattr("starloom.orchestration.left_behind._LONGEST_GOODBYE", BOUND)
    monkeypatch.setattr("starloom.orchestration.supervisor.LONGEST_GOODBYE", 2 * BOUND)


def context_of(task: Task, folder: Path) -> TaskContext:
    return TaskContext("run 1", task.id, 1, "there", 0, kept=folder / "attempts" / task.id, output_path=folder / "log")


def recovered(server: SshServer, task: Task, folder: Path, **options: Any) -> Outcome | None:
    """What a device in a later program says of an attempt."""
    outcome: Outcome | None = on_device(server, lambda there: there.recover(task, context_of(task, folder)), **options)
    return outcome


def left_of(server: SshServer) -> list[psutil.Process]:
    """Every process that an attempt on this server has started and that still lives."""
    left = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            result = process.environ().get("STARLOOM_RESULT", "")
            if result.startswith(f"{server.folder}/") and process.status() != psutil.STATUS_ZOMBIE:
                left.append(process)
    return left


def folders_of(server: SshServer) -> list[str]:
    """The attempts of which there is something left on the server."""
    attempts = server.folder / "state" / "attempts"
    return [path.name for path in attempts.iterdir()] if attempts.exists() else []


def shell(text: str, **fields: Any) -> Task:
    return Task(id=f"t{next(_NUMBERS)}", shell=text, **fields)
