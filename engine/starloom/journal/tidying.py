"""Removing old runs: which ones, the trash they are moved to, and restoring them from there."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starloom.errors import StarloomError
from starloom.journal.lock import JournalLock
from starloom.journal.names import JOURNAL
from starloom.journal.records import newest_first
from starloom.private_files import FOLDER_MODE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from starloom.journal.records import RunRecord

TRASH: Final = "trash"
"""The folder beside those of runs where runs lie that were done away with, until it is emptied."""


class NotTidied(StarloomError):  # noqa: N818 - it says what is the matter
    """A run could not be moved or removed; the sentence says which and why."""


def may_go(one: RunRecord) -> bool:
    """Whether a rule may remove a run: no program has it, and it cannot be resumed.

    One that has left something on other machines stays until that is removed there, as nobody else knows of it. One
    that cannot be read may be an interrupted one of a newer version, so people have to choose it themselves.
    """
    is_wanted = one.can_resume or one.is_salvaged or one.has_remains
    return one.held_by is None and not is_wanted and one.state != "unreadable"


def beyond(found: Sequence[RunRecord], last: int | None = None, size: int | None = None) -> list[RunRecord]:
    """The runs to remove if only so much is kept, the newest first. See `may_go` for those that always stay.

    Args:
        found: all runs, with their sizes if there is a limit to that.
        last: how many of those that may go are kept; None: any number.
        size: how many bytes all runs may have together; None: any number.
    """
    going: list[RunRecord] = []
    kept, total = 0, sum(one.size or 0 for one in found if not may_go(one))
    for one in newest_first(one for one in found if may_go(one)):
        is_over = size is not None and total + (one.size or 0) > size
        if is_over or (last is not None and kept >= last):
            size = 0 if is_over else size  # what is older than the first that goes does not stay in its stead
            going.append(one)
        else:
            kept += 1
            total += one.size or 0
    return going


def discard(folder: Path) -> Path:
    """Move the folder of a run to the trash; returns its path there.

    Raises:
        JournalInUse: somebody has its journal.
        JournalError: it cannot be locked.
        NotTidied: it cannot be moved.
    """
    JournalLock(folder / JOURNAL).release()
    return _move(folder, folder.parent.parent / TRASH)


def put_back(trashed: Path) -> Path:
    """Restore a run from the trash; returns its folder.

    Raises:
        NotTidied: it cannot be moved, as when there is another run in its place.
    """
    target = place_of(trashed)
    if target.exists():
        raise NotTidied(f"There is another run in {target}. Remove that one first; this one stays in the trash.")
    return _move(trashed, target.parent)


def place_of(trashed: Path) -> Path:
    """The folder of a run in the trash once it is restored; there may be another one now."""
    return trashed.parent.parent / "runs" / trashed.name


def trashed(directory: Path) -> list[Path]:
    """The folders in the trash of a directory of journals, the last trashed first."""
    try:
        found = [Path(entry.path) for entry in os.scandir(directory / TRASH) if entry.is_dir(follow_symlinks=False)]
        return sorted(found, key=lambda path: path.lstat().st_ctime, reverse=True)
    except OSError:  # there is none, or nobody may look into it
        return []


def empty(lying: Iterable[Path]) -> None:
    """Delete these folders of the trash; others, trashed since, stay.

    Raises:
        NotTidied: one of them cannot be removed.
    """
    for path in lying:
        try:
            shutil.rmtree(path)
        except FileNotFoundError:  # somebody else has done so
            continue
        except OSError as error:
            raise NotTidied(f"{path} cannot be removed ({error.strerror}). Make it writable and try again.") from None


def _move(folder: Path, into: Path) -> Path:
    target = into / folder.name
    number = 1
    while target.exists():
        number += 1
        target = into / f"{folder.name}-{number}"
    try:
        into.mkdir(mode=FOLDER_MODE, exist_ok=True)
        return folder.rename(target)
    except OSError as error:
        raise NotTidied(
            f"{folder} cannot be moved to {into} ({error.strerror}). Make both writable, and let go of its files."
        ) from None
