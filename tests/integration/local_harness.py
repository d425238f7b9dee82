"""The shared code of the local device's tests: attempts on real processes, both ways to watch them, and leftovers."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import sys
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from msgspec.structs import replace

from starloom.devices.base import TaskContext
from starloom.devices.keeper import Keeper
from starloom.devices.local import LocalDevice
from starloom.model.result import ErrorInfo, Outcome, OutcomeStatus
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from starloom.devices.base import Device

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals, sessions and a shell")
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")

RUN = f"run {os.getpid()}"
"""Attempts in containers are ended by their run, task and number: those of another test process are not to be ours."""
BOUND = 30.0
"""Seconds in which anything here must have ended, on a slow machine too."""
FOREVER = 3600
COMPLETED, FAILED, STOPPED = OutcomeStatus.COMPLETED, OutcomeStatus.FAILED, OutcomeStatus.STOPPED


class _Keeping:
    """Where the files of attempts go that say nothing of it themselves; None: they are not kept."""

    folder: Path | None = None
    number = itertools.count(1)

    def path(self) -> Path | None:
        return None if self.folder is None else self.folder / "attempts" / f"t-{next(self.number)}"


KEEPING = _Keeping()


@pytest.fixture
def wrapped_only(monkeypatch):
    """Kept commands run under the wrapper, as they do where there is no keeper."""
    monkeypatch.setattr(Keeper, "is_usable", lambda keeper: False)


@pytest.fixture(params=["watched", "portable", "kept", "kept wrapped", "kept portable"])
def door(request, monkeypatch, tmp_path_factory):
    """Both ways to watch a process, wherever the first one exists, without and with files that outlive the program.

    The latter also under the wrapper where there could be a keeper.
    """
    if "kept" in request.param:
        monkeypatch.setattr(KEEPING, "folder", tmp_path_factory.mktemp("run"))
    if "wrapped" in request.param:
        monkeypatch.setattr(Keeper, "is_usable", lambda keeper: False)
    if "portable" in request.param:
        monkeypatch.setattr("starloom.devices.process.can_watch", lambda loop: False)
    elif sys.platform != "linux":
        pytest.skip("there are no pidfds here")
    return request.param


def untimed(outcome: Outcome) -> Outcome:
    """The outcome without what is known of the times of its end."""
    return replace(outcome, ended_ago=0.0, took=None)


class Attempt:
    """One attempt, and what it has said so far."""

    def __init__(self, device: Device, task: Task, **context: Any) -> None:
        self.said: list[tuple[str, str]] = []
        self._spoke = asyncio.Event()
        context.setdefault("kept", KEEPING.path())
        self._context = TaskContext(RUN, task.id, context.pop("attempt", 1), device.id, 0, emit=self._emit, **context)
        self._device = device
        self._task = task

    def _emit(self, text: str, stream: str) -> None:
        self.said.append((stream, text))
        self._spoke.set()

    @property
    def text(self) -> str:
        return "".join(text for _, text in self.said)

    async def run(self) -> Outcome:
        return await self._device.run(self._task, self._context)

    async def started(self, text: str = "ready\n") -> asyncio.Task[Outcome]:
        """Running, and far enough to have said the text."""
        running = asyncio.create_task(self.run())
        await self.heard(text)
        return running

    async def heard(self, text: str) -> None:
        await self.until(lambda: text in self.text)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Returns once the condition holds; asked again after each piece of output."""
        async with asyncio.timeout(BOUND):
            while not condition():
                self._spoke.clear()
                await self._spoke.wait()

    def pids(self) -> list[int]:
        """The numbers in finished lines `pid <number>`."""
        return [int(line.split()[1]) for line in self.text.splitlines(keepends=True) if line.startswith("pid ")]


def on_device(scenario: Callable[[LocalDevice], Awaitable[Any]], **options: Any) -> Any:
    async def within_bound() -> Any:
        device = LocalDevice("here", **options)
        await device.connect()
        try:
            async with asyncio.timeout(BOUND):
                return await scenario(device)
        finally:
            await device.disconnect()

    return asyncio.run(within_bound())


def outcome_of(task: Task, options: dict[str, Any] | None = None, **context: Any) -> Outcome:
    outcome: Outcome = on_device(lambda device: Attempt(device, task, **context).run(), **options or {})
    return outcome


def context_of(task: Task, folder: Path, emit: Any = None) -> TaskContext:
    return TaskContext(
        RUN, task.id, 1, "here", 0, kept=folder / "attempts" / task.id, output_path=folder / "log", emit=emit
    )


def recovered(task: Task, folder: Path, **options: Any) -> Outcome | None:
    """What another device, in a program that has not run the attempt, says of it."""
    outcome: Outcome | None = on_device(lambda device: device.recover(task, context_of(task, folder)), **options)
    return outcome


def shell(text: str, **fields: Any) -> Task:
    return Task(id="t", shell=text, **fields)


def python(text: str, **fields: Any) -> Task:
    return Task(id="t", command=(sys.executable, "-u", "-c", text), **fields)


def alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def left_of(device: LocalDevice) -> list[psutil.Process]:
    """Every process that an attempt on this device has started and that still lives, orphans included."""
    left = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            result = process.environ().get("STARLOOM_RESULT", "")
            if (
                result.startswith((f"{device._scratch._path}{os.sep}", f"{KEEPING.folder}{os.sep}"))
                and process.status() != psutil.STATUS_ZOMBIE
            ):
                left.append(process)
    return left


def error_of(outcome: Outcome) -> ErrorInfo:
    assert outcome.status is FAILED
    assert outcome.result.error is not None
    return outcome.result.error


def write_result(text: str, then: str = "") -> Task:
    return python(f"import os; open(os.environ['STARLOOM_RESULT'], 'w').write({text!r})\n{then}")
