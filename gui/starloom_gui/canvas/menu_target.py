"""The target of a context menu: the object under the pointer, or the selection."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from starloom_gui.editing import steps
from starloom_gui.text.words import fill, plain, tasks, translate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtCore import QPoint, QPointF

    from starloom.scheduling.state.run_facts import RunFacts

_LONGEST_TITLE = 60


class TargetKind(Enum):
    """The kind of a menu's target."""

    TASKS = "tasks"
    GROUP = "group"
    DEPENDENCY = "dependency"
    NOTE = "note"
    GROUND = "ground"


@dataclass(frozen=True, slots=True)
class MenuTarget:
    """The target of a context menu or of an activation.

    Attributes:
        number: of the task, or of the first one in a group; None: it is neither.
        at: where on the screen.
        group: the name of the group; empty: it is none.
        of: what kind of thing it is.
        title: what it is called.
        edge: parent and child of the dependency, as numbers; None: it is none.
        place: where in the scene; None: that does not matter.
    """

    number: int | None
    at: QPoint
    group: str = ""
    of: TargetKind = TargetKind.TASKS
    title: str = ""
    edge: tuple[int, int] | None = None
    place: QPointF | None = None


def tasks_title(facts: RunFacts | None, numbers: Iterable[int]) -> str:
    """The title of a menu of tasks: the name of one, or the number of several."""
    chosen = sorted(numbers)
    if facts is None or not chosen:
        return ""
    return plain(steps.named(facts, chosen), _LONGEST_TITLE)


def group_title(name: str, count: int) -> str:
    """The title of the menu of a group with so many tasks."""
    return fill(translate("Canvas", "Group %1, %2"), plain(name, _LONGEST_TITLE), tasks(count))


def note_title(text: str) -> str:
    """The title of the menu of a note: its first line."""
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return fill(translate("Canvas", "Note “%1”"), plain(first, _LONGEST_TITLE // 2))
