"""Events of steering: tasks held, prioritised and pinned; gates, breakpoints, steps."""

from __future__ import annotations

from starloom.events.base import Event


class TasksHeld(Event, frozen=True):
    """These tasks do not start until they are released."""

    task_ids: tuple[str, ...] = ()
    origin: str = ""
    reason: str = ""


class TasksReleased(Event, frozen=True):
    """These tasks may start again."""

    task_ids: tuple[str, ...] = ()
    origin: str = ""
    reason: str = ""


class TasksPrioritised(Event, frozen=True):
    """These tasks have another base priority."""

    task_ids: tuple[str, ...] = ()
    priority: int = 50
    origin: str = ""
    reason: str = ""


class TasksPinned(Event, frozen=True):
    """These tasks run on this device only, or, with None, wherever their fields allow."""

    task_ids: tuple[str, ...] = ()
    device_id: str | None = None
    origin: str = ""
    reason: str = ""


class GateOpened(Event, frozen=True):
    """A gate asks a person, for the time that `attempt` counts."""

    task_id: str
    attempt: int = 1


class GateAnswered(Event, frozen=True):
    """A gate was answered; the next event has the outcome of its task."""

    task_id: str
    attempt: int = 1
    how: str = "approved"
    """`approved`, `rejected`; `proceeded`, `skipped` or `aborted`: nobody had answered when its countdown was over."""
    note: str = ""
    origin: str = ""


class BreakpointsSet(Event, frozen=True):
    """These tasks stop where they would start, or no longer do; what has stopped there is held all the same."""

    task_ids: tuple[str, ...] = ()
    is_set: bool = True
    origin: str = ""


class BreakpointReached(Event, frozen=True):
    """A task would have started and is held now, as it has a breakpoint."""

    task_id: str


class RunUntilSet(Event, frozen=True):
    """Only these tasks, and what they depend on, start from now on; none: whatever is ready."""

    task_ids: tuple[str, ...] = ()
    origin: str = ""


class RunStepped(Event, frozen=True):
    """One task of a paused run was started by an operator."""

    task_id: str
    origin: str = ""
