"""The dialog with all problems of a file, line by line, as a list that can be copied as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom_gui.text.engine_words import said
from starloom_gui.text.words import amount, fill
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.question import WIDTH, Choice, Choices
from starloom_gui.widgets.rows import ListRow, RowList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from starloom.errors import Problem
    from starloom_gui.theme.appearance import Appearance

COPY, RETRY = "copy", "retry"


class ProblemPlurals(QObject):
    """Counts of problems."""

    def problems(self, count: int) -> str:
        """A number of problems, as text."""
        return self.tr("%n problem(s)", "", count)


def lines_of(problems: Sequence[Problem]) -> list[ListRow]:
    """A row for each problem, with the line of the file in front."""
    return [
        ListRow(
            amount(problem.line) if problem.line is not None else "",
            fill("%1: %2", problem.where, said(problem.message)) if problem.where else said(problem.message),
            (said(problem.hint),) if problem.hint else (),
        )
        for problem in problems
    ]


class ProblemsDialog(Dialog):
    """Lists the problems of a file; the answer is `retry`, or none.

    Args:
        appearance: the colours.
        title: what did not work, in a few words.
        sentence: what was not changed.
        problems: what is wrong, in order.
        retries: whether doing it again is offered.
        parent: a widget of the window.
    """

    def __init__(
        self,
        appearance: Appearance,
        title: str,
        sentence: str,
        problems: Sequence[Problem],
        parent: QWidget | None = None,
        *,
        retries: bool = False,
    ) -> None:
        self.rows = RowList(appearance, lines_of(problems), title)
        super().__init__(appearance, title, "", width=WIDTH, parent=parent)
        choices = [Choice(COPY, self.tr("Copy text"), is_apart=True)]
        choices += [Choice(RETRY, self.tr("Try again"))] if retries else []
        choices += [Choice("", self.tr("Close"), is_default=True)]
        self.choices = Choices(self, sentence, choices, self.rows, self._chosen)

    def _chosen(self, key: str) -> None:
        if key == COPY:
            self.rows.clearSelection()
            self.rows.copy()
        else:
            self.choices.answer(key)
