"""The journal protocol, the journal that keeps nothing, and the one that keeps all in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from starloom.errors import StarloomError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from starloom.events import Event


class JournalError(StarloomError):
    """A turn could not be committed, or a journal cannot be read; the sentence says why and what to do."""


class Journal(Protocol):
    """Keeps the events of each turn, all of a turn or none of it."""

    def commit(self, events: Sequence[Event]) -> None:
        """Keep one turn's events of all streams. Returns once they would survive what the journal promises to survive.

        Raises:
            JournalError: they were not kept; the journal ends with the turn before.
        """

    def committed(self) -> Iterable[Event]:
        """All committed events, oldest first.

        Raises:
            JournalError: this journal does not keep them.
        """


class NullJournal:
    """Keeps nothing and never fails: for runs that need not outlive the program."""

    def commit(self, events: Sequence[Event]) -> None:
        """Forget the events."""

    def committed(self) -> Iterable[Event]:
        """Refuse: nothing was kept."""
        raise JournalError("This run keeps no journal. Start it with one to be able to go back.")


class MemoryJournal:
    """Keeps all events in memory; told so, it fails as a full disk would.

    Attributes:
        turns: the events of each committed turn.
        failure: the reason with which `commit` fails; None: it works.
    """

    def __init__(self) -> None:
        self.turns: list[tuple[Event, ...]] = []
        self.failure: str | None = None

    def commit(self, events: Sequence[Event]) -> None:
        """Keep the events, or fail if told to."""
        if self.failure is not None:
            raise JournalError(self.failure)
        self.turns.append(tuple(events))

    def committed(self) -> Iterable[Event]:
        """All events, oldest first."""
        return (event for turn in self.turns for event in turn)
