"""The outline: groups of tasks as a tree of two levels; for screen readers the complete mirror of the canvas."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt
from typing_extensions import override

from starloom.constellation.edits import AddTask, RemoveTask, UpdateTask
from starloom.scheduling.read.run_view import RunView, TaskView
from starloom_gui.gateway.changes import FLEET, Changes
from starloom_gui.models.task_cells import status, title
from starloom_gui.models.task_spoken import spoken, spoken_group
from starloom_gui.text import words
from starloom_gui.text.words import translate
from starloom_gui.viewmodel.beginnings import shared_beginning
from starloom_gui.viewmodel.grouping import groups
from starloom_gui.viewmodel.roles import LEFT, NOWHERE, RIGHT, ItemRole, concerns_all, ranges, runs_of
from starloom_gui.viewmodel.status_forms import form_counts, form_of, is_marked_held
from starloom_gui.viewmodel.task_words import overdue_words, second_line, short_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from starloom.constellation.graph import Graph
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.viewmodel.grouping import Group
    from starloom_gui.viewmodel.roles import Clock, Facts, Index

    _Shape = tuple[Graph, int, int]
    Sight = Mapping[int, tuple[int, int]]
    """By row of a group its first and last task that can be seen; the last comes before the first where none can."""

_REGROUPING: Final = (AddTask, RemoveTask, UpdateTask)
_MOST_NAMES: Final = 20_000
"""Of more tasks nobody looks for words that all names begin with."""
_MOST_RANGES: Final = 4
"""Each one costs a tree view more than painting all of it."""
_COLUMNS: Final = 2
_TOP: Final = 0
"""What an index on the first level knows; one on the second knows its group's row + 1."""


