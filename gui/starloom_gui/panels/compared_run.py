"""The comparison of a run with an earlier one: it tells the views, and updates the bar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from starloom_gui.diff.run_difference import whole
from starloom_gui.diff.run_difference_words import summary

if TYPE_CHECKING:
    from starloom.foresight.projection import Projection
    from starloom_gui.diff.baseline_run import BaselineRun
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.panels.compared_bar import ComparedStrip
    from starloom_gui.viewmodel.roles import Clock, Facts


class Comparing(Protocol):
    """The protocol of a view that can show an earlier run beside its own."""

    def compare(self, earlier: BaselineRun | None) -> None:
        """Show an earlier run; None: none."""


class Compared(QObject):
    """The comparison of one run.

    Args:
        facts: gives the facts of the run.
        clock: gives the present, or the moment that is shown.
        strip: says how it does.
        parent: of the object.

    Attributes:
        earlier: what it is compared with; None: it is not.

    Signals:
        changed(): it is compared with another run, or with none.
    """

    changed = Signal()

    def __init__(
        self,
        facts: Facts,
        clock: Clock,
        strip: ComparedStrip,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._facts, self._clock, self._strip = facts, clock, strip
        self._views: list[Comparing] = []
        self._projection: Projection | None = None
        self.earlier: BaselineRun | None = None
        self._is_closed = False
        strip.off_asked.connect(lambda: self.compare(None))

    def add(self, view: Comparing) -> None:
        """Let a view show the earlier run, now and from now on."""
        self._views.append(view)
        if self.earlier is not None:
            view.compare(self.earlier)

    def compare(self, earlier: BaselineRun | None) -> None:
        """Show an earlier run beside this one; None: show this one alone again."""
        if earlier is self.earlier or self._is_closed:
            return
        self.earlier = earlier
        self._strip.setVisible(earlier is not None)
        for view in self._views:
            view.compare(earlier)
        self.refresh()
        self.changed.emit()

    def close(self) -> None:
        """End the comparison, as the views go; runs that are read later are dropped."""
        self._is_closed = True

    def show_foreseen(self, projection: Projection | None) -> None:
        """Follow another projection."""
        self._projection = projection
        self.refresh()

    def on_changes(self, changes: Changes) -> None:
        """Update the comparison, once a second and whenever the run as a whole has changed."""
        if changes.second or changes.run or changes.everything:
            self.refresh()

    def refresh(self) -> None:
        """Update the whole section."""
        run = self._facts()
        if self.earlier is not None and run is not None:
            both = whole(self.earlier, run, self._clock(), self._projection)
            self._strip.show_words(summary(both, self.earlier.title))
