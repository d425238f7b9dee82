"""How many people look at the engine, and who they are; whoever is alone sees nothing of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QToolTip, QWidget

from starloom_gui.text.words import fill, hour
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import STATUS_BAR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.server.listings import Person


class PeopleHere(QToolButton):
    """The number of people at an engine; the tooltip, which a click shows too, has their names.

    Args:
        parent: the status bar.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(font(Role.SMALL))
        self.setAutoRaise(True)
        self.setFixedHeight(STATUS_BAR - 4)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(lambda: QToolTip.showText(self.mapToGlobal(self.rect().topLeft()), self.toolTip(), self))
        self.hide()

    def show_people(self, people: Sequence[Person]) -> None:
        """Show those who follow something; whoever only gives a command in passing is not counted."""
        here, now = [one for one in people if one.follows], time.time()
        self.setText(self.tr("%n here", "", len(here)))
        who = "\n".join(self._line(one, now) for one in here)
        self.setToolTip(who)
        self.setAccessibleDescription(who)
        self.setVisible(len(here) > 1)

    def _line(self, person: Person, now: float) -> str:
        where = fill(self.tr("%1 on %2"), person.name, person.host) if person.host else person.name
        line = fill(self.tr("%1 since %2"), where, hour(person.since, now))
        if not person.acted:
            return line
        return fill(self.tr("%1, last: %2 at %3"), line, person.act.replace("_", " "), hour(person.acted, now))
