"""The subscription of a view to the bridge, which notifies it of changes only while it is visible."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from starloom_gui.gateway.changes import Changes

if TYPE_CHECKING:
    from collections.abc import Callable

PART: Final = 1_000
"""Tasks a view is told of at once; between two such parts the bridge looks at the clock."""


class Feed(QObject):
    """Notifies one view of changes while it is visible.

    Hidden, it costs nothing; shown again, its view is told once that everything changed.

    Args:
        wanted: the ids of the runs, with `FLEET` for the fleet, that the view shows; None: all of them.
        wake: called when there is something to tell.
        forget: called when it is closed.

    Signals:
        changed: with a `Changes`.
    """

    changed = Signal(object)

    def __init__(
        self,
        wanted: frozenset[str] | None,
        wake: Callable[[], None],
        forget: Callable[[Feed], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._wanted = wanted
        self._wake = wake
        self._forget = forget
        self._is_shown = True
        self._is_stale: set[str] = set()
        self._pending: dict[str, Changes] = {}
        self._parts: deque[Changes] = deque()
        self._pending_since = self._parts_since = 0.0

    @property
    def is_shown(self) -> bool:
        """Whether its view can be seen."""
        return self._is_shown

    @property
    def backlog(self) -> int:
        """The number of tasks and other changes that its view has not been notified of."""
        return sum(max(1, len(one.tasks)) for one in (*self._pending.values(), *self._parts))

    @property
    def is_waiting(self) -> bool:
        """Whether there are changes to deliver."""
        return bool(self._parts or self._pending)

    @property
    def waits_since(self) -> float | None:
        """The time of the oldest undelivered change, as of `time.perf_counter`; None: there is none."""
        if self._parts:
            return self._parts_since
        return self._pending_since if self._pending else None

    def set_shown(self, shown: bool) -> None:
        """Set whether the view is visible."""
        if shown == self._is_shown:
            return
        self._is_shown = shown
        if shown:
            for run_id in self._is_stale:
                self._note(run_id, Changes(run_id=run_id, everything=True, log=True))
            self._is_stale.clear()
            if self._pending:
                self._wake()
        else:
            self._is_stale.update(self._pending, (part.run_id for part in self._parts))
            self._pending.clear()
            self._parts.clear()

    def close(self) -> None:
        """Stop the notifications; closing twice is allowed."""
        self._pending.clear()
        self._parts.clear()
        self._forget(self)

    # ---- used by the bridge

    def offer(self, changes: Changes) -> None:
        """Store changes for the next frame."""
        run_id = changes.run_id
        if not self._wants(run_id):
            return
        if not self._is_shown:
            self._is_stale.add(run_id)
            return
        known = self._pending.get(run_id)
        self._note(run_id, changes if known is None else known.with_later(changes))

    def _note(self, run_id: str, changes: Changes) -> None:
        if not self._pending:
            self._pending_since = time.perf_counter()
        self._pending[run_id] = changes

    def deliver(self) -> None:
        """Notify the view of a part of the changes."""
        if not self._parts:
            for changes in self._pending.values():
                self._parts.extend(changes.parts(PART))
            self._pending.clear()
            self._parts_since = self._pending_since
        if self._parts:
            self.changed.emit(self._parts.popleft())

    def _wants(self, run_id: str) -> bool:
        return self._wanted is None or run_id in self._wanted
