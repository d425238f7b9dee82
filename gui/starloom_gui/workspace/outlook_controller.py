"""The outlook of one document view: the projection while it is in front, or what determined an ended run's end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from starloom_gui.gateway.changes import FLEET
from starloom_gui.workspace.foreseer import Foreseer
from starloom_gui.workspace.looking_back import NOTHING, LookBack, Outlook

if TYPE_CHECKING:
    from starloom_gui.gateway.feed import Feed
    from starloom_gui.workspace.source import DocumentSource


class OutlookController(QObject):
    """Has the run or plan projected while its view is in front, from `begin` on. To be used where a loop runs.

    Args:
        source: what is foreseen.
        parent: of the object.

    Signals:
        changed(Outlook): something else is foreseen now, or found.
    """

    changed = Signal(object)

    def __init__(self, source: DocumentSource, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._source, self._reader = source, source.reader
        self._foreseer = Foreseer(source.foresee, source.reader.facts, self) if source.foresee is not None else None
        self._back = LookBack(self.changed.emit)
        self._feed: Feed | None = None
        self._is_front = self._has_begun = False
        if self._foreseer is not None:
            self._foreseer.foreseen.connect(self._tell)

    @property
    def now(self) -> Outlook:
        """The outlook now; of a past moment there is no projection."""
        return self._foreseer.now if self._foreseer is not None and not self._reader.is_past else NOTHING

    def follow(self) -> None:
        """Follow changes from now on, after all that was connected to the source before."""
        if self._source.travel is not None:
            self._source.travel.reader.moved.connect(self._turn)
        if self._foreseer is not None and self._source.feed is not None:
            self._feed = self._source.feed(self._source.run_id, FLEET, parent=self)
            self._feed.set_shown(False)
            self._feed.changed.connect(self.ask)

    def begin(self) -> None:
        """Project from now on: a large graph is drawn in half the time if nothing is projected beside it."""
        if not self._has_begun:
            self._has_begun = True
            self.ask()

    def set_front(self, front: bool) -> None:
        """Set whether the view is in front: only its run is projected."""
        self._is_front = front
        is_wanted = front and not self._reader.is_past
        if self._feed is not None:
            self._feed.set_shown(is_wanted)
        if is_wanted:
            self.ask()
        elif front and self._reader.is_past:
            self._look_back()

    def ask(self, *_: object) -> None:
        """Update the projection soon, if the view is in front and the present is shown."""
        if self._foreseer is not None and self._has_begun and self._is_front and not self._reader.is_past:
            self._foreseer.ask()

    def close(self) -> None:
        """Update no more."""
        self._back.stop()
        if self._feed is not None:
            self._feed.close()
        if self._foreseer is not None:
            self._foreseer.close()

    def _turn(self) -> None:
        """Handle a change of the shown moment: the past has no projection."""
        if self._reader.is_past:
            self._look_back()
        elif self._foreseer is not None:
            self._back.stop()
            self.changed.emit(self._foreseer.now)
        if self._feed is not None:
            self._feed.set_shown(self._is_front and not self._reader.is_past)

    def _look_back(self) -> None:
        """Show what determined the end, if the shown moment is the run's end."""
        run = self._reader.facts()
        if run is not None and run.state.has_ended:
            self._back.look(run)
            return
        self._back.stop()
        self.changed.emit(NOTHING)

    def _tell(self, outlook: Outlook) -> None:
        if not self._reader.is_past:
            self.changed.emit(outlook)
