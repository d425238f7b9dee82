"""The Queue pane: the ready queue, and limits and scheduler settings, which can be changed while everything runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedLayout, QTabBar, QVBoxLayout, QWidget
from typing_extensions import override

from starloom.model.status import RunState
from starloom.scheduling.state.stops import open_gates
from starloom_gui.panels.limits import LimitsList
from starloom_gui.panels.note import empty_page
from starloom_gui.panels.queue_list import QueueList, list_sheet
from starloom_gui.panels.queue_words import InQueue, sum_words, summed, unstarted_words
from starloom_gui.panels.scheduler_panel import SchedulerPanel
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.controls import button, mark, sheet, text
from starloom_gui.widgets.number_field import number_sheet
from starloom_gui.widgets.theme_changes import Restyling
from starloom_gui.widgets.window_style import tab_style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent

    from starloom.scheduling.read.run_view import RunView
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.gateway.commands import Refusal
    from starloom_gui.models.queue_table import QueueTable
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.roles import ShownRun
    from starloom_gui.viewmodel.selection import Selection

_LIMITS: Final = (312, 340)
"""Least and most width of the limits."""


class QueuePane(QWidget):
    """The Queue pane; while it is hidden it reads nothing, shown again it reads everything.

    Attributes:
        limits: the limits.
        scheduler: what the scheduler goes by, in the limits' stead.
        tabs: which of the two is in front.
        queue: the list.

    Signals:
        elsewhere_chosen: with the `QueueRow` of a task of another run that was clicked.
        menu_wanted: with a `MenuAt`: the verbs of the selected task are wanted.

    Args:
        table: the queue; the pane tells it of changes.
        appearance: the colours.
        selection: of the run that is shown.
        fleet: gives the facts of the fleet.
        run: gives the run that is shown; None: there is none.
        runs: gives all runs.
        gateway: what new limits are asked for by.
        age: gives a sentence on how old the limits are; empty: they are of the shown moment.
        is_plan: whether a plan that is not started is shown.
        parent: the widget it lies in.
    """

    elsewhere_chosen = Signal(object)
    menu_wanted = Signal(object)
    tasks_asked = Signal()

    def __init__(
        self,
        table: QueueTable,
        appearance: Appearance,
        selection: Selection,
        *,
        fleet: Callable[[], FleetFacts],
        run: ShownRun,
        runs: Callable[[], Iterable[RunView]],
        gateway: CommandGateway,
        age: Callable[[], str] = lambda: "",
        is_plan: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._table, self._run, self._runs, self._give_age = table, run, runs, age
        self._age = text(role=Role.SMALL, look="muted")
        self.limits = LimitsList(appearance, fleet, run, gateway, is_plan=is_plan)
        self.scheduler = SchedulerPanel(appearance, fleet, run, runs, gateway)
        self.tabs = QTabBar()
        self.queue = QueueList(table, appearance, selection, run)
        self._heading, self._more = text(role=Role.SECTION, wraps=False), text(role=Role.SMALL, look="muted")
        self._sum, self._nobody = text(role=Role.SMALL, look="muted"), text(look="muted")
        self.show_tasks = button("")
        self._arrange()
        self.show_tasks.clicked.connect(self.tasks_asked)
        table.read.connect(self._show_figures)
        self.queue.elsewhere_chosen.connect(self.elsewhere_chosen)
        self.queue.menu_wanted.connect(self.menu_wanted)
        self._say()
        Restyling(self, appearance, self._apply_theme)

    def _arrange(self) -> None:
        self.setObjectName("pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._left())
        row.addWidget(_upright())
        row.addLayout(self._middle(), 1)

    def _left(self) -> QWidget:
        self._settings = QWidget()
        column = QVBoxLayout(self._settings)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setFont(font(Role.BODY))
        self.tabs.addTab("")
        self.tabs.addTab("")
        column.addWidget(self.tabs)
        self._age.setContentsMargins(GAPS[1], GAPS[0], GAPS[1], GAPS[0])
        self._age.hide()
        column.addWidget(self._age)
        stack = QStackedLayout()
        for part in (self.limits, self.scheduler):
            part.setParent(self._settings)
            stack.addWidget(part)
        column.addLayout(stack, 1)
        self.tabs.currentChanged.connect(stack.setCurrentIndex)
        self.tabs.currentChanged.connect(self._read_settings)
        return self._settings

    def _read_settings(self) -> None:
        """Read what is in front of limits and scheduler; the other one is read when it comes to the front."""
        self._age.setText(self._give_age())
        self._age.setVisible(bool(self._age.text()))
        (self.scheduler if self.tabs.currentIndex() else self.limits).refresh()

    def _middle(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setContentsMargins(0, GAPS[1], 0, GAPS[1])
        column.setSpacing(GAPS[0])
        top = QHBoxLayout()
        top.setContentsMargins(GAPS[1], 0, GAPS[1], 0)
        top.addWidget(self._heading)
        top.addStretch(1)
        top.addWidget(self._more)
        self._more.setWordWrap(False)
        column.addLayout(top)
        self._stack = QStackedLayout()
        self.queue.setParent(self)  # a stack without a parent yet would show it as a window
        self._stack.addWidget(self.queue)
        self._stack.addWidget(empty_page(self._nobody, self.show_tasks))
        column.addLayout(self._stack, 1)
        last = QHBoxLayout()
        last.setContentsMargins(GAPS[1], 0, GAPS[1], 0)
        last.addWidget(self._sum)
        self._sum.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column.addLayout(last)
        return column

    # ---- being told

    def on_changes(self, changes: Changes) -> None:
        """Show what has changed; to be connected to a feed of everything."""
        if not self.isVisible():
            return
        if changes.everything or changes.limits or changes.devices or changes.run:
            self._read_settings()  # what was just asked for is seen at once; the rest waits for the queue's calm
        self._show_sum()  # which the header has, too
        self._table.on_changes(changes)

    def refresh(self) -> None:
        """Update the whole pane, if it is visible."""
        if self.isVisible():
            self._table.rebuild()

    def refuse(self, refusal: Refusal) -> None:
        """Show a refusal under the limit it is about; to be connected to `Commands.refused`."""
        self.limits.refuse(refusal)
        self.scheduler.refuse(refusal)

    def _show_figures(self) -> None:
        if not self.isVisible():
            return
        self._read_settings()
        total, shown = self._table.total, len(self._table.rows)
        self._heading.setText(InQueue().waiting(total))
        ready = sum(one.counts()["queued"] - len(open_gates(one.facts)) for one in self._runs())
        aside = InQueue().aside(ready - total) if ready > total else ""
        self._more.setText(InQueue().more(total - shown) if total > shown else aside)
        self._stack.setCurrentIndex(0 if shown else 1)
        run = self._run()
        others = run is not None and any(row.run_id != run.run_id for row in self._table.rows)
        self.queue.show_runs(others or self._table.runs > 1)
        self._show_sum()

    def _show_sum(self) -> None:
        run = self._run()
        if run is not None and run.state in {RunState.CREATED, RunState.READY}:
            self._sum.setText(unstarted_words(run.counts()))
            return
        counts = [run.counts()] if run is not None else [one.counts() for one in self._runs()]
        self._sum.setText(sum_words(summed(counts)))

    # ---- how it looks

    def _say(self) -> None:
        self.setAccessibleName(self.tr("Queue and limits"))
        self.tabs.setTabText(0, self.tr("Limits"))
        self.tabs.setTabText(1, self.tr("Scheduler"))
        self.tabs.setAccessibleName(self.tr("Limits or scheduler"))
        self._nobody.setText(self.tr("Ready tasks stand here in the order in which they start."))
        self.show_tasks.setText(self.tr("Show all tasks"))
        self._sum.setAccessibleName(self.tr("Counters"))
        hint = self.tr("Drag a task up or down to have it start earlier or later (Alt+Up, Alt+Down)")
        self._heading.setToolTip(hint)

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(sheet(palette) + number_sheet(palette) + list_sheet(palette))
        self.tabs.setStyleSheet(tab_style(palette, 28, palette.window, 12, 12))
        self.limits.apply_theme(palette)
        self.scheduler.apply_theme(palette)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        share = self.width() // 4
        self._settings.setFixedWidth(min(_LIMITS[1], max(_LIMITS[0], share)))

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._table.rest()

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == event.Type.LanguageChange:
            self._say()
            self.limits.forget()
            self.scheduler.say()
            self.refresh()
        super().changeEvent(event)


def _upright() -> QFrame:
    """A hairline between two parts beside each other."""
    made = QFrame()
    made.setFixedWidth(1)
    mark(made, "line")
    return made
