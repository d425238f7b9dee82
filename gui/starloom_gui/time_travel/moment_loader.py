"""Reading moments in a thread, one at a time: of what is asked for meanwhile only the latest counts."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from starloom.journal.base import JournalError, ReadingStopped
from starloom_gui.event_loop.background import in_background
from starloom_gui.text.engine_words import why_not
from starloom_gui.time_travel.moment_reader import MomentReader

if TYPE_CHECKING:
    from starloom.journal.base import Moment
    from starloom.journal.recording import Recording


class MomentRequest(NamedTuple):
    """A request for one moment.

    Attributes:
        position: how many events had happened.
        at: the time, in seconds.
    """

    position: int
    at: float


class MomentLoader(QObject):
    """Reads moments of a recording. To be used where a loop runs.

    A reading that is overtaken is broken off, the one after that is not: whoever drags on and on is to see something.

    Args:
        recording: what is read.
        parent: of the object.

    Signals:
        read(Past): a moment was read.
        failed(str): it cannot be read; why.
    """

    read = Signal(object)
    failed = Signal(str)

    def __init__(self, recording: Recording, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._recording = recording
        self._wanted: MomentRequest | None = None
        self._given_up = threading.Event()
        self._may_give_up = True
        self._task: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a moment is being read or waits to be."""
        return self._task is not None

    def ask(self, position: int, at: float) -> None:
        """Read this moment, in place of any that was asked for before.

        Args:
            position: how many events of the run's stream have happened by then.
            at: seconds on the engine's clock.
        """
        self._wanted = MomentRequest(position, at)
        if self._task is None or self._task.done():  # one that is done looks no more, though nobody has heard of it
            self._task = asyncio.get_running_loop().create_task(self._keep_reading(), name="console: moments")
            self._task.add_done_callback(self._ended)
        elif self._may_give_up:
            self._given_up.set()

    def cancel(self) -> None:
        """Drop all requests."""
        self._wanted = None
        self._given_up.set()

    async def settled(self) -> None:
        """Return once nothing is being read."""
        while self._task is not None:
            await asyncio.wait([self._task])

    def _ended(self, task: asyncio.Task[None]) -> None:
        if task is self._task:
            self._task = None
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error

    async def _keep_reading(self) -> None:
        while self._wanted is not None:
            asked, self._wanted = self._wanted, None
            self._given_up = threading.Event()
            try:
                moment = await self._moment(asked)
            except ReadingStopped:
                self._may_give_up = False
                continue
            except JournalError as error:
                self.failed.emit(why_not(error))
                continue
            self._may_give_up = True
            if not self._given_up.is_set() or self._wanted is not None:  # cancelled: nobody wants to see it
                self.read.emit(MomentReader(asked.position, asked.at, moment))

    async def _moment(self, asked: MomentRequest) -> Moment:
        return await in_background(self._recording.moment, asked.position, self._given_up.is_set)
