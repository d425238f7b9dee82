"""The model of a run's tasks: sorted, filtered, and updated in few, large steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractItemModel, QAbstractTableModel, QModelIndex, QObject, Qt, QTimer
from typing_extensions import override

from starloom.constellation.edits import AddTask, UpdateTask
from starloom.scheduling.read.run_view import TaskView
from starloom.scheduling.state.codes import PENDING, RUNNING
from starloom_gui.gateway.changes import FLEET, Changes
from starloom_gui.models.ordered import Ordered
from starloom_gui.models.task_cells import TaskColumn, TaskSource, key, keys, text
from starloom_gui.models.task_filter import TaskFilter
from starloom_gui.text.words import tip
from starloom_gui.viewmodel.columns import header_data
from starloom_gui.viewmodel.inherited_priority import inherited_words
from starloom_gui.viewmodel.roles import NOWHERE, ItemRole, concerns_all, ranges, runs_of
from starloom_gui.viewmodel.status_forms import form_at, is_marked_held
from starloom_gui.viewmodel.task_words import overdue_words, quiet_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from starloom.events import ConstellationModified
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.diff.baseline_run import BaselineRun
    from starloom_gui.viewmodel.roles import Clock, Facts, Index

PATIENCE: Final = 250
"""Milliseconds that pass at least between two changes of the order by itself: rows that jump cannot be read."""
_FEW: Final = 16
_OF_STANDING: Final = frozenset({TaskColumn.STATUS, TaskColumn.DURATION, TaskColumn.WHY})
"""Columns whose tips also say by how much a task is overdue, and for how long it has printed nothing."""
_ROWS: Final = QAbstractItemModel.LayoutChangeHint.VerticalSortHint
_WITH_HINT: Final = "QList<QPersistentModelIndex>,QAbstractItemModel::LayoutChangeHint"
_MOST_STEPS: Final = 64
"""Insertions and removals of rows at once; where there would be more, all rows are new."""


class TaskTable(QAbstractTableModel):
    """A row for each task that the filter wants.

    Args:
        facts: gives the run's facts.
        now: gives seconds on the engine's clock.
        quiet: gives by number since when tasks have printed nothing for long, in seconds since 1970.
    """

    def __init__(
        self,
        facts: Facts,
        now: Clock,
        parent: QObject | None = None,
        quiet: Callable[[], Mapping[int, float]] = dict,
    ) -> None:
        super().__init__(parent)
        self._facts = facts
        self._now = now
        self._read_quiet, self._quiet = quiet, dict[int, float]()
        self._filter = TaskFilter()
        self._earlier: BaselineRun | None = None
        self._column = -1
        self._descending = False
        self._known = 0
        self._calm = QTimer(self)
        self._calm.setSingleShot(True)
        self._calm.setInterval(PATIENCE)
        self._calm.timeout.connect(self.settle)
        self._rows = self._made_anew()

    # ---- what is shown

    @property
    def filter(self) -> TaskFilter:
        """The filter of the shown tasks."""
        return self._filter

    def set_filter(self, wanted: TaskFilter) -> None:
        """Show other tasks."""
        if wanted != self._filter:
            self._filter = wanted
            self.rebuild()

    def compare(self, earlier: BaselineRun | None) -> None:
        """Fill three columns with the differences of tasks from those of an earlier run; None: empty them."""
        self._earlier = earlier
        self.rebuild()

    @override
    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 is the place in line. Where values are equal, that decides, in either order."""
        before = self._column, self._descending
        self._column, self._descending = column, order == Qt.SortOrder.DescendingOrder
        is_so = before == (self._column, self._descending) and self._rows.is_sorted  # views ask twice
        if self._source is None or is_so:
            return
        rows = self._empty_rows(self._source)
        rows.fill(self._rows.all())
        self._reorder(rows)

    def _empty_rows(self, source: TaskSource) -> Ordered:
        return Ordered(key(source, self._column), keys(source, self._column), descending=self._descending)

    def numbers(self) -> list[int]:
        """The numbers of the tasks that are shown, from top to bottom."""
        return self._rows.all()

    def number_at(self, row: int) -> int:
        """The number of the task in a row."""
        return self._rows.at(row)

    def index_of(self, number: int, column: int = TaskColumn.NAME) -> QModelIndex:
        """The index of a task; invalid: it is not shown."""
        row = self._rows.row(number)
        return NOWHERE if row is None else self.index(row, column)

    def numbers_at(self, index: Index) -> tuple[int, ...]:
        """The task of a row, as views of groups have several."""
        return (self._rows.at(index.row()),) if 0 <= index.row() < len(self._rows) else ()

    def numbers_between(self, _parent: Index, first: int, last: int, /) -> list[int]:
        """The tasks in these rows; a parent is for views of groups."""
        return [self._rows.at(row) for row in range(first, last + 1)]

    def spans(self, numbers: Iterable[int]) -> Iterator[tuple[QModelIndex, int, int]]:
        """The ranges of rows that show tasks: parent, first and last row of each."""
        wanted = frozenset(numbers)
        if len(wanted) * _FEW > len(self._rows):  # reading all rows is faster than looking for each
            rows = [row for row, number in enumerate(self._rows.all()) if number in wanted]
        else:
            rows = [row for number in wanted if (row := self._rows.row(number)) is not None]
        for first, last in runs_of(rows):
            yield NOWHERE, first, last

    # ---- what Qt asks

    @override
    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    @override
    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(TaskColumn)

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return header_data(TaskColumn, section, orientation, role)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = index.row()
        if not index.isValid() or row >= len(self._rows):
            return None
        number, column = self._rows.at(row), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return text(self.source, number, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            said = text(self.source, number, column)
            return tip("\n".join(filter(None, (said, *self._remarks(number, column)))))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return TaskColumn.at(column).column.align
        return self._more(number, role)

    def _remarks(self, number: int, column: int) -> tuple[str, ...]:
        """By how much a task is overdue, how long it has printed nothing, from where it inherits a priority."""
        task, now = TaskView(self._run, number), self._now()
        if column == TaskColumn.PRIORITY:
            return (inherited_words(task),)
        if column not in _OF_STANDING:
            return ()
        return overdue_words(task, now), quiet_words(task.run, self._quiet.get(number), now)

    def _more(self, number: int, role: int) -> Any:
        run = self._run
        if role == ItemRole.NUMBER:
            return number
        if role == ItemRole.CODE:
            return form_at(run, number)
        if role == ItemRole.ID:
            return run.graph.ids[number]
        if role == ItemRole.RUN:
            return run.run_id
        if role == ItemRole.HELD:
            return is_marked_held(run, number)
        if role == ItemRole.QUIET:
            return number in self._quiet and number not in run.held
        return None

    # ---- what has changed

    def on_changes(self, changes: Changes) -> None:
        """Show what has changed; to be connected to a feed of the run and the fleet."""
        run = self._facts()
        known = self._source.run if self._source is not None else None
        before, self._quiet = self._quiet, dict(self._read_quiet())
        if run is not known or (run is not None and changes.everything and changes.run_id == run.run_id):
            self.rebuild()
        elif run is not None and changes.run_id in {FLEET, run.run_id}:
            if changes.edits:
                self._take_edits(changes.edits)
            if numbers := changes.tasks | (before.keys() ^ self._quiet.keys()):
                self._take_tasks(numbers)
            if concerns_all(changes):
                self._take_what_follows(run, changes)

    def rebuild(self) -> None:
        """Rebuild all rows."""
        self.beginResetModel()
        self._rows = self._made_anew()
        self.endResetModel()

    def settle(self) -> None:
        """Sort the rows now, without waiting any longer."""
        self._calm.stop()
        if not self._rows.is_sorted:
            self._reorder(None)

    def _made_anew(self) -> Ordered:
        run = self._facts()
        self._source = None if run is None else TaskSource(run, self._now, self._earlier, lambda: self._quiet)
        self._known = len(run.graph.tasks) if run is not None else 0
        if run is None or self._source is None:
            return Ordered(lambda number: number)
        wants = self._filter.wants
        rows = self._empty_rows(self._source)
        rows.fill(number for number in range(self._known) if wants(run, number))
        return rows

    @property
    def source(self) -> TaskSource:
        """The source of the cells; to be called only while there are rows."""
        assert self._source is not None, "a table without a run has no rows"
        return self._source

    @property
    def _run(self) -> RunFacts:
        return self.source.run

    def _take_edits(self, edits: Iterable[ConstellationModified]) -> None:
        """Read tasks that were added, changed or removed, and all that were added later."""
        graph = self._run.graph
        touched = set(range(self._known, len(graph.tasks)))
        self._known = len(graph.tasks)
        for batch in edits:
            for change in batch.changes:
                task_id = change.task.id if isinstance(change, AddTask) else getattr(change, "task_id", None)
                if isinstance(change, AddTask | UpdateTask) and task_id in graph.place:
                    touched.add(graph.place[task_id])
        touched.update(number for number in self._rows.all() if graph.tasks[number] is None)
        self._take_tasks(touched)

    def _take_tasks(self, numbers: Iterable[int]) -> None:
        run, rows, wants = self._run, self._rows, self._filter.wants
        there = [number for number in numbers if number < len(run.graph.tasks)]
        come = [number for number in there if number not in rows and wants(run, number)]
        known = [number for number in there if number in rows]
        gone = [number for number in known if not wants(run, number)]
        if not self._insert_and_remove(come, gone):
            return
        stay = [number for number in known if number in rows] if gone else known
        self._tell(row for number in stay if (row := rows.row(number)) is not None)
        for number in stay:
            rows.note(number)
        self._keep_order()

    def _insert_and_remove(self, come: list[int], gone: list[int]) -> bool:
        """Change which rows there are; False: all are new."""
        lost = runs_of(row for number in gone if (row := self._rows.row(number)) is not None)
        if len(come) + len(lost) > _MOST_STEPS:
            self.rebuild()
            return False
        for first, last in reversed(lost):
            self.beginRemoveRows(NOWHERE, first, last)
            self._rows.remove_rows(first, last)
            self.endRemoveRows()
        for number in come:
            row = self._rows.row_for(number)
            self.beginInsertRows(NOWHERE, row, row)
            self._rows.insert(number)
            self.endInsertRows()
        return True

    def _tell(self, rows: Iterable[int]) -> None:
        last_column = len(TaskColumn) - 1
        for first, last in ranges(rows):
            self.dataChanged.emit(self.index(first, 0), self.index(last, last_column))

    def _take_what_follows(self, run: RunFacts, changes: Changes) -> None:
        """Update columns with running times and blocking reasons; views paint only visible cells."""
        if len(self._rows):
            last = TaskColumn.WHY if self._earlier is None else TaskColumn.LONGER
            top, bottom = self.index(0, TaskColumn.DURATION), self.index(len(self._rows) - 1, last)
            self.dataChanged.emit(top, bottom)
        if self._column in {TaskColumn.DURATION, TaskColumn.LONGER}:
            self._note(run.with_status(RUNNING))
        elif self._column == TaskColumn.WHY and changes.run:  # a run that goes on has moved when tasks became ready
            self._note(run.with_status(PENDING))

    def _note(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            if number in self._rows:
                self._rows.note(number)
        self._keep_order()

    def _keep_order(self) -> None:
        if not self._rows.is_sorted and not self._calm.isActive():
            self._calm.start()

    def _reorder(self, rows: Ordered | None) -> None:
        """Set another order, or sort by the present one; selection and current row stay."""
        # The hint spares Qt an index for every cell of what is selected: one a row will do.
        self.layoutAboutToBeChanged[_WITH_HINT].emit([], _ROWS)  # type: ignore[index]  # the stubs know no overloads
        before = self.persistentIndexList()
        kept = [(self._rows.at(one.row()), one.column()) for one in before]
        if rows is not None:
            self._rows = rows
        else:
            self._rows.resort()
        self.changePersistentIndexList(before, [self.index_of(number, column) for number, column in kept])
        self.layoutChanged[_WITH_HINT].emit([], _ROWS)  # type: ignore[index]  # the stubs know no overloads
