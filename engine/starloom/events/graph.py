"""Events of the graph."""

from __future__ import annotations

from starloom.constellation.edits import Edit
from starloom.errors import Problem
from starloom.events.base import Event


class ConstellationModified(Event, frozen=True):
    """A batch of edits was applied; the graph has a new revision."""

    revision: int = 0
    changes: tuple[Edit, ...] = ()
    inverse: tuple[Edit, ...] = ()
    origin: str = ""
    reason: str = ""
    answers: tuple[str, ...] = ()
    """The tasks whose ends the edit cycle was about that this answers; none: a person's edit, or a late answer."""


class EditRejected(Event, frozen=True):
    """A batch of edits was refused and changed nothing."""

    origin: str = ""
    reason: str = ""
    problems: tuple[Problem, ...] = ()
