"""The output's buttons, for the corner of its tab: Live, pin, wrap, times, copy, save."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import override

from starloom_gui.panels.output_buttons import ButtonRow, name_button
from starloom_gui.theme.icons import Icon
from starloom_gui.theme.metrics import GAPS

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom_gui.panels.output import OutputPane
    from starloom_gui.theme.appearance import Appearance


class OutputCorner(ButtonRow):
    """The buttons of the Output pane; Live is pressed while the end is followed.

    Args:
        pane: what they act on.
        appearance: the colours.
        parent: the widget it lies in.
    """

    def __init__(self, pane: OutputPane, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, (0, GAPS[1]), parent)
        self._pane = pane
        self.live = self.add(Icon.LIVE, self._go_live, checkable=True, words=True)
        self.pin = self.add(Icon.PIN, lambda: pane.set_pinned(self.pin.isChecked()), checkable=True)
        self.wrap = self.add(Icon.WRAP, lambda: pane.view.set_wraps(self.wrap.isChecked()), checkable=True)
        self.times = self.add(Icon.TIMES, lambda: pane.view.set_times(self.times.isChecked()), checkable=True)
        self.copy = self.add(Icon.COPY, pane.copy_all)
        self.save = self.add(Icon.SAVE, pane.saver.ask)
        self.compare = self.add(Icon.COMPARE, self._compare)
        self.live.setChecked(pane.view.is_live)
        pane.view.live_changed.connect(self.live.setChecked)
        pane.pinned.connect(self.pin.setChecked)
        self._say()

    def _go_live(self) -> None:
        """Live cannot be switched off here: scrolling away does that."""
        self._pane.view.go_live()
        self.live.setChecked(self._pane.view.is_live)

    def _compare(self) -> None:
        why_not = self._pane.comparing.why_not()
        if why_not:
            self._pane.trouble.say(why_not)
        else:
            self._pane.comparing.ask()

    @override
    def _say(self) -> None:
        name_button(self.live, self.tr("Live"), self.tr("Follow what is printed; scrolling up stops that"))
        name_button(self.pin, self.tr("Pin"), self.tr("Stay with this task whatever is selected"))
        name_button(self.wrap, self.tr("Wrap lines"))
        name_button(self.times, self.tr("Times"), self.tr("Show when each line was printed"))
        name_button(self.copy, self.tr("Copy all"))
        name_button(self.save, self.tr("Save to file…"))
        name_button(
            self.compare,
            self.tr("Compare attempts…"),
            self.tr("Show this output beside that of another attempt, or of the run this one is compared with"),
        )
