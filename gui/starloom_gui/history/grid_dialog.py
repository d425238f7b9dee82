"""The dialog with the grid of a plan's last runs, over the history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.panels.grid.corner import GridCorner
from starloom_gui.panels.grid.pane import GridPane
from starloom_gui.text.words import fill
from starloom_gui.widgets.dialog import Dialog

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.gateway.plan_runs import PlanRuns
    from starloom_gui.theme.appearance import Appearance

_WIDTH: Final = 900
_HEIGHT: Final = 440


class GridDialog(Dialog):
    """Shows the last runs of a plan, task by task; to be shown with `open()`.

    Args:
        plan: its name.
        run_id: of the run whose column is marked.
        store: reads the runs.
        appearance: the colours.
        name_of: gives what a run is called, by its id and the name of its plan.
        parent: the window it stands over.

    Attributes:
        pane: the grid.

    Signals:
        chosen(GridSpot): the user wants to see this task of this run; the dialog is closed by then.
        compare_chosen(GridSpot): the user wants to compare this run; likewise.
    """

    chosen = Signal(object)
    compare_chosen = Signal(object)

    def __init__(
        self,
        plan: str,
        run_id: str,
        store: PlanRuns,
        appearance: Appearance,
        name_of: Callable[[str, str], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(appearance, "", "", width=_WIDTH, parent=parent)
        self.retitle(fill(self.tr("Last runs of “%1”"), plan), "")
        self.pane = GridPane(lambda: plan, tuple, store, appearance, name_of, run_id)
        self.pane.setFixedHeight(_HEIGHT)
        for asked, told in ((self.pane.opened, self.chosen), (self.pane.compare_asked, self.compare_chosen)):
            asked.connect(self.accept)
            asked.connect(told)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(GridCorner(self.pane, appearance))
        self.body.addLayout(row)
        self.body.addWidget(self.pane)
        self.apply_theme(appearance.palette)
        self.pane.grid.setFocus()

    @override
    def do(self) -> None:
        self.reject()  # there is nothing but to close it
