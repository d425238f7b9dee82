"""The list of runs, as the directory of journals tells of them: where each stands, when it was made, how far it is."""

from __future__ import annotations

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


class RunTable(PlainTable[RunRecord]):
    """A row for each run; reading the directory takes time and is done elsewhere, off the loop."""

    def __init__(self, records: Sequence[RunRecord] = (), parent: QObject | None = None) -> None:
        super().__init__(headings, lambda row: row.folder, (2, 3, 4), parent)
        self.show(records)

    @override
    def text(self, row: RunRecord, column: int) -> str:
        if column == 0:
            return row.name or row.run_id
        if column == 1:
            return words.run_word(row.state)
        if column in {2, 3}:
            return _day_and_time(row.created if column == 2 else row.updated)
        if column == 4:
            counts = row.counts
            total = counts.get("submitted", 0) - counts.get("removed", 0)
            return words.share(sum(counts.get(name, 0) for name in _ENDED), total)
        return _remark(row)

    @override
    def more(self, row: RunRecord, column: int, role: int) -> Any:
        known: dict[int, Any] = {Role.ID: row.run_id, Role.RUN: row.run_id, Role.VALUE: row}
        return known.get(role)


def headings() -> tuple[str, ...]:
    """What stands over the columns."""
    return (
        translate("Runs", "Run"),
        translate("Runs", "State"),
        translate("Runs", "Made"),
        translate("Runs", "Last change"),
        translate("Runs", "Tasks"),
        translate("Runs", "Remark"),
    )


def _remark(row: RunRecord) -> str:
    if row.trouble:
        return words.plain(row.trouble)
    if row.held_by:
        return words.fill(translate("Runs", "open in %1"), row.held_by)
    return translate("Runs", "can be resumed") if row.can_resume else ""


def _day_and_time(seconds: float) -> str:
    if not seconds:
        return ""
    return wall_clock.marked(f"{wall_clock.shown(seconds):%Y-%m-%d %H:%M}")
