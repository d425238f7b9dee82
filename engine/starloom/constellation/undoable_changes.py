"""Changes of a graph's lists and dicts: old values are recorded for a rehearsal, and copies are made once a batch."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ABSENT: Final[Any] = object()


class UndoableChanges:
    """Changes items of lists and dicts; between `begin` and `undo` it notes what they were."""

    __slots__ = ("_entries", "_made")

    def __init__(self) -> None:
        self._entries: list[tuple[Any, Any, Any]] | None = None
        self._made: set[tuple[int, int]] | None = None

    def begin(self) -> None:
        """Start to record old values, as of a batch."""
        self._entries, self._made = [], set()

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Meanwhile `own` makes each list once."""
        self._made = set()
        try:
            yield
        finally:
            self._made = None

    def set(self, container: Any, key: Any, value: Any) -> None:
        """Set an item of a list or a dict; a dict may not have the key yet."""
        if self._entries is not None:
            old = container.get(key, _ABSENT) if isinstance(container, dict) else container[key]
            self._entries.append((container, key, old))
        container[key] = value

    def delete(self, container: dict[Any, Any], key: Any) -> None:
        """Remove a key from a dict, if it is present."""
        if key in container:
            if self._entries is not None:
                self._entries.append((container, key, container[key]))
            del container[key]

    def own(self, lists: list[Sequence[int]], key: int) -> list[int]:
        """One of many lists as a copy that may be changed, as others may share the original; made once a batch.

        Args:
            lists: the same object throughout the batch.
            key: which of them.
        """
        made = self._made
        if made is None or (id(lists), key) not in made:
            self.set(lists, key, list(lists[key]))
            if made is not None:
                made.add((id(lists), key))
        return lists[key]  # type: ignore[return-value]  # as it is our own

    def undo(self) -> None:
        """Restore the values noted since `begin`, the last change first, and note no more."""
        entries, self._entries, self._made = self._entries or [], None, None
        for container, key, old in reversed(entries):
            if old is _ABSENT:
                container.pop(key, None)
            else:
                container[key] = old
