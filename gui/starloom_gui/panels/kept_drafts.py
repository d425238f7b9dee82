"""The drafts of a form: kept while other tasks are shown, and told when their tasks start, are removed or come back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from starloom_gui.text.words import fill, translate
from starloom_gui.viewmodel.selection import there
from starloom_gui.viewmodel.task_field_words import label_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from starloom.scheduling.read.run_view import RunView, TaskView

    TaskIds = tuple[str, ...]


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


@dataclass(slots=True)
class Draft:
    """What is typed for one task or several and not set.

    Attributes:
        titles: the names of the tasks on the screen, by id; in the order of their numbers.
        texts: what is typed, by field.
        attempts: how often each task had started when that was last told, by id.
        base: the values that its author saw then, by field.
        gone: the ids of the tasks that have been removed, as it was last told.
    """

    titles: dict[str, str]
    texts: Mapping[str, str]
    attempts: dict[str, int] = field(default_factory=dict)
    base: Mapping[str, str] = field(default_factory=dict)
    gone: frozenset[str] = frozenset()

    @property
    def names(self) -> str:
        """The names of the tasks."""
        return ", ".join(self.titles.values())

    @property
    def labels(self) -> str:
        """The labels of the fields."""
        return ", ".join(map(label_of, self.texts))


class KeptDrafts(QObject):
    """Keeps the drafts by the ids of the tasks that they are for, as a task that comes back may have another number.

    Attributes:
        numbers: the numbers of the present tasks for which there are drafts.

    Signals:
        overtaken(Overtaken): tasks have started without a draft.
        removed(Draft), returned(Draft): a task that a draft is for has been removed, or is back.
        changed(): there are drafts for other tasks than before.
    """

    overtaken = Signal(object)
    removed = Signal(object)
    returned = Signal(object)
    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._drafts: dict[TaskIds, Draft] = {}
        self.numbers: frozenset[int] = frozenset()

    @property
    def all(self) -> tuple[Draft, ...]:
        """All drafts, the oldest first."""
        return tuple(self._drafts.values())

    def of(self, run: RunView, numbers: tuple[int, ...]) -> Draft | None:
        """The draft for these tasks; None: there is none."""
        return self._drafts.get(_ids(run, numbers))

    def keep(self, run: RunView, numbers: tuple[int, ...], texts: Mapping[str, str], base: Mapping[str, str]) -> None:
        """Keep the drafts for these tasks, by field, and the values that their author saw; none: there are none."""
        ids = _ids(run, numbers)
        if not texts:
            self._drafts.pop(ids, None)
        elif ids in self._drafts:
            self._drafts[ids].texts, self._drafts[ids].base = texts, base
        else:
            present = list(run.tasks(sorted(there(run, numbers))))
            known = {task.id: task.title for task in present}
            attempts = {task.id: task.attempt for task in present}
            self._drafts[ids] = Draft({id: known.get(id, id) for id in ids}, texts, attempts, base)
        self._count(run)

    def restore(self, drafts: Iterable[Draft]) -> None:
        """Keep drafts of an earlier session, too; what has become of their tasks is told at the next look."""
        self._drafts |= {tuple(draft.titles): draft for draft in drafts}

    def look(self, run: RunView) -> None:
        """Tell of the tasks with drafts that have started, been removed or come back, of each once."""
        place = run.graph.place
        for draft in self.all:
            gone = frozenset(id for id in draft.titles if id not in place)
            before, draft.gone = draft.gone, gone
            if gone - before:
                self.removed.emit(draft)
            elif before - gone:
                self.returned.emit(draft)
            present = [run.task(place[id]) for id in draft.titles if id in place]
            started = [task for task in present if task.attempt > draft.attempts.get(task.id, task.attempt)]
            draft.attempts.update((task.id, task.attempt) for task in present)
            if started:
                numbers = tuple(task.number for task in present)
                self.overtaken.emit(Overtaken(numbers, tuple(started), tuple(draft.texts)))
        self._count(run)

    def _count(self, run: RunView) -> None:
        place = run.graph.place
        now = frozenset(place[id] for draft in self.all for id in draft.titles if id in place)
        if now != self.numbers:
            self.numbers = now
            self.changed.emit()


def _ids(run: RunView, numbers: tuple[int, ...]) -> TaskIds:
    """The ids of these tasks, removed ones among them."""
    return tuple(run.graph.ids[number] for number in numbers)
