"""The tasks pane: the table with its filter, and a button that retries all failed tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from starloom.model.status import TaskStatus
from starloom.scheduling.commands import RetryTasks
from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.models.task_cells import natural
from starloom_gui.models.task_filter import TaskFilter
from starloom_gui.panels.note import empty_page
from starloom_gui.panels.output_buttons import ButtonRow
from starloom_gui.panels.task_copying import errors_text, rows_text
from starloom_gui.panels.task_filter_bar import TaskFilterBar
from starloom_gui.panels.task_grid import TaskGrid
from starloom_gui.panels.task_selecting import still
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import amount, fill, tasks
from starloom_gui.theme.icons import Icon
from starloom_gui.theme.metrics import GAPS
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.theme.styles import table
from starloom_gui.viewmodel.grouping import groups
from starloom_gui.viewmodel.keys import Scope, sequences
from starloom_gui.viewmodel.roles import ItemRole
from starloom_gui.viewmodel.run_views import failed_tasks
from starloom_gui.viewmodel.status_forms import bypassed_count, form_counts
from starloom_gui.widgets.controls import button, line, sheet, text
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from starloom.scheduling.read.run_view import RunView
    from starloom_gui.diff.baseline_run import BaselineRun
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.models.task_table import TaskTable
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.roles import ShownRun
    from starloom_gui.viewmodel.selection import Selection

_FAILED: Final = TaskFilter(forms=frozenset({StatusForm.FAILED, StatusForm.WARNED}))


class TasksPanel(QWidget):
    """The Tasks pane: all tasks of a run as a table to sort, filter and select from.

    Attributes:
        grid: the table.
        bar: the filter.
        corner: what stands at the right of the pane's tab: the button.
        retry_button: runs all failed tasks again; disabled it says why.
        copy_rows, copy_errors: actions for the menu; they put what is selected on the clipboard.

    Signals:
        activated(str): the user wants to see more of the task of this id, which is selected.
        menu_asked(QPoint): the user wants the menu of what is selected, at this place on the screen.
        open_requested: the user wants to open a plan.

    Args:
        table: the model; the panel feeds it.
        appearance: the colours.
        selection: what is selected, shared with all other views.
        run: gives the run that is shown; None: there is none.
        gateway: whom the button asks.
        parent: the widget it lies in.
    """

    activated = Signal(str)
    menu_asked = Signal(QPoint)
    open_requested = Signal()

    def __init__(
        self,
        table: TaskTable,
        appearance: Appearance,
        selection: Selection,
        run: ShownRun,
        gateway: CommandGateway,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._table, self._appearance, self._selection = table, appearance, selection
        self._run, self._gateway = run, gateway
        self._asked: object = None
        self._bypassed: tuple[object, int] = None, 0
        self.grid = TaskGrid(table, appearance, selection)
        self.bar = TaskFilterBar(lambda: appearance.palette, self._devices, self._groups)
        self.corner = ButtonRow(appearance, (0, GAPS[1]))
        self.retry_button = self.corner.add(Icon.RETRY, self._retry, words=True)
        self.copy_rows, self.copy_errors = QAction(self.grid), QAction(self.grid)
        self._nothing, self._open = text(look="muted"), button("")
        self._filtered, self._clear = text(look="muted"), button("")
        self._arrange()
        self._connect()
        self._say()
        Restyling(self, appearance, self._apply_theme)
        self.refresh()

    def _arrange(self) -> None:
        self.setObjectName("pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._line = line()
        self._stack = QStackedWidget()
        self._stack.addWidget(self.grid)
        self._stack.addWidget(empty_page(self._filtered, self._clear))
        self._stack.addWidget(empty_page(self._nothing, self._open))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for each in (self.bar, self._line, self._stack):
            column.addWidget(each)
        self.setFocusProxy(self.grid)
        self.copy_rows.setShortcuts(sequences(Scope.TASKS, "copy_rows"))
        self.copy_errors.setShortcuts(sequences(Scope.TASKS, "copy_errors"))
        for action in (self.copy_rows, self.copy_errors):
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            self.grid.addAction(action)

    def _connect(self) -> None:
        self.bar.wanted.connect(self.show_filter)
        self.bar.field.left.connect(self._enter)
        self.bar.columns.clicked.connect(self._open_columns)
        self.grid.activated.connect(self._activate)
        self.grid.menu_asked.connect(self.menu_asked)
        self.copy_rows.triggered.connect(self._copy_rows)
        self.copy_errors.triggered.connect(self._copy_errors)
        self._open.clicked.connect(self.open_requested)
        self._clear.clicked.connect(lambda: self.show_filter(TaskFilter()))
        self._selection.changed.connect(self._follow)
        for signal in (self._table.modelReset, self._table.rowsInserted, self._table.rowsRemoved):
            signal.connect(self._count)

    # ---- being told

    def on_changes(self, changes: Changes) -> None:
        """Show what has changed; to be connected to a feed of the run and the fleet."""
        with still(self.grid):
            self._table.on_changes(changes)
        if changes.everything:
            self._asked = None  # another moment may be shown, of which nothing can be tried again
        if changes.tasks or changes.edits or changes.run or changes.everything:
            self.refresh()

    def refresh(self) -> None:
        """Update the counts and the button."""
        self._count()
        run = self._run()
        failed = 0 if run is None else run.count(TaskStatus.FAILED)
        asked = None if run is None else (run.run_id, failed, run.state)
        if asked != self._asked or not failed:
            self._asked = asked
            self._offer_retry(run, failed)

    def show_filter(self, wanted: TaskFilter) -> None:
        """Show these tasks and no others."""
        self.bar.show_filter(wanted)
        self._table.set_filter(wanted)

    def compare(self, earlier: BaselineRun | None) -> None:
        """Show columns that compare tasks with those of an earlier run; None: hide them."""
        self._table.compare(earlier)
        self.grid.head.show_extra(on=earlier is not None)

    def show_failed(self) -> None:
        """Show the tasks that have failed."""
        self.show_filter(_FAILED)

    def show_all_again(self) -> None:
        """Show all tasks again after `show_failed`, unless the user has set another filter since."""
        if self._table.filter == _FAILED:
            self.show_filter(TaskFilter())

    def select_failed(self) -> None:
        """Select a failed task unless one is selected, the first whose failure is no warning if there is any."""
        run = self._run()
        failed = {task.number: task for task in run.with_status(TaskStatus.FAILED)} if run is not None else {}
        if failed and self._selection.now.numbers.isdisjoint(failed):
            self._selection.select(min(failed, key=lambda number: (failed[number].is_warning, number)))

    def columns_state(self) -> bytes:
        """The visibility, positions, widths and sort order of the columns, to be stored."""
        return self.grid.head.columns_state()

    def restore_columns(self, state: bytes) -> bool:
        """Restore a state of `columns_state`; False: it is unusable, and nothing has changed."""
        return self.grid.head.restore_columns(state)

    # ---- showing

    def _count(self) -> None:
        run = self._run()
        total = 0 if run is None else len(run.graph.place)
        shown = self._table.rowCount()
        self.bar.setVisible(bool(total))
        self._line.setVisible(bool(total))
        self._stack.setCurrentIndex(0 if shown else 1 if total else 2)
        counts = form_counts(run) if run is not None else (0,) * (StatusForm.WARNED + 1)
        whole = tasks(total)
        words = whole if shown == total else fill(self.tr("%1 of %2"), amount(shown), whole)
        self.bar.show_counts(counts, self._bypassed_in(run), words)
        self._filtered.setText(fill(self.tr("None of the %1 fits the filter."), whole))

    def _bypassed_in(self, run: RunView | None) -> int:
        """The number of bypassed tasks, counted once for each revision of the graph."""
        about = None if run is None else (run.facts, run.revision)
        if about != self._bypassed[0]:
            self._bypassed = about, 0 if run is None else bypassed_count(run)
        return self._bypassed[1]

    def _offer_retry(self, run: RunView | None, failed: int) -> None:
        words = self.tr("Retry all failed")
        verdict = self._verdict(run, failed)
        self.retry_button.setText(fill(self.tr("%1 (%2)"), words, amount(failed)) if failed else words)
        self.retry_button.setEnabled(verdict.ok)
        reason = reason_of(verdict)
        self.retry_button.setToolTip(reason or self.tr("Run all failed tasks again"))
        self.retry_button.setAccessibleName(self.retry_button.text())
        self.retry_button.setAccessibleDescription(self.retry_button.toolTip())

    def _verdict(self, run: RunView | None, failed: int) -> Verdict:
        if run is None:
            return Verdict(False, self.tr("There is no run."))
        if not failed:
            return Verdict(False, self.tr("No task has failed."))
        return self._gateway.can(_retry(run))

    def _follow(self, _selected: object) -> None:
        if self.grid.isVisible():
            self.grid.selecting.show()

    # ---- doing

    def _retry(self) -> None:
        run = self._run()
        if run is not None:
            self._gateway.do(_retry(run))

    def _activate(self, index: QModelIndex) -> None:
        self.activated.emit(index.data(ItemRole.ID))

    def _enter(self) -> None:
        self.grid.setFocus(Qt.FocusReason.TabFocusReason)
        if self._table.rowCount() and not self.grid.currentIndex().isValid():
            self.grid.setCurrentIndex(self._table.index(0, self.grid.head.first()))

    def _open_columns(self) -> None:
        below = self.bar.columns
        self.grid.head.open_menu(below.mapToGlobal(QPoint(0, below.height())))

    def _selected(self) -> list[int]:
        """The selected tasks in the order of the table; hidden ones are left out."""
        numbers = self._selection.now.numbers
        return [number for number in self._table.numbers() if number in numbers]

    def _copy_rows(self) -> None:
        numbers = self._selected()
        if numbers:
            QGuiApplication.clipboard().setText(rows_text(self._table.source, numbers, self.grid.head.shown()))

    def _copy_errors(self) -> None:
        run = self._run()
        errors = errors_text(run, self._selected()) if run is not None else ""
        if errors:
            QGuiApplication.clipboard().setText(errors)

    def _devices(self) -> list[str]:
        run = self._run()
        if run is None:
            return []
        return sorted({*run.fleet.devices, *run.devices_used()}, key=natural)

    def _groups(self) -> list[str]:
        run = self._run()
        if run is None:
            return []
        counted = {name for _, task in run.graph.present() for name in task.groups}
        return sorted(counted | {group.name for group in groups(run.graph) if group.name}, key=natural)

    # ---- words and colours

    def _say(self) -> None:
        self.setAccessibleName(self.tr("Tasks"))
        self.grid.setAccessibleName(self.tr("Tasks"))
        self.bar.say()
        self._nothing.setText(self.tr("No tasks yet. All tasks of the run in front will be listed here."))
        self._open.setText(self.tr("Open…"))
        self._open.setToolTip(self.tr("Open a plan from a file"))
        self._clear.setText(self.tr("Show all tasks"))
        self.copy_rows.setText(self.tr("Copy rows"))
        self.copy_errors.setText(self.tr("Copy errors"))

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(sheet(palette) + table(palette) + _field_style(palette))
        self.bar.apply_theme(palette)
        self.grid.viewport().update()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._asked = None
            self._say()
            self.refresh()
        super().changeEvent(event)


def _retry(run: RunView) -> RetryTasks:
    return RetryTasks(run_id=run.run_id, task_ids=failed_tasks(run))


def _field_style(palette: Palette) -> str:
    return (
        f"QLineEdit {{ border-color: {palette.outline}; background: {palette.panel}; }}"
        f"QLineEdit:hover, QLineEdit:focus {{ border-color: {palette.text}; }}"
    )
