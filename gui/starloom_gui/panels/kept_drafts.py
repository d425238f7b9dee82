"""The drafts of the form that only Enter sends: kept while other tasks are shown, and told when a task starts first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from starloom_gui.text.words import fill, translate
from starloom_gui.viewmodel.selection import there
from starloom_gui.viewmodel.task_field_words import label_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.scheduling.read.run_view import RunView, TaskView

    About = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Overtaken:
    """Tasks that have started without a draft.

    Attributes:
        numbers: of all tasks that the draft is for.
        started: those that have started.
        fields: the names of the fields in which it is typed.
    """

    numbers: tuple[int, ...]
    started: tuple[TaskView, ...]
    fields: tuple[str, ...]

    @property
    def words(self) -> str:
        """What is told of it, as sentences."""
        said = translate(
            "FieldsSection",
            "%1 started without what you typed in “%2”: it was not set (Enter; in a text of several lines Ctrl+Enter)."
            " The field keeps it, to be copied.",
        )
        return fill(said, ", ".join(task.title for task in self.started), ", ".join(map(label_of, self.fields)))


class KeptDrafts(QObject):
    """Keeps the drafts by the tasks that they are for.

    Signals:
        overtaken(Overtaken): tasks have started without a draft.
        changed(): there are drafts for other tasks than before.
    """

    overtaken = Signal(object)
    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._drafts: dict[About, Mapping[str, str]] = {}
        self._attempts: dict[About, dict[int, int]] = {}

    def of(self, run_id: str, numbers: tuple[int, ...]) -> Mapping[str, str]:
        """The drafts for these tasks, by field."""
        return self._drafts.get((run_id, numbers), {})

    def tasks(self, run_id: str) -> frozenset[int]:
        """The numbers of the tasks of a run for which there are drafts."""
        return frozenset(number for of_run, numbers in self._drafts if of_run == run_id for number in numbers)

    def keep(self, run: RunView, numbers: tuple[int, ...], drafts: Mapping[str, str]) -> None:
        """Keep the drafts for these tasks, by field; none: there are none any more."""
        about = run.run_id, numbers
        is_other = bool(drafts) is not (about in self._drafts)
        if drafts:
            self._drafts[about] = drafts
            self._attempts.setdefault(about, {number: run.task(number).attempt for number in there(run, numbers)})
        else:
            self._drafts.pop(about, None)
            self._attempts.pop(about, None)
        if is_other:
            self.changed.emit()

    def look(self, run: RunView) -> None:
        """Tell of the tasks of a run that have started since their drafts were begun, of each start once."""
        for (run_id, numbers), known in self._attempts.items():
            if run_id != run.run_id:
                continue
            started = [task for task in run.tasks(sorted(there(run, known))) if task.attempt > known[task.number]]
            known.update((task.number, task.attempt) for task in started)
            if started:
                self.overtaken.emit(Overtaken(numbers, tuple(started), tuple(self._drafts[run_id, numbers])))
