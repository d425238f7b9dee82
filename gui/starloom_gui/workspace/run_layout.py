"""The node positions of a run, stored in the run's folder beside its journal; they are no edit of the run.

Several windows may show the run. Each writes into the file what it has changed itself, and takes over the rest.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from starloom.journal.layout_file import keep_layout, read_layout
from starloom.journal.names import LAYOUT
from starloom.model.frozen import EMPTY
from starloom_gui.documents.document import stamp_of
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.event_loop.background import in_background

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from starloom.model.positions import Positions
    from starloom_gui.documents.document import Stamp

LEAST_MS: Final = 1_000
"""So many milliseconds lie between two writings at least, and between two looks at the file."""


class RunLayout(QObject):
    """The layout of one run. Changes are written within a second, and at the end.

    Args:
        folder: gives the run's folder; None: nothing is kept of it.
        at_start: what holds where there is no folder.
        parent: of the object.

    Attributes:
        layout: where nodes were placed, by task id.

    Signals:
        changed_elsewhere(): another window has placed nodes, and `layout` has them.
    """

    changed_elsewhere = Signal()

    def __init__(
        self, folder: Callable[[], Path | None], at_start: Positions = EMPTY, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._folder = folder
        found = folder()
        self._stamp: Stamp | None = None if found is None else stamp_of(found / LAYOUT)
        self.layout: Positions = read_layout(found) if found is not None else at_start
        self._in_file: Positions = self.layout if found is not None else EMPTY
        self._reading = BackgroundTasks("console: read where nodes are placed")
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(LEAST_MS)
        self._pause.timeout.connect(self._write)
        self._looks = QTimer(self)
        self._looks.setInterval(LEAST_MS)
        self._looks.timeout.connect(self._look)
        if found is not None:
            self._looks.start()

    def write_layout(self, layout: Positions) -> None:
        """Store where nodes are placed; written soon."""
        if layout != self.layout:
            self.layout = layout
            if not self._pause.isActive():
                self._pause.start()

    def close(self) -> None:
        """Write unsaved changes now, and look at the file no more."""
        self._looks.stop()
        self._reading.cancel()
        if self._pause.isActive():
            self._pause.stop()
            self._write()

    # ---- the file

    def _write(self) -> None:
        """Write what was changed here into the file, as it is by now."""
        folder = self._folder()
        if folder is None:
            return
        if stamp_of(folder / LAYOUT) != self._stamp:
            self._take_over(read_layout(folder))
        keep_layout(folder, self.layout)
        self._in_file, self._stamp = self.layout, stamp_of(folder / LAYOUT)

    def _look(self) -> None:
        """Have the file read, if another window has written it."""
        folder = self._folder()
        if folder is None or self._reading:
            return
        stamp = stamp_of(folder / LAYOUT)
        if stamp != self._stamp:
            self._reading.begin(self._read(folder, stamp))

    async def _read(self, folder: Path, stamp: Stamp | None) -> None:
        found = await in_background(partial(read_layout, folder))
        known = self._stamp
        if stamp_of(folder / LAYOUT) == stamp != known:  # else it was written meanwhile, here or elsewhere
            self._stamp = stamp
            self._take_over(found)

    def _take_over(self, found: Positions) -> None:
        """Take what another window has changed; what was changed here stays, to be written."""
        layout = merged(self._in_file, self.layout, found)
        self._in_file = found
        if layout != self.layout:
            self.layout = layout
            self.changed_elsewhere.emit()


def merged(before: Positions, ours: Positions, theirs: Positions) -> Positions:
    """Two layouts as one: where both have changed a node, it is where we have put it.

    Args:
        before: what both came from.
        ours: what we made of it.
        theirs: what another window made of it.
    """
    changed = {id: ours.get(id) for id in before.keys() | ours.keys() if ours.get(id) != before.get(id)}
    return {id: at for id, at in {**theirs, **changed}.items() if at is not None}
