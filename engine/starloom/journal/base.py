"""The journal protocol, the journal that keeps nothing, and the one that keeps all in memory."""

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
    """A journal is not as it was written; what can be read of it can be salvaged."""


class JournalInUse(JournalError):  # noqa: N818 - it says what is the matter
    """Another program has the journal; it can be read meanwhile."""


class ReadingStopped(StarloomError):  # noqa: N818 - it says what is the matter
    """Whoever wanted to know something of a journal does not want to know it any more."""


class Moment(NamedTuple):
    """A run as it was after a turn, and when that was.

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
        """Where the folders of all runs are, also those of earlier programs; None: there is no such place."""

    @property
    def due(self) -> Collection[str]:
        """The runs of which a checkpoint is wanted after the turn that was committed last; mostly none."""

    def checkpoint(self, run: RunFacts) -> None:
        """Keep the facts of a run as they are after its last commit, so that it can be read faster.

        That is a cache: what becomes of it changes nothing else, so this never fails. The run is not due any more.
        """

    def commit(self, events: Sequence[Event]) -> Future[None] | None:
        """Keep one turn's events of all streams.

        Returns:
            None once they would survive what the journal promises to survive, or a future of that; no other commit is
            asked for before it is done.

        Raises:
            JournalError: they were not kept; the journal ends with the turn before. May also come from the future.
        """

    def watch(self, lost: Callable[[str], object]) -> None:
        """Have it called, in any thread, with the id of a run whose journal seems to have gone; see `check`."""

    def check(self, run_id: str) -> None:
        """See that what is committed of a run can be found.

        Raises:
            JournalError: its journal was moved away or removed.
        """

    def mend(self, run_ids: Collection[str]) -> None:
        """Write the journals of the fleet and of these runs anew that have gone, as far as that can be done.

        Raises:
            JournalError: one of them cannot be written.
        """

    def committed(self) -> Iterable[Event]:
        """All events of the fleet and of the runs that were committed to, each stream oldest first.

        Raises:
            JournalError: this journal does not keep them.
        """

    def fleet(self) -> Iterable[Event] | None:
        """What the fleet's stream holds from earlier programs; None: this journal knows of none."""

    def prepare(self, run_id: str, layout: Positions = EMPTY) -> None:
        """Make room for a run that is about to be made.

        Args:
            run_id: of the run.
            layout: where the nodes of its plan were placed; kept beside what happens in the run.

        Raises:
            JournalError: it cannot be kept, or there was a run of this id.
        """

    def discard(self, run_id: str) -> None:
        """Take back what `prepare` made, as the run was refused. Does nothing if something was committed to it."""

    def take(self, folder: Path) -> RunStream:
        """Open the journal of the run in a folder, to go on with it.

        Raises:
            JournalInUse: another program has it.
            JournalError: it cannot be read or written, or this journal keeps no runs.
        """

    def give_back(self, run_id: str) -> None:
        """Let go of a run that was taken and could not be gone on with. Does nothing once it was committed to."""

    def release(self, run_id: str) -> bool:
        """Hold nothing open for a run that has ended; False: this journal cannot give the run back, nothing happened.

        `committed` does not tell of it any more.
        """

    def released(self, run_id: str) -> FoldedRun:
        """The facts of a run that was let go of, for reading.

        Raises:
            JournalError: it cannot be read, or this journal lets go of none.
        """

    def reopen(self, run_id: str) -> Future[FoldedRun]:
        """Go on with a run that was let go of: it is committed to again; a future of its facts.

        Raises:
            JournalError: likewise, in the future.
        """

    def settled(self) -> Future[None]:
        """Done once what was let go of is closed."""

    def folder(self, run_id: str) -> Path | None:
        """The run's own folder, for whatever else is to outlive the program; None: it has none."""


_T = TypeVar("_T")


def done_with(work: Callable[[], _T]) -> Future[_T]:
    """A future of what was done at once, or of what that raised."""
    done: Future[_T] = Future()
    try:
        done.set_result(work())
    except StarloomError as error:
        done.set_exception(error)
    return done


class NullJournal:
    """Keeps nothing and never fails: for runs that need not outlive the program."""

    directory: Path | None = None
    due: Collection[str] = ()

    def commit(self, events: Sequence[Event]) -> None:
        """Forget the events."""

    def checkpoint(self, run: RunFacts) -> None:
        """Nothing is read faster."""

    def watch(self, lost: Callable[[str], object]) -> None:
        """Nothing can go."""

    def check(self, run_id: str) -> None:
        """Nothing can go."""

    def mend(self, run_ids: Collection[str]) -> None:
        """Nothing has gone."""

    def committed(self) -> Iterable[Event]:
        """Refuse: nothing was kept."""
        raise JournalError("This run keeps no journal. Start it with one to be able to go back.")

    def fleet(self) -> None:
        """Nothing is known of earlier programs."""

    def prepare(self, run_id: str, layout: Positions = EMPTY) -> None:
        """Nothing has to be made."""

    def discard(self, run_id: str) -> None:
        """Nothing was made."""

    def take(self, folder: Path) -> RunStream:
        """Refuse: nothing can be gone on with."""
        raise JournalError(f"This engine keeps no journal, so the run in {folder} cannot go on in it. Give it one.")

    def give_back(self, run_id: str) -> None:
        """Nothing was taken."""

    def release(self, run_id: str) -> bool:  # noqa: ARG002 - of no run
        """No run can be given back."""
        return False

    def released(self, run_id: str) -> FoldedRun:
        """Refuse: nothing was let go of."""
        raise JournalError(
            f"Nothing is left of the run {run_id!r}: it was let go of, and this engine keeps no journal."
        )

    def reopen(self, run_id: str) -> Future[FoldedRun]:
        """Refuse: nothing was let go of."""
        return done_with(partial(self.released, run_id))

    def settled(self) -> Future[None]:
        """At once: nothing was let go of."""
        return done_with(lambda: None)

    def folder(self, run_id: str) -> None:
        """There is none."""


class MemoryJournal(NullJournal):
    """Keeps all events in memory; told so, it fails as a full disk would.

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
