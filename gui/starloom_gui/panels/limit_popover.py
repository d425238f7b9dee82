"""The popover of the concurrency limits: this run's first, and below it that of all runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.panels.limits import LimitRow
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import GAPS
from starloom_gui.viewmodel.limit_lines import all_runs, this_run
from starloom_gui.widgets.controls import sheet, text
from starloom_gui.widgets.number_field import number_sheet
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QHideEvent, QKeyEvent

    from starloom.scheduling.read.run_view import RunView
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.gateway.commands import Refusal
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

WIDTH: Final = 360


class LimitPopover(QFrame):
    """The popover of the limits, the one of this run with the focus. A changed number is sent at once.

    Enter means what was typed and Escape takes it back; where nothing was, both close it. Closed, what was typed is
    meant.

    Args:
        appearance: the colours.
        fleet: gives the facts of the fleet.
        run: gives the run in front; None: none is, and there is only the limit of all runs.
        gateway: what other limits are asked for by.
        parent: the window.

    Attributes:
        rows: the limits, from top to bottom.

    Signals:
        closed(): it is gone from the screen.
    """

    closed = Signal()

    def __init__(
        self,
        appearance: Appearance,
        fleet: Callable[[], FleetFacts],
        run: Callable[[], RunView | None],
        gateway: CommandGateway,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("pane")
        self._fleet, self._run = fleet, run
        facts = run()
        self._of_run = facts.run_id if facts is not None else ""
        lines = [*([this_run(facts)] if facts is not None else []), all_runs(fleet())]
        self.rows = [LimitRow(line, gateway, lambda: appearance.palette, self) for line in lines]
        self.setWindowTitle(self.tr("Limit running tasks"))
        self.setAccessibleName(self.windowTitle())
        column = QVBoxLayout(self)
        column.setContentsMargins(GAPS[2], GAPS[1], GAPS[2], GAPS[2])
        column.setSpacing(GAPS[0])
        column.addWidget(text(self.tr("Running at once"), Role.SECTION, wraps=False))
        for row in self.rows:
            column.addWidget(row)
            row.grown.connect(self._fit)
        column.addWidget(text(self.tr("Lowering a limit stops nothing that runs."), Role.SMALL, "muted"))
        Restyling(self, appearance, self._apply_theme)
        self.on_changes()

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(
            sheet(palette)
            + number_sheet(palette)
            + f"QFrame#pane {{ background: {palette.panel}; border: 1px solid {palette.outline}; }}"
        )
        for row in self.rows:
            row.apply_theme(palette)

    # ---- being told

    def on_changes(self, _changes: Changes | None = None) -> None:
        """Update the limits; a field in use is left alone."""
        run = self._run()
        for row in self.rows[:-1]:
            if run is None or run.run_id != self._of_run:  # another tab came to the front: these are not its limits
                self.close()
                return
            row.show_line(this_run(run))
        self.rows[-1].show_line(all_runs(self._fleet()))

    def refuse(self, refusal: Refusal) -> None:
        """Show under its field why a limit was refused."""
        any(row.refuse(refusal) for row in self.rows)

    # ---- on the screen

    def popup(self, below: QRect) -> None:
        """Show it under a place of the screen, as far to the right as that, and give it the keyboard."""
        self._fit()
        screen = QGuiApplication.screenAt(below.center()) or QGuiApplication.primaryScreen()
        room = screen.availableGeometry()
        left = min(max(room.left(), below.right() - self.width() + 1), room.right() - self.width() + 1)
        self.move(QPoint(left, below.bottom() + 1 + GAPS[0]))
        self.show()
        self.rows[0].field.line.setFocus(Qt.FocusReason.PopupFocusReason)
        self.rows[0].field.line.selectAll()

    def _fit(self) -> None:
        layout = self.layout()
        if layout is not None:
            layout.activate()
            self.setFixedSize(WIDTH, layout.totalHeightForWidth(WIDTH))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.close()
        else:
            super().keyPressEvent(event)

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        for row in self.rows:
            row.field.finish()
            row.field.line.clearFocus()  # a popup keeps it when it goes, and a field is not to lose it while it dies
        super().hideEvent(event)
        self.closed.emit()
