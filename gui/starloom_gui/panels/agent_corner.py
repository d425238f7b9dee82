"""The button of the pane “Waits for you”, for the corner of its tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from typing_extensions import override

from starloom_gui.panels.output_buttons import ButtonRow, name_button
from starloom_gui.theme.icons import Icon
from starloom_gui.theme.metrics import GAPS

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom_gui.theme.appearance import Appearance


class AgentsCorner(ButtonRow):
    """The button of the pane “Waits for you” that attaches an agent.

    Signals:
        attach_asked: the user wants to attach an agent.

    Args:
        appearance: the colours.
        parent: the widget it lies in.
    """

    attach_asked = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, (0, GAPS[1]), parent)
        self.attach = self.add(Icon.AGENT, self.attach_asked.emit, words=True)
        self._reason = ""
        self._say()

    def bar(self, reason: str) -> None:
        """Show why no agent can be attached; empty: one can."""
        if reason != self._reason:
            self._reason = reason
            self.attach.setEnabled(not reason)
            self._say()

    @override
    def _say(self) -> None:
        name_button(
            self.attach,
            self.tr("Add editing agent…"),
            self._reason or self.tr("Let an agent edit the run as its tasks end"),
        )
