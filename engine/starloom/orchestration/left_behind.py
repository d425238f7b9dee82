"""Leftovers of earlier programs: files of ended attempts, and attempts that ran on without them."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.devices.adopted import is_running
from starloom.devices.attempt_files import AttemptFiles
from starloom.devices.kept_record import is_elsewhere, unended
from starloom.errors import StarloomError
from starloom.journal.library import attempt_name, kept_attempts
from starloom.journal.lock import holder_of
from starloom.journal.names import ATTEMPTS, IMPORTED, JOURNAL
from starloom.journal.records import run_folders
from starloom.journal.stream_file import StreamFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from starloom.devices.base import Device
    from starloom.scheduling.state.attempts import Attempt
    from starloom.scheduling.state.run_facts import RunFacts

_log = logging.getLogger(__name__)
_LONGEST_GOODBYE: Final = 10.0
"""Seconds for which a program that is about to end sees to what others left behind."""


class Kept(NamedTuple):
    """An attempt of which its device still keeps files."""

    path: Path
    """How the paths of its files begin."""
    task_id: str
    attempt: Attempt

    @property
    def has_ended(self) -> bool:
        """Whether the attempt has ended, by its run's journal."""
        return self.attempt.ended is not None


class Orphan(NamedTuple):
    """A command that may still run though no program looks after it."""

    path: Path
    """How the paths of its files begin."""
    device_id: str
    run_id: str
    task_id: str
    attempt: int
    since: float
    """Since when nobody looks after it, in seconds since 1970."""
    is_unended: bool
    """Whether it counts as ended, as its machine could not be told to end it; else its program died."""
    known: str
    """What is known of it, as a sentence."""


def kept_of(folder: Path, run: RunFacts) -> Iterator[Kept]:
    """The attempts of a run of which devices still keep something.

    What the journal does not know of is left alone: a part of it may be lost, and the attempt may run.

    Args:
        folder: of the run.
        run: what its journal says.
    """
    names = kept_attempts(folder)
    if not names:
        return
    for number, task_id in enumerate(run.graph.ids):
        for attempt in run.attempts(number):
            name = attempt_name(task_id, attempt.number)
            if name in names:
                yield Kept(folder / ATTEMPTS / name, task_id, attempt)


def of_ended_attempts(folder: Path, run: RunFacts) -> tuple[Path, ...]:
    """The path prefixes of files that devices still keep for ended attempts; see `kept_of`."""
    return tuple(kept.path for kept in kept_of(folder, run) if kept.has_ended)


def left_in(directory: Path) -> tuple[dict[Path, tuple[Path, ...]], list[Path]]:
    """The files that are kept for attempts of all runs in a directory of journals.

    Returns:
        That of attempts that have ended, by the folders of their runs, and that of all others, which somebody may still
        ask for.

    Raises:
        JournalError: the directory cannot be looked into.
    """
    ended: dict[Path, tuple[Path, ...]] = {}
    others: list[Path] = []
    for folder in run_folders(directory):
        if not (names := kept_attempts(folder)):
            continue
        run = _run_of(folder)
        ended[folder] = () if run is None else of_ended_attempts(folder, run)
        others += [folder / ATTEMPTS / name for name in sorted(names - {path.name for path in ended[folder]})]
    return ended, others


def orphans(directory: Path) -> list[Orphan]:
    """The commands that may still run though no program looks after them, the oldest first.

    Raises:
        JournalError: the directory cannot be looked into.
    """
    found = [one for folder in run_folders(directory) for one in orphans_of(folder)]
    return sorted(found, key=lambda one: one.since)


def orphans_of(folder: Path) -> Iterator[Orphan]:
    """The orphans of the run in a folder."""
    if not kept_attempts(folder) or (run := _run_of(folder)) is None:
        return
    is_held = holder_of(folder / JOURNAL) is not None
    for path, task_id, attempt in kept_of(folder, run):
        of = path, attempt.device_id, run.run_id, task_id, attempt.number
        if (told := unended(path)) is not None:
            yield Orphan(*of, told.since, True, f"It runs on {told.where}, if at all: {told.why}")
        elif attempt.ended is None and not is_held and _may_run(path):
            since = wall_of(run, attempt.started)
            yield Orphan(*of, since, False, f"Its program died; `starloom resume {folder.name}` goes on with it.")


