"""Events of tasks and their attempts."""

from __future__ import annotations

from starloom.events.base import Event
from starloom.model.result import EMPTY_RESULT, Result
from starloom.model.status import Severity, TaskStatus


class TaskReady(Event, frozen=True, gc=False):
    """Every dependency said yes, or the pause before a retry is over: the task is in the queue."""

    task_id: str


class TaskStarted(Event, frozen=True, gc=False):
    """An attempt was ordered on a slot of a device."""

    task_id: str
    attempt: int
    device_id: str
    slot: int
    promoted: bool = False
    """It started by its age while one of higher base priority was still ready."""


class TaskStopping(Event, frozen=True, gc=False):
    """A running attempt is to stop; it keeps its slot until it really has."""

    task_id: str
    cause: str
    """`timeout`, `cancelled`, `rerun`, `replaced`, `skipped` or `shutdown`."""
    origin: str = ""
    reason: str = ""


class TaskStuck(Event, frozen=True, gc=False):
    """An attempt that was told to stop continues; it cannot be killed, and keeps its slot."""

    task_id: str
    attempt: int = 0
    device_id: str = ""


class TaskWarned(Event, frozen=True, gc=False):
    """A running attempt has reported a warning; it continues."""

    task_id: str
    attempt: int = 0
    message: str = ""


class TaskOverdue(Event, frozen=True, gc=False):
    """A running attempt takes far longer than was expected; that is said once of it, and changes nothing."""

    task_id: str
    attempt: int = 0
    device_id: str = ""
    expected: float = 0.0
    """Seconds it was expected to take on that device."""


class TaskInterrupted(Event, frozen=True):
    """An attempt came to no end that counts: the task is ready again, and the attempt is none of its retries."""

    task_id: str
    attempt: int = 0
    reason: str = ""
    """Why; empty: the program that ran it died, and nobody knows how it would have ended."""


class AttemptReattached(Event, frozen=True):
    """An attempt of an earlier program continues; it holds its slot from the following `FleetSnapshot` on."""

    task_id: str
    attempt: int = 0
    device_id: str = ""
    slot: int = 0
    started_at: float = 0.0
    """When it started: its timeout runs from then."""


class AttemptBegan(Event, frozen=True, gc=False):
    """The work of a running attempt has begun, for which it had to wait: it counts as started then, its timeout too."""

    task_id: str
    attempt: int = 0
    began_at: float | None = None
    """When, if that was before it was heard; None: now."""


class AttemptWorkEnded(Event, frozen=True, gc=False):
    """The work of a running attempt has ended, and its slot is free; what it has left is still being brought here."""

    task_id: str
    attempt: int = 0


class AttemptTimed(Event, frozen=True):
    """The real begin and end of an ended attempt are known; to None: unknown, and no estimate uses it."""

    task_id: str
    attempt: int = 0
    started_at: float = 0.0
    ended_at: float | None = None


class AttemptEndedLate(Event, frozen=True):
    """An attempt that was given up as lost has ended, by itself if there is an exit code; its task went on without."""

    task_id: str
    attempt: int = 0
    device_id: str = ""
    exit_code: int | None = None
    ended_at: float | None = None


class TaskCompleted(Event, frozen=True, gc=False):
    """The task did what it should."""

    task_id: str
    attempt: int = 0
    result: Result = EMPTY_RESULT


class TaskRetryScheduled(Event, frozen=True, gc=False):
    """An attempt failed; another one is due at `retry_at`."""

    task_id: str
    attempt: int = 0
    result: Result = EMPTY_RESULT
    retry_at: float = 0.0


class TaskFailed(Event, frozen=True, gc=False):
    """The last attempt failed."""

    task_id: str
    attempt: int = 0
    result: Result = EMPTY_RESULT

    @property
    def severity(self) -> Severity | None:
        """The severity of the failure for the run; None in journals of earlier versions: that of the task."""
        return None if self.result.error is None else self.result.error.severity


class TaskCancelled(Event, frozen=True, gc=False):
    """The task will not run, or was stopped while it ran."""

    task_id: str
    attempt: int = 0
    result: Result = EMPTY_RESULT
    reason: str = ""
    origin: str = ""


class TaskSkipped(Event, frozen=True):
    """The task will not run because of what its dependencies said, or because somebody said so."""

    task_id: str
    reason: str = ""
    because: str | None = None
    """The parent that said no; None: an operator or agent skipped it."""
    origin: str = ""


class TaskMarked(Event, frozen=True):
    """The outcome of a task was set without running it: by an operator, or as it is bypassed."""

    task_id: str
    status: TaskStatus = TaskStatus.COMPLETED
    result: Result = EMPTY_RESULT
    origin: str = ""
    bypassed: bool = False
    """It was its turn to start, and it is bypassed."""


class TaskReset(Event, frozen=True):
    """The task is to run again; its attempts so far are history."""

    task_id: str
    cause: str = "retry"
    """`retry`, `rerun`, `replaced` by an agent, or `revived`: skipped because of a parent that now runs again."""
    because: str | None = None
    origin: str = ""


class ConditionEvaluated(Event, frozen=True):
    """A dependency's condition was answered when its parent ended."""

    parent: str
    child: str
    verdict: bool = False
    error: str = ""
    """The reason why it could not be evaluated, which counts as no."""
