"""The model of the ready queue: tasks with their priority, waiting time, and blocking reason."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QTimer, Signal
from typing_extensions import override

from starloom.scheduling.read.run_view import TaskView
from starloom.scheduling.state.codes import PENDING
from starloom_gui.models.plain_table import PlainTable
from starloom_gui.models.task_cells import title
from starloom_gui.text import words
from starloom_gui.text.engine_words import said
from starloom_gui.text.words import translate
from starloom_gui.viewmodel.columns import Column, Columns
from starloom_gui.viewmodel.inherited_priority import inherited_words
from starloom_gui.viewmodel.roles import RIGHT, ItemRole

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from starloom.scheduling.read.line import InLine
    from starloom.scheduling.read.why import Reason
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.gateway.changes import Changes

    Why = Callable[[str, str], tuple[Reason, ...]]
    """Gives the reasons why a task of a run does not run, what blocks it first."""

MOST: Final = 1_000
"""Rows; of a longer queue the rest is only counted."""
PATIENCE: Final = 250
"""Milliseconds between two readings: a queue that changes with every frame cannot be read."""
SHARE: Final = 0.05
"""Of the time that reading may take; of a very long queue it is read more rarely."""


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A task in line; times in whole seconds, priorities in whole points, as they are shown.

    Attributes:
        stands_still: whether it does not age, as its run is paused or was not started.
    """

    place: int
    run_id: str
    number: int
    task_id: str
    name: str
    base: int
    effective: int
    waited: int
    stands_still: bool


class QueueTable(PlainTable[QueueRow]):
    """The first thousand of the queue, read at most four times a second, and more rarely where reading takes long.

    What blocks a task is asked for when its row comes into sight, once for all tasks with the same constraints.

    Args:
        line: gives at most so many of the line, and how many there are.
        facts: gives the facts of a run.
        why: gives the reasons why a task does not run; None: nobody knows what blocks them.
        name_of: gives what a run is called on the screen, by its id and the name of its plan.

    Signals:
        read: the queue has been read.
    """

    read = Signal()

    def __init__(
        self,
        line: Callable[[int], tuple[list[InLine], int]],
        facts: Callable[[str], RunFacts | None],
        why: Why | None = None,
        parent: QObject | None = None,
        *,
        name_of: Callable[[str, str], str] = lambda run_id, name: name or run_id,
    ) -> None:
        super().__init__(QueueColumn, lambda row: (row.run_id, row.number), parent)
        self._line, self._of_run, self._why, self._name_of = line, facts, why, name_of
        self._is_held = False
        self._total = 0
        self._runs = 0
        self._blocks: dict[Hashable, Reason | None] = {}
        self._calm = QTimer(self)
        self._calm.setSingleShot(True)
        self._calm.setInterval(PATIENCE)
        self._calm.timeout.connect(self.rebuild)
        self.rebuild()

    @property
    def total(self) -> int:
        """The length of the queue, with rows that are not shown."""
        return self._total

    @property
    def runs(self) -> int:
        """Of how many runs there are rows."""
        return self._runs

    def on_changes(self, changes: Changes) -> None:
        """Show what has changed, a moment later; to be connected to a feed of everything."""
        concerns = changes.everything or changes.run or changes.limits or changes.devices or changes.load
        if (concerns or changes.tasks or changes.edits or changes.second) and not (
            self._calm.isActive() or self._is_held
        ):
            self._calm.start()

    def hold(self, held: bool) -> None:
        """Freeze all rows while one of them is being moved; afterwards the queue is read again."""
        self._is_held = held
        if held:
            self._calm.stop()
        else:
            self.rebuild()

    def rest(self) -> None:
        """Stop reading until the next change or `rebuild`; for a hidden pane."""
        self._calm.stop()

    def rebuild(self) -> None:
        """Read the queue again, without a delay."""
        self._calm.stop()
        if self._is_held:
            return
        begun = time.perf_counter()
        line, self._total = self._line(MOST)
        self._blocks.clear()
        rows = [row for place, one in enumerate(line, 1) if (row := self._row(place, one)) is not None]
        self._runs = len({row.run_id for row in rows})
        self.show(rows)
        if self._why is not None and rows:  # what blocks them is no part of the rows, and may be something else by now
            self.dataChanged.emit(self.index(0, QueueColumn.BLOCKED), self.index(len(rows) - 1, QueueColumn.BLOCKED))
        self.read.emit()
        self._calm.setInterval(max(PATIENCE, round((time.perf_counter() - begun) * 1000 / SHARE)))

    def _row(self, place: int, one: InLine) -> QueueRow | None:
        run = self._of_run(one.run_id)
        if run is None:
            return None
        name, task_id = title(run, one.number), run.graph.ids[one.number]
        return QueueRow(
            place=place,
            run_id=one.run_id,
            number=one.number,
            task_id=task_id,
            name=name,
            base=one.base,
            effective=int(one.effective),
            waited=int(one.waited),
            stands_still=run.frozen_at is not None,
        )

    def blocked(self, row: QueueRow) -> Reason | None:
        """The first reason that keeps a task from starting; None: it is only not its turn, or unknown."""
        run = self._of_run(row.run_id)
        task = run.graph.tasks[row.number] if run is not None else None
        if self._why is None or run is None or task is None or run.status[row.number] != PENDING:
            return None
        bucket = (row.run_id, task.groups, run.pin_of(row.number), task.requires)
        if bucket not in self._blocks:
            reasons = self._why(row.run_id, row.task_id)
            self._blocks[bucket] = next((reason for reason in reasons if reason.blocks), None)
        return self._blocks[bucket]

    def blocked_text(self, row: QueueRow) -> str:
        """The reason why a task waits, in few words; empty: unknown."""
        return "" if self._why is None else blocked_words(self.blocked(row))

    def run_name(self, row: QueueRow) -> str:
        """The name of a task's run."""
        run = self._of_run(row.run_id)
        return self._name_of(row.run_id, run.name if run is not None else "")

    @override
    def remark(self, row: QueueRow, column: int) -> str:
        """From where the base priority comes, if it is not the task's own; why the effective one stands still."""
        if column == QueueColumn.EFFECTIVE and row.stands_still:
            return translate("Queue", "Nothing ages while the run does not go on.")
        run = self._of_run(row.run_id) if column in (QueueColumn.BASE, QueueColumn.EFFECTIVE) else None
        return "" if run is None else inherited_words(TaskView(run, row.number))

    @override
    def more(self, row: QueueRow, column: int, role: int) -> Any:
        if role == ItemRole.SHORT and column == QueueColumn.BLOCKED:
            reason = self.blocked(row)
            return "" if reason is None else said(reason.text)
        known: dict[int, Any] = {
            ItemRole.NUMBER: row.number,
            ItemRole.ID: row.task_id,
            ItemRole.RUN: row.run_id,
            ItemRole.VALUE: row,
        }
        return known.get(role)


