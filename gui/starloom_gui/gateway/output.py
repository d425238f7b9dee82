"""Collects the output of running tasks, notifies once a frame, and limits its size."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from starloom.orchestration.channel import OutputChunk, Progress

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.orchestration.channel import Channel, Message

FRAME_MS: Final = 16
MOST_OF_A_TASK: Final = 1_000_000
"""Characters that are kept of each task; the whole output is in its file."""
MOST_IN_ALL: Final = 32_000_000
"""Characters that are kept of all tasks; those that have been silent longest are forgotten first."""

Key = tuple[str, str]
"""Run and task."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a task's output.

    Attributes:
        attempt: the number of the attempt.
        stream: `stdout` or `stderr`.
        at: when it was heard, in seconds since 1970; 0: not known.
    """

    attempt: int
    text: str
    stream: str = "stdout"
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Printed:
    """The output since the last frame, by run and task, and the progress that attempts report, 0 to 1."""

    pieces: dict[Key, tuple[Piece, ...]]
    progress: dict[Key, float]


class _Kept:
    """The end of what one task printed."""

    __slots__ = ("gone", "length", "pieces")

    def __init__(self) -> None:
        self.pieces: deque[Piece] = deque()
        self.length = 0
        self.gone: dict[int, int] = {}
        """Lines that are not kept any more, by attempt."""

    def add(self, piece: Piece) -> int:
        """Keep it; returns by how much the length changed."""
        before = self.length
        self.pieces.append(piece)
        self.length += len(piece.text)
        while self.length > MOST_OF_A_TASK and len(self.pieces) > 1:
            old = self.pieces.popleft()
            self.length -= len(old.text)
            self.gone[old.attempt] = self.gone.get(old.attempt, 0) + old.text.count("\n")
        return self.length - before


class OutputHub(QObject):
    """Collects output from the live channel, once a frame. While nobody prints, no timer runs.

    Args:
        channel: where it is told; None: nobody prints any more, and everything is in files.
        parent: of the object.
        now: gives seconds since 1970.

    Attributes:
        since: when it began to listen, in seconds since 1970: what was printed before was heard later than that.
        now: gives seconds since 1970.
        quiet: the running tasks that have printed nothing for long, with the time since when; `QuietTasks` finds them.

    Signals:
        printed: with a `Printed`, at most once a frame.
    """

    printed = Signal(object)

    def __init__(
        self, channel: Channel | None, parent: QObject | None = None, now: Callable[[], float] = time.time
    ) -> None:
        super().__init__(parent)
        self.now, self.since = now, now()
        self.quiet: dict[Key, float] = {}
        self._kept: dict[Key, _Kept] = {}
        self._length = 0
        self._fresh: dict[Key, list[Piece]] = {}
        self._progress: dict[Key, float] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self.flush)
        self._stop = channel.listen(self._hear) if channel is not None else _nothing_to_stop

    def tail(self, run_id: str, task_id: str) -> tuple[Piece, ...]:
        """The last output of a task since the console listens; `printed` emits new output."""
        self.flush()
        kept = self._kept.get((run_id, task_id))
        return tuple(kept.pieces) if kept is not None else ()

    def gone(self, run_id: str, task_id: str, attempt: int) -> int:
        """The number of an attempt's lines before its tail, which are no longer kept here.

        Args:
            run_id: the run.
            task_id: the task.
            attempt: the attempt's number, from 1.
        """
        kept = self._kept.get((run_id, task_id))
        return 0 if kept is None else kept.gone.get(attempt, 0)

    def flush(self) -> None:
        """Emit new output now, without waiting for the frame."""
        self._timer.stop()
        if self._fresh or self._progress:
            fresh, self._fresh = self._fresh, {}
            progress, self._progress = self._progress, {}
            self.printed.emit(Printed({key: tuple(pieces) for key, pieces in fresh.items()}, progress))

    def forget(self, run_id: str) -> None:
        """Drop the output of a run's tasks, which is in their files."""
        for key in [key for key in self._kept if key[0] == run_id]:
            self._length -= self._kept.pop(key).length

    def close(self) -> None:
        """Stop listening; closing twice is allowed."""
        self._timer.stop()
        self._stop()

    def _hear(self, message: Message) -> None:
        key = (message.run_id, message.task_id)
        if isinstance(message, Progress):
            self._progress[key] = message.share
        else:
            self._keep(key, message)
        if not self._timer.isActive():
            self._timer.start()

    def _keep(self, key: Key, chunk: OutputChunk) -> None:
        piece = Piece(chunk.attempt, chunk.text[-MOST_OF_A_TASK:], chunk.stream, self.now())
        kept = self._kept.pop(key, None) or _Kept()
        self._kept[key] = kept  # at the end: it is the one that was silent for the shortest time
        self._length += kept.add(piece)
        self._fresh.setdefault(key, []).append(piece)
        while self._length > MOST_IN_ALL and len(self._kept) > 1:
            self._length -= self._kept.pop(next(iter(self._kept))).length


def _nothing_to_stop() -> None:
    """Nobody listens."""
