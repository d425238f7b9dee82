"""A row of exclusive buttons in one frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QHBoxLayout

from starloom_gui.theme.metrics import CONTROL
from starloom_gui.widgets.controls import button, mark

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtWidgets import QButtonGroup


def choice_row(group: QButtonGroup, name: str, choices: Iterable[tuple[str, str]]) -> QFrame:
    """Make a row of exclusive buttons, of which the first is checked.

    Args:
        group: gets the buttons, each under its place in the row.
        name: what a screen reader calls the row.
        choices: words and tooltip of each button.
    """
    frame = QFrame()
    frame.setFixedHeight(CONTROL)
    frame.setAccessibleName(name)
    mark(frame, "choice")
    row = QHBoxLayout(frame)
    row.setContentsMargins(1, 1, 1, 1)
    row.setSpacing(0)
    for at, (words, tip) in enumerate(choices):
        made = button(words, height=CONTROL - 2)
        made.setCheckable(True)
        made.setChecked(not at)
        made.setToolTip(tip)
        mark(made, "kind")
        group.addButton(made, at)
        row.addWidget(made, 1)
    return frame
