"""The event vocabulary: what happened, in the past tense, as tagged and versioned values.

Each event stands in one stream, the fleet's (`run_id` is empty) or a run's, under a number without gaps, and carries
the time of its turn in seconds on the engine's clock. Events are deltas; only `RunCreated` and `TasksDeclared` carry a
plan. `scheduling.apply` is the one place that gives them meaning. No behaviour belongs here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from starloom.constellation.edits import Edit
from starloom.errors import Problem
from starloom.model.dependency import Dependency
from starloom.model.device import COOL_DOWN, TRIP_AFTER, DeviceSpec
from starloom.model.note import Note
from starloom.model.plan import NO_LIMITS, Limits, PlanIndex
from starloom.model.result import EMPTY_RESULT, Result
from starloom.model.status import Fence, RunState, Severity, TaskStatus
from starloom.model.task import Task

FORMAT_VERSION: Final = 1
"""Grows when the meaning or the fields of an event change; a journal names the version it was written with."""


class Event(msgspec.Struct, frozen=True, tag=True, omit_defaults=True, forbid_unknown_fields=True):
    """What happened.

    Attributes:
        seq: the number in its stream, from 1.
        at: seconds on the engine's clock.
        run_id: the run whose stream this is; empty for the fleet's.
    """

    seq: int
    at: float
    run_id: str


# ---- the life of a run


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
    """Nothing more of the run starts; what runs goes on."""

    origin: str = ""
    reason: str = ""


class RunResumed(Event, frozen=True):
    """The run's tasks may start again."""

    origin: str = ""
    reason: str = ""


class RunCancelRequested(Event, frozen=True):
    """Everything of the run that has not ended is being cancelled."""

    origin: str = ""
    reason: str = ""
    because: str | None = None
    """The critical task whose failure aborted the run, if that is why."""


class RunHeldOpen(Event, frozen=True):
    """The run no longer ends, or again ends, when no task is left."""

    hold_open: bool = True
    origin: str = ""


class RunLimitSet(Event, frozen=True):
    """How many tasks of this run may run at once has changed."""

    max_concurrency: int | None = None
    origin: str = ""


class RunStalled(Event, frozen=True):
    """Nothing runs and nothing can start until somebody does something."""

    reasons: tuple[str, ...] = ()


class RunEnded(Event, frozen=True):
    """No task is left; the run has its final state."""

    state: RunState = RunState.COMPLETED


class RunReopened(Event, frozen=True):
    """An ended run goes on: tasks were added, retried, rerun or marked."""

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


# ---- the life of a task


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
    """A running attempt was told to stop; it keeps its slot until it really has."""

    task_id: str
    cause: str
    """`timeout`, `cancelled`, `rerun`, `skipped` or `shutdown`."""
    origin: str = ""
    reason: str = ""


class TaskStuck(Event, frozen=True, gc=False):
    """An attempt that was told to stop goes on regardless; nothing can kill it, and it keeps its slot."""

    task_id: str
    attempt: int = 0
    device_id: str = ""


class TaskWarned(Event, frozen=True, gc=False):
    """A running attempt says that something is not as it should be; it goes on."""

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
    """An attempt of an earlier program goes on; it holds its slot from the `FleetSnapshot` on that follows."""

    task_id: str
    attempt: int = 0
    device_id: str = ""
    slot: int = 0
    started_at: float = 0.0
    """When it started: its timeout runs from then."""


class AttemptBegan(Event, frozen=True, gc=False):
    """The work of a running attempt begins, for which it had to wait: it counts as started now, as for its timeout."""

    task_id: str
    attempt: int = 0


class AttemptTimed(Event, frozen=True):
    """An attempt that has ended really ran from then to then; to None: nobody knows how long, and nothing is learnt."""

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
        """What that means for the run; None in journals of earlier versions: what the task says."""
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
    """Somebody said how the task ended, without running it."""

    task_id: str
    status: TaskStatus = TaskStatus.COMPLETED
    result: Result = EMPTY_RESULT
    origin: str = ""


class TaskReset(Event, frozen=True):
    """The task is to run again; its attempts so far are history."""

    task_id: str
    cause: str = "retry"
    """`retry`, `rerun`, or `revived`: skipped because of a parent that now runs again."""
    because: str | None = None
    origin: str = ""