class Outline(QAbstractItemModel):
    """Groups with their tasks; a task that is in no group stands on the first level itself.

    Columns: name with status, then the second line in short or, of a group, how many tasks it has.

    Args:
        facts: gives the run's facts.
        now: gives seconds on the engine's clock.
    """

    def __init__(self, facts: Facts, now: Clock, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._facts, self._now = facts, now
        self._run: RunFacts | None = None
        self._groups: list[Group] = []
        self._grouped: _Shape | None = None
        self._shared: str | None = None
        self._row_of: dict[int, int] = {}
        self._in_sight: Callable[[], Sight] | None = None
        self._read()

    def attend(self, in_sight: Callable[[], Sight]) -> None:
        """Emit only changes of visible rows; others are read when they become visible.

        Telling a tree of a row costs it more than painting it, and there may be 10,000 groups, or as many in one.
        """
        self._in_sight = in_sight

    def _sight(self) -> Sight:
        if self._in_sight is not None:
            return self._in_sight()
        return {row: (0, len(group.numbers) - 1) for row, group in enumerate(self._groups)}

    @property
    def groups(self) -> tuple[Group, ...]:
        """The first level, from top to bottom."""
        return tuple(self._groups)

    def index_of(self, number: int, column: int = 0) -> QModelIndex:
        """The index of a task; invalid: it is not shown."""
        row = self._row_of.get(number)
        if row is None:
            return NOWHERE
        if not self._groups[row].name:
            return self.createIndex(row, column, _TOP)
        return self.createIndex(bisect_left(self._groups[row].numbers, number), column, row + 1)

    def numbers_at(self, index: Index) -> tuple[int, ...]:
        """The tasks a row stands for: one, or those of a group."""
        number = self._number(index)
        return self._groups[index.row()].numbers if number is None else (number,)

    def numbers_between(self, parent: Index, first: int, last: int) -> list[int]:
        """The tasks that these rows stand for."""
        if parent.isValid():
            return list(self._groups[parent.row()].numbers[first : last + 1])
        return [number for group in self._groups[first : last + 1] for number in group.numbers]

    def spans(self, numbers: Iterable[int]) -> Iterator[tuple[QModelIndex, int, int]]:
        """The ranges of rows that show tasks: parent, first and last row of each; a whole group counts as one."""
        tops: list[int] = []
        inside: dict[int, list[int]] = {}
        for number in numbers:
            row = self._row_of.get(number)
            if row is not None and self._groups[row].name:
                inside.setdefault(row, []).append(bisect_left(self._groups[row].numbers, number))
            elif row is not None:
                tops.append(row)
        for row, places in inside.items():
            if len(places) == len(self._groups[row].numbers):
                tops.append(row)
            for first, last in runs_of(places):
                yield self.createIndex(row, 0, _TOP), first, last
        for first, last in runs_of(tops):
            yield NOWHERE, first, last

    def short(self, name: str) -> str:
        """A name without the words that the names of all tasks begin with, as nodes omit them."""
        if self._shared is None:
            run = self._run
            numbers = list(self._row_of) if run is not None and len(self._row_of) <= _MOST_NAMES else []
            self._shared = shared_beginning({title(run, number) for number in numbers}) if run is not None else ""
        return name.removeprefix(self._shared)

    # ---- what has changed

    def on_changes(self, changes: Changes) -> None:
        """Show what has changed; to be connected to a feed of the run and the fleet."""
        run = self._facts()
        if run is not self._run or (run is not None and changes.everything and changes.run_id == run.run_id):
            self.rebuild()
        elif run is not None and changes.run_id in {FLEET, run.run_id}:
            if any(isinstance(one, _REGROUPING) for batch in changes.edits for one in batch.changes):
                self._regroup()
            if changes.tasks:
                self._tell(changes.tasks)
            if concerns_all(changes):
                self._tell_what_follows()

    def rebuild(self) -> None:
        """Rebuild all rows; of another moment of the same graph they are the same, and say something else."""
        run = self._facts()
        if run is not None and self._grouped is not None and _is_same(_shape_of(run), self._grouped):
            self._run = run
            self._tell_what_follows()
            return
        self.beginResetModel()
        self._read()
        self.endResetModel()

    def _read(self) -> None:
        run = self._run = self._facts()
        self._become(groups(run.graph) if run is not None else [])
        self._grouped = _shape_of(run) if run is not None else None

    def _become(self, made: list[Group]) -> None:
        self._shared = None
        self._groups = made
        self._row_of = {number: row for row, group in enumerate(made) for number in group.numbers}

    def _regroup(self) -> None:
        """Insert new tasks; where groups were added, removed or lost a task, rebuild all rows."""
        assert self._run is not None
        self._shared = None
        made, old = groups(self._run.graph), self._groups
        grown = [row for row, (a, b) in enumerate(zip(old, made, strict=False)) if a != b]
        is_growth = len(made) >= len(old) and all(
            old[row].name and old[row].name == made[row].name and _continues(old[row].numbers, made[row].numbers)
            for row in grown
        )
        if not is_growth:
            self.beginResetModel()
            self._become(made)
            self.endResetModel()
            return
        for row in grown:
            self._grow(row, made[row])
        if len(made) > len(old):
            self.beginInsertRows(NOWHERE, len(old), len(made) - 1)
            self._become(made)
            self.endInsertRows()

    def _grow(self, row: int, made: Group) -> None:
        before = len(self._groups[row].numbers)
        self.beginInsertRows(self.createIndex(row, 0, _TOP), before, len(made.numbers) - 1)
        self._groups[row] = made
        self._row_of.update((number, row) for number in made.numbers[before:])
        self.endInsertRows()

    def _tell(self, numbers: Iterable[int]) -> None:
        tops: set[int] = set()
        inside: dict[int, list[int]] = {}
        sight = self._sight()
        for number in numbers:
            row = self._row_of.get(number)
            if row is not None and row in sight:
                tops.add(row)
                place = bisect_left(self._groups[row].numbers, number)
                if self._groups[row].name and sight[row][0] <= place <= sight[row][1]:
                    inside.setdefault(row, []).append(place)
        for row, places in inside.items():
            for first, last in ranges(places, most=_MOST_RANGES):
                self.dataChanged.emit(self.createIndex(first, 0, row + 1), self.createIndex(last, 1, row + 1))
        for first, last in ranges(tops, most=_MOST_RANGES):
            self.dataChanged.emit(self.createIndex(first, 0, _TOP), self.createIndex(last, 1, _TOP))

    def _tell_what_follows(self) -> None:
        sight = self._sight()
        for row, (first, last) in sight.items():
            if self._groups[row].name and first <= last:
                self.dataChanged.emit(self.createIndex(first, 0, row + 1), self.createIndex(last, 1, row + 1))
        if sight:
            self.dataChanged.emit(self.createIndex(min(sight), 0, _TOP), self.createIndex(max(sight), 1, _TOP))

    # ---- what Qt asks

    @override
    def index(self, row: int, column: int, parent: Index = NOWHERE) -> QModelIndex:
        if not (0 <= column < _COLUMNS and 0 <= row < self.rowCount(parent)):
            return NOWHERE
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else _TOP)

    @override
    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]  # Qt has a second one, of objects
        if not index.isValid() or index.internalId() == _TOP:
            return NOWHERE
        return self.createIndex(index.internalId() - 1, 0, _TOP)

    @override
    def rowCount(self, parent: Index = NOWHERE) -> int:
        if not parent.isValid():
            return len(self._groups)
        if parent.internalId() != _TOP or parent.column() or parent.row() >= len(self._groups):
            return 0
        group = self._groups[parent.row()]
        return len(group.numbers) if group.name else 0

    @override
    def columnCount(self, parent: Index = NOWHERE) -> int:
        return _COLUMNS

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        return translate("Outline", "Task") if section == 0 else translate("Outline", "State")

    @override
    def hasChildren(self, parent: Index = NOWHERE) -> bool:
        return self.rowCount(parent) > 0

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        run = self._run
        if run is None or not index.isValid():
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if index.column() else LEFT
        number = self._number(index)
        if number is None:
            return _of_group(run, self._groups[index.row()], index.column(), role)
        return _of_task(run, number, index.column(), role, self._now())

    def _number(self, index: Index) -> int | None:
        """The task of a row; None: it is a group's."""
        if index.internalId() != _TOP:
            return self._groups[index.internalId() - 1].numbers[index.row()]
        group = self._groups[index.row()]
        return None if group.name else group.numbers[0]


