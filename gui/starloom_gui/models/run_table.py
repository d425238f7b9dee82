"""The list of runs, as the directory of journals tells of them: where each stands, when it was made, how far it is."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from starloom.journal.records import RunRecord
from starloom_gui import wall_clock, words
from starloom_gui.models.plain_table import PlainTable
from starloom_gui.models.roles import Role
from starloom_gui.words import translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QObject

_ENDED = ("completed", "failed", "cancelled", "skipped")


class Column(IntEnum):
    """The columns, from left to right."""

    NAME = 0
    STATE = 1
    MADE = 2
    TOOK = 3
    TASKS = 4
    FAILED = 5
    SIZE = 6
    REMARK = 7


FIGURES = frozenset({Column.TOOK, Column.TASKS, Column.FAILED, Column.SIZE})


class RunTable(PlainTable[RunRecord]):
    """A row for each run; reading the directory takes time and is done elsewhere, off the loop."""

    def __init__(self, records: Sequence[RunRecord] = (), parent: QObject | None = None) -> None:
        super().__init__(headings, lambda row: row.folder, FIGURES, parent)
        self.show(records)

    @override
    def text(self, row: RunRecord, column: int) -> str:
        if column == Column.NAME:
            return row.name or row.run_id
        if column == Column.STATE:
            return words.run_word(row.state)
        if column == Column.MADE:
            return _day_and_time(row.created)
        if column == Column.TOOK:
            return "" if row.took is None else words.took(row.took)
        if column == Column.TASKS:
            return words.share(ended(row), total(row)) if row.counts else ""
        if column == Column.FAILED:
            return words.amount(row.counts["failed"]) if row.counts.get("failed") else ""
        if column == Column.SIZE:
            return "" if row.size is None else words.size(row.size)
        return _remark(row)

    @override
    def more(self, row: RunRecord, column: int, role: int) -> Any:
        if role == Role.ORDER:
            return self._sorted_by(row, column)
        known: dict[int, Any] = {Role.ID: row.run_id, Role.RUN: row.run_id, Role.VALUE: row}
        return known.get(role)

    def _sorted_by(self, row: RunRecord, column: int) -> Any:
        figures: dict[int, Any] = {
            Column.MADE: row.created,
            Column.TOOK: -1.0 if row.took is None else row.took,
            Column.TASKS: total(row),
            Column.FAILED: row.counts.get("failed", 0),
            Column.SIZE: row.size or 0,
        }
        return figures[column] if column in figures else self.text(row, column).casefold()


def total(row: RunRecord) -> int:
    """How many tasks a run has."""
    return row.counts.get("submitted", 0) - row.counts.get("removed", 0)


def ended(row: RunRecord) -> int:
    """How many of them have ended."""
    return sum(row.counts.get(name, 0) for name in _ENDED)


def headings() -> tuple[str, ...]:
    """What stands over the columns."""
    return (
        translate("Runs", "Run"),
        translate("Runs", "State"),
        wall_clock.marked(translate("Runs", "Made")),
        translate("Runs", "Took"),
        translate("Runs", "Tasks"),
        translate("Runs", "Failed"),
        translate("Runs", "Size"),
        translate("Runs", "Remark"),
    )


def _remark(row: RunRecord) -> str:
    if row.trouble:
        return words.plain(row.trouble)
    if row.held_by:
        return words.fill(translate("Runs", "open in %1"), row.held_by)
    if row.is_imported:
        return translate("Runs", "from elsewhere")
    return translate("Runs", "can be resumed") if row.can_resume else ""


def _day_and_time(seconds: float) -> str:
    return f"{wall_clock.shown(seconds):%Y-%m-%d %H:%M}" if seconds else ""
