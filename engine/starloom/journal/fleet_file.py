"""Opening the fleet's journal: a damaged one is set aside and replaced, so that runs do not wait for it."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from starloom.journal.base import JournalDamaged, JournalError, JournalInUse
from starloom.journal.lock import JournalLock
from starloom.journal.salvage import replace_damaged, set_aside
from starloom.journal.stream_file import StreamFile
from starloom.scheduling.fold.stream_check import ImpossibleEvent, checked_fold
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from pathlib import Path


def open_fleet(path: Path, *, full: bool) -> tuple[StreamFile, str]:
    """The fleet's journal, opened for writing, and a warning about it; empty: none.

    If it is damaged, what can be read of it is put in its place, or else an empty one. What an operator has said of
    devices and limits may be lost with the rest, so the sentence says where the damaged one is.

    Args:
        path: the file; made if there is none.
        full: have each commit survive a power failure.

    Raises:
        JournalInUse: another program has it.
        JournalError: it cannot be written, or a newer version wrote it.
    """
    try:
        return _whole(path, full=full), ""
    except JournalDamaged as error:
        notice = _made_anew(path, str(error))
    return StreamFile(path, "", full=full), notice


def _whole(path: Path, *, full: bool) -> StreamFile:
    file = StreamFile(path, "", full=full)
    try:
        checked_fold(FoldedRun(""), file.committed())
    except JournalInUse:
        raise
    except (JournalError, ImpossibleEvent) as error:
        file.close()
        raise JournalDamaged(str(error)) from None
    return file


def _made_anew(path: Path, why: str) -> str:
    turns = 0
    try:
        saved = replace_damaged(path, "")
        turns, kept = saved.turns, saved.kept_as
    except JournalInUse:
        raise
    except JournalError:  # nothing of it can be read
        kept = None
    if kept is None:
        kept = _put_away(path)
    told = f"{turns} of its turns were saved" if turns else "none of it could be saved"
    return (
        f"The journal of the fleet was damaged: {why} It is kept as {kept}, {told}, and a new one was made. "
        "See whether devices are drained and limits are set as they should be."
    )


def _put_away(path: Path) -> Path:
    lock = JournalLock(path)
    try:
        return set_aside(path, datetime.now(tz=UTC).strftime("%Y%m%d-%H%M%S"))
    except OSError as error:
        raise JournalError(
            f"The journal of the fleet {path} is damaged and cannot be put away ({error.strerror}). Move it elsewhere."
        ) from None
    finally:
        with suppress(OSError):
            lock.release()
