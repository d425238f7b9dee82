"""The pane: the grid of a plan's last runs, read once it is looked at, and what is told of it below."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QElapsedTimer, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QActionGroup, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from starloom.model.likeness import UNNAMED
from starloom.reporting.plan_history import PlanHistory
from starloom_gui.gateway.plan_runs import MOST
from starloom_gui.panels.grid import words
from starloom_gui.panels.grid.live import LiveColumns
from starloom_gui.panels.grid.rows import GridOrder, GridRows
from starloom_gui.panels.grid.table import GridView
from starloom_gui.panels.note import empty_page
from starloom_gui.text.words import amount, fill, tasks, translate
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import GAPS
from starloom_gui.viewmodel.keys import Scope, sequences, shown
from starloom_gui.widgets.controls import Elided, button, sheet, text
from starloom_gui.widgets.loading import LoadingStrip
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QShowEvent

    from starloom.reporting.run_digest import RunDigest
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.gateway.plan_runs import PlanRuns
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

_PAUSE_MS: Final = 250
"""Milliseconds between two looks at what has changed at least."""
_REST: Final = 20
"""How many times as long as such a look took nothing is read after it."""
_GRID, _EMPTY, _FILTERED = range(3)


class GridPane(QWidget):
    """The Grid pane. While it is hidden it reads nothing.

    Args:
        plan: gives the name of the plan whose runs are shown.
        runs: gives the runs in memory, of whichever plans.
        store: reads the others from their journals.
        appearance: the colours.
        name_of: gives what a run is called, by its id and the name of its plan.
        own: the run that is in front; empty: none.

    Attributes:
        rows: the model.
        grid: the table.
        foot: what is told of all of it.

    Signals:
        opened(GridSpot): the user wants to see this task of this run.
        compare_asked(GridSpot): the user wants to compare this run with another one.
        start_asked(): the user wants the plan to be started.
        filtered(): others of the tasks are shown.
    """

    opened = Signal(object)
    compare_asked = Signal(object)
    start_asked = Signal()
    filtered = Signal()

    def __init__(
        self,
        plan: Callable[[], str],
        runs: Callable[[], Iterable[RunFacts]],
        store: PlanRuns,
        appearance: Appearance,
        name_of: Callable[[str, str], str],
        own: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._plan, self._runs, self._store, self._own, self._name_of = plan, runs, store, own, name_of
        self._appearance = appearance
        self._live = LiveColumns(store)
        self._soon, self._since = QTimer(self), QElapsedTimer()
        self._soon.setSingleShot(True)
        self._pause_ms = 0
        self.rows = GridRows(name_of, self)
        self.grid = GridView(self.rows, appearance)
        self.grid.runs.own = own
        self.foot = Elided(role=Role.SMALL, look="muted", ends=True)
        self._nothing, self._start = text(look="muted"), button("")
        self._none, self._clear = text(look="muted"), button("")
        self._loading = LoadingStrip(self, appearance)
        self._arrange_parts()
        self._connect()
        self._say()
        Restyling(self, appearance, self._apply_theme)

    def _arrange_parts(self) -> None:
        self.setObjectName("pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        page = QWidget()
        page.setObjectName("pane")
        inner = QVBoxLayout(page)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        self.foot.setContentsMargins(GAPS[1], 2, GAPS[1], 2)
        inner.addWidget(self.grid, 1)
        inner.addWidget(self.foot)
        self._stack = QStackedWidget()
        for each in (page, empty_page(self._nothing, self._start), empty_page(self._none, self._clear)):
            self._stack.addWidget(each)
        self._stack.setCurrentIndex(_EMPTY)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)
        self.setFocusProxy(self.grid)
        for name, act in (("copy", self.copy), ("read_again", self.read_again)):
            for keys in sequences(Scope.GRID, name):
                QShortcut(keys, self, act, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def _connect(self) -> None:
        self._soon.timeout.connect(self._update)
        self._store.changed.connect(self._note_read)
        self._loading.cancel_asked.connect(lambda: self._store.cancel(self._plan()))
        self._start.clicked.connect(lambda *_: self.start_asked.emit())
        self._clear.clicked.connect(lambda *_: self.arrange(only=frozenset()))
        self.grid.opened.connect(self.opened)
        self.grid.menu_asked.connect(self._open_menu)

    # ---- being told

    def on_changes(self, changes: Changes) -> None:
        """Show what has changed, soon; to be connected to a feed of all runs."""
        if changes.run_id and (changes.everything or changes.run or changes.edits or changes.tasks):
            self._live.note(changes.run_id, None if changes.everything or changes.edits else changes.tasks)
            self._ask_update()

    def mark(self, task_ids: Iterable[str]) -> None:
        """Mark the rows of tasks that are selected elsewhere."""
        self.grid.names.marked = frozenset(task_ids)
        self.grid.names.viewport().update()
        self.grid.viewport().update()

    def go_to(self, run_id: str, task_id: str) -> None:
        """Move the cursor to a task of a run, now or as soon as it is shown."""
        self.grid.wanted = run_id, task_id
        self.grid.go_to(run_id, task_id)

    def _note_read(self, plan: str) -> None:
        if self.isVisible() and plan == self._plan():
            self._show_progress()
            self._tell()
            self._ask_update()

    def _ask_update(self) -> None:
        if self.isVisible() and not self._soon.isActive():
            waited = int(self._since.elapsed()) if self._since.isValid() else self._pause_ms
            self._soon.start(max(0, self._pause_ms - waited))

    def _update(self) -> None:
        """Take over what has changed; it rests the longer, the longer that takes."""
        self._since.restart()
        plan = self._plan()
        if self._is_named:
            self._store.ask(plan)
        is_other, changed = self._live.update(one for one in self._runs() if self._is_of(one, plan))
        columns = self._columns()
        shown = self.rows.history.columns
        if is_other or [id(one) for one in columns] != [id(one) for one in shown]:
            self.rows.show_history(PlanHistory(columns))
        else:
            places = {one.run_id: at for at, one in enumerate(columns)}
            for at in [places[run_id] for run_id in changed if run_id in places]:
                self.rows.refresh(at)
        self._tell()
        self._pause_ms = max(_PAUSE_MS, _REST * int(self._since.elapsed()))
        self._since.restart()

    def _is_of(self, run: RunFacts, plan: str) -> bool:
        return run.run_id == self._own or (run.name == plan and self._is_named)

    @property
    def _is_named(self) -> bool:
        """Whether the plan has a name, by which its runs can be known."""
        return self._plan() not in ("", UNNAMED)

    def _columns(self) -> list[RunDigest]:
        """The newest runs of the plan, oldest first; unreadable ones by the name they were given."""
        plan, reading = self._plan(), self._store.of(self._plan())
        read = [
            one for one in (reading.columns if reading is not None else ()) if one.plan == plan or self._was_of(one)
        ]
        live = (one for one in self._live.columns.values() if one.plan == plan or one.run_id == self._own)
        found = {one.run_id: one for one in (*read, *live)}
        return sorted(found.values(), key=lambda one: (one.since, one.run_id))[-MOST:]

    def _was_of(self, column: RunDigest) -> bool:
        """Whether a run that cannot be read was called as runs of the plan are."""
        name = self._name_of(column.run_id, "")
        return not column.plan and (name == self._plan() or name.startswith(fill("%1 · ", self._plan())))

    # ---- what users do

    def arrange(self, order: GridOrder | None = None, only: frozenset[GridOrder] | None = None) -> None:
        """Show the tasks in another order, or others of them.

        Args:
            order: None: as it is.
            only: the flags of which a task has at least one to be shown; none: all are shown; None: as it is.
        """
        self.rows.arrange(self.rows.order if order is None else order, self.rows.only if only is None else only)
        self._tell()
        self.filtered.emit()

    def read_again(self) -> None:
        """Read the journals again."""
        if self._is_named:
            self._store.ask(self._plan(), again=True)

    def copy(self) -> None:
        """Copy the shown tasks with all their runs as CSV."""
        QGuiApplication.clipboard().setText(words.as_csv(self.rows.history, self.rows.rows))

    def _open_menu(self, at: QPoint) -> QMenu:
        """Show the menu of the cursor's cell."""
        menu, spot = self._new_menu(self.tr("Run and task")), self.grid.spot()
        if spot is not None:
            opens = self.tr("Open this run at this task") if spot.task_id else self.tr("Open this run")
            menu.addAction(f"{opens}\t{_enter()}", lambda: self.opened.emit(spot))
            menu.addAction(self.tr("Compare this run with…"), lambda: self.compare_asked.emit(spot))
            menu.addSeparator()
        self._put_whole(menu)
        menu.popup(at)
        return menu

    def _put_whole(self, menu: QMenu) -> None:
        copy_words, again_words = self.tr("Copy as CSV"), self.tr("Read again")
        copy = menu.addAction(f"{copy_words}\t{shown(Scope.GRID, 'copy')}", self.copy)
        copy.setToolTip(fill(self.tr("A line for each task and run, %1 at most"), amount(words.MOST_COPIED)))
        menu.addAction(f"{again_words}\t{shown(Scope.GRID, 'read_again')}", self.read_again)

    def open_more_menu(self, at: QPoint) -> QMenu:
        """Show the menu of what is done with all tasks at a screen position."""
        menu = self._new_menu(self.tr("Order and copies"))
        self._put_orders(menu)
        menu.addSeparator()
        self._put_whole(menu)
        menu.popup(at)
        return menu

    def _new_menu(self, name: str) -> QMenu:
        menu = QMenu(self)
        menu.setAccessibleName(name)
        menu.setFont(font(Role.BODY))
        menu.setToolTipsVisible(True)
        menu.aboutToHide.connect(menu.deleteLater)
        return menu

    def _put_orders(self, menu: QMenu) -> None:
        group = QActionGroup(menu)
        for order in GridOrder:
            action = menu.addAction(order.word, partial(self.arrange, order))
            action.setCheckable(True)
            action.setChecked(order is self.rows.order)
            group.addAction(action)

    # ---- how it looks

    def _show_progress(self) -> None:
        reading = self._store.of(self._plan())
        if reading is None or reading.is_over:
            self._loading.end()
            return
        told = self.tr("Reading runs of “%1” · %2 of up to %3")
        self._loading.begin(fill(told, self._plan(), amount(reading.found), amount(MOST)), reading.share)

    def _tell(self) -> None:
        history, shown_rows = self.rows.history, len(self.rows.rows)
        self._stack.setCurrentIndex(_EMPTY if not history.columns else _FILTERED if not shown_rows else _GRID)
        self._nothing.setText(self._why_empty())
        self._none.setText(fill(self.tr("None of the %1 is marked so."), tasks(len(history.ids))))
        self.foot.setText(" · ".join([*words.summary(history, shown_rows), *self._remarks()]))

    def _remarks(self) -> list[str]:
        """What is missing, as far as it is known."""
        reading = self._store.of(self._plan())
        if not self._is_named:
            return [self.tr("The plan has no name, so nobody knows its other runs")]
        if self._store.missing:
            return [self._store.missing.rstrip(".")]
        if reading is None or not reading.is_over:
            return []
        unknown = sum(not one.plan and not self._was_of(one) for one in reading.columns)
        said = [words.GridPlurals().unreadable(unknown)] if unknown else []
        if not reading.is_whole:
            why = reading.trouble
            said.append(fill(self.tr("Not all was read: %1"), why) if why else self.tr("Reading was stopped"))
        return said

    def _why_empty(self) -> str:
        reading = self._store.of(self._plan())
        if not self._is_named:
            return self.tr(
                "The plan has no name, so nobody knows its runs. Name it, and its last runs will stand here."
            )
        if self._store.missing:
            return self._store.missing
        if reading is not None and not reading.is_over:
            return self.tr("Reading…")
        said = fill(self.tr("No runs of this plan yet. Its last %1 will stand here, task by task."), amount(MOST))
        return " ".join([said, *(f"{one}." for one in self._remarks())])

    def _say(self) -> None:
        self.setAccessibleName(translate("Panes", "Grid"))
        self.grid.setAccessibleName(translate("Panes", "Grid"))
        self._start.setText(self.tr("Start"))
        self._start.setToolTip(self.tr("Start the plan; its run will be the first column here"))
        self._clear.setText(self.tr("Show all tasks"))

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(
            sheet(palette)
            + f"QTableView {{ background: {palette.panel}; border: none; outline: none; }}"
            + f"QHeaderView {{ background: {palette.panel}; border: none; }}"
        )

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_progress()
        for run in self._runs():
            self._live.note(run.run_id, None)
        self._store.look_again(self._plan(), {run.run_id for run in self._runs()})
        self._ask_update()

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == event.Type.LanguageChange:
            self._say()
            self._ask_update()
        super().changeEvent(event)


def _enter() -> str:
    return QKeySequence(Qt.Key.Key_Return).toString(QKeySequence.SequenceFormat.NativeText)
