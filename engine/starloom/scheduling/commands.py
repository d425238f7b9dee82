"""Commands of persons and agents: immutable values, each answered with a value or a `CommandRefused`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from starloom.constellation.edits import EditBatch
from starloom.model.agent_terms import EditScope, EndFilter, OnConflict
from starloom.model.device import COOL_DOWN, TRIP_AFTER
from starloom.model.frozen import EMPTY
from starloom.model.plan import Plan
from starloom.model.result import Outcome
from starloom.model.status import Fence, Placement, TaskStatus
from starloom.scheduling.state.run_facts import RunFacts

OPERATOR: Final = "operator"


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """The base class of all commands; `origin` gives it, and may give it again where `id` is not empty."""

    origin: str = OPERATOR
    id: str = ""


class RunCommand(Command, frozen=True, kw_only=True):
    """A command about one run."""

    run_id: str


class TasksCommand(RunCommand, frozen=True, kw_only=True):
    """A command about some tasks of a run; it applies to all of them or, if it is refused for one, to none."""

    task_ids: tuple[str, ...]


class CreateRun(RunCommand, frozen=True, kw_only=True):
    """Make a run of a plan and, unless told otherwise, start it."""

    plan: Plan
    placement: str | None = None  # how devices are chosen for its tasks; None: as the plan says, else as the fleet does
    start: bool = True
    hold_open: bool = False
    wall_time: float = 0.0


class RecoverRun(RunCommand, frozen=True, kw_only=True):
    """Resume a run that an earlier program left unfinished.

    Attributes:
        facts: the run, folded from its stream alone, on the fleet that stream tells of; the scheduler keeps it.
        outcomes: how the attempts that ran last have ended, by task id, where that is certain.
        alive: the tasks whose attempts go on, as their devices have found them alive.
        last_at: the time of the stream's last event.
        done: tasks that are taken as completed though the stream does not tell of it: that part of it is lost.
        agents: who stays attached, as the new program brings them again, and is asked once more; others are detached.
    """

    facts: RunFacts
    outcomes: Mapping[str, Outcome] = EMPTY
    alive: tuple[str, ...] = ()
    last_at: float = 0.0
    wall_time: float = 0.0
    done: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()


class StartRun(RunCommand, frozen=True, kw_only=True):
    """Start a run that was created without starting."""


class PauseRun(RunCommand, frozen=True, kw_only=True):
    """Start no more tasks of the run; running attempts go on. One that is not started yet begins without any."""

    reason: str = ""


class ResumeRun(RunCommand, frozen=True, kw_only=True):
    """Start the run's tasks again."""

    reason: str = ""


class CancelRun(RunCommand, frozen=True, kw_only=True):
    """Cancel all tasks of the run that have not ended."""

    reason: str = ""


class HoldRunOpen(RunCommand, frozen=True, kw_only=True):
    """Keep the run from ending when no task is left, or stop doing so."""

    hold_open: bool = True


class SetRunLimit(RunCommand, frozen=True, kw_only=True):
    """Set how many of the run's tasks may run at once."""

    max_concurrency: int | None


class EditConstellation(Command, frozen=True, kw_only=True):
    """Apply a batch of edits; the batch names its origin itself."""

    run_id: str
    batch: EditBatch
    is_submission: bool = False
    """Whether it is refused while the queue is full."""


class AgentCommand(RunCommand, frozen=True, kw_only=True):
    """A command about an agent of a run, by its name."""

    agent: str


class AttachAgent(AgentCommand, frozen=True, kw_only=True):
    """Attach an agent: from now on it is asked whenever tasks have completed or failed.

    Attributes:
        asks: the kinds of edits, as `constellation.edits.KIND_OF` names them, that wait for a person's approval.
        on: it is asked about ends that are in one of these; none: about all.
        scope: what it may remove, change or give a dependency; None: everything.
        on_conflict: what becomes of its edits of tasks that have started, behind the fence `optimistic`; None: `drop`.
    """

    asks: tuple[str, ...] = ()
    on: tuple[EndFilter, ...] = ()
    scope: EditScope | None = None
    on_conflict: OnConflict | None = None


