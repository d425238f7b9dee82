"""Listing a directory of journals: a record for each run, without opening any of them for writing."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from starloom.errors import StarloomError
from starloom.journal.base import JournalError
from starloom.journal.library import run_folder
from starloom.journal.lock import Holder, holder_of
from starloom.journal.names import ATTEMPTS, IMPORTED, JOURNAL, REMAINS, SALVAGED
from starloom.journal.stream_file import StreamFile
from starloom.model.status import RunState
from starloom.scheduling.read.open_questions import waits_of
from starloom.scheduling.read.simulated import simulations
from starloom.scheduling.read.summary import elapsed, moment_of

if TYPE_CHECKING:
    from collections.abc import Iterable

_ENDED: Final = frozenset(str(state) for state in RunState if state.has_ended)


class RunRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The summary of one run in a directory of journals.

    Attributes:
        state: its state; `interrupted` if it has not ended and nobody runs it, `empty` if it has not even begun,
            `unreadable` if its journal is damaged.
        created: when it was made, in seconds since 1970.
        updated: when its last turn was committed, likewise.
        simulated: how many of its completed tasks have not run: a simulated device took them.
        took: seconds from its start to its end, to now while a program has it, else to what it tells of last; None: it
            was never started.
        counts: how many tasks there are of each status, `submitted` being all of them.
        size: bytes of its folder; None: nobody has looked, see `size_of`.
        held_by: who has it open now; None: nobody.
        as_of: when all this was read, in seconds since 1970 by the clock of the machine that keeps it.
        is_imported: whether it came in a bundle from elsewhere.
        is_salvaged: whether a part of its journal is lost, and nobody has said yet what of it is to be done again.
        is_paused: whether it was paused when it was last heard of, and goes on paused.
        waits: how many things of it wait for a person.
        has_remains: whether something of its attempts is left on other machines, of which nobody else will know.
        unattended: how many tasks of an interrupted run may still run; None: nobody has looked, see `orphans`.
        may_still_run: how many of its commands may though they count as ended, by where; see `left_behind`.
        trouble: why it cannot be read to its end; empty: it can.
    """

    run_id: str
    folder: Path
    name: str = ""
    state: str
    created: float = 0.0
    updated: float = 0.0
    took: float | None = None
    size: int | None = None
    counts: Mapping[str, int] = {}
    simulated: int = 0
    held_by: Holder | None = None
    as_of: float = 0.0
    is_imported: bool = False
    is_salvaged: bool = False
    is_paused: bool = False
    waits: int = 0
    has_remains: bool = False
    unattended: int | None = None
    may_still_run: Mapping[str, int] = {}
    trouble: str = ""

    @property
    def total(self) -> int:
        """The number of tasks of the run."""
        return self.counts.get("submitted", 0) - self.counts.get("removed", 0)

    @property
    def done(self) -> int:
        """The number of completed tasks; failed, cancelled and skipped ones do not count."""
        return self.counts.get("completed", 0)

    @property
    def can_resume(self) -> bool:
        """Whether it has not ended, no program runs it and its state is known.

        One from elsewhere is not ours to go on with. Of one that was salvaged tasks may have ended of which nothing is
        known: it is gone on with by name only, by somebody who says what is to be done again.
        """
        return self.state == "interrupted" and not self.is_imported and not self.is_salvaged

    @property
    def can_reopen(self) -> bool:
        """Whether it has ended and no program has it: resumed, it stays so until tasks of it are retried or rerun."""
        return self.state in _ENDED and self.held_by is None and not self.is_imported


def records(directory: Path) -> list[RunRecord]:
    """All runs in a directory of journals, the newest first.

    Raises:
        JournalError: the directory is there and cannot be looked into.
    """
    return newest_first(record(folder) for folder in run_folders(directory))


def run_folders(directory: Path) -> list[Path]:
    """The folders of all runs in a directory of journals, the last written first.

    A folder that cannot be looked into is among them, as there may be a run in it; one without a journal is not.

    Raises:
        JournalError: the directory is there and cannot be looked into.
    """
    runs = directory / "runs"
    try:
        folders = [Path(entry.path) for entry in os.scandir(runs) if not _is_file(entry)]
    except FileNotFoundError:
        if not runs.is_symlink():
            return []
        raise JournalError(f"{runs} leads nowhere, so nobody knows which runs there are. Mend the link.") from None
    except OSError as error:
        raise JournalError(f"The runs in {runs} cannot be looked at ({error.strerror}). Make it readable.") from None
    return sorted((folder for folder in folders if _may_hold_journal(folder)), key=_written, reverse=True)


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return not entry.is_dir()
    except OSError:  # nobody knows
        return False


