"""The history dialog: it lists all runs, and signals what is to be done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QHBoxLayout, QWidget
from typing_extensions import override

from starloom.model.status import ENDED_STATES
from starloom_gui.history.run_list import RunList, RunPlurals
from starloom_gui.models.run_table import RunTable, holder_words
from starloom_gui.text.words import amount, fill, size
from starloom_gui.theme.metrics import GAPS
from starloom_gui.theme.styles import table
from starloom_gui.viewmodel.keys import Scope, sequences, shown
from starloom_gui.widgets.controls import button, mark, text
from starloom_gui.widgets.dialog import SHADOW, Dialog

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.journal.records import RunRecord
    from starloom_gui.gateway.run_archive import RunArchive
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

_WIDTH: Final = 1040
_NARROWEST: Final = 880
"""Pixels in a narrow window, at least."""
_HEIGHT: Final = 440


class HistoryDialog(Dialog):
    """Lists the runs of an archive; to be shown with `open()`.

    Args:
        appearance: the colours.
        archive: the runs.
        parent: the window it stands over.

    Attributes:
        table: all runs.
        runs: the list.
        grid: its rows.
        search: what is looked for.

    Signals:
        open_asked(RunRecord), resume_asked(RunRecord), delete_asked(list): what is to be done with runs.
        export_asked(RunRecord), import_asked(): a run is to be written, or one that was written elsewhere had.
        grid_asked(RunRecord): the last runs of its plan are wanted, task by task.
        tidy_asked(), restore_asked(), empty_asked(): what is to be done with old ones, and with the trash.
    """

    open_asked = Signal(object)
    resume_asked = Signal(object)
    delete_asked = Signal(list)
    export_asked = Signal(object)
    import_asked = Signal()
    grid_asked = Signal(object)
    tidy_asked = Signal()
    restore_asked = Signal()
    empty_asked = Signal()

    def __init__(self, appearance: Appearance, archive: RunArchive, parent: QWidget | None = None) -> None:
        super().__init__(appearance, "", "", width=_wide(parent), parent=parent)
        self._archive = archive
        self.retitle(self.tr("History"), self.tr("Open"))
        self.cancel.setText(self.tr("Close"))
        self.table = RunTable(parent=self)
        self.runs = RunList(self.table, appearance, _HEIGHT)
        self.grid, self.search = self.runs.grid, self.runs.search
        self._counts = text(look="muted", wraps=False)
        self._trouble, self._about = text(), text(look="muted")
        self._reading: tuple[int, int] | None = (0, 0)
        self._in_trash = text(look="muted", wraps=False)
        self.restore, self.empty = button(self.tr("Restore")), button(self.tr("Empty trash…"))
        self.resume, self.delete = button(self.tr("Resume")), button(self.tr("Delete…"))
        self.tidy, self.export = button(self.tr("Tidy up…")), button(self.tr("Export…"))
        self.bring, self.last_runs = button(self.tr("Import…")), button(self.tr("Grid…"))
        self._arrange_fields()
        self._connect()
        self.show_trash(0)
        self.look()
        self.apply_theme(appearance.palette)
        self.search.setFocus()

    def _arrange_fields(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self.search, 1)
        top.addSpacing(GAPS[2])
        top.addWidget(self._counts)
        self.body.addLayout(top)
        self.body.addWidget(self.runs)
        self._about.setMinimumHeight(2 * self._about.fontMetrics().lineSpacing())
        self._about.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.body.addWidget(self._about)
        mark(self._trouble, "wrong")
        self._trouble.hide()
        self.body.addWidget(self._trouble)
        row = QHBoxLayout()
        row.setSpacing(GAPS[1])
        for part in (self._in_trash, self.restore, self.empty):
            row.addWidget(part)
        row.addStretch(1)
        self.body.addLayout(row)
        for each in (self.delete, self.tidy, self.bring, self.export, self.last_runs, self.resume):
            self.aside.addWidget(each)

    def _connect(self) -> None:
        self.runs.changed.connect(self.look)
        self.grid.opened.connect(self.do)
        self.grid.delete_asked.connect(self._ask_delete)
        self.delete.clicked.connect(self._ask_delete)
        self.resume.clicked.connect(self._ask_resume)
        self.export.clicked.connect(self._ask_export)
        self.bring.clicked.connect(self._ask_import)
        self.last_runs.clicked.connect(self._ask_grid)
        self.tidy.clicked.connect(self.tidy_asked)
        self.restore.clicked.connect(self.restore_asked)
        self.empty.clicked.connect(self.empty_asked)
        for name, act in (
            ("restore", self._restore),
            ("export", self._ask_export),
            ("import", self._ask_import),
            ("grid", self._ask_grid),
        ):
            for keys in sequences(Scope.HISTORY, name):
                QShortcut(keys, self, act)

    # ---- what is shown

    def show_runs(self, found: Sequence[RunRecord], of: int | None = None) -> None:
        """Show these runs; while they are read, of so many."""
        self._reading = None if of is None else (len(found), of)
        self.table.show(found)
        self.grid.begin()
        self.look()

    def show_trash(self, count: int) -> None:
        """Show the number of runs in the trash."""
        count = 0 if self._archive.unchangeable else count
        self._in_trash.setText(RunPlurals().in_trash(count))
        for part in (self._in_trash, self.restore, self.empty):
            part.setVisible(count > 0)
        self.restore.setToolTip(self.tr("Have back what was put there last (Ctrl+Z)"))
        self.empty.setToolTip(self.tr("Remove for good what is in the trash"))

    def show_trouble(self, sentence: str) -> None:
        """Show what was not done, and why; empty: remove the message."""
        self._trouble.setText(sentence)
        self._trouble.setVisible(bool(sentence))

    def look(self) -> None:
        """Update which actions are possible on the selected runs."""
        self._say()
        chosen = self.grid.chosen()
        self._about.setText(self._said_of(chosen))
        self.allow(self._why_not_opened(len(chosen)))
        fixed = self._archive.unchangeable
        held = [one for one in chosen if one.held_by is not None and not _ended_here(one)]
        reason = "" if chosen else self.tr("No run is selected.")
        if held and held[0].held_by is not None and held[0].held_by.is_here:
            reason = fill(self.tr("“%1” has not ended. Cancel it first."), held[0].name or held[0].run_id)
        elif held and held[0].held_by is not None:
            reason = fill(self.tr("“%1” is open in %2."), held[0].name or held[0].run_id, holder_words(held[0].held_by))
        _offer(self.delete, fixed or reason, self.tr("Put the selected runs into the trash (Del)"))
        reopens = len(chosen) == 1 and self._can_reopen(chosen[0])
        can_resume = len(chosen) == 1 and chosen[0].can_resume
        reason = "" if can_resume else self.tr("Only an interrupted run can be gone on with, or one that has ended.")
        if len(chosen) == 1 and chosen[0].is_salvaged:
            reason = self.tr(
                "A part of its journal is lost. “starloom resume”, with its name, asks what is done again."
            )
        if len(chosen) == 1 and chosen[0].is_imported:
            reason = self.tr("This run came from elsewhere. It can be looked at, but not gone on with.")
        self.resume.setText(self.tr("Reopen") if reopens else self.tr("Resume"))
        tip = self.tr("Have its tasks retried, rerun and changed again; nothing starts by itself")
        tip = tip if reopens else self.tr("Go on with this run where it was left")
        fixed_here = "" if self._archive.where else fixed  # a server goes on with its own
        _offer(self.resume, "" if reopens else fixed_here or reason, tip)
        _offer(self.export, self._why_not_exported(chosen), self.tr("Write it as a report or in one file (Ctrl+E)"))
        _offer(self.bring, fixed, self.tr("Take in a run that was exported elsewhere, and show it (Ctrl+I)"))
        keys = shown(Scope.HISTORY, "grid")
        _offer(
            self.last_runs,
            self._why_no_grid(chosen),
            fill(self.tr("Show the last runs of its plan, task by task (%1)"), keys),
        )
        why = "" if self.table.rows and self._reading is None else self._why_empty()
        _offer(self.tidy, fixed or why, self.tr("Keep the last runs only"))

    def _can_reopen(self, one: RunRecord) -> bool:
        """Whether it has ended and can be gone on with; a server has it open itself, or not."""
        has_ended = one.state in ENDED_STATES and not one.is_imported
        return has_ended and (one.held_by is None or bool(self._archive.where) or _ended_here(one))

    def _said_of(self, chosen: Sequence[RunRecord]) -> str:
        """The problems of a run, or else its place."""
        if len(chosen) != 1:
            return ""
        one = chosen[0]
        if one.held_by is not None and not one.trouble and not _ended_here(one):
            return fill(
                self.tr("It is open in %1. What it has come to by now can be looked at."), holder_words(one.held_by)
            )
        return one.trouble or self._archive.place(one.folder)

    def _why_not_opened(self, count: int) -> str:
        if count == 1:
            return ""
        if count:
            return self.tr("Select one run to open it.")
        if self.runs.count:
            return self.tr("Select a run to open it.")
        return self._why_empty()

    def _why_not_exported(self, chosen: Sequence[RunRecord]) -> str:
        if len(chosen) != 1:
            return self.tr("Select one run to export it.")
        if chosen[0].state == "empty":
            return self.tr("This run has not begun. There is nothing to export.")
        return ""

    def _why_no_grid(self, chosen: Sequence[RunRecord]) -> str:
        if len(chosen) != 1:
            return self.tr("Select one run to see those of its plan.")
        if chosen[0].state in {"unreadable", "empty"}:
            return self.tr("Nobody knows of which plan it is: its journal does not tell.")
        return ""

    def _say(self) -> None:
        rows, shown = self.table.rows, self.runs.count
        whole = sum(row.size or 0 for row in rows)
        words = RunPlurals()
        said = words.runs(len(rows)) if shown == len(rows) else words.of(shown, len(rows))
        summary = fill(self.tr("%1 · %2"), said, size(whole)) if rows else ""
        self._counts.setText(summary if self._reading is None else self._sentence())
        self.runs.explain(
            self._why_empty()
            if rows or self._reading is not None
            else fill(self.tr("No runs yet. Every run is kept in %1 and will be listed here."), self._archive.home)
        )

    def _why_empty(self) -> str:
        """The reason why no run is listed."""
        if self._reading is not None:
            return self._sentence()
        return self.tr("No run holds what you search for.") if self.table.rows else self.tr("There are no runs yet.")

    def _sentence(self) -> str:
        read, of = self._reading or (0, 0)
        return fill(self.tr("Reading %1 of %2…"), amount(read), amount(of)) if of else self.tr("Reading…")

    # ---- what is asked for

    def _ask_delete(self) -> None:
        if self.delete.isEnabled():
            self.delete_asked.emit(self.grid.chosen())

    def _ask_export(self) -> None:
        if self.export.isEnabled():
            self.export_asked.emit(self.grid.chosen()[0])

    def _ask_import(self) -> None:
        if self.bring.isEnabled():
            self.import_asked.emit()

    def _ask_grid(self) -> None:
        if self.last_runs.isEnabled():
            self.grid_asked.emit(self.grid.chosen()[0])

    def _ask_resume(self) -> None:
        self.resume_asked.emit(self.grid.chosen()[0])

    def _restore(self) -> None:
        if self.restore.isVisible():
            self.restore_asked.emit()

    @override
    def do(self) -> None:
        chosen = self.grid.chosen()
        if len(chosen) == 1:
            self.open_asked.emit(chosen[0])

    @override
    def apply_theme(self, palette: Palette) -> None:
        super().apply_theme(palette)
        self.setStyleSheet(self.styleSheet() + table(palette))


def _ended_here(one: RunRecord) -> bool:
    """Whether this program has it, but only for looking at it."""
    return one.held_by is not None and one.held_by.is_here and one.state in ENDED_STATES


def _offer(made: QWidget, reason: str, tip: str) -> None:
    made.setEnabled(not reason)
    made.setToolTip(reason or tip)
    made.setAccessibleDescription(reason)
    mark(made, "")


def _wide(parent: QWidget | None) -> int:
    """The width of the dialog, which goes beyond no edge of its window."""
    return _WIDTH if parent is None else max(_NARROWEST, min(_WIDTH, parent.window().width() - 2 * SHADOW))
