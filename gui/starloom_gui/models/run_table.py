"""The list of the runs in the directory of journals: state, time and progress of each."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt
from typing_extensions import override

from starloom.journal.records import RunRecord
from starloom.model.status import ENDED_STATES
from starloom_gui.models.plain_table import PlainTable
from starloom_gui.text import wall_clock, words
from starloom_gui.text.words import translate
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.columns import Column, Columns
from starloom_gui.viewmodel.figures import waiting_words
from starloom_gui.viewmodel.roles import NOWHERE, RIGHT, ItemRole, runs_of
from starloom_gui.viewmodel.status_forms import form_of_run

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from pathlib import Path

    from PySide6.QtCore import QObject

    from starloom.journal.lock import Holder


class RunTable(PlainTable[RunRecord]):
    """A row for each run, sorted; reading the directory takes time and is done elsewhere, off the loop.

    There may be a thousand of them, so they are sorted here, where each cell is asked for once, and not by a proxy that
    asks anew for every two cells it compares.
    """

    def __init__(self, records: Sequence[RunRecord] = (), parent: QObject | None = None) -> None:
        super().__init__(RunColumn, lambda row: row.folder, parent)
        self._column, self._is_descending = int(RunColumn.MADE), True
        self._held: dict[Path, tuple[RunRecord, str]] = {}
        self.show(records)

    @override
    def show(self, rows: Sequence[RunRecord]) -> None:
        super().show(self._in_order(rows))

    @override
    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        is_sorted = column >= 0  # else the newest stand first, as before anybody sorted
        self._column = column if is_sorted else int(RunColumn.MADE)
        self._is_descending = not is_sorted or order == Qt.SortOrder.DescendingOrder
        self.show(self._rows)

    def _in_order(self, rows: Sequence[RunRecord]) -> list[RunRecord]:
        figure = self._columns[self._column].sort_key
        key = partial(figure, self) if figure else lambda row: self.text(row, self._column).casefold()
        return sorted(rows, key=key, reverse=self._is_descending)

    def held(self, at: int) -> str:
        """The searchable text of a row, in lower case."""
        row = self._rows[at]
        known = self._held.get(row.folder)
        if known is None or known[0] is not row:
            cells = (self.text(row, column) for column in _SEARCHED)
            known = self._held[row.folder] = row, "\n".join([*cells, row.run_id]).casefold()
        return known[1]

    @override
    def _replace(self, rows: Sequence[RunRecord], old: list[Hashable], new: list[Hashable]) -> None:
        """Remove and insert the rows that differ, which keeps the selection; sorting moves the others."""
        staying, coming = set(new).intersection(old), set(new).difference(old)
        if [one for one in old if one in staying] != [one for one in new if one in staying]:
            super()._replace(rows, old, new)
            return
        for first, last in reversed(runs_of([at for at, one in enumerate(old) if one not in staying])):
            self.beginRemoveRows(NOWHERE, first, last)
            del self._rows[first : last + 1]
            self.endRemoveRows()
        for first, last in runs_of([at for at, one in enumerate(new) if one in coming]):
            self.beginInsertRows(NOWHERE, first, last)
            self._rows[first:first] = rows[first : last + 1]
            self.endInsertRows()
        super().show(rows)

    @override
    def more(self, row: RunRecord, column: int, role: int) -> Any:
        known: dict[int, Any] = {ItemRole.ID: row.run_id, ItemRole.RUN: row.run_id, ItemRole.VALUE: row}
        return known.get(role)


def holder_words(holder: Holder) -> str:
    """The holder of a journal in words, as behind "open in"."""
    if holder.is_here:
        return translate("Runs", "this program")
    if not holder.pid:
        return translate("Runs", "another program")
    return words.fill(translate("Runs", "process %1 on %2, since %3"), holder.pid, holder.host, holder.since)


def _remark(row: RunRecord) -> str:
    if row.trouble:
        return words.plain(row.trouble)
    told = [_whereabouts(row)]
    told += [words.Plurals().may_still_run(row.unattended)] if row.can_resume and row.unattended else []
    for where, count in row.may_still_run.items():
        told.append(words.fill(translate("Runs", "%1 on %2"), words.Plurals().may_still_run(count), words.plain(where)))
    return " · ".join(filter(None, told))


def _whereabouts(row: RunRecord) -> str:
    if row.held_by and not (row.held_by.is_here and row.state in ENDED_STATES):  # else it is only kept in memory
        return words.fill(translate("Runs", "open in %1"), holder_words(row.held_by))
    if row.is_imported:
        return translate("Runs", "from elsewhere")
    return translate("Runs", "can be resumed") if row.can_resume else ""


def _known_state(row: RunRecord) -> str:
    """The state of a run; one that was paused is so still, whatever became of its program."""
    return "paused" if row.is_paused and row.state == "interrupted" else row.state


def state_words(row: RunRecord) -> str:
    """The state of a run in words, as its tab says it."""
    state, counts = _known_state(row), row.counts
    failed, cancelled = counts.get("failed", 0), counts.get("cancelled", 0)
    word = words.end_words(state, failed, cancelled, is_any_done=row.done > 0, simulated=row.simulated)
    return waiting_words(word, only=_only_waits(row)) if row.waits and row.held_by is not None else word


def form_of_record(row: RunRecord) -> StatusForm | None:
    """The form whose glyph stands for the state of a recorded run, as the header has it; None: nobody knows it."""
    return StatusForm.PENDING if _only_waits(row) else form_of_run(row.state, row.counts.get("cancelled", 0))


def _only_waits(row: RunRecord) -> bool:
    """Whether a program has the run, which would go on if only a person answered."""
    goes_on = row.held_by is not None and row.state == "executing"
    return goes_on and bool(row.waits) and not row.counts.get("running")


def _day_and_time(seconds: float) -> str:
    return f"{wall_clock.shown(seconds):%Y-%m-%d %H:%M}" if seconds else ""


_Column = Column[RunTable, RunRecord]


class RunColumn(Columns):
    """The columns of the list of runs, from left to right."""

    NAME = _Column(
        heading=lambda: translate("Runs", "Run"),
        text=lambda _, row: row.name or row.run_id,
        width=80,
        takes_rest=True,
        elide=Qt.TextElideMode.ElideMiddle,
        is_muted=False,
    )
    STATE = _Column(
        heading=lambda: translate("Runs", "State"),
        text=lambda _, row: state_words(row),
        width=232,
        is_muted=False,
    )
    MADE = _Column(
        heading=lambda: wall_clock.marked(translate("Runs", "Made")),
        text=lambda _, row: _day_and_time(row.created),
        sort_key=lambda _, row: row.created,
        width=132,
    )
    TOOK = _Column(
        heading=lambda: translate("Runs", "Took"),
        text=lambda _, row: "" if row.took is None else words.took(row.took),
        sort_key=lambda _, row: -1.0 if row.took is None else row.took,
        width=68,
        align=RIGHT,
    )
    TASKS = _Column(
        heading=lambda: translate("Runs", "Tasks done"),
        text=lambda _, row: words.share(row.done, row.total) if row.counts else "",
        sort_key=lambda _, row: row.total,
        width=115,
        align=RIGHT,
    )
    FAILED = _Column(
        heading=lambda: translate("Runs", "Failed"),
        text=lambda _, row: words.amount(row.counts["failed"]) if row.counts.get("failed") else "",
        sort_key=lambda _, row: row.counts.get("failed", 0),
        width=76,
        align=RIGHT,
    )
    SIZE = _Column(
        heading=lambda: translate("Runs", "Size"),
        text=lambda _, row: "" if row.size is None else words.size(row.size),
        sort_key=lambda _, row: row.size or 0,
        width=76,
        align=RIGHT,
    )
    REMARK = _Column(heading=lambda: translate("Runs", "Remark"), text=lambda _, row: _remark(row), width=140)


_SEARCHED: Final = (RunColumn.NAME, RunColumn.STATE, RunColumn.MADE, RunColumn.REMARK)
