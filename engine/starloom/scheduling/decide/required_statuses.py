"""The statuses that tasks must have for the commands about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from msgspec import structs

from starloom.errors import CommandRefused
from starloom.scheduling import commands as c
from starloom.scheduling.state.codes import CANCELLED, FAILED, PENDING, SKIPPED, WAITING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState

AnyCommand = TypeVar("AnyCommand", bound=c.Command)
_NOT_STARTED: Final = frozenset((WAITING, PENDING))
_MAY_RETRY: Final = frozenset((FAILED, CANCELLED, SKIPPED))


class _Required(NamedTuple):
    """What a command requires of its tasks.

    Attributes:
        statuses: one of which each of them must have.
        participle: what it would do to them.
        hint: what to know or to do instead, as a sentence.
    """

    statuses: frozenset[int]
    participle: str
    hint: str


_REQUIRED: Final[Mapping[type[c.Command], _Required]] = {
    c.HoldTasks: _Required(_NOT_STARTED, "held", "Only a task that has not started can be held."),
    c.SetPriority: _Required(_NOT_STARTED, "reprioritised", "Priority matters only before a task starts."),
    c.PinTasks: _Required(_NOT_STARTED, "pinned", "Only a task that has not started can be moved."),
    c.SkipTasks: _Required(_NOT_STARTED, "skipped", "Cancel a running task instead."),
    c.MarkTasks: _Required(_NOT_STARTED | _MAY_RETRY, "marked", "Its own result stands."),
    c.RetryTasks: _Required(
        _MAY_RETRY, "retried", "Only failed, cancelled and skipped tasks are retried; rerun a completed one."
    ),
}


def require_statuses(index: RunIndex, numbers: Iterable[int], command: c.TasksCommand) -> None:
    """Refuse a command if one of its tasks has a status that it may not be given for.

    Raises:
        CommandRefused: one has.
    """
    run, (statuses, participle, hint) = index.run, _REQUIRED[type(command)]
    for number in numbers:
        if run.status[number] not in statuses:
            status = run.status_of(number).value
            words = {"waiting_dependency": "waiting", "pending": "ready"}.get(status, status)
            reason = f"{run.graph.ids[number]!r} cannot be {participle}: it is {words}."
            raise CommandRefused("wrong_status", reason, hint)


def possible_part(scheduler: SchedulerState, command: AnyCommand) -> AnyCommand:
    """The command for those of its tasks only whose status it may be given for; all or none of them: as it is.

    It is for people, who select more than they mean. The scheduler carries out a command for all of its tasks or for
    none.
    """
    required = _REQUIRED.get(type(command))
    if required is None or not isinstance(command, c.TasksCommand) or command.run_id not in scheduler.runs:
        return command
    run = scheduler.runs[command.run_id].run
    place, status, statuses = run.graph.place, run.status, required.statuses
    fitting = tuple(id for id in command.task_ids if id in place and status[place[id]] in statuses)
    return structs.replace(command, task_ids=fitting) if 0 < len(fitting) < len(command.task_ids) else command