def _may_hold_journal(folder: Path) -> bool:
    try:
        os.lstat(folder / JOURNAL)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:  # nobody knows
        return True
    return True


def _written(folder: Path) -> float:
    try:
        return (folder / JOURNAL).stat().st_mtime
    except OSError:  # it has gone meanwhile, or nobody may look
        return 0.0


def newest_first(found: Iterable[RunRecord]) -> list[RunRecord]:
    """Runs sorted as lists show them."""
    return sorted(found, key=lambda one: (one.created, one.run_id), reverse=True)


def size_of(folder: Path) -> int:
    """Bytes of all files in a run's folder; unreadable ones do not count."""
    size = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                size += os.lstat(os.path.join(parent, name)).st_size
    return size


def record(folder: Path) -> RunRecord:
    """The record of the run in a folder; of a long run, from its last checkpoint and the rows after it.

    Whatever is wrong with it, a sentence in `trouble` says so: one run never hides the others of a list.
    """
    path = folder / JOURNAL
    held_by: Holder | None = None
    try:
        held_by = holder_of(path)
        with StreamFile(path, read_only=True) as file:
            return _record(file, folder, held_by)
    except JournalError as error:
        trouble = str(error)
    except OSError as error:
        trouble = f"The journal {path} cannot be read ({error.strerror or error}). Make it and its folder readable."
    except Exception as error:  # noqa: BLE001 - bytes from anywhere may raise anything, and other runs are to be seen
        trouble = f"The journal {path} cannot be read ({type(error).__name__}: {error}). Salvage what can be."
    return RunRecord(run_id=folder.name, folder=folder, state="unreadable", held_by=held_by, trouble=trouble)


def _record(file: StreamFile, folder: Path, held_by: Holder | None) -> RunRecord:
    view, at, updated = file.view_without_graph() or file.view()
    run, now = view.run, time.time()
    return RunRecord(
        run_id=file.stream,
        folder=folder,
        name=run.name,
        state=state_of(run.state, held_by) if file.last else "empty",
        created=run.wall_time,
        updated=updated,
        took=elapsed(run, at if held_by is None else max(at, moment_of(run, now))),
        counts=run.counts(),
        simulated=simulations(run),
        held_by=held_by,
        as_of=now,
        is_imported=(folder / IMPORTED).exists(),
        is_salvaged=not run.state.has_ended and (folder / SALVAGED).exists(),
        is_paused=run.state is RunState.PAUSED,
        waits=0 if run.state.has_ended else waits_of(run),
        has_remains=_has_remains(folder),
    )


def _has_remains(folder: Path) -> bool:
    with suppress(OSError):  # mostly there is no such folder
        return any(name.endswith(REMAINS) for name in os.listdir(folder / ATTEMPTS))
    return False


def state_of(state: RunState, held_by: Holder | None) -> str:
    """The state of a run in a list: one that has not ended and that nobody runs is interrupted."""
    return str(state) if state.has_ended or held_by else "interrupted"


# ---- naming a run


class NoSuchRun(StarloomError):  # noqa: N818 - it says what is the matter
    """No run matches a name, or several do."""


def find_folder(directory: Path, named: str | None) -> Path:
    """The folder of the run that a name stands for.

    Args:
        directory: of the journals.
        named: a run's id, the beginning of one, or the path of a run's folder; None: the newest interrupted one.

    Raises:
        NoSuchRun: there is none, or there are several.
    """
    if named is None:
        return _newest_interrupted(directory)
    for folder in (Path(named), run_folder(directory, named)):
        with suppress(OSError):  # a name too long for any folder, one that nobody may look into
            if (folder / JOURNAL).is_file():
                return folder
    found = sorted(folder for folder in run_folders(directory) if folder.name.startswith(named))
    if len(found) == 1:
        return found[0]
    if found:
        raise NoSuchRun(f"{named!r} could be any of {_names(found)}. Give more of its id.")
    raise NoSuchRun(f"There is no run {named!r} in {directory}. `starloom runs` lists those there are.")


def _names(folders: Iterable[Path]) -> str:
    names = [folder.name for folder in folders]
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _newest_interrupted(directory: Path) -> Path:
    for one in records(directory):
        if one.can_resume:
            return one.folder
    raise NoSuchRun(f"No run in {directory} was interrupted. `starloom runs` lists all of them.")
