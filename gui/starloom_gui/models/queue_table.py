"""The ready queue in order: who is next, with which priority, and for how long they have waited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QTimer
from typing_extensions import override

from starloom_gui import words
from starloom_gui.models.plain_table import PlainTable
from starloom_gui.models.roles import Role
from starloom_gui.models.task_cells import title
from starloom_gui.words import translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.line import InLine
    from starloom.scheduling.run_facts import RunFacts
    from starloom_gui.bridge.changes import Changes

MOST: Final = 1_000
"""Rows; of a longer queue the rest is only counted."""
PATIENCE: Final = 250
"""Milliseconds between two readings: a queue that changes with every frame cannot be read."""


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A task in line; times in whole seconds, priorities in whole points, as they are shown."""

    place: int
    run_id: str
    number: int
    task_id: str
    name: str
    base: int
    effective: int
    waited: int


class QueueTable(PlainTable[QueueRow]):
    """The first thousand of the queue, read at most four times a second.

    Args:
        line: gives at most so many of the line, and how many there are.
        facts: gives the facts of a run.
    """

    def __init__(
        self,
        line: Callable[[int], tuple[list[InLine], int]],
        facts: Callable[[str], RunFacts | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(headings, lambda row: (row.run_id, row.number), (0, 2, 3, 4), parent)
        self._line, self._of_run = line, facts
        self._total = 0
        self._calm = QTimer(self)
        self._calm.setSingleShot(True)
        self._calm.setInterval(PATIENCE)
        self._calm.timeout.connect(self.rebuild)
        self.rebuild()

    @property
    def total(self) -> int:
        """How many stand in line, shown or not."""
        return self._total

    def take(self, changes: Changes) -> None:
        """Show what has changed, a moment later; to be connected to a feed of everything."""
        matters = changes.everything or changes.tasks or changes.edits or changes.run or changes.limits
        if (matters or changes.second) and not self._calm.isActive():
            self._calm.start()

    def rebuild(self) -> None:
        """Read the queue anew, without waiting any longer."""
        self._calm.stop()
        line, self._total = self._line(MOST)
        self.show([row for place, one in enumerate(line, 1) if (row := self._row(place, one)) is not None])

    def _row(self, place: int, one: InLine) -> QueueRow | None:
        run = self._of_run(one.run_id)
        if run is None:
            return None
        name, task_id = title(run, one.number), run.graph.ids[one.number]
        return QueueRow(place, one.run_id, one.number, task_id, name, one.base, int(one.effective), int(one.waited))

    @override
    def text(self, row: QueueRow, column: int) -> str:
        return (str(row.place), row.name, str(row.base), str(row.effective), words.clock(row.waited))[column]

    @override
    def more(self, row: QueueRow, column: int, role: int) -> Any:
        known: dict[int, Any] = {
            Role.NUMBER: row.number,
            Role.ID: row.task_id,
            Role.RUN: row.run_id,
            Role.VALUE: row,
        }
        return known.get(role)


def headings() -> tuple[str, ...]:
    """What stands over the columns."""
    return (
        translate("Queue", "Place"),
        translate("Queue", "Task"),
        translate("Queue", "Base"),
        translate("Queue", "Effective"),
        translate("Queue", "Waited"),
    )
