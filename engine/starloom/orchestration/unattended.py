"""Tasks of earlier programs that may still run on devices though no program looks after them: each keeps a slot.

An instrument that does one thing at a time would else get a second task after a crash, beside the one that lives on.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from typing import TYPE_CHECKING, Final

from starloom.errors import StarloomError
from starloom.journal.library import kept_attempts
from starloom.journal.lock import holder_of
from starloom.journal.names import JOURNAL
from starloom.journal.records import run_folders
from starloom.orchestration.left_behind import orphans_of
from starloom.scheduling.stimuli import TasksUnattended

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from starloom.orchestration.pump import Pump

_log = logging.getLogger(__name__)
PERIOD: Final = 2.0
"""Seconds between two looks, as long as something may run."""

Found = dict["Path", Counter[str]]
"""By folder of a run, how many of its tasks may still run on which device; only runs with such tasks."""


class UnattendedTasks:
    """Finds them, tells the scheduler how many there are on each device, and looks again until none is left.

    Runs that other programs leave behind later are not looked for. To be used where a loop runs.

    Args:
        pump: of the engine; its journal's directory is searched.
    """

    def __init__(self, pump: Pump) -> None:
        self._pump = pump
        self._directory = pump.journal.directory
        self._found: Found = {}
        self._told: dict[str, int] = {}
        self._first: asyncio.Task[None] | None = None
        self._watch: asyncio.Task[None] | None = None

    async def on_device(self, device_id: str) -> int:
        """How many there are on a device, once every run was looked at."""
        if self._directory is not None:
            if self._first is None:
                self._first = asyncio.get_running_loop().create_task(self._begin(), name="starloom unattended tasks")
            await asyncio.shield(self._first)
        return self._counts()[device_id]

    async def tell(self, device_id: str) -> None:
        """Tell the scheduler how many there are on a device that joins, before it gets any task."""
        count = await self.on_device(device_id)
        if count or self._told.get(device_id):
            self._post(device_id, count)

    async def look_again(self) -> None:
        """Look at those known, as after one of their runs was resumed."""
        if self._found:
            self._show(await asyncio.to_thread(_search, list(self._found)))

    async def close(self) -> None:
        """Look no more."""
        for task in (self._first, self._watch):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    async def _begin(self) -> None:
        assert self._directory is not None, "there is something to look at"
        folders = _with_kept_attempts(self._directory)
        self._show(await asyncio.to_thread(_search, folders) if folders else {})
        if self._found:
            self._watch = asyncio.get_running_loop().create_task(self._go_on(), name="starloom unattended tasks")

    async def _go_on(self) -> None:
        while self._found:
            await asyncio.sleep(PERIOD)
            await self.look_again()

    def _counts(self) -> Counter[str]:
        return sum(self._found.values(), Counter[str]())

    def _show(self, found: Found) -> None:
        self._found = found
        counts = self._counts()
        for device_id in [id for id, count in self._told.items() if count != counts[id]]:
            self._post(device_id, counts[device_id])

    def _post(self, device_id: str, count: int) -> None:
        self._told[device_id] = count
        self._pump.post(TasksUnattended(device_id, count))


def _with_kept_attempts(directory: Path) -> list[Path]:
    """The folders of runs that keep files of attempts, of which there are few; 3,000 take some 50 ms."""
    try:
        return [folder for folder in run_folders(directory) if kept_attempts(folder)]
    except (OSError, StarloomError) as error:
        _log.warning("what earlier programs left running is not known: %s", error)
        return []


def _search(folders: Iterable[Path]) -> Found:
    return {folder: devices for folder in folders if (devices := _left_on_devices(folder))}


def _left_on_devices(folder: Path) -> Counter[str]:
    """How many of a run there are on which device; a running program reports its own that count as ended."""
    try:
        is_held = holder_of(folder / JOURNAL) is not None
        return Counter(one.device_id for one in orphans_of(folder) if not (one.is_unended and is_held))
    except (OSError, StarloomError) as error:  # no device is to be kept from joining by it
        _log.warning("what the run in %s left running is not known: %s", folder, error)
        return Counter()
