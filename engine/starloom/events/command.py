"""The event that keeps the answer to a command, so that it is carried out once although it may be given again."""

from __future__ import annotations

from starloom.errors import Problem
from starloom.events.base import Event


class CommandAnswered(Event, frozen=True):
    """A command that can be given again has been answered, in the fleet's stream whatever it was about.

    It is committed in the turn in which the command was carried out or refused.

    Attributes:
        command_id: chosen by whoever gave it.
        origin: in whose name.
        answer: the revision of an edit, the task of a step, the id of a new run, else None.
        code, reason, hint, problems: of the refusal; no code: it was carried out.
    """

    command_id: str
    origin: str = ""
    answer: int | str | None = None
    code: str = ""
    reason: str = ""
    hint: str = ""
    problems: tuple[Problem, ...] = ()
