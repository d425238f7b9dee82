"""Tasks that may still run on their devices though no program looks after them, or though they count as ended."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from starloom.journal.base import JournalError
from starloom.orchestration.left_behind import all_that_may_still_run, may_still_run, orphans_of, sentences

if TYPE_CHECKING:
    from pathlib import Path


def unattended(folder: Path) -> Counter[str]:
    """The number of tasks of an interrupted run in a folder that may still run, by the ids of their devices."""
    return Counter(one.device_id for one in orphans_of(folder) if not one.is_unended)


def unended(folder: Path) -> dict[str, int]:
    """The number of commands of the run in a folder that may still run though they count as ended, by place."""
    return may_still_run(folder)


def farewell(directory: Path) -> str:
    """The lines that the console prints at its end about commands that may still run though they count as ended."""
    try:
        return "".join(f"{sentence}\n" for sentence in sentences(all_that_may_still_run(directory)))
    except JournalError:
        return ""
