"""Tasks of earlier programs that may still run on devices though no program looks after them: each keeps a slot.

An instrument that does one thing at a time would else get a second task after a crash, beside the one that lives on.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.errors import StarloomError
from starloom.journal.library import kept_attempts
from starloom.journal.lock import holder_of
from starloom.journal.names import JOURNAL
from starloom.journal.records import run_folders
from starloom.orchestration.left_behind import is_still_there, orphans_of
from starloom.scheduling.stimuli import TasksUnattended

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from starloom.orchestration.left_behind import Orphan
    from starloom.orchestration.pump import Pump

_log = logging.getLogger(__name__)
PERIOD: Final = 2.0
"""Seconds between two looks, as long as something may run."""


class _Left(NamedTuple):
    """The tasks of a run that may still run."""

    size: int
    """Bytes of its journal then: while it has no more, nothing else is to be found in it."""
    orphans: tuple[Orphan, ...]


class UnattendedTasks:
    """Finds them, tells the scheduler how many there are on each device, and looks again until none is left.

    Runs that other programs leave behind later are not looked for. To be used where a loop runs.

    Args:
        pump: of the engine; its journal's directory is searched.
    """

    def __init__(self, pump: Pump) -> None:
        self._pump = pump
        self._directory = pump.journal.directory
        self._found: dict[Path, _Left] = {}
        self._looking = asyncio.Lock()
        self._first: asyncio.Task[None] | None = None
        self._watch: asyncio.Task[None] | None = None

    async def tell(self, device_id: str) -> None:
        """Tell the scheduler how many there are on a device that joins, before it gets any task."""
        if self._directory is None:
            return
        if self._first is None:
            self._first = asyncio.get_running_loop().create_task(self._begin(), name="starloom unattended tasks")
        await asyncio.shield(self._first)
        self._pump.post(TasksUnattended(device_id, self._counts()[device_id]))

    async def look_again(self) -> None:
        """Look at those known, as after one of their runs was resumed."""
        async with self._looking:  # else the older of two looks could have the last word
            if not self._found:
                return
            before = self._counts()
            self._found = await asyncio.to_thread(_search, list(self._found), self._found)
            counts = self._counts()
        for device_id in before:
            if counts[device_id] != before[device_id]:
                self._pump.post(TasksUnattended(device_id, counts[device_id]))

    async def close(self) -> None:
        """Look no more."""
        for task in (self._first, self._watch):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    async def _begin(self) -> None:
        assert self._directory is not None, "there is something to look at"
        if folders := _with_kept_attempts(self._directory):
            self._found = await asyncio.to_thread(_search, folders, {})
        if self._found:
            self._watch = asyncio.get_running_loop().create_task(self._go_on(), name="starloom unattended tasks")

    async def _go_on(self) -> None:
        while self._found:
            await asyncio.sleep(PERIOD)
            await self.look_again()

    def _counts(self) -> Counter[str]:
        return Counter(one.device_id for left in self._found.values() for one in left.orphans)


def _with_kept_attempts(directory: Path) -> list[Path]:
    """The folders of runs that keep files of attempts, of which there are few."""
    try:
        return [folder for folder in run_folders(directory) if kept_attempts(folder)]
    except (OSError, StarloomError) as error:
        _log.warning("what earlier programs left running is not known: %s", error)
        return []


def _search(folders: Iterable[Path], known: Mapping[Path, _Left]) -> dict[Path, _Left]:
    """What runs have left, only of those that have left something, given what was known of them."""
    found = {folder: _left_in(folder, known.get(folder)) for folder in folders}
    return {folder: left for folder, left in found.items() if left.orphans}


def _left_in(folder: Path, known: _Left | None) -> _Left:
    """What a run has left; a running program reports its own that count as ended."""
    try:
        size = (folder / JOURNAL).stat().st_size
        is_held = holder_of(folder / JOURNAL) is not None
        if known is not None and known.size == size:  # its journal is not read again
            orphans: Iterable[Orphan] = (one for one in known.orphans if is_still_there(one, is_held=is_held))
        else:
            orphans = orphans_of(folder)
        return _Left(size, tuple(one for one in orphans if not (one.is_unended and is_held)))
    except (OSError, StarloomError) as error:  # no device is to be kept from joining by it
        _log.warning("what the run in %s left running is not known: %s", folder, error)
        return _Left(0, ())
