"""Tasks that may still run on their devices though no program looks after them, or though they count as ended."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from starloom.journal.base import JournalError
from starloom.journal.lock import holder_of
from starloom.journal.names import JOURNAL
from starloom.journal.records import run_folders
from starloom.orchestration.left_behind import all_that_may_still_run, may_still_run, orphans_of, sentences
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.event_loop.background import in_background

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

PERIOD: Final = 2.0
"""Seconds between two looks, as long as something may run."""


class UnattendedTasks(QObject):
    """Finds tasks of earlier programs that may still run, and checks whether they have ended or their run was resumed.

    To be used where the loop runs. Runs that other programs leave behind later are not looked for.

    Args:
        directory: of the journals.
        unended: gives how many of this program count as ended on a device that could not be told to end them.
        parent: of the object.

    Signals:
        changed(): there are more or fewer on some device.
    """

    changed = Signal()

    def __init__(self, directory: Path, unended: Callable[[str], int], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._unended = unended
        self._directory = directory
        self._found: dict[Path, Counter[str]] = {}
        self.background_tasks = BackgroundTasks("console: tasks of interrupted runs")

    def on_device(self, device_id: str) -> int:
        """The number of unattended tasks that may run on a device, by its id."""
        return self._unended(device_id) + sum(devices[device_id] for devices in self._found.values())

    def begin(self) -> None:
        """Start to search for them until none is left; returns at once."""
        self.background_tasks.begin(self._watch())

    async def look(self) -> None:
        """Search every run once."""
        self._show(await in_background(_all_unattended, self._directory))

    def close(self) -> None:
        """Stop searching."""
        self.background_tasks.cancel()

    async def _watch(self) -> None:
        await self.look()
        while self._found:
            await asyncio.sleep(PERIOD)
            self._show(await in_background(_unattended, list(self._found)))

    def _show(self, found: dict[Path, Counter[str]]) -> None:
        if found != self._found:
            self._found = found
            self.changed.emit()


def unattended(folder: Path) -> Counter[str]:
    """The number of tasks of an interrupted run in a folder that may still run, by the ids of their devices."""
    return Counter(one.device_id for one in orphans_of(folder) if not one.is_unended)


def unended(folder: Path) -> dict[str, int]:
    """The number of commands of the run in a folder that may still run though they count as ended, by place."""
    return may_still_run(folder)


def farewell(directory: Path) -> str:
    """The lines that the console prints at its end about commands that may still run though they count as ended."""
    try:
        return "".join(f"{sentence}\n" for sentence in sentences(all_that_may_still_run(directory)))
    except JournalError:
        return ""


def _all_unattended(directory: Path) -> dict[Path, Counter[str]]:
    try:
        return _unattended(run_folders(directory))
    except JournalError:
        return {}


def _unattended(folders: Iterable[Path]) -> dict[Path, Counter[str]]:
    """The unattended tasks of each run that has any, counted by device; a running program reports its own."""
    return {folder: devices for folder in folders if (devices := _left_on_devices(folder))}


def _left_on_devices(folder: Path) -> Counter[str]:
    is_held = holder_of(folder / JOURNAL) is not None
    return Counter(one.device_id for one in orphans_of(folder) if not (one.is_unended and is_held))
