"""The sentences of editing: refusals, and reasons why an edit is not possible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom_gui.text.engine_words import said
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.errors import Problem

_MOST = 3


class EditPlurals(QObject):
    """Counts with their nouns; an object only as the tool that gathers texts knows plurals from `self.tr` alone."""

    def staged(self, count: int) -> str:
        """A number of staged changes, as text."""
        return self.tr("%n staged change(s)", "", count)

    def commit(self, count: int) -> str:
        """The button that commits them."""
        return self.tr("Commit %n change(s)", "", count)

    def committed(self, count: int) -> str:
        """The label of a commit as a step of undo."""
        return self.tr("Commit of %n change(s)", "", count)

    def discarded(self, count: int) -> str:
        """`Discard of 3 changes`: as the history names it."""
        return self.tr("Discard of %n change(s)", "", count)

    def unfit(self, count: int) -> str:
        """The number of them that cannot be committed, as text."""
        return self.tr("%n no longer fit(s|)", "", count)

    def dependencies(self, count: int) -> str:
        """A number of dependencies, as text."""
        return self.tr("%n dependenc(y|ies)", "", count)

    def more(self, count: int) -> str:
        """The number of tasks that are not named, as text."""
        return self.tr("and %n more", "", count)


def problem_words(problem: Problem) -> str:
    """A problem and its remedy, as sentences."""
    message = said(problem.message)
    if problem.code != "conflict":  # which begins with somebody's name
        message = message[:1].upper() + message[1:]
    return fill(translate("Editing", "%1 %2"), message, said(problem.hint)) if problem.hint else message


def problems_words(problems: Sequence[Problem]) -> str:
    """The first few problems, those first that do not only follow from others."""
    ordered = sorted(problems, key=lambda problem: problem.follows_from is not None)
    words = list(dict.fromkeys(map(problem_words, ordered)))
    rest = len(words) - _MOST
    return " ".join([*words[:_MOST], *([f"({EditPlurals().more(rest)})"] if rest > 0 else [])])
