"""What a person or an agent asks for. Imperative values; each is answered with a value or a `CommandRefused`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from starloom.constellation.edits import EditBatch
from starloom.model.device import COOL_DOWN, TRIP_AFTER
from starloom.model.frozen import EMPTY
from starloom.model.plan import Plan
from starloom.model.result import Outcome
from starloom.model.status import Fence, Placement, TaskStatus
from starloom.scheduling.state.run_facts import RunFacts

OPERATOR: Final = "operator"


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """The base class of all commands; `origin` says who gives it."""

    origin: str = OPERATOR


class RunCommand(Command, frozen=True, kw_only=True):
    """A command about one run."""

    run_id: str


class TasksCommand(RunCommand, frozen=True, kw_only=True):
    """A command about some tasks of a run: all of them or, if one does not fit, none."""

    task_ids: tuple[str, ...]


class CreateRun(RunCommand, frozen=True, kw_only=True):
    """Make a run of a plan and, unless told otherwise, start it."""

    plan: Plan
    placement: str | None = None
    """How devices are chosen for its tasks; None: as the plan says, else as the fleet does."""
    start: bool = True
    hold_open: bool = False
    wall_time: float = 0.0


class RecoverRun(RunCommand, frozen=True, kw_only=True):
    """Go on with a run that an earlier program left behind.

    Attributes:
        facts: the run, folded from its stream alone, on the fleet that stream tells of; the scheduler keeps it.
        outcomes: how the attempts that ran last have ended, by task id, where that is certain.
        alive: the tasks whose attempts go on, as their devices have found them alive.
        last_at: the time of the stream's last event.
        done: tasks that are taken as completed though the stream does not tell of it: that part of it is lost.
    """

    facts: RunFacts
    outcomes: Mapping[str, Outcome] = EMPTY
    alive: tuple[str, ...] = ()
    last_at: float = 0.0
    wall_time: float = 0.0
    done: tuple[str, ...] = ()


class StartRun(RunCommand, frozen=True, kw_only=True):
    """Start a run that was created without starting."""


class PauseRun(RunCommand, frozen=True, kw_only=True):
    """Start nothing more of it; what runs goes on."""

    reason: str = ""


class ResumeRun(RunCommand, frozen=True, kw_only=True):
    """Start its tasks again."""

    reason: str = ""


class CancelRun(RunCommand, frozen=True, kw_only=True):
    """Cancel everything of it that has not ended."""

    reason: str = ""


class HoldRunOpen(RunCommand, frozen=True, kw_only=True):
    """Keep it from ending when no task is left, or stop doing so."""

    hold_open: bool = True


class SetRunLimit(RunCommand, frozen=True, kw_only=True):
    """How many of its tasks may run at once."""

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
    """Ask this agent from now on whenever tasks have completed or failed.

    Attributes:
        asks: the kinds of edits, as `constellation.edits.KIND_OF` names them, that wait for a person's approval.
    """

    asks: tuple[str, ...] = ()


class PauseAgent(AgentCommand, frozen=True, kw_only=True):
    """Do not ask it until it is resumed, nor wait for what it is thinking about."""


class ResumeAgent(AgentCommand, frozen=True, kw_only=True):
    """Ask a paused agent again, about what ends from now on."""


class DetachAgent(AgentCommand, frozen=True, kw_only=True):
    """Let it have no part in the run any more."""

    reason: str = ""


class TrustAgent(AgentCommand, frozen=True, kw_only=True):
    """Change which kinds of its edits wait for a person's approval; what waits already still does.

    Attributes:
        asks: see `AttachAgent`.
    """

    asks: tuple[str, ...] = ()


class SetFence(RunCommand, frozen=True, kw_only=True):
    """Change which tasks wait while agents are asked, and for how long they are waited for; what is UNSET stays."""

    fence: Fence | str | UnsetType = UNSET
    modification_timeout: float | UnsetType = UNSET
    approval_timeout: float | UnsetType | None = UNSET


class AnswerEditCycle(AgentCommand, frozen=True, kw_only=True):
    """An agent's answer to what it was asked.

    Attributes:
        proposal: what it wants changed, whatever origin the batch names; None: nothing.
        error: why it could not answer, if so.
    """

    cycle: int
    proposal: EditBatch | None = None
    error: str = ""


class AnswerApproval(RunCommand, frozen=True, kw_only=True):
    """Apply the edits that wait for approval under this number, or don't.

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


class SetBreakpoints(TasksCommand, frozen=True, kw_only=True):
    """Have these tasks stop where they would start."""


class ClearBreakpoints(TasksCommand, frozen=True, kw_only=True):
    """Have these tasks stop there no longer; one that has stopped goes on when it is released."""


