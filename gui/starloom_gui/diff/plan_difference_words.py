"""The difference between two plans in words: a row for each thing, field by field."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom_gui.text.field_words import field_word, kind_words, value_words
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from starloom.model.dependency import Dependency
    from starloom.model.task import Task
    from starloom_gui.diff.plan_difference import Difference, FieldChange


class Sign(Enum):
    """The kind of a change: added, removed or changed."""

    ADDED = "+"
    CHANGED = "Δ"
    REMOVED = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class PlanDifferenceRow:
    """One difference, as a row of the list.

    Attributes:
        title: a task, a dependency or the plan.
        lines: what it is or how it changes, each a line.
        ids: of the tasks it is about; none: it is about the plan.
    """

    sign: Sign
    title: str
    lines: tuple[str, ...]
    ids: tuple[str, ...] = ()


def rows_of(changes: Difference) -> list[PlanDifferenceRow]:
    """A row for each difference: first the plan itself, then tasks, then the dependencies between them."""
    return list(each_row(changes))


def each_row(changes: Difference) -> Iterator[PlanDifferenceRow]:
    """The rows of `rows_of` one by one, so that not all of very many need be made."""
    if changes.fields:
        yield PlanDifferenceRow(
            Sign.CHANGED, translate("Difference", "Plan"), tuple(map(_change_words, changes.fields))
        )
    for task in changes.removed:
        yield PlanDifferenceRow(Sign.REMOVED, task.title, (translate("Difference", "Task"),), (task.id,))
    for task in changes.added:
        yield PlanDifferenceRow(Sign.ADDED, task.title, (_task_words(task),), (task.id,))
    for one in changes.changed:
        yield PlanDifferenceRow(Sign.CHANGED, one.after.title, tuple(map(_change_words, one.fields)), (one.after.id,))
    for gone in changes.disconnected:
        yield PlanDifferenceRow(Sign.REMOVED, _pair(gone, changes.titles), (_link_words(gone),), _ends(gone))
    for come in changes.connected:
        yield PlanDifferenceRow(Sign.ADDED, _pair(come, changes.titles), (_link_words(come),), _ends(come))
    for change in changes.altered:
        before, after = kind_words(change.before), kind_words(change.after)
        words = _arrow(before, after) if before != after else translate("Difference", "other notes")
        yield PlanDifferenceRow(Sign.CHANGED, _pair(change.after, changes.titles), (words,), _ends(change.after))


def as_text(rows: list[PlanDifferenceRow]) -> str:
    """The rows as text to be copied."""
    return "\n".join(
        "\n".join([f"{row.sign.value} {row.title}", *(f"    {line}" for line in row.lines)]) for row in rows
    )


def _arrow(before: str, after: str) -> str:
    return fill(translate("Difference", "%1 → %2"), before, after)


def _change_words(change: FieldChange) -> str:
    if change.name == "layout":
        return translate("Difference", "Nodes stand elsewhere in the drawing")
    before, after = (value_words(change.name, value) for value in (change.before, change.after))
    if before == after:  # they differ further on than is shown
        after = translate("Difference", "another value")
    return fill(translate("Difference", "%1: %2"), field_word(change.name), _arrow(before, after))


def _task_words(task: Task) -> str:
    what = fill(translate("Difference", "Task · %1"), value_words(task.action, getattr(task, task.action)))
    return fill(translate("Difference", "%1 · on %2"), what, task.pin) if task.pin else what


def _pair(one: Dependency, titles: Mapping[str, str]) -> str:
    return fill("%1 → %2", *(titles.get(id, id) for id in _ends(one)))


def _ends(one: Dependency) -> tuple[str, str]:
    return one.parent, one.child


def _link_words(one: Dependency) -> str:
    return fill(translate("Difference", "Dependency · %1"), kind_words(one))


# ---- how much it is


class PlanDifferencePlurals(QObject):
    """Counts of what differs; an object only as the tool that gathers texts knows plurals from `self.tr` alone."""

    def extra(self, count: int) -> str:
        """The number of differences that only the run has, as text."""
        return self.tr("%n only in the run", "", count)

    def missing(self, count: int) -> str:
        """The number of differences that only the plan has, as text."""
        return self.tr("%n only in the plan", "", count)

    def other(self, count: int) -> str:
        """The number of items that both have with different values, as text."""
        return self.tr("%n changed", "", count)


def counted(found: Difference) -> str:
    """The numbers of one-sided and changed items, as text: `2 only in the run · 1 changed`; empty: none."""
    words = PlanDifferencePlurals()
    said = (
        (len(found.added) + len(found.connected), words.extra),
        (len(found.removed) + len(found.disconnected), words.missing),
        (len(found.changed) + len(found.altered) + bool(found.fields), words.other),
    )
    return " · ".join(say(count) for count, say in said if count)


def same_words() -> str:
    """The sentence for two equal plans."""
    return translate("DifferencePane", "The run's graph and the plan say the same.")