def waited_words(row: QueueRow) -> str:
    """The time waited; a dash instead of the zero of a run that was not started."""
    return "–" if not row.waited and row.stands_still else words.clock(row.waited)


def blocked_words(reason: Reason | None) -> str:
    """The reason why a task does not start, in few words; its own text has the figures."""
    if reason is None:
        return translate("Queue", "its turn")
    texts = {
        "run_paused": translate("Queue", "the paused run"),
        "run_not_started": translate("Queue", "the start of the run"),
        "run_limit": translate("Queue", "limit of the run"),
        "global_limit": translate("Queue", "limit of all runs"),
        "group_full": translate("Queue", "limit group %1"),
        "no_device": translate("Queue", "a fitting device"),
        "device_unavailable": translate("Queue", "%1 to take tasks")
        if reason.subject
        else translate("Queue", "the end of a reservation"),
        "devices_busy": translate("Queue", "slot of %1") if reason.subject else translate("Queue", "a free slot"),
    }
    text = texts.get(reason.code)
    return said(reason.text) if text is None else words.fill(text, reason.subject or "")


_Column = Column[QueueTable, QueueRow]


class QueueColumn(Columns):
    """The columns of the ready queue, from left to right."""

    PLACE = _Column(
        heading=lambda: translate("Queue", "Place"), text=lambda _, row: str(row.place), width=46, align=RIGHT
    )
    TASK = _Column(heading=lambda: translate("Queue", "Task"), text=lambda _, row: row.name, is_muted=False)
    BASE = _Column(heading=lambda: translate("Queue", "Base"), text=lambda _, row: str(row.base), width=48, align=RIGHT)
    EFFECTIVE = _Column(
        heading=lambda: translate("Queue", "Effective"),
        text=lambda _, row: str(row.effective),
        width=68,
        align=RIGHT,
        is_muted=False,
    )
    WAITED = _Column(
        heading=lambda: translate("Queue", "Waited"),
        text=lambda _, row: waited_words(row),
        width=62,
        align=RIGHT,
    )
    BLOCKED = _Column(
        heading=lambda: translate("Queue", "Waits for"),
        text=lambda table, row: table.blocked_text(row),
        width=148,
        is_muted=False,
    )
    RUN = _Column(heading=lambda: translate("Queue", "Run"), text=lambda table, row: table.run_name(row), width=96)
