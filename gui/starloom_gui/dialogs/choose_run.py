"""The dialog that chooses one of several runs of a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractItemView
from typing_extensions import override

from starloom_gui.text.words import fill
from starloom_gui.widgets.controls import text
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.rows import ListRow, RowList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from starloom_gui.theme.appearance import Appearance


class ChooseRunDialog(Dialog):
    """Asks which run a plan is to be compared with; to be shown with `open()`.

    Args:
        appearance: the colours.
        plan: the title of the plan.
        runs: the key of each run, its title and how it stands.
        parent: the window it stands over.

    Attributes:
        rows: the runs.

    Signals:
        agreed(str): the key of the run.
    """

    agreed = Signal(str)

    def __init__(
        self,
        appearance: Appearance,
        plan: str,
        runs: Sequence[tuple[str, str, str]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(appearance, "", "", width=420, parent=parent)
        self._keys = [key for key, _, _ in runs]
        self.retitle(self.tr("Compare with run"), self.tr("Compare"))
        self.rows = RowList(appearance, [ListRow("", title, (state,)) for _, title, state in runs], self.tr("Runs"))
        self.rows.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.body.addWidget(text(fill(self.tr("Which run of “%1” is to be compared with it?"), plan), look="muted"))
        self.body.addWidget(self.rows)
        self.rows.setCurrentIndex(self.rows.model().index(len(runs) - 1, 0))
        self.rows.doubleClicked.connect(lambda _: self.do())
        self.apply_theme(appearance.palette)
        self.rows.setFocus()

    @override
    def do(self) -> None:
        self.accept()
        self.agreed.emit(self._keys[self.rows.currentIndex().row()])
