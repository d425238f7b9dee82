"""The dialog in which the run is chosen that another one is compared with: those of the same plan first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.history.grid import RunGrid
from starloom_gui.history.run_list import RunList, RunPlurals
from starloom_gui.models.run_table import RunColumn, RunTable
from starloom_gui.text.words import amount, fill
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import CONTROL, GAPS
from starloom_gui.theme.styles import table
from starloom_gui.widgets.controls import text
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.editors import CheckBox

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.journal.records import RunRecord
    from starloom_gui.gateway.run_archive import RunArchive
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

_WIDTH: Final = 960
_HEIGHT: Final = 330


class CompareDialog(Dialog):
    """Shows runs of which one can be chosen; to be shown with `open()`.

    Args:
        appearance: the colours.
        archive: the runs.
        name: of the run that is compared, which runs of the same plan share; empty: it has none.
        parent: the window it stands over.
        name_of: gives what a run is called, by its id and the name of its plan.

    Attributes:
        runs: the list.
        grid: its rows.
        search: what is looked for.
        same: whether only runs of the same plan are listed.

    Signals:
        chosen(RunRecord): the user wants to compare with this run.
    """

    chosen = Signal(object)

    def __init__(
        self,
        appearance: Appearance,
        archive: RunArchive,
        name: str,
        parent: QWidget | None = None,
        *,
        name_of: Callable[[str, str], str] = lambda run_id, name: name or run_id,
    ) -> None:
        super().__init__(appearance, "", "", width=_WIDTH, parent=parent)
        self._archive, self._name, self._name_of = archive, name, name_of
        self._all: list[RunRecord] = []
        self._reading: tuple[int, int] | None = (0, 0)
        self.retitle(self.tr("Compare with an earlier run"), self.tr("Compare"))
        self._table = RunTable(parent=self)
        self.runs = RunList(self._table, appearance, _HEIGHT)
        self.grid, self.search = self.runs.grid, self.runs.search
        self.grid.hide_columns(RunColumn.SIZE)
        self.grid.setSelectionMode(RunGrid.SelectionMode.SingleSelection)
        self.same = CheckBox(fill(self.tr("Only runs of “%1”"), name))
        self._is_asked = False
        self._counts, self._about = text(look="muted", wraps=False), text(look="muted")
        self._arrange_fields()
        self._connect()
        self.show_runs([], (0, 0))
        self.apply_theme(appearance.palette)
        self.search.setFocus()

    def _arrange_fields(self) -> None:
        top = QHBoxLayout()
        self.same.setFont(font(Role.BODY))
        self.same.setToolTip(self.tr("Runs of the same plan have its name"))
        self.same.setVisible(bool(self._name))
        self.same.setChecked(bool(self._name))
        for part in (self.search, self.same):
            top.addWidget(part, 1 if part is self.search else 0)
            top.addSpacing(GAPS[2])
        top.addWidget(self._counts)
        self.body.addLayout(top)
        self.body.addWidget(self.runs)
        self._about.setMinimumHeight(CONTROL)
        self.body.addWidget(self._about)

    def _connect(self) -> None:
        self.search.returnPressed.connect(self.do)
        self.same.clicked.connect(self._ask)
        self.runs.changed.connect(self._look)
        self.grid.opened.connect(self.do)

    # ---- what is shown

    def show_runs(self, found: Sequence[RunRecord], reading: tuple[int, int] | None) -> None:
        """Offer these runs.

        Args:
            found: all that are known by now.
            reading: how many folders are read of how many; None: all.
        """
        self._all, self._reading = list(found), reading
        if reading is None and not self._is_asked and not any(self._is_same(run) for run in self._all):
            self.same.setChecked(False)  # there is none of the same plan: any other is better than nothing
        self._list_runs()

    def _is_same(self, run: RunRecord) -> bool:
        return bool(self._name) and run.name == self._name

    def _ask(self) -> None:
        self._is_asked = True
        self._list_runs()

    def _list_runs(self) -> None:
        only = self.same.isChecked()
        listed = [run for run in self._all if not only or self._is_same(run)]
        self._table.show([replace(run, name=self._name_of(run.run_id, run.name)) for run in listed])
        self.grid.begin()
        self._look()

    def _look(self) -> None:
        """Update what can be chosen, and the remark about it."""
        shown, of = self.runs.count, len(self._all)
        words = RunPlurals()
        self._counts.setText(words.runs(of) if shown == of else words.of(shown, of))
        self.runs.explain(self._why_empty())
        run = self._chosen()
        self._about.setText(self._said_of(run) if run is not None else "")
        if run is not None:
            self.allow(self._why_not(run))
        else:
            self.allow(self.tr("Select the run to compare with.") if shown else self.tr("There is no run to select."))

    def _chosen(self) -> RunRecord | None:
        chosen = self.grid.chosen()
        return next((run for run in self._all if run.folder == chosen[0].folder), None) if len(chosen) == 1 else None

    def _why_not(self, run: RunRecord) -> str:
        if run.state == "unreadable":
            return self.tr("Its journal cannot be read.")
        return self.tr("It was never started.") if run.took is None else ""

    def _said_of(self, run: RunRecord) -> str:
        if run.trouble:
            return run.trouble
        if run.state in {"executing", "paused"}:
            return self.tr("It goes on. It is compared as it stands now.")
        if run.state == "interrupted":
            return self.tr("It was interrupted. It is compared as far as it came.")
        return self._archive.place(run.folder)

    def _why_empty(self) -> str:
        if self._reading is not None:
            read, of = self._reading
            return fill(self.tr("Reading %1 of %2…"), amount(read), amount(of)) if of else self.tr("Reading…")
        if not self._all:
            return fill(self.tr("There is no earlier run. Every run is kept in %1."), self._archive.home)
        if self._table.rows:
            return self.tr("No run holds what you search for.")
        return fill(self.tr("No earlier run of “%1” is kept."), self._name)

    # ---- input

    @override
    def do(self) -> None:
        run = self._chosen()
        if run is not None and not self._why_not(run):
            self.accept()
            self.chosen.emit(run)

    @override
    def apply_theme(self, palette: Palette) -> None:
        super().apply_theme(palette)
        self.setStyleSheet(self.styleSheet() + table(palette))
        self.same.colours = palette
        self.same.update()
