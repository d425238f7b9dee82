"""The undo history: one entry a user action, in order, and how many of them hold. Pure: it sends nothing.

Whoever sends asks for the next entry, sends what it says, and tells the answer: only then does the history move. An
entry that was refused is passed over, so that those before it can still be taken back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryEntry(Generic[T]):
    """One user action that was carried out.

    Attributes:
        label: what it is called, e.g. "Add dependency compile → test".
        back: what takes it back.
        forth: what does it again; None: that is only known once it was taken back.
        merges: an entry that follows one with the same non-empty text becomes one with it.
        is_light: whether it leaves alone what is saved, as what only moves nodes on a canvas does.
        is_lasting: whether nothing takes it back, so that it stays when what was taken back is forgotten.
        at: grows with everything the user does.
    """

    label: str
    back: T
    forth: T | None = None
    merges: str = ""
    is_light: bool = False
    is_lasting: bool = False
    at: int = 0


class UndoHistory(Generic[T]):
    """The entries, of which the first `index` hold; the others were taken back and can be done again.

    Attributes:
        entries: oldest first.
        index: how many of them hold.
        clean: the index at which nothing was to be saved; None: there is no way back to that.
    """

    def __init__(self) -> None:
        self.entries: tuple[HistoryEntry[T], ...] = ()
        self.index = 0
        self.clean: int | None = 0

    # ---- reading

    @property
    def to_undo(self) -> HistoryEntry[T] | None:
        """The entry that would be undone next."""
        return self.entries[self.index - 1] if self.index else None

    @property
    def to_redo(self) -> HistoryEntry[T] | None:
        """The entry that would be redone next."""
        return self.entries[self.index] if self.index < len(self.entries) else None

    @property
    def is_clean(self) -> bool:
        """Whether the state is the one that was marked clean."""
        if self.clean is None:
            return False
        begin, end = sorted((self.clean, self.index))
        return all(entry.is_light for entry in self.entries[begin:end])

    # ---- what has happened

    def push(self, entry: HistoryEntry[T], join: Callable[[T, T], T] | None = None) -> None:
        """Add an entry, and drop the entries that could be redone.

        Args:
            entry: what was done.
            join: makes one `back` of those of an earlier and a later entry; None: nothing merges.
        """
        self.forget_redo()
        kept = self.entries
        last = kept[-1] if kept else None
        merges = join is not None and last is not None and entry.merges and last.merges == entry.merges
        if merges and join is not None and last is not None and self.clean != self.index:
            entry, kept = replace(entry, back=join(last.back, entry.back)), kept[:-1]
        self.entries = (*kept, entry)
        self.index = len(self.entries)

    def forget_redo(self) -> None:
        """Drop the entries that could be redone, as something else was done."""
        if self.clean is not None and self.clean > self.index:
            self.clean = self.index if self.is_clean else None
        self.entries = self.entries[: self.index] + tuple(one for one in self.entries[self.index :] if one.is_lasting)

    def undone(self, forth: T) -> None:
        """Move the next entry to the redo stack; `forth` redoes it."""
        at = self.index - 1
        self._check(at)
        self._put(at, replace(self.entries[at], forth=forth))
        self.index = at

    def redone(self, back: T) -> None:
        """Move the next entry to the undo stack; `back` undoes it."""
        at = self.index
        self._check(at)
        self._put(at, replace(self.entries[at], back=back))
        self.index = at + 1

    def stays(self, back: T) -> None:
        """Keep the next entry to undo as one that nothing takes back any more; the one before it is the next now.

        Args:
            back: says why.
        """
        at = self.index - 1
        self._check(at)
        self._put(at, replace(self.entries[at], back=back, forth=back, is_lasting=True))
        self.index = at

    def make_undoable(self, back: T, forth: T | None) -> None:
        """Give the next entry to undo, which could not be undone any more, what undoes and redoes it."""
        at = self.index - 1
        self._check(at)
        self._put(at, replace(self.entries[at], back=back, forth=forth, is_lasting=False))

    def pass_over_undo(self) -> None:
        """Drop the next entry to undo, which can no longer be undone and stays in effect."""
        self._forget(self.index - 1)
        self.index -= 1

    def pass_over_redo(self) -> None:
        """Drop the next entry to redo, which can no longer be redone."""
        self._forget(self.index)

    def mark_clean(self) -> None:
        """Mark the present state as saved."""
        self.clean = self.index

    def clear(self) -> None:
        """Drop all entries; the state is clean if it was."""
        is_clean = self.is_clean
        self.entries, self.index, self.clean = (), 0, 0 if is_clean else None

    def _put(self, at: int, entry: HistoryEntry[T]) -> None:
        self.entries = (*self.entries[:at], entry, *self.entries[at + 1 :])

    def _forget(self, at: int) -> None:
        """Remove an entry; a clean state on its other side becomes unreachable."""
        self._check(at)
        holds = at < self.index
        self.entries = (*self.entries[:at], *self.entries[at + 1 :])
        if self.clean is not None and self.clean > at:
            self.clean = self.clean - 1 if holds else None
        elif self.clean is not None and holds:
            self.clean = None

    def _check(self, at: int) -> None:
        if not 0 <= at < len(self.entries):
            raise IndexError("The history has no such entry. Look at `to_undo` and `to_redo` first.")
