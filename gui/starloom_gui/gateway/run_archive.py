"""The archive of the runs that an engine has kept: listed, and their journals had on this machine.

A run is known by its folder here, also where that is only made once the run is wanted: then it is a copy. Whatever
reads a run reads that folder, wherever the run is kept.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, Protocol

from msgspec.structs import replace

from starloom.journal.library import output_path, run_folder
from starloom.journal.records import record, run_folders, size_of
from starloom_gui.event_loop.background import in_background
from starloom_gui.gateway.unattended import unattended, unended

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from starloom.journal.records import RunRecord

_NAP: Final = 0.0005
"""Seconds."""


class RunArchive(Protocol):
    """An archive. To be used where the loop runs.

    Attributes:
        directory: of the journals on this machine, or of their copies.
        where: the machine that has the runs, for sentences; empty: this one.
    """

    directory: Path
    where: str

    @property
    def missing(self) -> str:
        """Why no run of it can be had here, as a sentence; empty: they can."""

    @property
    def unchangeable(self) -> str:
        """Why its runs can only be read, as a sentence; empty: they can be deleted, resumed and added to."""

    @property
    def home(self) -> str:
        """Where the runs are kept, for sentences."""

    def place(self, folder: Path) -> str:
        """Where the run of a folder is kept, for sentences."""

    def folder_of(self, run_id: str) -> Path:
        """The folder here of a run that a program of the engine's own has made."""

    def output(self, folder: Path, task_id: str, attempt: int) -> Path:
        """The file with the whole output of an attempt; it may come to be there only after it was asked for."""

    async def folders(self) -> Sequence[Path]:
        """The folders of all runs, those written last first.

        Raises:
            StarloomError: the runs cannot be looked at, or the engine cannot be asked.
        """

    async def records(self, folders: Sequence[Path], *, whole: bool = False) -> list[RunRecord]:
        """What lists tell of the runs in these folders.

        Args:
            folders: as `folders` has them.
            whole: with their sizes, and what of them may still run; takes some milliseconds each.

        Raises:
            StarloomError: the engine cannot be asked.
        """

    async def fetch(self, folder: Path, tell: Callable[[float], object], *, outputs: bool = False) -> None:
        """Have the journal of a run in its folder, as it stands now; cancelled, what was there before is.

        Args:
            folder: of the run.
            tell: is told what share of it is there, 0 to 1; never, where nothing has to be fetched.
            outputs: with what its attempts have printed.

        Raises:
            StarloomError: it cannot be had.
        """

    async def goes_on_at(self, folder: Path) -> float | None:
        """The time now at which a program elsewhere has the run open, in seconds since 1970 by the clock there.

        A copy has no lock that says so. None: none has, or the run is on this machine, where its lock says it.

        Raises:
            StarloomError: the engine cannot be asked.
        """

    async def fetch_runs_of(
        self, plan: str, most: int, tell: Callable[[int, float], object]
    ) -> Sequence[RunRecord] | None:
        """Have the last runs of a plan in their folders.

        Args:
            plan: its name.
            most: how many.
            tell: is told how many were found, and what share of all is done, 0 to 1.

        Returns:
            Their records, and those of runs of which nobody knows the plan; None: all that there are are here.

        Raises:
            StarloomError: the engine cannot be asked.
        """


def looked_at(folders: Sequence[Path]) -> list[RunRecord]:
    """The records of the runs in these folders, with their sizes; takes some milliseconds each."""
    found = []
    for folder in folders:
        one = replace(record(folder), size=size_of(folder), may_still_run=unended(folder))
        found.append(replace(one, unattended=unattended(folder).total()) if one.can_resume else one)
        time.sleep(_NAP)  # else whoever paints meanwhile waits several times for the interpreter, 5 ms each
    return found


def _records(folders: Sequence[Path]) -> list[RunRecord]:
    return [record(folder) for folder in folders]


class LocalArchive:
    """The runs in a directory of journals on this machine: see `RunArchive`.

    Args:
        directory: the directory.
        unchangeable: why nothing there is to be changed, as a sentence; empty: it can be.
    """

    where = missing = ""

    def __init__(self, directory: Path, unchangeable: str = "") -> None:
        self.directory, self.unchangeable = directory, unchangeable

    @property
    def home(self) -> str:
        """The directory."""
        return str(self.directory)

    def place(self, folder: Path) -> str:
        """The folder."""
        return str(folder)

    def folder_of(self, run_id: str) -> Path:
        """The folder of a run; see `RunArchive.folder_of`."""
        return run_folder(self.directory, run_id)

    def output(self, folder: Path, task_id: str, attempt: int) -> Path:
        """The file with the whole output of an attempt."""
        return output_path(folder, task_id, attempt)

    async def folders(self) -> Sequence[Path]:
        """The folders of all runs; see `RunArchive.folders`."""
        return await in_background(run_folders, self.directory)

    async def records(self, folders: Sequence[Path], *, whole: bool = False) -> list[RunRecord]:
        """What lists tell of runs; see `RunArchive.records`."""
        return await in_background(looked_at if whole else _records, folders)

    async def fetch(self, _folder: Path, _tell: Callable[[float], object], *, outputs: bool = False) -> None:
        """Nothing: all of it is here, and `outputs` are, too."""

    async def goes_on_at(self, _folder: Path) -> float | None:
        """None: the lock of a journal here says whether a program has it open."""
        return None

    async def fetch_runs_of(
        self, _plan: str, _most: int, _tell: Callable[[int, float], object]
    ) -> Sequence[RunRecord] | None:
        """None: whoever reads the runs looks for them."""
        return None
