"""The journal protocol, the journal that keeps nothing, and the one that keeps all events in memory."""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from typing_extensions import override

from starloom.errors import StarloomError
from starloom.model.frozen import EMPTY

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from pathlib import Path

    from starloom.events import Event
    from starloom.model.positions import Positions
    from starloom.scheduling.state.folded_run import FoldedRun
    from starloom.scheduling.state.run_facts import RunFacts


class JournalError(StarloomError):
    """A turn could not be committed, or a journal cannot be read; the sentence says why and what to do."""


class JournalDamaged(JournalError):  # noqa: N818 - it says what is the matter
    """A journal is damaged; its readable part can be salvaged."""


class JournalInUse(JournalError):  # noqa: N818 - it says what is the matter
    """Another program writes the journal; it can be read meanwhile."""


class ReadingStopped(StarloomError):  # noqa: N818 - it says what is the matter
    """Reading a journal was stopped by its caller."""


class Moment(NamedTuple):
    """A run as it was after a turn, and the time of that turn.

    Attributes:
        view: the run and its fleet, nobody else's.
        at: on the clock of the engine of that time, in seconds.
        wall: in seconds since 1970.
    """

    view: FoldedRun
    at: float
    wall: float


class RunStream(Protocol):
    """The protocol of one run's stream in a journal.

    Attributes:
        stream: its id.
    """

    stream: str

    def committed(self) -> Iterable[Event]:
        """All its events, oldest first.

        Raises:
            JournalError: it is damaged; all events before the damage were given.
        """

    def view(self) -> Moment:
        """The run after its last turn, as the fold of all events would make it.

        Raises:
            JournalError: it is damaged.
        """


class Journal(Protocol):
    """Keeps the events of each turn, all of a turn or none of it."""

    @property
    def directory(self) -> Path | None:
        """The directory of all runs' folders, those of earlier programs included; None: there is none."""

    @property
    def due(self) -> Collection[str]:
        """The runs that need a checkpoint after the last committed turn; mostly none."""

    def checkpoint(self, run: RunFacts) -> None:
        """Write a checkpoint of a run's facts after its last commit, so that it can be read faster.

        That is a cache: what becomes of it changes nothing else, so this never fails. The run is not due any more.
        """

    def commit(self, events: Sequence[Event]) -> Future[None] | None:
        """Commit one turn's events of all streams.

        Returns:
            None once they would survive what the journal promises to survive, or a future of that; no other commit is
            asked for before it is done.

        Raises:
            JournalError: they were not kept; the journal ends with the turn before. May also come from the future.
        """

    def watch(self, lost: Callable[[str], object]) -> None:
        """Register a callback, called in any thread with the id of a run whose journal seems gone; see `check`."""

    def check(self, run_id: str) -> None:
        """Check that a run's committed events can be found.

        Raises:
            JournalError: its journal was moved away or removed.
        """

    def mend(self, run_ids: Collection[str]) -> None:
        """Rewrite vanished journals of the fleet and of these runs, as far as possible.

        Raises:
            JournalError: one of them cannot be written.
        """

    def committed(self) -> Iterable[Event]:
        """All events of the fleet and of the runs committed to, each stream oldest first.

        Raises:
            JournalError: this journal does not keep them.
        """

    def fleet(self) -> Iterable[Event] | None:
        """The fleet's stream of earlier programs; None: this journal knows none."""

    def prepare(self, run_id: str, layout: Positions = EMPTY) -> None:
        """Create the place for a run that is about to be created.

        Args:
            run_id: of the run.
            layout: where the nodes of its plan were placed; kept beside what happens in the run.

        Raises:
            JournalError: it cannot be kept, or there was a run of this id.
        """

    def discard(self, run_id: str) -> None:
        """Undo `prepare`, as the run was refused. Does nothing if something was committed to it."""

    def take(self, folder: Path) -> RunStream:
        """Open the journal of the run in a folder, to resume it.

        Raises:
            JournalInUse: another program has it.
            JournalError: it cannot be read or written, or this journal keeps no runs.
        """

    def give_back(self, run_id: str) -> None:
        """Close a run that was taken and could not be resumed. Does nothing once it was committed to."""

    def release(self, run_id: str) -> bool:
        """Close the files of a run that has ended; False: this journal cannot give the run back, nothing happened.

        `committed` does not tell of it any more.
        """

    def released(self, run_id: str) -> FoldedRun:
        """The facts of a released run, for reading.

        Raises:
            JournalError: it cannot be read, or this journal lets go of none.
        """

    def reopen(self, run_id: str) -> Future[FoldedRun]:
        """Reopen a released run for commits; a future of its facts.

        Raises:
            JournalError: likewise, in the future.
        """

    def settled(self) -> Future[None]:
        """Return once released runs are closed."""

    def folder(self, run_id: str) -> Path | None:
        """The run's own folder, for other files that outlive the program; None: it has none."""


