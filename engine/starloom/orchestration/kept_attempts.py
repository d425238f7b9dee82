"""The files that attempts keep on disk until their ends are committed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom.journal.library import attempt_name
from starloom.journal.names import ATTEMPTS
from starloom.model.result import Outcome, OutcomeStatus
from starloom.scheduling.stimuli import AttemptEnded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from starloom.devices.base import Device
    from starloom.scheduling.instructions import StartTask

AttemptKey = tuple[str, str, int]
"""Run, task and number of an attempt."""
_STOPPED: Final = Outcome(OutcomeStatus.STOPPED)


def key_of(order: StartTask) -> AttemptKey:
    """The key of the attempt that is ordered."""
    return order.run_id, order.task_id, order.attempt


class KeptAttempts:
    """Tracks which attempts keep files, and has their devices release them once their ends are committed.

    Args:
        folder_of: gives the folder of a run; None: it has none.
        devices: by id, as they are now.

    Attributes:
        running: of attempts that have not ended, the device and how the paths of their files begin.
        unreleased: likewise of those that have, and whose end is not committed yet.
    """

    def __init__(self, folder_of: Callable[[str], Path | None], devices: Mapping[str, Device]) -> None:
        self.running: dict[AttemptKey, tuple[str, Path]] = {}
        self.unreleased: dict[AttemptKey, tuple[str, Path]] = {}
        self._folder_of = folder_of
        self._devices = devices

    def path(self, order: StartTask) -> Path | None:
        """The common prefix of the paths of the files with which an attempt outlives this program."""
        folder = self._folder_of(order.run_id)
        if folder is None:
            return None
        path = folder / ATTEMPTS / attempt_name(order.task_id, order.attempt)
        self.running[key_of(order)] = (order.device_id, path)
        return path

    def note_end(self, key: AttemptKey) -> None:
        """Record that an attempt has ended: its files are released once that is committed."""
        left = self.running.pop(key, None)
        if left is not None:
            self.unreleased[key] = left

    def abandon(self, order: StartTask) -> Path | None:
        """Leave an attempt's files when its end is committed; returns how their paths begin."""
        path = self.path(order)
        self.forget(order)
        return path

    def forget(self, order: StartTask) -> None:
        """Forget an attempt, whose files are not this program's."""
        self.running.pop(key_of(order), None)

    def release(self, ended: Sequence[Any]) -> None:
        """Release the files of attempts whose ends are among these committed stimuli."""
        for stimulus in ended:
            if type(stimulus) is not AttemptEnded:
                continue
            left = self.unreleased.pop((stimulus.run_id, stimulus.task_id, stimulus.attempt), None)
            if left is not None and left[0] in self._devices:
                self._devices[left[0]].release(left[1])

    def release_recovered(self, orders: Iterable[StartTask]) -> None:
        """Release the files of recovered attempts, whose outcomes are committed."""
        self.release([AttemptEnded(order.run_id, order.task_id, order.attempt, _STOPPED) for order in orders])

    async def clear(self, left: Iterable[Path]) -> None:
        """Release the files that earlier programs left of attempts that have ended; each device knows its own."""
        for kept in left:
            for device in list(self._devices.values()):
                await device.clear(kept)
