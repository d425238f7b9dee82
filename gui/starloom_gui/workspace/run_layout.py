"""The node positions of a run, stored in the run's folder beside its journal; they are no edit of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer

from starloom.journal.layout_file import keep_layout, read_layout
from starloom.model.frozen import EMPTY

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from starloom.model.positions import Positions

LEAST_MS: Final = 1_000
"""So many milliseconds lie between two writings at least."""


class RunLayout(QObject):
    """The layout of one run. Changes are written within a second, and at the end.

    Args:
        folder: gives the run's folder; None: nothing is kept of it.
        at_start: what holds where there is no folder.
        parent: of the object.

    Attributes:
        layout: where nodes were placed, by task id.
    """

    def __init__(
        self, folder: Callable[[], Path | None], at_start: Positions = EMPTY, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._folder = folder
        found = folder()
        self.layout: Positions = read_layout(found) if found is not None else at_start
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(LEAST_MS)
        self._pause.timeout.connect(self._write)

    def write_layout(self, layout: Positions) -> None:
        """Store where nodes are placed; written soon."""
        if layout != self.layout:
            self.layout = layout
            if not self._pause.isActive():
                self._pause.start()

    def close(self) -> None:
        """Write unsaved changes now."""
        if self._pause.isActive():
            self._pause.stop()
            self._write()

    def _write(self) -> None:
        keep_layout(self._folder(), self.layout)
