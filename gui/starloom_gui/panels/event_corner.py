"""The event log's buttons, for the corner of its tab: Live, copy and revert."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import override

from starloom_gui.panels.output_buttons import ButtonRow, name_button
from starloom_gui.text.words import fill
from starloom_gui.theme.icons import Icon
from starloom_gui.theme.metrics import GAPS

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom_gui.panels.events import EventsPane
    from starloom_gui.theme.appearance import Appearance


class EventsCorner(ButtonRow):
    """The buttons of the Events pane; Live is pressed while the newest event is followed.

    Args:
        pane: what they act on.
        appearance: the colours.
        parent: the widget it lies in.
    """

    def __init__(self, pane: EventsPane, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, (0, GAPS[1]), parent)
        self._pane = pane
        self.live = self.add(Icon.LIVE, self._go_live, checkable=True, words=True)
        self.copy = self.add(Icon.COPY, pane.grid.copy)
        self.revert = self.add(Icon.UNDO, pane.revert.trigger, words=True)
        pane.revert.changed.connect(self._follow)
        self.live.setChecked(pane.grid.is_live)
        pane.grid.live_changed.connect(self.live.setChecked)
        self._say()

    def _go_live(self) -> None:
        """Live cannot be switched off here: scrolling away does that."""
        self._pane.grid.go_live()
        self.live.setChecked(self._pane.grid.is_live)

    def _follow(self) -> None:
        """Update the button to its action; the subject is in the tooltip, so that the row keeps its width."""
        verb = self._pane.revert
        self.revert.setVisible(verb.isVisible())
        self.revert.setEnabled(verb.isEnabled())
        tip = verb.toolTip() if not verb.isEnabled() else fill("%1: %2", verb.text(), verb.toolTip())
        name_button(self.revert, self.tr("Revert"), tip)
        self.revert.setAccessibleDescription(tip)

    @override
    def _say(self) -> None:
        name_button(self.live, self.tr("Live"), self.tr("Follow the newest event; scrolling up stops that"))
        name_button(self.copy, self.tr("Copy"), self.tr("Copy the selected rows as text, or all if none is selected"))
        self._follow()
