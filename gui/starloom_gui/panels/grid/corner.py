"""The buttons of the grid, for the corner of its tab: Flaky, Slower, and a menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from typing_extensions import override

from starloom_gui.panels.grid.rows import GridOrder
from starloom_gui.panels.output_buttons import ButtonRow, name_button
from starloom_gui.theme.icons import Icon
from starloom_gui.theme.metrics import GAPS

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom_gui.panels.grid.pane import GridPane
    from starloom_gui.theme.appearance import Appearance


class GridCorner(ButtonRow):
    """The buttons of the Grid pane.

    Args:
        pane: what they act on.
        appearance: the colours.
        parent: the widget it lies in.
    """

    def __init__(self, pane: GridPane, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, (0, GAPS[1]), parent)
        self._pane = pane
        self.flaky = self.add(None, lambda: self._filter(GridOrder.FLAKY, on=self.flaky.isChecked()), checkable=True)
        self.slower = self.add(None, lambda: self._filter(GridOrder.SLOWER, on=self.slower.isChecked()), checkable=True)
        self.more = self.add(Icon.MORE, self._open_menu)
        pane.filtered.connect(self._show)
        self._say()

    def _filter(self, flag: GridOrder, *, on: bool) -> None:
        only = self._pane.rows.only
        self._pane.arrange(only=only | {flag} if on else only - {flag})

    def _show(self) -> None:
        self.flaky.setChecked(GridOrder.FLAKY in self._pane.rows.only)
        self.slower.setChecked(GridOrder.SLOWER in self._pane.rows.only)

    def _open_menu(self) -> None:
        self._pane.open_more_menu(self.more.mapToGlobal(QPoint(0, self.more.height())))

    @override
    def _say(self) -> None:
        name_button(
            self.flaky,
            self.tr("Flaky"),
            self.tr("Show tasks that failed or were retried in some runs and were done in others, doing the same"),
        )
        name_button(
            self.slower,
            self.tr("Slower"),
            self.tr("Show tasks that took much longer the last time than they usually do"),
        )
        name_button(self.more, self.tr("More"), self.tr("Order of the tasks, copy as CSV, read again"))