class PauseAgent(AgentCommand, frozen=True, kw_only=True):
    """Pause the agent: it is asked nothing until resumed, and its open answer is not waited for."""


class ResumeAgent(AgentCommand, frozen=True, kw_only=True):
    """Resume a paused agent, which is asked about tasks that end from now on."""


class DetachAgent(AgentCommand, frozen=True, kw_only=True):
    """Detach the agent from the run."""

    reason: str = ""


class TrustAgent(AgentCommand, frozen=True, kw_only=True):
    """Change which kinds of its edits need approval; proposals that wait already still do.

    Attributes:
        asks: see `AttachAgent`.
    """

    asks: tuple[str, ...] = ()


class SetFence(RunCommand, frozen=True, kw_only=True):
    """Change which tasks wait while agents are asked, and the timeouts of agents and approvals; UNSET fields stay.

    Attributes:
        fence: None: that of the agents' scopes, as if it had never been set.
    """

    fence: Fence | str | UnsetType | None = UNSET
    modification_timeout: float | UnsetType = UNSET
    approval_timeout: float | UnsetType | None = UNSET


class AnswerEditCycle(AgentCommand, frozen=True, kw_only=True):
    """The answer of an agent to an edit cycle.

    Attributes:
        proposal: what it wants changed, whatever origin the batch names; None: nothing.
        error: why it could not answer, if so.
    """

    cycle: int
    proposal: EditBatch | None = None
    error: str = ""


class AnswerApproval(RunCommand, frozen=True, kw_only=True):
    """Apply or drop the edits that wait for approval under this number.

    Attributes:
        without: which of them are not applied, by their positions from 0; the others are, as one batch.
    """

    approval: int
    accept: bool
    note: str = ""
    without: tuple[int, ...] = ()


class AnswerGate(RunCommand, frozen=True, kw_only=True):
    """A person's answer to a gate.

    Attributes:
        note: becomes the value of the gate's result.
        attempt: which asking of the gate is meant, as `GateOpened` counts them; None: the one that is open.
    """

    task_id: str
    approve: bool
    note: str = ""
    attempt: int | None = None


class AnswerQuestion(RunCommand, frozen=True, kw_only=True):
    """A person's answer to a question of a running task, or to several that are alike.

    Attributes:
        numbers: which questions, as `QuestionAsked` counts them.
        option: the id of the chosen option; empty: a text is the answer, or all is rejected.
        note: that text, or what else is said; whoever asked reads it.
        reject: whether what is asked for is not allowed, whichever options there are.
    """

    numbers: tuple[int, ...]
    option: str = ""
    note: str = ""
    reject: bool = False


class SetBreakpoints(TasksCommand, frozen=True, kw_only=True):
    """Set breakpoints: these tasks stop where they would start."""


class ClearBreakpoints(TasksCommand, frozen=True, kw_only=True):
    """Clear the breakpoints of these tasks; a stopped task starts when it is released."""


class RunUntil(RunCommand, frozen=True, kw_only=True):
    """Start only these tasks and what they depend on, also of a paused run; with none named, all tasks again."""

    task_ids: tuple[str, ...] = ()


class StepRun(RunCommand, frozen=True, kw_only=True):
    """Start one ready task of a paused run: this one or, with none named, the next; the answer is its id."""

    task_id: str = ""


class CancelTasks(TasksCommand, frozen=True, kw_only=True):
    """Cancel these tasks."""

    reason: str = ""


class HoldTasks(TasksCommand, frozen=True, kw_only=True):
    """Hold these tasks, so that they do not start until they are released."""

    reason: str = ""


class ReleaseTasks(TasksCommand, frozen=True, kw_only=True):
    """Release held tasks."""

    reason: str = ""