def _shape_of(run: RunFacts) -> _Shape:
    """What the groups of a run depend on; edits that are told one by one come on top of it."""
    return run.graph, run.revision, len(run.graph.ids)


def _is_same(one: _Shape, other: _Shape) -> bool:
    return one[0] is other[0] and one[1:] == other[1:]


def _continues(old: tuple[int, ...], new: tuple[int, ...]) -> bool:
    return new[: len(old)] == old


def _of_task(run: RunFacts, number: int, column: int, role: int, now: float) -> Any:
    task = TaskView(run, number)
    if role == Qt.ItemDataRole.DisplayRole:
        return short_line(task, now) if column else title(run, number)
    if role == Qt.ItemDataRole.AccessibleTextRole:
        return short_line(task, now) if column else spoken(task, now)
    if role == Qt.ItemDataRole.ToolTipRole:
        said = (title(run, number), status(run, number), second_line(task, now))
        late = overdue_words(task, now)
        return words.tip("\n".join(filter(None, (", ".join(filter(None, said)), late))))
    known = {ItemRole.NUMBER: number, ItemRole.CODE: form_of(task), ItemRole.ID: run.graph.ids[number]}
    return is_marked_held(run, number) if role == ItemRole.HELD else known.get(role)  # type: ignore[call-overload]  # or no role


def _of_group(run: RunFacts, group: Group, column: int, role: int) -> Any:
    if role == Qt.ItemDataRole.DisplayRole:
        return words.amount(len(group.numbers)) if column else group.name
    if role == ItemRole.COUNTS:
        return _counts(run, group)
    if role == Qt.ItemDataRole.ToolTipRole:
        return words.tip(spoken_group(group.name, _counts(run, group)))
    if role == Qt.ItemDataRole.AccessibleTextRole and not column:
        return spoken_group(group.name, _counts(run, group))
    if role == Qt.ItemDataRole.AccessibleTextRole:
        return words.tasks(len(group.numbers))
    return group.name if role == ItemRole.ID else None


def _counts(run: RunFacts, group: Group) -> tuple[int, ...]:
    return form_counts(RunView(run), group.numbers)
