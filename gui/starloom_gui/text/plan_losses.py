"""What a file format cannot hold of a plan, in the language of the user."""

from __future__ import annotations

import re
from typing import Final

from PySide6.QtCore import QObject

from starloom_gui.text.engine_words import known, said
from starloom_gui.text.words import fill, translate

_LEFT_OUT: Final = "%1 does not hold everything; left out: %2."
_OF_PLAN: Final = re.compile(r"(\w+) of the plan")
_OF_SOME: Final = re.compile(r"(\w+) \((\d+) (?:(tasks?)|dependenc(?:y|ies))\)")


class LossPlurals(QObject):
    """Fields of several tasks or dependencies."""

    def of_tasks(self, count: int) -> str:
        """A field of so many tasks, with a place for its name."""
        return self.tr("%1 of %n task(s)", "", count)

    def of_dependencies(self, count: int) -> str:
        """A field of so many dependencies, with a place for its name."""
        return self.tr("%1 of %n dependency(ies)", "", count)


def loss_words(sentence: str) -> str:
    """A sentence of `starloom.formats.losses` in the language of the user; fields are named as in files."""
    form = known(sentence)
    if form is None or form[0] != _LEFT_OUT:
        return said(sentence)
    title, parts = form[1]
    return said(fill(_LEFT_OUT, title, ", ".join(map(_part, parts.split(", ")))))


def _part(text: str) -> str:
    if found := _OF_PLAN.fullmatch(text):
        return fill(translate("PlanLosses", "%1 of the plan"), found[1])
    if found := _OF_SOME.fullmatch(text):
        count = int(found[2])
        words = LossPlurals().of_tasks(count) if found[3] else LossPlurals().of_dependencies(count)
        return fill(words, found[1])
    return text