class ConditionEvaluated(Event, frozen=True):
    """A dependency's condition was answered when its parent ended."""

    parent: str
    child: str
    verdict: bool = False
    error: str = ""
    """Why it could not be evaluated, which counts as no."""


# ---- steering


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
    """A gate is not waited for any more; how its task ends by that, the next event says."""

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
    """Somebody has one task of a paused run start."""

    task_id: str
    origin: str = ""


# ---- structure


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


# ---- agents


class AgentAttached(Event, frozen=True):
    """An agent is asked from now on whenever tasks of the run have completed or failed."""

    agent: str
    asks: tuple[str, ...] = ()
    """The kinds of edits (`constellation.edits.KIND_OF`) that wait for a person's approval."""
    origin: str = ""


class AgentPaused(Event, frozen=True):
    """An agent is not asked until it is resumed; what it was asked is not waited for any more."""

    agent: str
    origin: str = ""


class AgentResumed(Event, frozen=True):
    """A paused agent is asked again, about what ends from now on."""

    agent: str
    origin: str = ""


class AgentTrusted(Event, frozen=True):
    """Other kinds of an agent's edits than before wait for a person's approval, from its next answer on."""

    agent: str
    asks: tuple[str, ...] = ()
    origin: str = ""


class AgentDetached(Event, frozen=True):
    """An agent has no part in the run any more; what it proposed for approval stays."""

    agent: str
    origin: str = ""
    reason: str = ""


class FenceSet(Event, frozen=True):
    """Which tasks wait while an edit cycle is open, or for how long it is waited for, is otherwise now."""

    fence: Fence = Fence.GLOBAL
    modification_timeout: float = 600.0
    """Seconds from handing a batch over until nobody waits for the answer any more."""
    approval_timeout: float | None = None
    """Likewise for the person who is to approve of an edit; None: that is waited for however long it takes."""
    origin: str = ""


class EditCycleOpened(Event, frozen=True):
    """All tasks that have ended since the last time were handed over to these agents."""

    cycle: int
    agents: tuple[str, ...] = ()
    task_ids: tuple[str, ...] = ()


class AgentAnswered(Event, frozen=True):
    """An agent answered; its edits are committed in its turn, refused, or wait for approval, as later events say."""

    cycle: int
    agent: str
    count: int = 0
    """How many edits it proposed; 0: none."""
    edits: tuple[Edit, ...] = ()
    """Those edits if they would do; empty if they are refused at once."""
    reason: str = ""
    base_revision: int | None = None
    error: str = ""
    """Why it could not answer, which counts as no edits."""
    is_late: bool = False
    """Nobody had waited for it any more."""


class ProposalSettled(Event, frozen=True):
    """An agent's edits were applied or refused when their turn came."""

    cycle: int
    agent: str
    is_accepted: bool = True


class ProposalStaged(Event, frozen=True):
    """An agent's edits wait for a person's approval."""

    approval: int
    cycle: int
    agent: str
    task_ids: tuple[str, ...] = ()
    """The batch they answer to; empty if the answer came late."""
    edits: tuple[Edit, ...] = ()
    reason: str = ""
    base_revision: int | None = None


class EditCycleClosed(Event, frozen=True):
    """Nobody waits for this cycle any more."""

    cycle: int
    how: str = "answered"
    """`answered`, `timed_out`, `withdrawn` (the last one was paused or detached), `cancelled` with the run, or
    `interrupted`: the program died.
    """
    late: tuple[str, ...] = ()
    """The agents that had not answered."""


class ApprovalAnswered(Event, frozen=True):
    """A staged proposal waits no more."""

    approval: int
    how: str = "accepted"
    """`accepted`: the edits were applied; `rejected`, `expired`, or `cancelled` with the run."""
    note: str = ""
    origin: str = ""
    left_out: tuple[int, ...] = ()
    """Which of the edits were not applied though the others were, by their positions from 0, in ascending order."""


# ---- the fleet


class FleetOpened(Event, frozen=True):
    """A program took the fleet up: devices join anew, and what an operator has said of them and of limits holds."""

    wall_time: float = 0.0
    """Seconds since 1970 at `at`."""


class FleetSnapshot(Event, frozen=True):
    """The fleet as it is when a run's stream opens."""

    fleet: Mapping[str, Any] = msgspec.field(default_factory=dict)


class FleetLoad(Event, frozen=True):
    """How many slots the other runs hold now, per device; in the stream of a run that did not take them."""

    used: Mapping[str, int] = msgspec.field(default_factory=dict)


