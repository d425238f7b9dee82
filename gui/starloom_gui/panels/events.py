"""The event log: what happened, to which task and why, filtered by kind, task and text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStackedLayout, QVBoxLayout, QWidget
from typing_extensions import override

from starloom.events import ConstellationModified
from starloom_gui.editing.reverting import label_of
from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.models.event_table import EventFilter
from starloom_gui.panels.event_grid import EventGrid
from starloom_gui.panels.event_menu import EventKindsMenu
from starloom_gui.panels.output_buttons import ButtonRow, name_button
from starloom_gui.panels.output_style import output_sheet
from starloom_gui.panels.pane_message_bar import PaneMessageBar
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon
from starloom_gui.theme.metrics import GAPS
from starloom_gui.theme.styles import header_cells, table
from starloom_gui.viewmodel.event_words import tasks_in
from starloom_gui.widgets.controls import button, line, text
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent

    from starloom.events import Event
    from starloom_gui.editing.reverting import Reverting
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.models.event_table import EventTable
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.event_words import Kind
    from starloom_gui.viewmodel.roles import Facts
    from starloom_gui.viewmodel.selection import Selection

_HEAD = 32
_FIELD = 24


class EventsPane(QWidget):
    """The events of one run and of the fleet, the newest below. A row that is clicked selects its task everywhere.

    Attributes:
        grid: the rows.
        search: the text that rows must hold.
        kinds: opens the menu of kinds.
        only_selected: whether only the selected task's rows are shown.
        notice: says how many events are not there any more.
        revert: takes back the edit of the current row, or says why it cannot.

    Signals:
        menu_asked(QPoint): the verbs of the selected task are wanted, at a place on the screen.

    Args:
        appearance: the colours.
        selection: of the run.
        facts: gives the facts of the run.
        table: the rows; it gets its filter from here.
        run_id: the run whose events are shown, with the fleet's; empty: those of all runs.
        reverting: takes edits of the run back; None: nobody can.
        parent: the widget it lies in.
    """

    menu_asked = Signal(QPoint)

    def __init__(
        self,
        appearance: Appearance,
        selection: Selection,
        facts: Facts,
        table: EventTable,
        run_id: str = "",
        reverting: Reverting | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._reverting = reverting
        self._appearance, self._selection, self._facts, self._table = appearance, selection, facts, table
        self._run_id = run_id
        self._hidden: frozenset[Kind] = frozenset()
        table.set_filter(EventFilter(run_id=run_id))
        self.grid = EventGrid(table, appearance)
        self.search = QLineEdit()
        self._row = ButtonRow(appearance)
        self.kinds = self._row.add(Icon.FILTER, self._open_kinds, words=True)
        self.only_selected = self._row.add(None, self._filter, checkable=True)
        self.notice = PaneMessageBar()
        self.revert = QAction(self)
        self.revert.setVisible(reverting is not None)
        self._sentence, self._clear = text(look="muted"), button("")
        self._stack = QStackedLayout()
        self._arrange()
        self._connect()
        self._say()
        Restyling(self, appearance, self._apply_theme)
        self._choose_page()
        self._selected()
        self._look()

    def _arrange(self) -> None:
        self.search.setFont(font(Role.BODY))
        self.search.setFixedHeight(_FIELD)
        self.search.setMaximumWidth(240)
        head = QHBoxLayout()
        head.setContentsMargins(GAPS[2], 0, GAPS[1], 0)
        head.setSpacing(GAPS[1])
        head.addWidget(self.search, 2)
        head.addWidget(self._row)
        head.addStretch(1)
        top = QWidget()
        top.setFixedHeight(_HEAD)
        top.setLayout(head)
        self.grid.setParent(self)  # a stack without a parent yet would show it as a window
        self._stack.addWidget(self.grid)
        self._stack.addWidget(self._empty_page())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (top, line(), self.notice):
            column.addWidget(part)
        column.addLayout(self._stack, 1)

    def _empty_page(self) -> QWidget:
        page = QWidget()
        lines = QVBoxLayout(page)
        lines.setSpacing(GAPS[2])
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        lines.addStretch(1)
        lines.addWidget(self._sentence)
        lines.addWidget(self._clear, 0, Qt.AlignmentFlag.AlignHCenter)
        lines.addStretch(1)
        return page

    def _connect(self) -> None:
        self.search.textChanged.connect(self._filter)
        self._clear.clicked.connect(self.show_everything)
        self.grid.chosen.connect(self._choose_task)
        self.grid.menu_asked.connect(self.menu_asked)
        self.grid.selectionModel().currentChanged.connect(lambda *_: self._look())
        self._table.modelReset.connect(self._look)
        self.revert.triggered.connect(lambda _=False: self._revert())
        self._selection.changed.connect(self._selected)
        for signal in (self._table.modelReset, self._table.rowsInserted, self._table.rowsRemoved):
            signal.connect(self._choose_page)

    # ---- being told

    def on_changes(self, changes: Changes) -> None:
        """Show what is new; to be connected to a feed of the run and of the fleet."""
        self._table.on_changes(changes)
        self._say_notice()
        self._look()

    def _selected(self) -> None:
        self.grid.marked = self._task_id()
        self.grid.viewport().update()
        if self.only_selected.isChecked():
            self._filter()

    def _task_id(self) -> str:
        """The selected task; empty: none is, or several are."""
        run, numbers = self._facts(), self._selection.now.numbers
        number = next(iter(numbers), 0)
        is_one = run is not None and len(numbers) == 1 and number < len(run.graph.ids)  # what is staged has no id yet
        return run.graph.ids[number] if run is not None and is_one else ""

    # ---- taking edits back

    def _edit(self) -> ConstellationModified | None:
        """The edit of the current row; None: its event is no edit."""
        event = self._table.event_at(self.grid.currentIndex().row()) if self.grid.currentIndex().isValid() else None
        return event if isinstance(event, ConstellationModified) else None

    def _look(self) -> None:
        """Update whether the edit of the current row can be reverted."""
        if self._reverting is None:
            return
        event = self._edit()
        verdict = self._reverting.verdict(event) if event is not None else None
        reason = self.tr("Choose an edit to take it back.") if verdict is None else reason_of(verdict)
        self.revert.setText(label_of(event) if event is not None else self.tr("Revert"))
        self.revert.setToolTip(reason or self.tr("Take this edit back, as one step that can be undone"))
        self.revert.setStatusTip(reason)
        self.revert.setEnabled(not reason)

    def _revert(self) -> None:
        event = self._edit()
        if event is not None and self._reverting is not None:
            self._reverting.revert(event)

    # ---- filtering

    def _filter(self) -> None:
        only = self._task_id() if self.only_selected.isChecked() else ""
        wanted = EventFilter(run_id=self._run_id, hidden=self._hidden, text=self.search.text().strip(), task_id=only)
        self._table.set_filter(wanted)
        self._say_kinds()

    def hide_kinds(self, hidden: frozenset[Kind]) -> None:
        """Show all kinds of events but these."""
        self._hidden = hidden
        self._filter()

    def show_everything(self) -> None:
        """Filter no more."""
        self._hidden = frozenset()
        self.only_selected.setChecked(False)
        self.search.clear()
        self._filter()

    def open_kinds(self, at: QPoint) -> EventKindsMenu:
        """Show the menu of kinds at a place on the screen."""
        menu = EventKindsMenu(self._hidden, self.hide_kinds, self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)
        return menu

    def _open_kinds(self) -> None:
        self.open_kinds(self.kinds.mapToGlobal(QPoint(0, self.kinds.height())))

    def _choose_task(self, event: Event) -> None:
        run = self._facts()
        numbers = [run.number(name) for name in tasks_in(event)] if run is not None else []
        present = [number for number in numbers if number is not None]
        if len(present) == 1:
            self._selection.select(present[0])
        elif present:
            self._selection.select_all(present)

    # ---- what is shown

    def _choose_page(self) -> None:
        is_empty = not self._table.rowCount() and not self._table.is_reading
        is_filtered = self._table.filter != replace(EventFilter(), run_id=self._run_id)
        self._stack.setCurrentIndex(1 if is_empty else 0)
        if is_empty:
            nothing = self.tr("No events yet. What happens in the run will be listed here.")
            if self._begins_late():
                nothing = self.tr("No events since this window knows the run. What happens now will be listed here.")
            self._sentence.setText(self.tr("No event passes the filter.") if is_filtered else nothing)
            self._clear.setVisible(is_filtered)

    def _say_notice(self) -> None:
        words = []
        if self._table.dropped:
            words.append(self.tr("%n earlier event(s) are not kept here.", "", self._table.dropped))
        if self._table.missed:
            words.append(self.tr("%n event(s) came too fast to be listed.", "", self._table.missed))
        if self._begins_late():
            words.append(self.tr("What happened earlier is told in the past of the run: turn on Time travel."))
        self.notice.say(" ".join(words))

    def _begins_late(self) -> bool:
        run = self._facts()
        return bool(self._run_id) and run is not None and self._table.begins_late(run)

    def _say_kinds(self) -> None:
        count = len(self._hidden)
        words = self.tr("%n kind(s) hidden", "", count) if count else self.tr("All kinds")
        name_button(self.kinds, words, self.tr("Choose which kinds of events are shown"))

    def _say(self) -> None:
        self.setAccessibleName(self.tr("Events"))
        self.grid.setAccessibleName(self.tr("Events"))
        self.search.setPlaceholderText(self.tr("Task or text"))
        self.search.setAccessibleName(self.tr("Show events with this task or text"))
        name_button(self.only_selected, self.tr("Selected task"), self.tr("Show only events of the selected task"))
        self._clear.setText(self.tr("Show everything"))
        self._say_kinds()
        self._say_notice()
        self._choose_page()
        self._look()

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(output_sheet(palette) + table(palette) + header_cells(palette, GAPS[1]))

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == event.Type.LanguageChange:
            self._say()
        super().changeEvent(event)
