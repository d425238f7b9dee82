"""The plan a run was started from, read from its journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.journal.base import JournalError
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom_gui.diff.plan_difference import plan_of

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.model.plan import Plan


def plan_at_start(folder: Path) -> Plan:
    """The plan of the run in a folder as it was started; where its nodes were placed is not in there. Asks the disk.

    Raises:
        JournalError: it cannot be read.
    """
    with StreamFile(folder / JOURNAL, read_only=True) as file:
        first = next(file.turns_after(0, 0), None)
        if first is None:
            raise JournalError(f"The journal in {folder} is empty.")
        return plan_of(file.view(first[0]).view.run)
