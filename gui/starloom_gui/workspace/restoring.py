"""Restoring after a crash: unsaved plans are offered once, and kept until the user has decided."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QVBoxLayout, QWidget

from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.text.words import ago, fill
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.controls import Elided
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.message_bar import ErrorMessage
from starloom_gui.widgets.question import WIDTH, Choice, Choices, answer_to

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom_gui.documents.unsaved import Unsaved
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.workspace.autosave import Autosave

RESTORE, DISCARD = "restore", "discard"
_NAMED: Final = 8
"""So many plans are named; more are counted."""


class UnsavedPlurals(QObject):
    """Counts of plans that were not saved."""

    def title(self, count: int) -> str:
        """The title of the question, with the number of plans."""
        return self.tr("Restore %n unsaved plan(s)?", "", count)

    def sentence(self, count: int) -> str:
        """The sentence about what has happened, with the number of plans."""
        return self.tr("Starloom ended before %n plan(s) could be saved. Restoring runs nothing.", "", count)

    def more(self, count: int) -> str:
        """The number of plans that are not named, as text."""
        return self.tr("and %n more", "", count)

    def discard(self, count: int) -> str:
        """The button that removes them."""
        return self.tr("Discard %n plan(s)", "", count)

    def restore(self, count: int) -> str:
        """The button that opens them."""
        return self.tr("Restore %n plan(s)", "", count)


class RestoreDialog(Dialog):
    """Asks what to do with plans that a crash left unsaved; the answer is `restore`, `discard`, or none: ask later.

    Args:
        appearance: the colours.
        lost: the plans, at least one.
        now: seconds since 1970.
        parent: a widget of the window.

    Attributes:
        lines: say which plans they are.
    """

    def __init__(self, appearance: Appearance, lost: Sequence[Unsaved], now: float, parent: QWidget) -> None:
        words, count = UnsavedPlurals(), len(lost)
        choices = [
            Choice(DISCARD, words.discard(count), is_apart=True),
            Choice("", self.tr("Ask me later")),
            Choice(RESTORE, words.restore(count), is_default=True),
        ]
        listed = QWidget()
        column = QVBoxLayout(listed)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAPS[0])
        self.lines = [Elided(line) for line in self._lines(lost, now)]
        for line in self.lines:
            column.addWidget(line)
        super().__init__(appearance, words.title(count), "", width=WIDTH, parent=parent)
        self.choices = Choices(self, words.sentence(count), choices, listed)

    def _lines(self, lost: Sequence[Unsaved], now: float) -> list[str]:
        said = [fill(self.tr("%1, changed %2 ago"), _place(one), ago(now - one.at)) for one in lost[:_NAMED]]
        return [*said, UnsavedPlurals().more(len(lost) - _NAMED)] if len(lost) > _NAMED else said


def _place(one: Unsaved) -> str:
    """The file of a plan, from the user's folder on; the title of one that has no file."""
    if one.path is None:
        return one.title
    home = Path.home()
    return str(Path("~") / one.path.relative_to(home)) if one.path.is_relative_to(home) else str(one.path)


class Restoring(QObject):
    """Offers the unsaved plans of an earlier console, once.

    To be used where the loop runs.

    Args:
        autosave: knows what is left.
        report: is told what cannot be read.
        appearance: the colours of the dialog.
        window: what the dialog stands over; it owns this.
        wall: gives seconds since 1970.
    """

    def __init__(
        self,
        autosave: Autosave,
        report: Callable[[ErrorMessage], None],
        appearance: Appearance,
        window: QWidget,
        wall: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(window)
        self._autosave, self._report, self._wall = autosave, report, wall
        self._appearance, self._window = appearance, window
        self.background_tasks = BackgroundTasks("console: restore plans")

    def offer(self) -> None:
        """Search for stored plans and ask about them; returns at once."""
        if not self.background_tasks:
            self.background_tasks.begin(self._offer())

    def cancel(self) -> None:
        """Close the open question; stored plans stay."""
        self.background_tasks.cancel()

    async def settled(self) -> None:
        """Return once no question is open."""
        await self.background_tasks.settled()

    async def _offer(self) -> None:
        what = self.tr("Not everything that was not saved can be restored")
        try:
            found = await self._autosave.found()
        except OSError as error:
            self._report(ErrorMessage(what, str(error)))
            return
        for sentence in found.troubles:
            self._report(ErrorMessage(what, sentence))
        if not found.plans:
            return
        answer = await answer_to(RestoreDialog(self._appearance, found.plans, self._wall(), self._window))
        if answer == RESTORE:
            self._autosave.restore(found.plans)
        elif answer == DISCARD:
            self._autosave.discard(found.plans)
