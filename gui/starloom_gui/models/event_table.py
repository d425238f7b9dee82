"""The event log as rows: the oldest on top, filtered by sort, task and run, each with its cause."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractTableModel, QObject, Qt
from typing_extensions import override

from starloom_gui import words
from starloom_gui.event_words import Sort, event_cause, event_sort, event_text, sort_word, tasks_in
from starloom_gui.models.roles import LEFT, NOWHERE, RIGHT, Role
from starloom_gui.words import translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.events import Event
    from starloom.scheduling.run_facts import RunFacts
    from starloom_gui.bridge.changes import Changes
    from starloom_gui.bridge.event_log import EventLog
    from starloom_gui.models.roles import Index

_SLACK: Final = 10_000
"""Rows at the top that may have left the log before they are taken away together; until then they are empty."""


class Column(IntEnum):
    """The columns, from left to right."""

    TIME = 0
    SORT = 1
    TASK = 2
    TEXT = 3
    CAUSE = 4


@dataclass(frozen=True, slots=True)
class EventFilter:
    """Which events are shown; what is empty does not matter."""

    sorts: frozenset[Sort] = frozenset()
    task_id: str = ""
    run_id: str = ""

    def wants(self, event: Event) -> bool:
        """Whether an event is shown. The fleet's own are shown with every run."""
        if self.run_id and event.run_id not in {"", self.run_id}:
            return False
        if self.sorts and event_sort(type(event)) not in self.sorts:
            return False
        return not self.task_id or self.task_id in tasks_in(event)


class EventTable(QAbstractTableModel):
    """The rows of a log. New ones come at the end, in one step a frame.

    Args:
        log: the log.
        wall: gives the seconds since 1970 at a moment on the engine's clock.
        facts: gives the facts of a run, for causes that only they know.
    """

    def __init__(
        self,
        log: EventLog,
        wall: Callable[[float], float],
        facts: Callable[[str], RunFacts | None] = lambda _: None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._of_run = facts
        self._log, self._wall = log, wall
        self._filter = EventFilter()
        self._numbers: deque[int] = deque()
        self._seen = 0
        self.rebuild()

    @property
    def filter(self) -> EventFilter:
        """Which events are shown."""
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
        """Read the whole log anew."""
        self.beginResetModel()
        self._numbers = deque(self._wanted_since(0))
        self._seen = self._log.end
        self.endResetModel()

    def take(self, changes: Changes) -> None:
        """Show what is new; to be connected to a feed of everything."""
        if changes.log:
            self._append()
            self._drop()

    def _wanted_since(self, number: int) -> list[int]:
        if not self._filter.sorts and not self._filter.task_id and not self._filter.run_id:
            return list(range(max(number, self._log.begin), self._log.end))
        wants = self._filter.wants
        return [at for at, event in self._log.since(number) if wants(event)]

    def _append(self) -> None:
        fresh = self._wanted_since(self._seen)
        self._seen = self._log.end
        if fresh:
            count = len(self._numbers)
            self.beginInsertRows(NOWHERE, count, count + len(fresh) - 1)
            self._numbers.extend(fresh)
            self.endInsertRows()

    def _drop(self) -> None:
        """Take away rows that have left the log."""
        begin = self._log.begin
        if not self._numbers or self._numbers[0] + _SLACK > begin:
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
        return 0 if parent.isValid() else len(Column)

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if section == Column.TIME else LEFT
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        headings = (
            translate("Events", "Time"),
            translate("Events", "Sort"),
            translate("Events", "Task"),
            translate("Events", "What happened"),
            translate("Events", "Cause"),
        )
        return headings[section] if 0 <= section < len(headings) else None

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._numbers):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if index.column() == Column.TIME else LEFT
        event = self.event_at(index.row())
        if event is None:
            return None
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole}:
            return self._text(event, index.column())
        return _more(event, role)

    def _text(self, event: Event, column: int) -> str:
        if column == Column.TIME:
            return words.time_of_day(self._wall(event.at))
        if column == Column.SORT:
            return sort_word(event_sort(type(event)))
        if column == Column.TASK:
            return ", ".join(tasks_in(event)[:3])
        return event_text(event) if column == Column.TEXT else event_cause(event, self._of_run(event.run_id))


def _more(event: Event, role: int) -> Any:
    known: dict[int, Any] = {Role.RUN: event.run_id, Role.VALUE: event}
    if role == Role.ID:
        return next(iter(tasks_in(event)), None)
    return event_sort(type(event)) if role == Role.SORT else known.get(role)
