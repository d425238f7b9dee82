"""The event log as rows: the oldest on top, filtered by sort, task and run, each with its cause."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractTableModel, QObject, Qt, QTimer
from typing_extensions import override

from starloom.events import ConstellationModified, TaskReady
from starloom.scheduling.read.naming import named
from starloom_gui.specs.event_list import EVENTS
from starloom_gui.specs.event_spec import EventSort
from starloom_gui.text import wall_clock, words
from starloom_gui.text.words import translate
from starloom_gui.viewmodel.columns import Column, Columns, header_data
from starloom_gui.viewmodel.event_causes import event_cause
from starloom_gui.viewmodel.event_words import event_text, sort_word, tasks_in
from starloom_gui.viewmodel.roles import NOWHERE, RIGHT, ItemRole

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from starloom.events import Event, LimitsChanged
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.gateway.event_log import Log
    from starloom_gui.viewmodel.roles import Index

_STEP: Final = 500
"""Events that are looked at between two looks at the clock, when the log is read with a filter."""
_BUDGET: Final = 0.004
"""Seconds that may take before the window has its turn again."""


@dataclass(frozen=True, slots=True)
class EventFilter:
    """The filter of the events; an empty condition holds for every event.

    Attributes:
        hidden: kinds that are not shown.
        text: what the names of its tasks or its sentence hold, however large its letters are.
    """

    sorts: frozenset[EventSort] = frozenset()
    task_id: str = ""
    run_id: str = ""
    hidden: frozenset[type[Event]] = frozenset()
    text: str = ""

    def wants(self, event: Event, run: RunFacts | None = None, before: LimitsChanged | None = None) -> bool:
        """Whether an event is shown. The fleet's own are shown with every run.

        Args:
            event: any.
            run: the facts of its run: a text is sought in what its tasks are called, too.
            before: the limits that it has changed.
        """
        if self.run_id and event.run_id not in {"", self.run_id}:
            return False
        if type(event) in self.hidden or (self.sorts and EVENTS[type(event)].sort not in self.sorts):
            return False
        if self.task_id and self.task_id not in tasks_in(event):
            return False
        return not self.text or self._holds_text(event, run, before)

    def _holds_text(self, event: Event, run: RunFacts | None, before: LimitsChanged | None) -> bool:
        sought = self.text.lower()
        if any(sought in task_id.lower() for task_id in tasks_in(event)):
            return True
        return sought in event_text(event, run, before).lower()


@dataclass(slots=True)
class _Edits:
    """The edits in a log.

    Attributes:
        serial: of the log.
        read: the number of the next event of the log that is to be looked at.
        found: oldest first.
    """

    serial: Hashable
    read: int = 0
    found: list[ConstellationModified] = field(default_factory=list)


class EventTable(QAbstractTableModel):
    """The rows of a log. New ones come at the end, in one step a frame.

    A filter is applied to the newest events first, and to the others as there is time: their rows come above.

    Args:
        log: the log.
        wall: gives the seconds since 1970 at a moment on the engine's clock.
        facts: gives the facts of a run, for causes that only they know.
    """

    def __init__(
        self,
        log: Log,
        wall: Callable[[float], float],
        facts: Callable[[str], RunFacts | None] = lambda _: None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._of_run = facts
        self._log, self._wall = log, wall
        self._filter = EventFilter()
        self._numbers: deque[int] = deque()
        self._seen = self._unread = 0
        self._edits = _Edits(log.serial)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._look_back)
        self.rebuild()

    @property
    def filter(self) -> EventFilter:
        """The filter of the shown events."""
        return self._filter

    def set_filter(self, wanted: EventFilter) -> None:
        """Show other events."""
        if wanted != self._filter:
            self._filter = wanted
            self.rebuild()

    def event_at(self, row: int) -> Event | None:
        """The event of a row; None: it has left the log."""
        number = self._numbers[row]
        return self._log.get(number) if number >= self._log.begin else None

    def rebuild(self) -> None:
        """Read the log again; at least its end is available at once."""
        self.beginResetModel()
        self._numbers.clear()
        self._serial = self._log.serial
        self._seen = self._unread = self._log.end
        self._numbers.extendleft(reversed(self._read_back()))
        self.endResetModel()

    @property
    def is_reading(self) -> bool:
        """Whether older events are still to be read."""
        return self._unread > self._log.begin

    @property
    def dropped(self) -> int:
        """The number of events that are no longer kept in the log."""
        return self._log.begin

    def begins_late(self, run: RunFacts) -> bool:
        """Whether the log knows a run only from later on: another program began it, or another one runs it."""
        return run.run_id in self._log.late

    @property
    def missed(self) -> int:
        """The number of events that were missed, because the console was too slow."""
        return self._log.lost

    def on_changes(self, changes: Changes) -> None:
        """Show what is new; to be connected to a feed of everything."""
        if changes.log and self._serial != self._log.serial:  # another log, or one that has gone back in time
            self.rebuild()
        elif changes.log:
            self._append()
            self._drop()

    def _look_back(self) -> None:
        """Read older events for some milliseconds; their rows are inserted above."""
        found = self._read_back()
        if found:
            self.beginInsertRows(NOWHERE, 0, len(found) - 1)
            self._numbers.extendleft(reversed(found))
            self.endInsertRows()

    def _read_back(self) -> list[int]:
        """The matching events before those that were read, as far as there is time; the timer continues."""
        found: list[list[int]] = []
        until = time.perf_counter() + _BUDGET
        while self.is_reading:
            begin = max(self._log.begin, self._unread - _STEP) if self._is_filtered else self._log.begin
            found.append(self._wanted(begin, self._unread))
            self._unread = begin
            if time.perf_counter() >= until:
                break
        if self.is_reading:
            self._timer.start(0)
        return [number for part in reversed(found) for number in part]

    @property
    def _is_filtered(self) -> bool:
        return self._filter != EventFilter()

    def _wanted(self, begin: int, end: int) -> list[int]:
        begin = max(begin, self._log.begin)
        if not self._is_filtered:
            return list(range(begin, end))
        wants = self._filter.wants
        known: dict[str, RunFacts | None] = {}  # only where names are sought: that is asked of each event
        between = self._log.between(begin, end)
        if not self._filter.text:
            return [number for number, event in between if wants(event)]
        found = []
        for number, event in between:
            if event.run_id not in known:
                known[event.run_id] = self._of_run(event.run_id)
            if wants(event, known[event.run_id], self._log.limits_before(event)):
                found.append(number)
        return found

    def _append(self) -> None:
        fresh = self._wanted(self._seen, self._log.end)
        self._seen = self._log.end
        if fresh:
            count = len(self._numbers)
            self.beginInsertRows(NOWHERE, count, count + len(fresh) - 1)
            self._numbers.extend(fresh)
            self.endInsertRows()

    def _drop(self) -> None:
        """Remove the rows that are no longer in the log."""
        begin = self._log.begin
        if not self._numbers or self._numbers[0] >= begin:
            return
        gone = next((at for at, number in enumerate(self._numbers) if number >= begin), len(self._numbers))
        self.beginRemoveRows(NOWHERE, 0, gone - 1)
        self._numbers = deque(islice(self._numbers, gone, None))
        self.endRemoveRows()

    # ---- what Qt asks

    @override
    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._numbers)

    @override
    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(EventColumn)

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return header_data(EventColumn, section, orientation, role)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._numbers):
            return None
        column = _COLUMNS[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return column.align
        event = self.event_at(index.row())
        if event is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(self, event)
        if role == Qt.ItemDataRole.ToolTipRole:
            return words.tip(column.text(self, event))
        return _more(event, role)

    # ---- what stands in the cells of an event

    def time_of(self, event: Event) -> str:
        """The local time of an event."""
        return words.time_of_day(self._wall(event.at))

    def tasks_of(self, event: Event) -> str:
        """The names of the first tasks of an event."""
        return ", ".join(tasks_in(named(event, self._of_run(event.run_id)))[:3])

    def text_of(self, event: Event) -> str:
        """An event as a sentence."""
        return event_text(event, self._of_run(event.run_id), self._log.limits_before(event))

    def cause_of(self, event: Event) -> str:
        """The cause or the author of an event; without an author, it is the task's or the engine's."""
        edits = self._edits_after(event) if isinstance(event, TaskReady) else ()
        known, spec = event_cause(event, self._of_run(event.run_id), edits), EVENTS[type(event)]
        if known or spec.is_nobodys:
            return known
        is_end = spec.sort is EventSort.ENDS
        return translate("Events", "by the task itself") if is_end else translate("Events", "by the engine")

    def _edits_after(self, event: Event) -> list[ConstellationModified]:
        """The edits of the run of an event after it."""
        of = self._edits
        if of.serial != self._log.serial or of.read > self._log.end:
            of = self._edits = _Edits(self._log.serial)
        of.found += [one for _, one in self._log.since(of.read) if isinstance(one, ConstellationModified)]
        of.read = self._log.end
        return [one for one in of.found if one.run_id == event.run_id and one.seq > event.seq]


def _more(event: Event, role: int) -> Any:
    known: dict[int, Any] = {ItemRole.RUN: event.run_id, ItemRole.VALUE: event}
    if role == ItemRole.ID:
        return next(iter(tasks_in(event)), None)
    return EVENTS[type(event)].sort if role == ItemRole.SORT else known.get(role)


_Column = Column[EventTable, "Event"]


class EventColumn(Columns):
    """The columns of the event log, from left to right."""

    TIME = _Column(
        heading=lambda: wall_clock.marked(translate("Events", "Time")),
        text=EventTable.time_of,
        width=76,
        align=RIGHT,
        elide=Qt.TextElideMode.ElideMiddle,
    )
    SORT = _Column(
        heading=lambda: translate("Events", "Kind"),
        text=lambda _, event: sort_word(EVENTS[type(event)].sort),
        width=84,
        elide=Qt.TextElideMode.ElideMiddle,
    )
    TASK = _Column(
        heading=lambda: translate("Events", "Task"),
        text=EventTable.tasks_of,
        width=180,
        elide=Qt.TextElideMode.ElideMiddle,
        is_muted=False,
    )
    TEXT = _Column(
        heading=lambda: translate("Events", "What happened"),
        text=EventTable.text_of,
        width=200,
        takes_rest=True,
        is_muted=False,
    )
    CAUSE = _Column(
        heading=lambda: translate("Events", "Cause"),
        text=EventTable.cause_of,
        width=220,
        elide=Qt.TextElideMode.ElideMiddle,
    )


_COLUMNS: Final = tuple(each.column for each in EventColumn)
