"""Events of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from starloom.events.base import Event
from starloom.model.dependency import Dependency
from starloom.model.device import DeviceSpec
from starloom.model.note import Note
from starloom.model.plan import NO_LIMITS, Limits, PlanIndex
from starloom.model.status import RunState
from starloom.model.task import Task


class RunCreated(Event, frozen=True):
    """A run of a plan came into being; `TasksDeclared` events with its tasks follow."""

    name: str = ""
    description: str = ""
    limits: Limits = NO_LIMITS
    metadata: Mapping[str, Any] = msgspec.field(default_factory=dict)
    origin: str = ""
    hold_open: bool = False
    wall_time: float = 0.0
    """Seconds since 1970 at `at`; for display."""
    devices: tuple[DeviceSpec, ...] = ()
    rules: tuple[Any, ...] = ()
    """What the plan asks for and what it wants changed as tasks end, so that the run can be taken up elsewhere."""
    notes: tuple[Note, ...] = ()
    """What is written beside the tasks of the plan."""
    placement: str | None = None
    """How devices are chosen for its tasks; None: as the fleet says."""
    overdue_factor: float | None = None
    """How many times its estimate an attempt may run before it is overdue; None: as the fleet has it, 0: for ever."""
    agents: tuple[Any, ...] = ()
    """The terms of agents, as the plan has them."""


class TasksDeclared(Event, frozen=True):
    """A part of the plan a run was created from."""

    tasks: tuple[Task, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    index: PlanIndex | None = None
    """The adjacency the plan's validation built, where it is at hand; never journalled."""


class RunReadied(Event, frozen=True):
    """The whole plan is declared; the run may start."""


class RunStarted(Event, frozen=True):
    """The run's tasks may be dispatched."""

    origin: str = ""


class RunPaused(Event, frozen=True):
    """The run starts no more tasks; running attempts continue."""

    origin: str = ""
    reason: str = ""


class RunResumed(Event, frozen=True):
    """The run's tasks may start again."""

    origin: str = ""
    reason: str = ""


class RunCancelRequested(Event, frozen=True):
    """All tasks of the run that have not ended are being cancelled."""

    origin: str = ""
    reason: str = ""
    because: str | None = None
    """The critical task whose failure aborted the run, if that is why."""


class RunHeldOpen(Event, frozen=True):
    """The run no longer ends, or again ends, when no task is left."""

    hold_open: bool = True
    origin: str = ""


class RunLimitSet(Event, frozen=True):
    """The number of tasks of this run that may run at once has changed."""

    max_concurrency: int | None = None
    origin: str = ""


class RunStalled(Event, frozen=True):
    """No task runs, and none can start without an action of a person."""

    reasons: tuple[str, ...] = ()
    """Why; empty: that is over, and tasks start once there is room."""


class RunEnded(Event, frozen=True):
    """No task is left; the run has its final state."""

    state: RunState = RunState.COMPLETED


class RunReopened(Event, frozen=True):
    """An ended run continues: tasks were added, retried, rerun or marked."""

    origin: str = ""
    state: RunState = RunState.EXECUTING
    """Or as it was before its end `paused`, or `ready` if it was never started."""


class RunRecovered(Event, frozen=True):
    """Another program took the run up; what ran then follows, as ended where that is certain, else as interrupted."""

    wall_time: float = 0.0
    """Seconds since 1970 at `at`."""
    shift: float = 0.0
    """What is added to every time before this event, so that the run goes on where it was left, or where the last of
    what ran without a program is known to have been."""
    origin: str = ""
