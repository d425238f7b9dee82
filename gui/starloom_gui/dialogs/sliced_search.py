"""A search through all tasks that takes some milliseconds at a time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer

from starloom_gui.editing.replacing import Hit
from starloom_gui.editing.seeking import UnusableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST_HITS: Final = 20_000
_SLICE: Final = 0.008
"""Seconds of looking between two looks at what the user does."""


class SlicedSearch(QObject):
    """Searches tasks in slices of time, so that the window stays responsive however many there are.

    Args:
        show: is given what one slice has found.
        refuse: is told why nothing can be looked for, as a sentence.
        parent: of the object.
    """

    def __init__(self, show: Callable[[list[Hit]], None], refuse: Callable[[str], None], parent: QObject) -> None:
        super().__init__(parent)
        self._show, self._refuse = show, refuse
        self._hits: Iterator[Hit | None] | None = None
        self._left = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)

    @property
    def goes_on(self) -> bool:
        """Whether a search is running."""
        return self._hits is not None

    def begin(self, hits: Iterator[Hit | None]) -> None:
        """Start a search in place of the one before; the first slice runs at once."""
        self._hits, self._left = hits, MOST_HITS
        self._go_on()

    def stop(self) -> None:
        """Stop the search."""
        self._hits = None
        self._timer.stop()

    def _go_on(self) -> None:
        found: list[Hit] = []
        until = time.perf_counter() + _SLICE
        try:
            while self._hits is not None and time.perf_counter() < until:
                hit = next(self._hits, False)
                if hit is False or len(found) >= self._left:
                    self._hits = None
                elif isinstance(hit, Hit):
                    found.append(hit)
        except UnusableError as error:
            self._hits, found = None, []
            self._refuse(str(error))
        self._left -= len(found)
        if self._hits is not None:
            self._timer.start()
        self._show(found)