class DeviceAdded(Event, frozen=True):
    """A device belongs to the fleet."""

    device_id: str
    kind: str = ""
    slots: int | None = None
    """None: as many as are asked for."""
    capabilities: tuple[str, ...] = ()
    speed: float = 1.0
    connected: bool = False
    trip_after: int = TRIP_AFTER
    cool_down: float = COOL_DOWN
    actions: tuple[str, ...] | None = None
    """What it can do: actions of tasks, those of handlers as `call:NAME`; None: it does not say."""


class DeviceActionsChanged(Event, frozen=True):
    """A device can do other things than before, or has said of a task that it cannot do such ones."""

    device_id: str
    actions: tuple[str, ...] | None = None
    """As for `DeviceAdded`."""
    unsupported: tuple[str, ...] = ()
    """What it was given in vain; forgotten when it is connected again or says anew what it can do."""
    reason: str = ""


class DeviceRemoved(Event, frozen=True):
    """A device no longer belongs to the fleet."""

    device_id: str
    origin: str = ""


class DeviceConnecting(Event, frozen=True):
    """A device is being reached."""

    device_id: str
    attempt: int = 1


class DeviceConnected(Event, frozen=True):
    """A device can be used."""

    device_id: str
    capabilities: tuple[str, ...] = ()


class DeviceLost(Event, frozen=True):
    """A device does not answer any more; what ran on it has failed, unless it is waited for."""

    device_id: str
    reason: str = ""
    will_reconnect: bool = True
    failures: int = 0
    """How many of the device in a row that makes; those of a suspended one are not counted."""
    refused: bool = False
    """Whether it cannot be used until a person does something, which the reason says."""
    retry_at: float | None = None
    """When it is reached for again; None: nobody knows."""
    waits_until: float = 0.0
    """Until then what runs there is waited for, as it may go on without the link; 0: it is not."""


class DeviceFaulted(Event, frozen=True):
    """A connected device could not begin an attempt, or nothing but fails at once; `failures` as for `DeviceLost`."""

    device_id: str
    reason: str = ""
    failures: int = 0


class BreakerOpened(Event, frozen=True):
    """A device has failed too often in a row, the last time for this reason: suspended, it gets no tasks until then."""

    device_id: str
    until: float = 0.0
    failures: int = 0
    reason: str = ""


class BreakerHalfOpened(Event, frozen=True):
    """A suspended device is on trial: it gets one task at a time until one shows that it works."""

    device_id: str


class BreakerClosed(Event, frozen=True):
    """A device that had failed works again, as an attempt has shown, or is to be treated so, as the origin says."""

    device_id: str
    origin: str = ""


class DeviceDrained(Event, frozen=True):
    """A device takes no new tasks; what runs there goes on."""

    device_id: str
    origin: str = ""
    reason: str = ""


class DeviceResumed(Event, frozen=True):
    """A drained device takes tasks again."""

    device_id: str
    origin: str = ""
    reason: str = ""


class DeviceDisabled(Event, frozen=True):
    """A device is switched off for new tasks until it is enabled."""

    device_id: str
    origin: str = ""
    reason: str = ""


class DeviceEnabled(Event, frozen=True):
    """A disabled device may be used again."""

    device_id: str
    origin: str = ""
    reason: str = ""


class DeviceSlotsSet(Event, frozen=True):
    """A device has another number of slots; what runs there goes on."""

    device_id: str
    slots: int | None = None
    origin: str = ""


class LimitsChanged(Event, frozen=True):
    """The fleet's limits are these now."""

    max_concurrency: int | None = None
    groups: Mapping[str, int] = msgspec.field(default_factory=dict)
    max_queue: int = 0
    starvation_timeout: float = 30.0
    placement: str = "load_balance"
    origin: str = ""
    modification_timeout: float = 600.0
    """Seconds agents are waited for in runs that say nothing of it."""
    overdue_factor: float = 3.0
    """How many times its estimate an attempt may run before it is overdue; 0: for ever."""


# ---- told to a subscriber, never journalled


class Snapshot(Event, frozen=True):
    """The state to fold on from, for a subscriber that joined late or fell behind.

    Attributes:
        missed: how many events the subscriber lost before this; 0 when it has just joined.
        state: a `scheduling.run_facts.RunView` of its own, nobody else changes it.
    """

    missed: int = 0
    state: Any = None
