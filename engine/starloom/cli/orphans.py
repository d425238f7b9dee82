"""`starloom runs --orphans`: commands that may still run without a program."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Final

from starloom.cli.screen import plain
from starloom.orchestration.left_behind import orphans
from starloom.settings import journal_path

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.cli.screen import Screen
    from starloom.orchestration.left_behind import Orphan

_WHO_ENDS_IT: Final = "The next program that reaches its device ends it."


def list_orphans(journal: Path | None, screen: Screen, *, as_json: bool) -> int:
    """Print a line for each one, the oldest first; returns the exit code.

    Raises:
        JournalError: the directory of the journals cannot be looked into.
    """
    directory = journal or journal_path()
    found = orphans(directory)
    if as_json:
        return screen.result(json.dumps([_named(one) for one in found]))
    if not found:
        screen.note(f"No command of the runs in {directory} runs without a program that sees to it.")
    for one in found:
        screen.result(_line(one))
    return 0


def _line(one: Orphan) -> str:
    since = datetime.fromtimestamp(one.since).astimezone().strftime("%Y-%m-%d %H:%M")
    known = f"{plain(one.known)} {_WHO_ENDS_IT}" if one.is_unended else plain(one.known)
    of = f"{plain(one.device_id)}  {plain(one.run_id)}  {plain(one.task_id)}, attempt {one.attempt}"
    return f"{of}  since {since}  {known}"


def _named(one: Orphan) -> dict[str, object]:
    return {
        "device": one.device_id,
        "run": one.run_id,
        "task": one.task_id,
        "attempt": one.attempt,
        "since": one.since,
        "counts_as_ended": one.is_unended,
        "known": one.known,
    }
