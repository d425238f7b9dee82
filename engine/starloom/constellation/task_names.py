"""The names of a graph's tasks, also of removed ones, and labels that tell tasks of the same name apart."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starloom.constellation.undoable_changes import UndoableChanges
    from starloom.model.task import Task


class TaskNames:
    """The names of the tasks of a graph.

    Args:
        tasks, ids, place: the graph's own.
        before: the names of the graph that it is a copy of; None: it is none.
    """

    __slots__ = ("_counts", "_ids", "_place", "_removed", "_tasks")

    def __init__(
        self,
        tasks: Sequence[Task | None],
        ids: Sequence[str],
        place: Mapping[str, int],
        before: TaskNames | None = None,
    ) -> None:
        self._tasks, self._ids, self._place = tasks, ids, place
        self._removed: dict[str, str] = {} if before is None else dict(before._removed)
        """The names that removed tasks had, by id."""
        self._counts: Counter[str] | None = None

    def title(self, number: int) -> str:
        """The name of a task; its id if it has none."""
        task, task_id = self._tasks[number], self._ids[number]
        return self._removed.get(task_id, task_id) if task is None else task.title

    def label(self, number: int) -> str:
        """See `label_of`."""
        return self.label_of(self._ids[number])

    def label_of(self, task_id: str) -> str:
        """The name of a task in sentences, with its id behind it where another task has the same name.

        Args:
            task_id: of a task, present or removed. It is its own label if the task has no name, or never was there.
        """
        number = self._place.get(task_id)
        title = self._removed.get(task_id, task_id) if number is None else self.title(number)
        if title == task_id:
            return task_id
        if self._counts is None:
            self._counts = Counter(task.title for task in self._tasks if task is not None)
        is_only = self._counts[title] == (number is not None)
        return title if is_only else f"{title} ({task_id})"

    # ---- following the graph

    def forget_counts(self) -> None:
        """Note that tasks came, went or were renamed."""
        self._counts = None

    def note_removed(self, task: Task, changes: UndoableChanges) -> None:
        """Keep the name of a task that is removed.

        Args:
            task: the task.
            changes: of the graph; taking them back forgets it.
        """
        self.forget_counts()
        if task.title != task.id:
            changes.set(self._removed, task.id, task.title)

    def take_over(self, edited: TaskNames) -> None:
        """Take over the names of a graph that this one's graph has become."""
        self._removed, self._counts = edited._removed, None
