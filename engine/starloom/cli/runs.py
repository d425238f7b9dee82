"""`starloom runs` and `starloom salvage`: listing journals, and salvaging a damaged one."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from starloom.cli.screen import others_words, plain
from starloom.journal.records import find_folder, record, records
from starloom.journal.salvage import salvage_folder
from starloom.settings import journal_path

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.cli.screen import Screen
    from starloom.journal.records import RunRecord

_STYLES = {"completed": "green", "failed": "red", "partially_failed": "yellow", "interrupted": "bold yellow"}
_NOT_DONE = ("failed", "cancelled", "skipped")
"""How a task may have ended without being done."""


def list_runs(journal: Path | None, screen: Screen, *, as_json: bool) -> int:
    """Print a line for each run, the newest first; returns the exit code."""
    directory = journal or journal_path()
    found = records(directory)
    if as_json:
        screen.result(json.dumps([_plain(one) for one in found]))
        return 0
    if not found:
        screen.note(f"There are no runs in {directory}.")
    width = max((len(plain(one.run_id)) for one in found), default=0)
    for one in found:
        screen.result(f"{plain(one.run_id):{width}}  {_line(one)}", _STYLES.get(one.state, ""))
    return 0


def list_folder(folder: Path, screen: Screen) -> int:
    """Print the run in a folder as a JSON array of one; returns the exit code."""
    return screen.result(json.dumps([_plain(record(folder))]))


def _line(one: RunRecord) -> str:
    if one.state == "unreadable":
        return f"unreadable: {plain(one.trouble)}"
    when = datetime.fromtimestamp(one.created).astimezone().strftime("%Y-%m-%d %H:%M")
    others = others_words({status: one.counts[status] for status in _NOT_DONE})
    others += f", {one.simulated} only simulated" if one.simulated else ""
    tasks = f"{one.done} of {one.total} tasks done{others}"
    held = f"  (in use by {plain(str(one.held_by))})" if one.held_by else ""
    held += "  (paused)" if one.can_resume and one.is_paused else ""
    held += "  (imported)" if one.is_imported else ""
    held += "  (salvaged: a part is lost)" if one.is_salvaged else ""
    return f"{when}  {one.state.replace('_', ' '):16}  {tasks}  {plain(one.name)}{held}"


def _plain(one: RunRecord) -> dict[str, Any]:
    return {
        "id": one.run_id,
        "name": one.name,
        "state": one.state,
        "created": one.created,
        "updated": one.updated,
        "counts": dict(one.counts),
        "simulated": one.simulated,
        "held_by": None if one.held_by is None else str(one.held_by),
        "paused": one.is_paused,
        "imported": one.is_imported,
        "salvaged": one.is_salvaged,
        "trouble": one.trouble,
        "folder": str(one.folder),
    }


def salvage_run(named: str, journal: Path | None, screen: Screen) -> int:
    """Salvage the readable part of a run's journal; returns the exit code.

    Raises:
        StarloomError: there is no such run, another program has it, or nothing can be read of it.
    """
    folder = find_folder(journal or journal_path(), named)
    saved = salvage_folder(folder)
    if saved.damage is None:
        screen.note(f"Nothing is wrong with the journal in {folder}; it was left as it is.")
        return 0
    screen.note(saved.damage, "yellow")
    screen.result(f"{saved.turns} turns were saved; the damaged journal is {saved.kept_as}.")
    if record(folder).is_salvaged:
        screen.note(
            "Tasks may have ended in what is lost, so the run is not gone on with by itself: "
            f"`starloom resume {plain(folder.name)}` asks which of them are to be done again."
        )
    return 0