class RetryTasks(TasksCommand, frozen=True, kw_only=True):
    """Run failed, cancelled or skipped tasks again, optionally with changed fields."""

    fields: Mapping[str, Any] = EMPTY


class SkipTasks(TasksCommand, frozen=True, kw_only=True):
    """Skip these tasks without running them."""

    reason: str = ""


class MarkTasks(TasksCommand, frozen=True, kw_only=True):
    """Set the outcome of these tasks without running them."""

    status: TaskStatus = TaskStatus.COMPLETED
    value: Any = None


class RerunFrom(RunCommand, frozen=True, kw_only=True):
    """Run a task and all its descendants again."""

    task_id: str
    cancel_running: bool = False


class SetPriority(TasksCommand, frozen=True, kw_only=True):
    """Set the base priority of these tasks: 0 to 100, or a name."""

    priority: int | str
    reason: str = ""


class PinTasks(TasksCommand, frozen=True, kw_only=True):
    """Pin these tasks to this device or, with None, unpin them."""

    device_id: str | None
    reason: str = ""


class SetLimits(Command, frozen=True, kw_only=True):
    """Change limits of the fleet, see `LimitsChanged`; UNSET fields stay. A group with None is no longer limited."""

    max_concurrency: int | UnsetType | None = UNSET
    groups: Mapping[str, int | None] | UnsetType = UNSET
    max_queue: int | UnsetType = UNSET
    starvation_timeout: float | UnsetType = UNSET
    placement: Placement | UnsetType = UNSET
    modification_timeout: float | UnsetType = UNSET
    overdue_factor: float | UnsetType = UNSET


class OpenFleet(Command, frozen=True, kw_only=True):
    """Open the fleet of an earlier program: its devices reconnect, with the operator's settings for them."""

    wall_time: float = 0.0


class DeviceCommand(Command, frozen=True, kw_only=True):
    """A command about one device."""

    device_id: str


class AddDevice(DeviceCommand, frozen=True, kw_only=True):
    """Add a device to the fleet; it is not connected yet."""

    kind: str
    slots: int | None = None
    capabilities: frozenset[str] = frozenset()
    speed: float = 1.0
    connected: bool = False
    trip_after: int = TRIP_AFTER
    cool_down: float = COOL_DOWN
    actions: frozenset[str] | None = None
    asks_when_interrupted: bool = False


class RemoveDevice(DeviceCommand, frozen=True, kw_only=True):
    """Remove an unused device from the fleet."""


class RemoveDevices(Command, frozen=True, kw_only=True):
    """Remove unused devices from the fleet: all of them or, if one is in use, none."""

    device_ids: tuple[str, ...]


class DrainDevice(DeviceCommand, frozen=True, kw_only=True):
    """Stop giving the device new tasks; running attempts continue."""

    reason: str = ""


class ResumeDevice(DeviceCommand, frozen=True, kw_only=True):
    """Resume a drained device, which gets tasks again."""

    reason: str = ""


class EnableDevice(DeviceCommand, frozen=True, kw_only=True):
    """Enable a disabled device."""

    reason: str = ""


class DisableDevice(DeviceCommand, frozen=True, kw_only=True):
    """Disable a device for new tasks."""

    reason: str = ""


class TryDeviceAgain(DeviceCommand, frozen=True, kw_only=True):
    """End the suspension of a device and reset its count of failures.

    Attributes:
        on_trial: forget nothing, but try it: the next attempt there shows whether it works.
    """

    on_trial: bool = False


class SetSlots(DeviceCommand, frozen=True, kw_only=True):
    """Set how many tasks the device runs at once; running attempts go on."""

    slots: int


class CloseAdmission(Command, frozen=True, kw_only=True):
    """Accept no new runs and submissions: the first step of each shutdown."""

    cancel_queued: bool = False
    cancel_running: bool = False
