"""The scheduler's settings, which can be changed while everything runs, and its figures."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QFrame, QGridLayout, QMenu, QScrollArea, QVBoxLayout, QWidget

from starloom.model.status import Placement
from starloom.scheduling.commands import SetLimits
from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.panels import scheduler_facts as words
from starloom_gui.panels.graph_figures import GraphFigures
from starloom_gui.text.limit_words import placement_word
from starloom_gui.text.words import fill, tip
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import GAPS, ROW
from starloom_gui.widgets.controls import Elided, button, text
from starloom_gui.widgets.number_field import NumberField

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtWidgets import QLabel

    from starloom.scheduling.read.run_view import RunView
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.gateway.commands import Refusal
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.roles import ShownRun

_FIELD: Final = 128


class SettingRow(QWidget):
    """The row of a setting: its name, a sentence about it, and its control. A refusal stands below.

    Args:
        gateway: what another value is asked for by.
        field: what the command `SetLimits` calls it.
        editor: where it is changed.
    """

    def __init__(self, gateway: CommandGateway, field: str, editor: QWidget) -> None:
        super().__init__()
        self._gateway, self._field, self._ticket = gateway, field, 0
        self._refused: SetLimits | None = None
        self.label, self.note = Elided(), text(role=Role.SMALL, look="muted")
        self.error = text(role=Role.SMALL, look="wrong")
        self.error.hide()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 4, 0, 4)
        grid.setHorizontalSpacing(GAPS[1])
        grid.setVerticalSpacing(2)
        grid.addWidget(self.label, 0, 0)
        grid.addWidget(editor, 0, 1, 1, 2)
        editor.setFixedWidth(_FIELD)
        grid.addWidget(self.note, 1, 0, 1, 3)
        grid.addWidget(self.error, 2, 0, 1, 3)
        grid.setColumnStretch(0, 1)

    def ask(self, value: Any) -> bool:
        """Send another value; returns whether it was not refused at once."""
        self.explain("")
        command = SetLimits(**{self._field: value})
        reason = reason_of(self._gateway.can(command))
        if reason:
            self.explain(reason)
            self._refused = command
            return False
        self._ticket = self._gateway.do(command)
        return True

    def look(self) -> None:
        """Withdraw a refusal whose reason holds no more, as once the past is shown no more."""
        if self._refused is not None and not reason_of(self._gateway.can(self._refused)):
            self.explain("")

    def refuse(self, refusal: Refusal) -> bool:
        """Show a refusal; returns whether the value was sent from here."""
        if not self._ticket or refusal.ticket != self._ticket:
            return False
        self.explain(f"{refusal.reason} {refusal.hint}".strip())
        return True

    def explain(self, reason: str) -> None:
        """Show why the value was not changed; empty: no message."""
        self._refused = None
        self.error.setText(fill(self.tr("%1 Nothing was changed."), reason) if reason else "")
        self.error.setVisible(bool(reason))


class SchedulerPanel(QScrollArea):
    """The Scheduler pane: placement, aging, the longest queue, overdue, the agents' timeout, and figures.

    Attributes:
        placement: opens the list of placements.
        timeout, longest: the fields of the starvation time-out and of the longest queue.
        overdue, patience: the fields of the overdue factor and of the modification time-out.
        rows: the row of each setting, as `SetLimits` calls it.

    Args:
        appearance: the colours.
        fleet: gives the facts of the fleet.
        run: gives the run that is shown; None: there is none.
        runs: gives all runs.
        gateway: what is changed is asked for by.
        parent: the widget it lies in.
    """

    def __init__(
        self,
        appearance: Appearance,
        fleet: Callable[[], FleetFacts],
        run: ShownRun,
        runs: Callable[[], Iterable[RunView]],
        gateway: CommandGateway,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._appearance, self._fleet, self._run, self._runs = appearance, fleet, run, runs
        self._graph = GraphFigures(self)
        self.placement = button("", height=24)
        self.placement.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow stands behind the word
        self.timeout, self.longest = NumberField(optional=True, least=1), NumberField(optional=True, least=1)
        self.overdue = NumberField(optional=True, least=1, decimal=True)
        self.patience = NumberField(optional=False, least=1)
        self._fields = {
            "starvation_timeout": self.timeout,
            "max_queue": self.longest,
            "overdue_factor": self.overdue,
            "modification_timeout": self.patience,
        }
        self.rows = {
            "placement": SettingRow(gateway, "placement", self.placement),
            **{key: SettingRow(gateway, key, field) for key, field in self._fields.items()},
        }
        self._shown: list[words.SchedulerFigure] = []
        self._figures: list[QWidget] = []
        self._arrange()
        self._connect()
        self.say()

    def _arrange(self) -> None:
        pane = QWidget()
        pane.setObjectName("pane")
        column = QVBoxLayout(pane)
        column.setContentsMargins(GAPS[2], GAPS[1], GAPS[2], GAPS[1])
        column.setSpacing(0)
        for row in self.rows.values():
            column.addWidget(row)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(0, 1)
        column.addLayout(self._grid)
        column.addStretch(1)
        self.setWidget(pane)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def _connect(self) -> None:
        self.placement.clicked.connect(self._choose)
        for key, field in self._fields.items():
            row = self.rows[key]
            field.wanted.connect(partial(self._ask, key, field))
            field.mistyped.connect(partial(self._wrong, row, field))
            field.edited.connect(partial(self._clear, row, field))
        self._graph.found.connect(self.refresh)

    # ---- asking

    def menu(self) -> QMenu:
        """The menu of placements, each with a description."""
        made = QMenu(self)
        made.setFont(font(Role.BODY))
        made.setToolTipsVisible(True)
        group = QActionGroup(made)
        for one in Placement:
            action = made.addAction(placement_word(one))
            action.setToolTip(tip(words.placement_meaning(one)))
            action.setCheckable(True)
            action.setChecked(one == self._fleet().placement)
            group.addAction(action)
            action.triggered.connect(partial(self._place, one))
        return made

    def _choose(self) -> None:
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.placement.mapToGlobal(self.placement.rect().bottomLeft()))

    def _place(self, placement: Placement, _checked: bool = True) -> None:
        if placement != self._fleet().placement and self.rows["placement"].ask(placement):
            self.placement.setText(placement_word(placement))

    def _ask(self, key: str, field: NumberField, value: float | None) -> None:
        if self.rows[key].ask(value or 0):
            field.show_value(value)  # meant, until the facts say it or something else
        else:
            self._back(field)

    def _wrong(self, row: SettingRow, field: NumberField, reason: str) -> None:
        row.explain(reason)
        self._back(field)

    def _back(self, field: NumberField) -> None:
        field.take_back()
        field.set_wrong(True)

    def _clear(self, row: SettingRow, field: NumberField) -> None:
        row.explain("")
        field.set_wrong(False)

    def refuse(self, refusal: Refusal) -> None:
        """Show a refusal under the setting it is about, if it was asked for here."""
        if any(row.refuse(refusal) for row in self.rows.values()):
            self.refresh()

    # ---- showing

    def refresh(self) -> None:
        """Update the whole pane; a field in use is left alone."""
        fleet, run = self._fleet(), self._run()
        for row in self.rows.values():
            row.look()
        self.placement.setText(placement_word(fleet.placement))
        own = words.own_placement(run)
        self.rows["placement"].note.setText(f"{words.placement_meaning(fleet.placement)} {own}".strip())
        self.rows["starvation_timeout"].note.setText(words.aging_words(fleet.starvation_timeout))
        queued = sum(one.counts()["queued"] for one in self._runs())
        self.rows["max_queue"].note.setText(words.queue_words(fleet, queued))
        self.timeout.show_value(round(fleet.starvation_timeout) or (1 if fleet.starvation_timeout else None), 30)
        self.longest.show_value(fleet.max_queue or None, max(1, queued))
        self.rows["overdue_factor"].note.setText(words.overdue_words(fleet.overdue_factor))
        self.overdue.show_value(fleet.overdue_factor or None, 3)
        self.rows["modification_timeout"].note.setText(words.patience_words(fleet.modification_timeout, run))
        self.patience.show_value(max(1, round(fleet.modification_timeout)))
        self._show_figures(words.figures(run, self._graph.of(run)))

    def _show_figures(self, found: list[words.SchedulerFigure]) -> None:
        if found == self._shown:
            return
        self._shown = found
        for widget in self._figures:
            self._grid.removeWidget(widget)
            widget.deleteLater()
        self._figures = []
        at, group = 0, None
        for figure in found:
            if figure.group is not group:
                group = figure.group
                at = self._put(at, text(words.group_title(group), Role.SECTION, wraps=False))
            self._put(at, Elided(figure.label), tip(figure.meaning))
            at = self._put(at, text(figure.value, wraps=False), tip(figure.meaning), column=1)

    def _put(self, at: int, label: QLabel, meaning: str = "", *, column: int = 0) -> int:
        label.setToolTip(meaning)
        label.setMinimumHeight(ROW if meaning else ROW + GAPS[1])
        bottom = Qt.AlignmentFlag.AlignBottom if not meaning else Qt.AlignmentFlag.AlignVCenter
        label.setAlignment(bottom | (Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft))
        self._grid.addWidget(label, at, column, 1, 1 if meaning else 2)
        self._figures.append(label)
        label.show()
        return at + 1

    def say(self) -> None:
        """Set all texts in the present language."""
        self.setAccessibleName(self.tr("Scheduler"))
        self._name("placement", self.tr("Placement"), self.placement)
        self._name("starvation_timeout", self.tr("Starvation time-out, s"), self.timeout.line)
        self._name("max_queue", self.tr("Longest queue"), self.longest.line)
        self._name("overdue_factor", self.tr("Overdue factor"), self.overdue.line)
        self._name("modification_timeout", self.tr("Agents may take, s"), self.patience.line)
        self.timeout.set_none(self.tr("No aging"))
        self.overdue.set_none(self.tr("Never"))
        hint = self.tr("How devices are chosen for the tasks of all runs that do not say it themselves")
        self.placement.setToolTip(tip(hint))
        self._shown = []

    def _name(self, key: str, label: str, editor: QWidget) -> None:
        self.rows[key].label.setText(label)
        editor.setAccessibleName(label)

    def apply_theme(self, palette: Palette) -> None:
        """Apply the colours of a theme."""
        for field in self._fields.values():
            field.apply_theme(palette)
        self.placement.setIcon(icon(Icon.EXPANDED, palette))
