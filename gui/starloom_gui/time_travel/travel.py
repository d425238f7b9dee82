"""Time travel in a run: to any moment, event by event, by playing, and back to the present."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from starloom.errors import StarloomError
from starloom.journal.recording import Recording
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.event_loop.background import in_background
from starloom_gui.gateway.run_reader import Availability
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.engine_words import why_not
from starloom_gui.time_travel.event_marks import EventMarks
from starloom_gui.time_travel.journal_follower import JournalFollower
from starloom_gui.time_travel.moment_loader import MomentLoader
from starloom_gui.time_travel.playback import Playback
from starloom_gui.time_travel.run_past import RunPast

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.time_travel.moment_reader import MomentReader
    from starloom_gui.time_travel.reopening import ReadJournal
    from starloom_gui.time_travel.time_travel_reader import TimeTravelReader


class Travel(QObject):
    """The position in one run's past, with the actions that change it. To be used where a loop runs.

    Args:
        reader: what is turned to the moments.
        past: what it is read from.
        blocked: gives why one cannot leave the present now; None: one can.
        read: the journal as it was read already, where there is nothing else of the run; None: it is read when needed.
        parent: of the object.

    Attributes:
        reader: what is turned to the moments.
        recording: what was read of the journal; None: nothing yet.
        marks: what the axis of time shows of it.
        playback: lets time pass by itself.
        reopening: what is offered of a run that is only shown from its journal; None: it is not.
        trouble: why the past is unavailable; empty: it is not.

    Signals:
        changed(): the moment, what is known of the run, or what can be done is other than it was.
        failed(str): the journal cannot be read; why, and what to do.
    """

    changed = Signal()
    failed = Signal(str)

    def __init__(
        self,
        reader: TimeTravelReader,
        past: RunPast | None = None,
        blocked: Callable[[], Verdict | None] = lambda: None,
        read: ReadJournal | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.reader, self._past, self._blocked = reader, past or RunPast(), blocked
        self.reopening = read.reopening if read is not None else None
        self.recording: Recording | None = None
        self._loader: MomentLoader | None = None
        self.marks, self.playback = read.marks if read is not None else EventMarks(), Playback(self, self)
        self.playback.changed.connect(self.changed)
        self.trouble = ""
        self._goal: tuple[int, float] | None = None
        self._visit: float | None = None
        self._follows = False
        """Whether what is written from now on is wanted, too."""
        self.background_tasks = BackgroundTasks("console: a run's journal")
        self._follower = JournalFollower(reader, lambda: self._read, self._read_next, self)
        if read is not None:
            self._take_up(read.recording)

    @property
    def availability(self) -> Availability:
        """Whether any moment can be shown: the journal has been read, will be, or cannot be."""
        if self.trouble:
            return Availability.UNAVAILABLE
        return Availability.READY if self._read is not None else Availability.LOADING

    @property
    def _read(self) -> Recording | None:
        """The recording, once it has events."""
        return self.recording if self.recording is not None and len(self.recording) > 0 else None

    @property
    def is_present(self) -> bool:
        """Whether no moment of the past is shown."""
        return self.reader.past is None

    @property
    def is_busy(self) -> bool:
        """Whether a moment is being read."""
        return self._loader is not None and self._loader.is_busy

    @property
    def position(self) -> int:
        """The number of events before the moment that is shown, or is about to be."""
        if self._goal is not None:
            return self._goal[0]
        past = self.reader.past
        return past.position if past is not None else self.count

    @property
    def count(self) -> int:
        """The number of known events."""
        return len(self.recording) if self.recording is not None else 0

    @property
    def at(self) -> float:
        """The moment that is shown, or is about to be, in seconds on the run's clock."""
        return self._goal[1] if self._goal is not None else self.reader.now() if self._is_live() else self._seen_at()

    def _is_live(self) -> bool:
        return self.reader.past is None and self.reader.present_time() is not None

    def _seen_at(self) -> float:
        past = self.reader.past
        return past.at if past is not None else self.end

    @property
    def begin(self) -> float:
        """The first moment there is."""
        return self._read.time(self._read.first) if self._read is not None else 0.0

    @property
    def end(self) -> float:
        """The last moment: the present of an executing run."""
        last = self._read.time(self.count) if self._read is not None else 0.0
        return max(last, self.reader.present_time() or last)

    # ---- reading the journal

    def open(self, *, follows: bool = True) -> None:
        """Start to read the journal, and follow it or, if it is here, read it once for its marks; returns at once."""
        self._follows |= follows
        if self.recording is None and not self.background_tasks and (follows or self._past.is_here):
            self.background_tasks.begin(self._open())
        elif follows and self.recording is not None:
            self._follower.start()
            self._follower.look()

    def read_up(self) -> None:
        """Start to read what is new in the journal, wherever that is; once, and only if it can be read."""
        if self.recording is not None and not self.recording.trouble:
            self._read_next()
        elif self.recording is None and not self.background_tasks and not self.trouble:
            self.background_tasks.begin(self._open())

    def rest(self) -> None:
        """Stop reading and playing, as the scrubber is hidden."""
        self._follows = False
        self._follower.stop()
        self.playback.pause()

    async def _open(self) -> None:
        try:
            recording = await in_background(Recording, await self._past.up_to_date())
        except StarloomError as error:
            self._give_up(why_not(error))
            return
        try:
            await _read_on(recording)
            self.marks = await in_background(EventMarks.of, recording)
        except BaseException:
            recording.close()
            raise
        self._take_up(recording)
        if self.reader.has_present and self._follows:
            self._follower.start()
        self.changed.emit()
        if self._visit is not None:
            self.visit(self._visit)

    def _give_up(self, reason: str) -> None:
        self.trouble, self._visit = reason, None
        if self._follows or self._past.is_here:  # else nobody has asked to look back
            self.failed.emit(reason)
        self.changed.emit()

    def _take_up(self, recording: Recording) -> None:
        self.recording, self.trouble = recording, ""
        self._loader = MomentLoader(recording, self)
        self._loader.read.connect(self._show)
        self._loader.failed.connect(self._fail)

    def _read_next(self) -> bool:
        """Start to read new events, with which the scrubber grows; whether it was possible."""
        if self.recording is None or self.background_tasks or self.is_busy:
            return False
        self.background_tasks.begin(self._read_more(self.recording))
        return True

    async def _read_more(self, recording: Recording) -> None:
        try:
            await self._past.refresh()
        except StarloomError:  # the connection is lost, as others say
            return
        known, position, at, begin = self.count, self.position, self.at, self.begin
        is_newest = not self.reader.has_present and position == known
        await _read_on(recording)
        self.marks.take(recording)
        if is_newest and self.count > known:  # whoever looks at how it stands sees how it stands by now
            self._ask(self.count, self.end)
        elif not self.is_present and self.begin != begin:  # the run was taken up, and its earlier times are others
            assert self._loader is not None, "what is ready has been taken up"
            self._goal = (position, at + self.begin - begin)
            self._loader.ask(*self._goal)
        self.changed.emit()

    # ---- where to

    def verdict(self) -> Verdict:
        """Whether another moment can be shown."""
        if self.trouble:
            return Verdict(False, self.trouble)
        if self._read is None:
            return Verdict(False, self.tr("The journal of this run has not been read yet."))
        why = self._blocked() if not self.reader.is_past else None
        return why if why is not None else Verdict(True)

    def go_to(self, at: float) -> None:
        """Show the run as it was at a time, in seconds on its clock; the nearest there is."""
        self.playback.pause()
        self.show_moment(at)

    def visit(self, at: float) -> None:
        """Show the run as it was at a time, once the journal has been read; from its end on, how it is now."""
        self._visit = None
        if at >= self.end and (self._read is not None or self._is_live()):
            self.go_to_end()
        elif self._read is not None:
            self.go_to(at)
        else:
            self._visit = at
            self.open()

    def go_to_position(self, position: int) -> None:
        """Show the run as it was after so many events."""
        self.playback.pause()
        if self.recording is not None:
            position = min(max(position, self.recording.first), self.count)
            self._ask(position, self.recording.time(position))

    def step(self, events: int) -> None:
        """Move by a number of events, back if it is negative."""
        self.go_to_position(self.position + events)

    def go_to_begin(self) -> None:
        """Show the first moment."""
        self.go_to_position(0)

    def go_to_end(self) -> None:
        """Show the present of an executing run, or the end of another one."""
        self.playback.pause()
        if self.reader.has_present:
            self.go_live()
        else:
            self.show_moment(self.end)

    def go_live(self) -> None:
        """Show the present again."""
        self.playback.pause()
        self._goal = self._visit = None
        if self._loader is not None:
            self._loader.cancel()
        self.reader.show_present()
        self.changed.emit()

    def show_moment(self, at: float) -> None:
        """Show the run as it was at a time, while time passes by itself or is about to."""
        if self.recording is not None:
            at = min(max(at, self.begin), self.end)
            is_first = at <= self.begin < self.end  # several events may have that time
            self._ask(self.recording.first if is_first else self.recording.position(at), at)

    def _ask(self, position: int, at: float) -> None:
        verdict = self.verdict()
        if not verdict.ok:
            self.playback.pause()
            self.failed.emit(f"{verdict.reason} {verdict.hint}".strip())
            return
        assert self._loader is not None, "what is ready has been taken up"
        past = self.reader.past
        if past is not None and past.position == position and not self.is_busy:
            self._goal = None
            self.reader.pass_time(at)
        else:
            self._goal = (position, at)
            self._loader.ask(position, at)
        self.changed.emit()

    def _show(self, past: MomentReader) -> None:
        if self.recording is None:
            return
        if self._goal == (past.position, past.at):
            self._goal = None
        self.reader.show_past(self.recording, past)
        self.changed.emit()

    def _fail(self, reason: str) -> None:
        self.playback.pause()
        self._goal = None
        self.failed.emit(reason)
        self.changed.emit()

    # ---- the end

    async def settled(self) -> None:
        """Return once the journal has been read as far as was asked for, and the moment is shown."""
        await self.background_tasks.settled()
        if self._loader is not None:
            await self._loader.settled()

    def close(self) -> None:
        """Stop reading and showing the past."""
        self.playback.pause()
        self._follower.stop()
        self.background_tasks.cancel()
        if self._loader is not None:
            self._loader.cancel()
        if self.recording is not None and self.reader.has_present:  # else it belongs to whoever has read it
            self.recording.close()


async def _read_on(recording: Recording) -> None:
    while True:
        part = await in_background(recording.read)
        recording.take(part)
        if part.is_last:
            return