class RunUntil(RunCommand, frozen=True, kw_only=True):
    """Start only these tasks and what they depend on; with none named, whatever is ready again."""

    task_ids: tuple[str, ...] = ()


class StepRun(RunCommand, frozen=True, kw_only=True):
    """Start one ready task of a paused run: this one or, with none named, the next; answered with its id."""

    task_id: str = ""


class CancelTasks(TasksCommand, frozen=True, kw_only=True):
    """Cancel these tasks."""

    reason: str = ""


class HoldTasks(TasksCommand, frozen=True, kw_only=True):
    """Do not start these tasks until they are released."""

    reason: str = ""


class ReleaseTasks(TasksCommand, frozen=True, kw_only=True):
    """Let held tasks start again."""

    reason: str = ""


class RetryTasks(TasksCommand, frozen=True, kw_only=True):
    """Run failed, cancelled or skipped tasks again, with some fields changed if wanted."""

    fields: Mapping[str, Any] = EMPTY


class SkipTasks(TasksCommand, frozen=True, kw_only=True):
    """Do not run these tasks; they count as skipped."""

    reason: str = ""


class MarkTasks(TasksCommand, frozen=True, kw_only=True):
    """Say how these tasks ended without running them."""

    status: TaskStatus = TaskStatus.COMPLETED
    value: Any = None


class RerunFrom(RunCommand, frozen=True, kw_only=True):
    """Run a task and everything that depends on it again."""

    task_id: str
    cancel_running: bool = False


class SetPriority(TasksCommand, frozen=True, kw_only=True):
    """Give these tasks another base priority: 0 to 100, or a name."""

    priority: int | str
    reason: str = ""


class PinTasks(TasksCommand, frozen=True, kw_only=True):
    """Run these tasks on this device only, or, with None, wherever their fields allow."""

    device_id: str | None
    reason: str = ""


class SetLimits(Command, frozen=True, kw_only=True):
    """Change limits of the fleet; what is UNSET stays. A group with None is no longer limited."""

    max_concurrency: int | UnsetType | None = UNSET
    groups: Mapping[str, int | None] | UnsetType = UNSET
    max_queue: int | UnsetType = UNSET
    starvation_timeout: float | UnsetType = UNSET
    placement: Placement | UnsetType = UNSET
    modification_timeout: float | UnsetType = UNSET
    """Seconds agents are waited for in runs that say nothing of it."""
    overdue_factor: float | UnsetType = UNSET
    """How many times its estimate an attempt may run before it is overdue; 0: for ever."""


class OpenFleet(Command, frozen=True, kw_only=True):
    """Begin with the fleet of an earlier program: its devices join anew, what an operator said of them holds."""

    wall_time: float = 0.0


class DeviceCommand(Command, frozen=True, kw_only=True):
    """A command about one device."""

    device_id: str


class AddDevice(DeviceCommand, frozen=True, kw_only=True):
    """Put a device into the fleet; it is not connected yet."""

    kind: str
    slots: int | None = None
    capabilities: frozenset[str] = frozenset()
    speed: float = 1.0
    connected: bool = False
    trip_after: int = TRIP_AFTER
    cool_down: float = COOL_DOWN
    actions: frozenset[str] | None = None


class RemoveDevice(DeviceCommand, frozen=True, kw_only=True):
    """Take an unused device out of the fleet."""


class RemoveDevices(Command, frozen=True, kw_only=True):
    """Take unused devices out of the fleet: all of them or, if one is in use, none."""

    device_ids: tuple[str, ...]


class DrainDevice(DeviceCommand, frozen=True, kw_only=True):
    """Give it no new tasks; what runs there goes on."""

    reason: str = ""


class ResumeDevice(DeviceCommand, frozen=True, kw_only=True):
    """Give a drained device tasks again."""

    reason: str = ""


class EnableDevice(DeviceCommand, frozen=True, kw_only=True):
    """Let a disabled device be used again."""

    reason: str = ""


class DisableDevice(DeviceCommand, frozen=True, kw_only=True):
    """Switch a device off for new tasks."""

    reason: str = ""


class TryDeviceAgain(DeviceCommand, frozen=True, kw_only=True):
    """Suspend it no longer: forget its failures and give it tasks as if it had none.

    Attributes:
        on_trial: forget nothing, but try it: the next attempt there shows whether it works.
    """

    on_trial: bool = False


class SetSlots(DeviceCommand, frozen=True, kw_only=True):
    """How many tasks it runs at once; what runs there goes on."""

    slots: int


class CloseAdmission(Command, frozen=True, kw_only=True):
    """Accept no new runs and submissions: the first step of every shutdown."""

    cancel_queued: bool = False
    cancel_running: bool = False
