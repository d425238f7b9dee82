"""A directory of journals: the fleet's, and a folder for each run with its journal, its output and its attempts' files.

A turn may concern several streams, each with a file of its own: all of them keep it, or none. In which thread that is
done, `disk_writer` says.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, Self

from starloom.journal.alive_file import Alive, SignsOfLife, remove_alive
from starloom.journal.base import JournalError, JournalInUse
from starloom.journal.disk_writer import DiskWriter, one_thread
from starloom.journal.fleet_file import open_fleet
from starloom.journal.joint_commit import commit_jointly
from starloom.journal.layout_file import keep_layout
from starloom.journal.lock import Holder, holder_of
from starloom.journal.names import ATTEMPTS, FLEET_JOURNAL, JOURNAL, OUTPUT
from starloom.journal.stream_file import StreamFile
from starloom.model.frozen import EMPTY
from starloom.private_files import FOLDER_MODE, close_to_others, make_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from concurrent.futures import Executor, Future
    from pathlib import Path
    from types import TracebackType

    from starloom.events import Event
    from starloom.model.positions import Positions
    from starloom.scheduling.state.folded_run import FoldedRun
    from starloom.scheduling.state.run_facts import RunFacts

_KEPT: Final = re.compile(r"(.+-[0-9a-f]{8}-\d+)\.[^-]+$")
"""A file of an attempt: its name, and what of it the file is."""


class Library:
    """The journals in a directory, as an engine writes them; a context manager.

    Another program may have the fleet's journal: then what this one's operator says of devices and limits is not
    remembered, and `notice` says what that means. A run belongs to one program at a time.

    Args:
        directory: made if there is none.
        full: have each commit survive a power failure.
        executor: makes the thread in which commits are made that take long; see `DiskWriter`.
        signs_of_life: makes what writes that this program is alive, and ends it; see `SignsOfLife`.

    Attributes:
        notice: what the operator should know about how this library could be opened; empty: nothing.
        due: the runs of which a checkpoint is wanted; see `Journal.due`.

    Raises:
        JournalError: the directory or the fleet's journal cannot be written or read.
    """

    def __init__(
        self,
        directory: Path,
        *,
        full: bool = False,
        executor: Callable[[], Executor] = one_thread,
        signs_of_life: Callable[[Callable[[], Iterable[Path]]], Alive] = SignsOfLife,
    ) -> None:
        self.directory = directory
        self.full = full
        self.notice = ""
        self.due: set[str] = set()
        self._writer = DiskWriter(directory, is_threaded=full, executor=executor)
        self._signs_of_life = signs_of_life
        self._files: dict[str, StreamFile] = {}
        self._current: dict[str, StreamFile] = {}
        self._folders: dict[str, Path] = {}
        self._released: set[str] = set()
        self._alive: Alive | None = None
        self._tell_lost: Callable[[str], object] = lambda _run_id: None
        self._tell_committed: Callable[[Mapping[str, int]], object] = lambda _rows: None
        try:
            make_folder(directory / "runs")
            close_to_others(directory / "runs")
        except OSError as error:
            raise JournalError(
                f"The journals cannot be kept in {directory} ({error.strerror}). Name another directory, or keep none."
            ) from None
        self._fleet = self._open_fleet(directory / FLEET_JOURNAL)

    def _open_fleet(self, path: Path) -> StreamFile | None:
        try:
            file, self.notice = open_fleet(path, full=self.full)
        except JournalInUse:
            holder = holder_of(path) or Holder()
            self.notice = (
                f"Another Starloom is open with the same folder {self.directory}: {holder}. The runs of both are kept. "
                "Which devices are drained and what limits are set is remembered of that one only; what is set here "
                "holds until this program ends."
            )
            try:
                return StreamFile(path, "", read_only=True)
            except JournalError:  # it is being made at this moment
                return None
        self._files[""] = self._current[""] = file
        return file

    # ---- writing

    def commit(self, events: Sequence[Event]) -> Future[None] | None:
        """Commit one turn's events, in the files of all their streams or in none; see `Journal.commit`."""
        return self._writer.commit(self._commit, events)

    @property
    def is_threaded(self) -> bool:
        """Whether commits are made in another thread."""
        return self._writer.is_threaded

    def _commit(self, events: Sequence[Event]) -> None:
        streams = {event.run_id for event in events}
        if len(streams) == 1:
            file = self._file(events[0].run_id)
            files = [] if file is None else [file]
            if file is not None:
                file.commit(events)
        else:  # the fleet's last, which decides: it has the answers to commands
            found = map(self._file, sorted(streams, reverse=True))
            files = [file for file in found if file is not None]
            commit_jointly(files, events)
        for file in files:
            self._committed_to(file)
        if files:
            self._tell_committed({file.stream: file.last for file in files})

    def _committed_to(self, file: StreamFile) -> None:
        self._current[file.stream] = file
        if self._alive is None and file.stream:
            self._alive = self._signs_of_life(self._folders_of_live_runs)
        if file.facts.is_due:
            self.due.add(file.stream)

    def follow(self, committed: Callable[[Mapping[str, int]], object]) -> None:
        """Register a callback for committed turns, called in the thread that commits, once all files of a turn have it.

        Args:
            committed: called once a turn, with the last row that each of its streams has now.
        """
        self._tell_committed = committed

    def _folders_of_live_runs(self) -> list[Path]:
        """Of the runs that this program has and whose journals are where they were; asked in a thread of its own."""
        folders: list[Path] = []
        for file in tuple(self._current.values()):
            folder = self._folders.get(file.stream)
            if folder is None:
                continue
            try:
                file.check_place()
                folders.append(folder)
            except JournalError:
                self._tell_lost(file.stream)
        return folders

    def watch(self, lost: Callable[[str], object]) -> None:
        """Register a callback for vanished journals, called by the signs of life; see `Journal.watch`."""
        self._tell_lost = lost

    def check(self, run_id: str) -> None:
        """Check that the journal of a run is at its place; see `Journal.check`."""
        if (file := self._current.get(run_id)) is not None:
            file.check_place()

    def mend(self, run_ids: Collection[str]) -> None:
        """Rewrite vanished journals; see `Journal.mend`."""
        files = [file for stream, file in self._current.items() if not stream or stream in run_ids]
        self._writer.after_thread(partial(_write_anew, files))

    def checkpoint(self, run: RunFacts) -> None:
        """Write a checkpoint of a run's facts after its last commit; see `Journal.checkpoint`."""
        self.due.discard(run.run_id)
        file = self._files[run.run_id]
        taken = file.take(run)
        if taken is not None:
            self._writer.between_commits(partial(file.keep, taken))

    def _file(self, stream: str) -> StreamFile | None:
        """The file of a stream; None: it is the fleet's, and another program's."""
        file = self._files.get(stream)
        if file is None and stream:
            raise JournalError(f"The run {stream!r} was not prepared for. This is a defect.")
        return file

    # ---- reading

    def committed(self) -> Iterator[Event]:
        """All events of the fleet and of the runs of this program, each stream oldest first."""
        for file in tuple(self._current.values()):
            yield from file.committed()

    def fleet(self) -> Iterable[Event] | None:
        """The events of the fleet's stream."""
        return () if self._fleet is None else self._fleet.committed()

    # ---- runs

    def prepare(self, run_id: str, layout: Positions = EMPTY) -> None:
        """Create the folder and the journal of a run that is about to be created.

        Args:
            run_id: of the run.
            layout: where the nodes of its plan were placed; kept beside the journal.

        Raises:
            JournalError: they cannot be made, or there was a run of this id.
        """
        folder = self._own_folder(run_id)
        try:
            folder.mkdir(mode=FOLDER_MODE)
        except FileExistsError:
            raise JournalError(
                f"There was a run {run_id!r}: {folder}. Give this one another id, or resume that one."
            ) from None
        except OSError as error:
            raise JournalError(f"The folder {folder} cannot be made ({error.strerror}).") from None
        try:
            self._files[run_id] = StreamFile(folder / JOURNAL, run_id, full=self.full)
        except JournalError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        self._folders[run_id] = folder
        if layout:
            keep_layout(folder, layout)

    def discard(self, run_id: str) -> None:
        """Remove the folder of a run that was prepared and never created."""
        file = self._files.get(run_id)
        if file is not None and not file.last:
            del self._files[run_id]
            file.close()
            shutil.rmtree(self._folders.pop(run_id), ignore_errors=True)

    def take(self, folder: Path) -> StreamFile:
        """Open the journal of an earlier run, to resume it.

        Raises:
            JournalInUse: another program has it.
            JournalError: it cannot be read or written.
        """
        if not (folder / JOURNAL).is_file():
            raise JournalError(f"There is no run in {folder}: {JOURNAL} is missing. Name the folder of a run.")
        file = StreamFile(folder / JOURNAL, full=self.full)
        self._files[file.stream] = file
        self._folders[file.stream] = folder
        return file

    def give_back(self, run_id: str) -> None:
        """Close a run that was taken and could not be resumed."""
        if run_id not in self._current and (file := self._files.pop(run_id, None)) is not None:
            del self._folders[run_id]
            file.close()

    # ---- runs that have ended

    def release(self, run_id: str) -> bool:
        """Close the journal of a run that has ended, in the writer's thread; see `Journal.release`."""
        file = self._files.pop(run_id, None)
        if file is None:
            return False
        del self._current[run_id]
        self.due.discard(run_id)
        remove_alive(self._folders[run_id])
        if self._folders[run_id] == self._own_folder(run_id):  # else it was taken from elsewhere
            del self._folders[run_id]
        self._released.add(run_id)
        self._writer.in_thread(file.close)  # which may have a long log to move
        return True

    def settled(self) -> Future[None]:
        """Return once the writer's thread has closed released journals."""
        return self._writer.in_thread(lambda: None)

    def released(self, run_id: str) -> FoldedRun:
        """The facts of a released run, read from its journal."""
        with StreamFile(self._left_behind(run_id), run_id, read_only=True) as file:
            return file.view().view

    def reopen(self, run_id: str) -> Future[FoldedRun]:
        """Reopen the journal of a released run, in the writer's thread."""
        return self._writer.in_thread(partial(self._reopen, run_id))

    def _reopen(self, run_id: str) -> FoldedRun:
        path = self._left_behind(run_id)
        file = StreamFile(path, run_id, full=self.full)
        try:
            view = file.view().view
        except JournalError:
            file.close()
            raise
        self._folders[run_id] = path.parent
        self._files[run_id] = self._current[run_id] = file
        return view

    def _left_behind(self, run_id: str) -> Path:
        """The journal of a released run."""
        path = (self._folders.get(run_id) or self._own_folder(run_id)) / JOURNAL
        if not path.is_file():
            raise JournalError(f"There is no {path} any more.")
        return path

    def folder(self, run_id: str) -> Path | None:
        """The folder of a run of this program."""
        known = self._folders.get(run_id)
        return self._own_folder(run_id) if known is None and run_id in self._released else known

    def _own_folder(self, run_id: str) -> Path:
        return run_folder(self.directory, run_id)

    # ---- the end

    def close(self) -> None:
        """Close all files; committed events stay. A second call does nothing."""
        if self._alive is not None:
            self._alive.end()
            self._alive = None
        self._writer.close()
        for file in self._files.values():
            file.close()
        self._files.clear()
        self._current.clear()
        if self._fleet is not None:
            self._fleet.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _write_anew(files: Iterable[StreamFile]) -> None:
    for file in files:
        file.write_anew()


