"""From the engine to the views: one subscriber collects changes and tells them once a frame, as far as time allows."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Qt, QTimer

from starloom.events import Snapshot
from starloom.model.status import Breaker
from starloom.orchestration.bus import MAX_PENDING
from starloom_gui.event_loop import QtEventLoop
from starloom_gui.gateway.changes import FLEET, changes_of
from starloom_gui.gateway.event_log import EventLog
from starloom_gui.gateway.feed import Feed
from starloom_gui.gateway.health import Frames
from starloom_gui.specs.event_list import EVENTS
from starloom_gui.specs.event_spec import EventSort
from starloom_gui.specs.notes import Notes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from starloom.errors import DeviceRefused
    from starloom.events import Event
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.gateway.engine import Engine
    from starloom_gui.gateway.health import Health

FRAME: Final = 1 / 60
BUDGET: Final = 0.004
"""Seconds a frame may spend on telling views; what is left over is told in the next one."""


class Bridge(QObject):
    """Notifies views of changes in an engine, and gives them its facts. While nothing happens, no timer runs.

    Args:
        engine: whose.
        budget: seconds a frame may spend on telling views, and in proportion where the last one was longer ago than at
            60 a second; one view that takes longer is not broken off.
        max_pending: events that may wait for the bridge; of more, it is told the state instead.

    Attributes:
        log: the event log.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        budget: float = BUDGET,
        max_pending: int = MAX_PENDING,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._engine = engine
        self._budget = budget
        self._feeds: list[Feed] = []
        self._first: set[Feed] = set()
        self._turn = 0
        self._notes: dict[str, Notes] = {}
        self._frames = Frames()
        self._due = self._last = 0.0
        self._noted_since: float | None = None
        self._is_closed = False
        self.log = EventLog(fleet=self.fleet, began=self.now())
        self._timer = self._new_timer(self._begin_frame)
        self._painted = self._new_timer(self._note_frame)
        self._second = self._new_timer(self._tick)
        self._second.setTimerType(Qt.TimerType.CoarseTimer)
        self._subscription = engine.subscribe(self._note, max_pending=max_pending)

    def _new_timer(self, call: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setTimerType(Qt.TimerType.PreciseTimer)
        timer.timeout.connect(call)
        return timer

    # ---- for views

    def feed(self, *run_ids: str, parent: QObject | None = None, comes_first: bool = False) -> Feed:
        """A new feed of these runs and, if `FLEET` is among them, of the fleet; of everything if none is named.

        It ends when it is closed, or with its parent. `comes_first`: it is told before all that do not come first, as
        they read what follows from it.
        """
        feed = Feed(frozenset(run_ids) or None, self._wake, self._forget, parent)
        self._feeds.append(feed)
        if comes_first:
            self._first.add(feed)
        feed.destroyed.connect(lambda *_: self._forget(feed))
        return feed

    def run(self, run_id: str) -> RunFacts | None:
        """The facts of a run, for reading only; None: there is no such run."""
        return self._engine.facts(run_id)

    @property
    def runs(self) -> tuple[str, ...]:
        """The ids of all runs of this engine, oldest first."""
        return tuple(self._engine.run_ids)

    def all_runs(self) -> list[RunFacts]:
        """The facts of all runs, oldest first, for reading only."""
        found = (self.run(run_id) for run_id in self.runs)
        return [run for run in found if run is not None]

    def namesakes(self, name: str) -> list[str]:
        """The ids of the runs of plans of this name."""
        return [run.run_id for run in self.all_runs() if run.name == name]

    @property
    def fleet(self) -> FleetFacts:
        """The facts of the fleet, for reading only."""
        return self._engine.fleet_facts

    def now(self) -> float:
        """Seconds on the engine's clock, which all times in facts are of."""
        return self._engine.now()

    def wall(self, at: float) -> float:
        """Seconds since 1970 at a moment on the engine's clock since this program began."""
        return time.time() + at - self.now()

    def heard(self, device_id: str) -> float | None:
        """When a device last gave a sign of life, on the engine's clock; None: it is not asked for any."""
        return self._engine.devices.heard(device_id)

    def is_late(self, device_id: str) -> bool:
        """Whether a device has missed a sign of life, though it is not given up yet."""
        return self._engine.devices.is_late(device_id)

    def unheard_since(self, device_id: str) -> float | None:
        """When a device that `is_late` was last heard, on the engine's clock; None: it is not late."""
        return self.heard(device_id) if self.is_late(device_id) else None

    def refusal(self, device_id: str) -> DeviceRefused | None:
        """The error with which a device refuses us; None: it does not, or is elsewhere."""
        return self._engine.devices.refusal(device_id)

    def about(self, device_id: str) -> str:
        """What a device has told of its machine; empty: nothing."""
        return self._engine.devices.about(device_id)

    @property
    def health(self) -> Health:
        """The present delay of the console."""
        waiting = sum(feed.backlog for feed in self._feeds)
        noted = sum(len(notes.changed) + len(notes.spread) for notes in self._notes.values())
        return self._frames.health(self._subscription.backlog + noted + waiting, self._subscription.missed)

    @property
    def flushes(self) -> int:
        """The number of frames so far."""
        return self._frames.flushes

    @property
    def is_resting(self) -> bool:
        """Whether every visible view has been notified of all events."""
        return self._subscription.has_heard_all and self._has_told_all

    @property
    def _has_told_all(self) -> bool:
        """Whether every visible view has been notified of all noted changes."""
        return not self._notes and not any(feed.is_waiting for feed in self._feeds)

    @property
    def behind(self) -> float:
        """The age in seconds of the oldest change that a visible view has not been notified of; 0: there is none."""
        waiting = [self._noted_since, *(feed.waits_since for feed in self._feeds)]
        oldest = min((since for since in waiting if since is not None), default=None)
        return 0.0 if oldest is None else time.perf_counter() - oldest

    def read_anew(self) -> None:
        """Notify every view that everything has changed, as the engine has gone back to its last commit."""
        for run_id in (FLEET, *self.runs):
            self._notes.setdefault(run_id, Notes()).everything = True
        self._wake()

    def close(self) -> None:
        """Stop listening and telling; closing twice is allowed."""
        self._is_closed = True
        self._subscription.close()
        for timer in (self._timer, self._painted, self._second):
            timer.stop()
        for feed in tuple(self._feeds):
            feed.close()

    # ---- noting

    def _note(self, event: Event) -> None:
        run_id, spec = event.run_id, EVENTS[type(event)]
        if (spec.sort is EventSort.FLEET) is bool(run_id):  # a run's stream repeats the fleet's events
            return
        notes = self._notes.get(run_id)
        if notes is None:
            notes = self._notes[run_id] = Notes()
            self._wake()
        spec.note(notes, event)
        if spec.name is not None:
            self.log.add(event)
            notes.log = True
        elif spec.kind is Snapshot:
            self._note_missed(event)

    def _note_missed(self, snapshot: Any) -> None:
        """Note a snapshot: of what was before, or after lost events, which also concerns views of log and fleet."""
        if snapshot.run_id and snapshot.seq:
            self.log.note_state(snapshot.run_id)
        if snapshot.missed:
            self.log.lost = self._subscription.missed
            self.log.limits.restart(None)  # of what is still to come, nobody knows whether the fleet has it already
            self._notes.setdefault(FLEET, Notes()).everything = True

    def _wake(self) -> None:
        if self._noted_since is None and self._notes:
            self._noted_since = time.perf_counter()
        if not self._timer.isActive() and not self._is_closed:
            self._set_due(self._last + FRAME)

    def _set_due(self, at: float) -> None:
        """Set when the next frame begins, as of `time.perf_counter`."""
        now = time.perf_counter()
        self._due = max(now, at)
        self._timer.start(round((self._due - now) * 1000))

    def _forget(self, feed: Feed) -> None:
        if feed in self._feeds:
            self._feeds.remove(feed)
        self._first.discard(feed)

    # ---- a frame

    def _begin_frame(self) -> None:
        """Flush, unless the engine has more to do and has not had as much time as the last frame took."""
        after_rest = self._last + self._frames.apart(FRAME)
        if after_rest > self._due and _is_loop_behind():
            self._set_due(after_rest)
        else:
            self._flush()

    def _flush(self) -> None:
        begun, apart = time.perf_counter(), self._frames.apart(FRAME)
        passed = min(max(FRAME, begun - self._last), apart)
        budget = self._budget * passed / FRAME  # where frames are fewer, each has to tell more
        self._last = begun
        if self._notes:
            self._hand_over()
        waiting = [feed for feed in self._feeds if feed.is_waiting]
        while waiting and not self._is_closed:
            self._turn += 1
            first = next((one for one in waiting if one in self._first), None)
            feed = first or waiting[self._turn % len(waiting)]  # a slow one must not keep the others from their turn
            if feed in self._feeds:
                feed.deliver()
            if feed not in self._feeds or not feed.is_waiting:
                waiting.remove(feed)
            if time.perf_counter() - begun >= budget:
                break
        self._frames.note_flush(begun - self._due, time.perf_counter() - begun)
        self._after_flush()

    def _after_flush(self) -> None:
        if self._is_closed:
            return
        self._painted.start(0)  # Qt paints what was asked for before it looks at this timer
        if not self._has_told_all:
            self._wake()
        if not self._second.isActive() and self._is_anything_moving():
            self._second.start(1000)

    def _hand_over(self) -> None:
        """Pass the noted changes to the feeds of their runs."""
        noted, self._notes, self._noted_since = self._notes, {}, None
        for run_id, notes in noted.items():
            changes = changes_of(notes, run_id, self.run(run_id))
            for feed in self._feeds:
                feed.offer(changes)

    def _note_frame(self) -> None:
        self._frames.note_frame(time.perf_counter() - self._last)

    # ---- elapsed times

    def _tick(self) -> None:
        """Handle the next second; scheduled again only while running times are shown."""
        for run_id in (FLEET, *self._moving()):
            self._notes.setdefault(run_id, Notes()).second = True
        self._wake()

    def _is_anything_moving(self) -> bool:
        if not any(feed.is_shown for feed in self._feeds):
            return False
        return bool(next(iter(self._moving()), None)) or self._is_any_device_waited_for()

    def _is_any_device_waited_for(self) -> bool:
        """Whether it is counted down to when a device is tried again, or what runs there is given up."""
        now, devices = self.now(), self.fleet.devices.values()
        return any(device.breaker is Breaker.OPEN or device.waits_until > now for device in devices)

    def _moving(self) -> Iterable[str]:
        """The runs with a running time that is shown."""
        for run_id in self._engine.live:
            run = self.run(run_id)
            if run is not None and run.run_started_at is not None and not run.state.has_ended:
                yield run_id


def _is_loop_behind() -> bool:
    """Whether the engine has more to do on the loop than it had time for; what waits beside the loop needs none."""
    loop = asyncio.get_running_loop()
    return isinstance(loop, QtEventLoop) and loop.is_behind