_T = TypeVar("_T")


def done_with(work: Callable[[], _T]) -> Future[_T]:
    """A future that is done with the result or the exception of a call."""
    done: Future[_T] = Future()
    try:
        done.set_result(work())
    except StarloomError as error:
        done.set_exception(error)
    return done


class NullJournal:
    """A journal that keeps nothing and never fails: for runs that need not outlive the program."""

    directory: Path | None = None
    due: Collection[str] = ()

    def commit(self, events: Sequence[Event]) -> None:
        """Drop the events."""

    def checkpoint(self, run: RunFacts) -> None:
        """Do nothing: nothing is kept."""

    def watch(self, lost: Callable[[str], object]) -> None:
        """Do nothing: nothing can vanish."""

    def check(self, run_id: str) -> None:
        """Do nothing: nothing can vanish."""

    def mend(self, run_ids: Collection[str]) -> None:
        """Do nothing: nothing has vanished."""

    def committed(self) -> Iterable[Event]:
        """Refuse: nothing was kept."""
        raise JournalError("This run keeps no journal. Start it with one to be able to go back.")

    def fleet(self) -> None:
        """None: earlier programs are not known."""

    def prepare(self, run_id: str, layout: Positions = EMPTY) -> None:
        """Do nothing: no place is needed."""

    def discard(self, run_id: str) -> None:
        """Do nothing: `prepare` did nothing."""

    def take(self, folder: Path) -> RunStream:
        """Refuse: nothing can be resumed."""
        raise JournalError(f"This engine keeps no journal, so the run in {folder} cannot go on in it. Give it one.")

    def give_back(self, run_id: str) -> None:
        """Do nothing: nothing was taken."""

    def release(self, run_id: str) -> bool:  # noqa: ARG002 - of no run
        """False: no run can be given back."""
        return False

    def released(self, run_id: str) -> FoldedRun:
        """Refuse: nothing was released."""
        raise JournalError(
            f"Nothing is left of the run {run_id!r}: it was let go of, and this engine keeps no journal."
        )

    def reopen(self, run_id: str) -> Future[FoldedRun]:
        """Refuse: nothing was released."""
        return done_with(partial(self.released, run_id))

    def settled(self) -> Future[None]:
        """Return at once: nothing was released."""
        return done_with(lambda: None)

    def folder(self, run_id: str) -> None:
        """None: runs have no folders."""


class MemoryJournal(NullJournal):
    """A journal in memory, which can be told to fail as on a full disk.

    Attributes:
        turns: the events of each committed turn.
        failure: the reason with which `commit` fails; None: it works.
    """

    def __init__(self) -> None:
        self.turns: list[tuple[Event, ...]] = []
        self.failure: str | None = None

    @override
    def commit(self, events: Sequence[Event]) -> None:
        """Keep the events, or fail if told to."""
        if self.failure is not None:
            raise JournalError(self.failure)
        self.turns.append(tuple(events))

    @override
    def committed(self) -> Iterable[Event]:
        """All events, oldest first."""
        return (event for turn in self.turns for event in turn)
