"""The pane: the curves that can be shown on the left, the plots under one time axis on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QElapsedTimer, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QStackedLayout, QWidget
from typing_extensions import override

from starloom_gui.panels.note import empty_page
from starloom_gui.panels.plots.area import UPDATE_MS, PlotArea
from starloom_gui.panels.plots.curves import DEVICE
from starloom_gui.panels.plots.durations import by_device, by_group
from starloom_gui.panels.plots.frame import plot_name
from starloom_gui.panels.plots.saving import PlotSaver
from starloom_gui.panels.plots.series_list import SeriesEntry, SeriesList
from starloom_gui.text.words import translate
from starloom_gui.theme.fonts import Role, font
from starloom_gui.viewmodel.keys import Scope, pressed
from starloom_gui.widgets.controls import button, mark, sheet, text
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QContextMenuEvent, QHideEvent, QKeyEvent, QShowEvent

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.panels.plots.curves import RunCurves
    from starloom_gui.panels.plots.durations_view import Table
    from starloom_gui.panels.plots.time_range import TimeView
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

_STEP: Final = 4.0
"""Pixels that a key moves the hairline; with Shift ten times as many."""
_DEVICES: Final = 4
"""Devices whose curves are shown at first."""
_DURATIONS: Final = "durations:"
_PAUSE_MS: Final = 1000
"""Milliseconds between two looks at the durations at least."""
_REST: Final = 20
"""How many times as long as such a look took nothing is read after it."""


class PlotsPane(QWidget):
    """The Plots pane. While it is hidden it reads nothing; shown again it reads everything.

    Attributes:
        curves: their values.
        list: what can be switched on and off.
        area: the plots.
        saver: copies and exports.

    Signals:
        start_asked(): the user wants the run to start.
        travel_asked(float): the user wants to see that moment, in seconds on the engine's clock.
        linked_changed(bool), following_changed(bool): as for `TimeRange`.
        ended_changed(bool): the run has ended, or goes on again.

    Args:
        curves: their values.
        view: whose time and hairline are shared.
        appearance: the colours.
        speeds: gives how fast devices are, for what was estimated.
        parent: the widget it lies in.
    """

    start_asked = Signal()
    travel_asked = Signal(float)
    linked_changed = Signal(bool)
    following_changed = Signal(bool)
    ended_changed = Signal(bool)

    def __init__(
        self,
        curves: RunCurves,
        view: TimeView,
        appearance: Appearance,
        speeds: Callable[[], dict[str, float]] = dict,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.curves, self._appearance, self._speeds = curves, appearance, speeds
        self._switched: dict[str, bool] = {}
        self.has_ended = False
        self._numbers: set[int] | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._since, self._counted = QElapsedTimer(), QElapsedTimer()
        self._pause_ms = _PAUSE_MS
        self.list = SeriesList(appearance)
        self.area = PlotArea(curves, view, appearance)
        self.saver = PlotSaver(self.area, curves, appearance)
        self._nothing, self._start = text(look="muted"), button("")
        self._arrange()
        self._connect()
        self._say()
        Restyling(self, appearance, self._apply_theme)

    def _arrange(self) -> None:
        self.setObjectName("pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        page, line = QWidget(), QFrame()
        page.setObjectName("pane")
        line.setFixedWidth(1)
        mark(line, "line")
        row = QHBoxLayout(page)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for part in (self.list, line):
            row.addWidget(part)
        row.addWidget(self.area, 1)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(empty_page(self._nothing, self._start))
        self._stack.addWidget(page)
        self.setFocusProxy(self.list)

    def _connect(self) -> None:
        self._soon.timeout.connect(self._update)
        self._start.clicked.connect(lambda *_: self.start_asked.emit())
        self.list.switched.connect(self._switch)
        self.list.chosen.connect(self._bring)
        self.list.pressed_key.connect(self._press)
        self.area.travel_asked.connect(self.travel_asked)
        self.area.said.connect(self._tell)
        self.area.time.linked_changed.connect(self.linked_changed)
        self.area.time.following_changed.connect(self.following_changed)

    # ---- what there is

    @property
    def is_following(self) -> bool:
        """Whether the plots follow the present."""
        return self.area.time.is_following

    @property
    def is_live(self) -> bool:
        """Whether there is a present, and the plots follow it."""
        return self.is_following and self.area.time.has_present

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw, as no task has run."""
        return self.curves.run is None

    @property
    def chosen(self) -> frozenset[str]:
        """The keys of the curves and tables that are switched on."""
        series = self.curves.series()
        devices = [one.key for one in series if one.key.startswith(DEVICE)]
        usual = {one.key for one in series} - set(devices[_DEVICES:])
        on = {key for key, is_on in self._switched.items() if is_on}
        return frozenset((usual | on) - {key for key, is_on in self._switched.items() if not is_on})

    # ---- being told

    def on_changes(self, changes: Changes) -> None:
        """Show what has changed, soon; to be connected to a feed of the run and the fleet."""
        if changes.everything:
            self._numbers = None
        elif self._numbers is not None and changes.run_id:
            self._numbers |= changes.tasks
        self._ask_update()

    def _ask_update(self) -> None:
        if self.isVisible() and not self._soon.isActive():
            waited = int(self._since.elapsed()) if self._since.isValid() else UPDATE_MS
            self._soon.start(max(0, UPDATE_MS - waited))

    def _update(self) -> None:
        """Read what has changed and draw it; a long log is read a part at a time."""
        self._since.restart()
        numbers, self._numbers = self._numbers, set()
        if not self.curves.read(numbers):
            self._soon.start(0)
        self._choose_page()
        if not self.is_empty:
            self.list.show_entries(self._entries(), self.chosen)
            self._count_durations()
            self.area.show_curves(self.chosen)

    def _choose_page(self) -> None:
        self._stack.setCurrentIndex(1 if self.curves.has_started else 0)
        if self.has_ended != self.curves.has_ended:
            self.has_ended = self.curves.has_ended
            self.ended_changed.emit(self.has_ended)

    def _entries(self) -> list[SeriesEntry]:
        entries: list[SeriesEntry] = []
        plot = None
        for series in self.curves.series():
            name, unit = plot_name(series.plot)
            if series.plot is not plot:
                plot = series.plot
                entries.append(SeriesEntry("", name, unit))
            entries.append(SeriesEntry(series.key, series.name, f"{series.name}: {name}, {unit}", series.style))
        hint = self.tr("What completed attempts took, beside what was estimated")
        return [
            *entries,
            SeriesEntry("", self.tr("Durations")),
            SeriesEntry(f"{_DURATIONS}group", self.tr("By group"), hint),
            SeriesEntry(f"{_DURATIONS}device", self.tr("By device"), hint),
        ]

    def _count_durations(self, *, at_once: bool = False) -> None:
        run, chosen = self.curves.run, self.chosen
        wanted = [key for key in (f"{_DURATIONS}group", f"{_DURATIONS}device") if key in chosen]
        if run is None or not (wanted or self.area.durations.tables):
            return
        if not at_once and self._counted.isValid() and self._counted.elapsed() < self._pause_ms:
            return
        self._counted.restart()
        self.area.durations.show_tables([self._table(key, run) for key in wanted])
        self._pause_ms = max(_PAUSE_MS, _REST * int(self._counted.elapsed()))

    def _table(self, key: str, run: RunFacts) -> Table:
        if key.endswith("group"):
            return self.tr("Durations by group"), by_group(run, self._speeds())
        return self.tr("Durations by device"), by_device(run, self._speeds())

    # ---- what users do

    def _switch(self, key: str, is_on: bool) -> None:
        self._switched[key] = is_on
        self._count_durations(at_once=True)
        self.area.show_curves(self.chosen)
        if is_on:
            self._bring(key)

    def _bring(self, key: str) -> None:
        """Scroll to the plot of an entry of the list."""
        if key.startswith(_DURATIONS):
            self.area.show_durations()
        else:
            self.area.show_plot_of(key)

    def set_linked(self, wanted: bool) -> None:
        """Show the Timeline's time, or a time of its own."""
        self.area.time.link(wanted)
        self.area.share_hairline(self.isVisible())

    def zoom(self, steps: float) -> None:
        """Zoom the time in, or out, by so many steps."""
        self.area.time.zoom(steps)

    def fit(self) -> None:
        """Show the whole run."""
        if not self.is_empty:
            self.area.time.fit(self.curves.begin, self.curves.now())

    def go_live(self) -> None:
        """Follow the present from now on."""
        self.area.time.go_live()
        self.area.draw()

    def _press(self, event: QKeyEvent) -> None:
        keys, far = Qt.Key, 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        acts: dict[int, Callable[[], object]] = {
            keys.Key_Left: lambda: self.area.step_hairline(-_STEP * far),
            keys.Key_Right: lambda: self.area.step_hairline(_STEP * far),
            keys.Key_Return: self.area.travel_to_hairline,
            keys.Key_Enter: self.area.travel_to_hairline,
            keys.Key_Escape: self.area.hide_hairline,
        }
        foreign = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
        name = pressed(Scope.PLOTS, keys(event.key()), event.modifiers())
        act = self._commands().get(name) if name else None
        if act is None and not event.modifiers() & foreign:
            act = acts.get(event.key())
        if act is not None:
            act()
            event.accept()

    def _commands(self) -> dict[str, Callable[[], object]]:
        """The functions of the plots' commands, by their names in `keys.KEYS`."""
        return {
            "whole": self.fit,
            "follow": self.go_live,
            "link": lambda: self.set_linked(not self.area.time.is_linked),
            "longer": lambda: self.zoom(-1),
            "shorter": lambda: self.zoom(1),
        }

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if not self.is_empty:
            self.open_menu(event.globalPos())

    def open_menu(self, at: QPoint) -> QMenu:
        """Show the menu to copy and export at a screen position."""
        menu = QMenu(self)
        menu.setAccessibleName(self.tr("Copy and export"))
        menu.setFont(font(Role.BODY))
        menu.aboutToHide.connect(menu.deleteLater)
        self.saver.fill_menu(menu)
        menu.popup(at)
        return menu

    # ---- how it looks

    def _tell(self, words: str) -> None:
        """Announce the values at the hairline to screen readers."""
        self.list.setAccessibleDescription(words)
        QAccessible.updateAccessibility(QAccessibleEvent(self.list, QAccessible.Event.DescriptionChanged))

    def _say(self) -> None:
        self.setAccessibleName(translate("Panes", "Plots"))
        self.list.setAccessibleName(self.tr("Curves"))
        self._nothing.setText(self.tr("Nothing has run yet."))
        self._start.setText(self.tr("Start"))
        self._start.setToolTip(self.tr("Start the run; its curves will be drawn here"))

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(sheet(palette))
        self.area.durations.update()
        self.area.draw()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._numbers = None
        self._choose_page()  # before anything is painted: that nothing has run is said of no run that has
        self.area.share_hairline(True)
        self._ask_update()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._soon.stop()
        self.area.rest()
        self.area.hide_hairline()
        self.area.share_hairline(False)

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == event.Type.LanguageChange:
            self._say()
            self._ask_update()
        super().changeEvent(event)
