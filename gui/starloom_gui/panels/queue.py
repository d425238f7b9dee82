"""Queue and limits: the limits to change while everything runs, who is in line, and how busy the fleet is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.panels.dress import mark, sheet, text
from starloom_gui.panels.limits import LimitsList
from starloom_gui.panels.number_field import number_sheet
from starloom_gui.panels.plot_samples import BIN, samples_of
from starloom_gui.panels.plots import Plot
from starloom_gui.panels.queue_list import QueueList, list_sheet
from starloom_gui.panels.queue_words import InQueue, sum_words, summed, throughput_curve, utilisation_curve
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import GAPS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent

    from starloom.scheduling.fleet_facts import FleetFacts
    from starloom.scheduling.run_facts import RunFacts
    from starloom_gui.bridge.changes import Changes
    from starloom_gui.bridge.commands import Refusal
    from starloom_gui.models.queue_table import QueueTable
    from starloom_gui.models.roles import Clock, Facts
    from starloom_gui.panels.asking import Asks
    from starloom_gui.selection import Selection
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

_LIMITS: Final = (312, 340)
"""Least and most width of the limits."""
_PLOTS: Final = (168, 288)


class QueuePane(QWidget):
    """The pane; while it is hidden it reads nothing, shown again it reads everything.

    Attributes:
        limits: the limits.
        queue: the list.
        throughput, utilisation: the plots.

    Signals:
        elsewhere_chosen: with the `QueueRow` of a task of another run that was clicked.
        menu_wanted: with a `MenuAt`: the verbs of the selected task are wanted.

    Args:
        table: the queue; the pane tells it of changes.
        appearance: the colours.
        selection: of the run that is shown.
        fleet: gives the facts of the fleet.
        facts: gives the facts of the run that is shown.
        runs: gives the facts of all runs.
        now: gives seconds on the engine's clock.
        asks: what new limits are asked for by.
        parent: the widget it lies in.
    """

    elsewhere_chosen = Signal(object)
    menu_wanted = Signal(object)

    def __init__(
        self,
        table: QueueTable,
        appearance: Appearance,
        selection: Selection,
        *,
        fleet: Callable[[], FleetFacts],
        facts: Facts,
        runs: Callable[[], Iterable[RunFacts]],
        now: Clock,
        asks: Asks,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._table, self._fleet, self._facts, self._runs, self._now = table, fleet, facts, runs, now
        self._plotted = -1
        self.limits = LimitsList(appearance, fleet, facts, asks)
        self.queue = QueueList(table, appearance, selection, facts)
        self.throughput = Plot(lambda: appearance.palette)
        self.utilisation = Plot(lambda: appearance.palette)
        self._heading, self._more = text(role=Role.SECTION, wraps=False), text(role=Role.SMALL, look="muted")
        self._sum, self._nobody = text(role=Role.SMALL, look="muted"), text(look="muted")
        self._quiet = QTimer(self)  # while nothing happens nobody tells the plots that time goes on
        self._quiet.setInterval(round(BIN * 1000))
        self._quiet.timeout.connect(self._plot)
        self._arrange()
        table.read.connect(self._show_figures)
        self.queue.elsewhere_chosen.connect(self.elsewhere_chosen)
        self.queue.menu_wanted.connect(self.menu_wanted)
        appearance.changed.connect(self._dress)
        self._say()
        self._dress(appearance.palette)

    def _arrange(self) -> None:
        self.setObjectName("pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.limits)
        row.addWidget(_upright())
        row.addLayout(self._middle(), 1)
        row.addWidget(_upright())
        row.addWidget(self._right())

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
        empty = QWidget()
        inside = QVBoxLayout(empty)
        inside.setContentsMargins(GAPS[4], GAPS[4], GAPS[4], GAPS[4])
        inside.addWidget(self._nobody)
        self._nobody.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = QStackedLayout()
        self.queue.setParent(self)  # a stack without a parent yet would show it as a window
        self._stack.addWidget(self.queue)
        self._stack.addWidget(empty)
        column.addLayout(self._stack, 1)
        last = QHBoxLayout()
        last.setContentsMargins(GAPS[1], 0, GAPS[1], 0)
        last.addWidget(self._sum)
        self._sum.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column.addLayout(last)
        return column

    def _right(self) -> QWidget:
        self._plots = QWidget()
        column = QVBoxLayout(self._plots)
        column.setContentsMargins(GAPS[2], GAPS[1], GAPS[2], GAPS[1])
        column.setSpacing(GAPS[1])
        column.addWidget(self.throughput)
        column.addWidget(self.utilisation)
        return self._plots

    # ---- being told

    def take(self, changes: Changes) -> None:
        """Show what has changed; to be connected to a feed of everything."""
        if not self.isVisible():
            return
        if changes.everything or changes.limits or changes.devices or changes.run:
            self.limits.refresh()  # what was just asked for is seen at once; the rest waits for the queue's calm
        self._table.take(changes)

    def refresh(self) -> None:
        """Read everything anew, if it can be seen."""
        if self.isVisible():
            self._plotted = -1
            self._table.rebuild()

    def refuse(self, refusal: Refusal) -> None:
        """Show a refusal under the limit it is about; to be connected to `Commands.refused`."""
        self.limits.refuse(refusal)

    def _show_figures(self) -> None:
        if not self.isVisible():
            return
        self.limits.refresh()
        total, shown = self._table.total, len(self._table.rows)
        self._heading.setText(InQueue().waiting(total))
        self._more.setText(InQueue().more(total - shown) if total > shown else "")
        self._stack.setCurrentIndex(0 if shown else 1)
        self.queue.show_runs(self._table.runs > 1)
        run = self._facts()
        counts = [run.counts()] if run is not None else [one.counts() for one in self._runs()]
        self._sum.setText(sum_words(summed(counts)))
        if int(self._now()) != self._plotted:
            self._plot()

    def _plot(self) -> None:
        now = self._now()
        self._plotted = int(now)
        samples = samples_of(self._runs(), now)
        self.throughput.show_curve(throughput_curve(samples))
        self.utilisation.show_curve(utilisation_curve(samples, self._fleet()))
        if any(samples.ended) or any(samples.used):
            self._quiet.start()
        else:
            self._quiet.stop()

    # ---- how it looks

    def _say(self) -> None:
        self.setAccessibleName(self.tr("Queue and limits"))
        self._nobody.setText(self.tr("Nobody is in line. Tasks that could start will stand here in their order."))
        self._sum.setAccessibleName(self.tr("Counters"))
        hint = self.tr("Drag a task up or down to have it start earlier or later (Alt+Up, Alt+Down)")
        self._heading.setToolTip(hint)

    def _dress(self, palette: Palette) -> None:
        self.setStyleSheet(sheet(palette) + number_sheet(palette) + list_sheet(palette))
        self.limits.dress(palette)
        for plot in (self.throughput, self.utilisation):
            plot.update()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        share = self.width() // 4
        self.limits.setFixedWidth(min(_LIMITS[1], max(_LIMITS[0], share)))
        self._plots.setFixedWidth(min(_PLOTS[1], max(_PLOTS[0], share)))

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._table.rest()
        self._quiet.stop()

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == event.Type.LanguageChange:
            self._say()
            self.limits.forget()
            self.refresh()
        super().changeEvent(event)


def _upright() -> QFrame:
    """A hairline between two parts beside each other."""
    made = QFrame()
    made.setFixedWidth(1)
    mark(made, "line")
    return made