def folder_name(run_id: str) -> str:
    """A name for the folder of a run: its id, or what is left of an id that holds what file names may not."""
    name = re.sub(r"[^\w.-]", "_", run_id)[:100].lstrip(".")
    if name == run_id:
        return name
    return f"{name}-{blake2b(run_id.encode('utf-8', 'surrogatepass'), digest_size=4).hexdigest()}"


def run_folder(directory: Path, run_id: str) -> Path:
    """The folder of a run among the journals of a directory."""
    return directory / "runs" / folder_name(run_id)


def output_path(folder: Path, task_id: str, attempt: int) -> Path:
    """The path of an attempt's whole output in a run's folder, if it printed anything."""
    return folder / OUTPUT / f"{attempt_name(task_id, attempt)}.log"


def attempt_name(task_id: str, attempt: int) -> str:
    """The name of an attempt's files; ids may hold what file names may not."""
    name = re.sub(r"[^\w.-]", "_", task_id)[:80]
    digest = blake2b(task_id.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{name}-{digest}-{attempt}"


def kept_attempts(folder: Path) -> set[str]:
    """The names of the attempts in a run's folder of which devices still keep files."""
    with contextlib.suppress(FileNotFoundError):
        with os.scandir(folder / ATTEMPTS) as found:  # what keeps an attempt from beginning is a folder, and stays
            matches = [_KEPT.match(entry.name) for entry in found if not entry.is_dir()]
        return {match[1] for match in matches if match is not None}
    return set()
