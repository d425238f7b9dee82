"""Keeping the answer to a command that has an id, in the turn that carries it out: given again, it has that answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom.errors import CommandRefused, EditRefused
from starloom.scheduling.decide.editing import EditReceipt
from starloom.scheduling.decide.emission import emit_answer

if TYPE_CHECKING:
    from starloom.scheduling.commands import Command
    from starloom.scheduling.state.scheduler_state import SchedulerState

_MOST: Final = 100
"""Problems of a refused batch that are kept; a batch may have thousands."""


def plain_answer(value: Any) -> int | str | None:
    """The answer to a command as it is kept and told elsewhere: the revision of an edit, the task of a step, else None.

    Args:
        value: what the scheduler answered.
    """
    if isinstance(value, EditReceipt):
        return value.revision
    return value if isinstance(value, int | str) and not isinstance(value, bool) else None


def keep_answer(scheduler: SchedulerState, command: Command, value: Any) -> None:
    """Keep the answer to a command under its id.

    Args:
        scheduler: in the turn of the command.
        command: one with an id.
        value: what it was answered with, or its refusal.
    """
    fields: dict[str, Any] = {"answer": plain_answer(value)}
    if isinstance(value, CommandRefused):
        problems = value.problems[:_MOST] if isinstance(value, EditRefused) else ()
        fields = {"code": value.code, "reason": value.reason, "hint": value.hint, "problems": problems}
    emit_answer(scheduler, command_id=command.id, origin=command.origin, **fields)