def is_still_there(orphan: Orphan, *, is_held: bool) -> bool:
    """Whether an orphan is one still, as long as its run's journal says nothing else.

    Args:
        orphan: which one.
        is_held: whether a program has the run.
    """
    return unended(orphan.path) is not None if orphan.is_unended else not is_held and _may_run(orphan.path)


def _may_run(path: Path) -> bool:
    """Whether an attempt that has not ended may run, or runs."""
    return is_elsewhere(path) or is_running(AttemptFiles.at(path))


def may_still_run(folder: Path | None, devices: Iterable[Device] = ()) -> dict[str, int]:
    """The number of commands of a run that may still run though they count as ended, by place.

    Args:
        folder: of the run; None: it has none, and nothing is on record.
        devices: what it ran on.
    """
    if folder is None:
        return {device.id: device.unended for device in devices if device.unended}
    found = (unended(folder / ATTEMPTS / name) for name in kept_attempts(folder))
    return dict(sorted(Counter(told.where for told in found if told is not None).items()))


def all_that_may_still_run(directory: Path) -> dict[str, int]:
    """The number of commands of all runs in a directory of journals that may still run though they count as ended.

    Raises:
        JournalError: the directory cannot be looked into.
    """
    found: Counter[str] = Counter()
    for folder in run_folders(directory):
        found.update(may_still_run(folder))
    return dict(sorted(found.items()))


def sentences(counts: Mapping[str, int]) -> list[str]:
    """The sentences a program prints at its end on commands that may still run, given their number by place."""
    return [
        f"{count} command{'s'[: count > 1]} may still run on {where}; `starloom runs --orphans` lists them."
        for where, count in counts.items()
    ]


def wall_of(run: RunFacts, at: float) -> float:
    """A moment on the engine's clock in seconds since 1970, by the program that ran the run then.

    Args:
        run: its facts; its sessions say which program's clock ran when.
        at: seconds on the engine's clock.
    """
    earlier = [session for session in run.sessions if session[0] <= at] or run.sessions[:1]
    return earlier[-1][1] + at - earlier[-1][0] if earlier else 0.0


def _run_of(folder: Path) -> RunFacts | None:
    """The run of the journal in a folder; None: it is unreadable or imported, so its files are left alone."""
    if (folder / IMPORTED).exists():
        return None
    try:
        with StreamFile(folder / JOURNAL, read_only=True) as file:
            return file.view().view.run
    except StarloomError as error:
        _log.debug("what is left behind of the run in %s is not known: %s", folder, error)
        return None


class Caretaker:
    """Ends and removes, in the background, what earlier programs left behind on the devices that are reached."""

    def __init__(self, directory: Path | None) -> None:
        self._directory = directory
        self._reached: list[Device] = []
        self._seeing: asyncio.Task[None] | None = None

    def look_after(self, device: Device) -> None:
        """Clean up on a device that was reached."""
        if self._directory is None or not device.leaves_behind:
            return
        self._reached.append(device)
        if self._seeing is None:
            self._seeing = asyncio.get_running_loop().create_task(self._see(self._directory), name="starloom caretaker")

    async def close(self) -> None:
        """Return when the devices that were reached are cleaned up, or that takes too long."""
        self._directory = None
        if (seeing := self._seeing) is not None:
            await asyncio.wait((seeing,), timeout=_LONGEST_GOODBYE)
            seeing.cancel()
            await asyncio.gather(seeing, return_exceptions=True)

    async def _see(self, directory: Path) -> None:
        try:
            while self._reached:
                reached, self._reached = self._reached, []
                ended, others = await asyncio.to_thread(left_in, directory)
                # Asked here and not in the thread: who takes a run up at this very moment would find it in use.
                left = [
                    path for folder, paths in ended.items() if holder_of(folder / JOURNAL) is None for path in paths
                ]
                for device in reached:
                    for kept in left:
                        await device.clear(kept)
                    await device.sweep_old(others)
        except Exception as error:  # noqa: BLE001 - the border to adapters: it is reported
            _log.warning("what earlier programs left behind cannot be seen to: %s: %s", type(error).__name__, error)
        finally:
            self._seeing = None
