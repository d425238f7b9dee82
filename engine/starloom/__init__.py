"""Starloom: run task graphs on many devices at once, and edit them while they run."""

from starloom.constellation.edits import (
    AddDependency,
    AddTask,
    EditBatch,
    RemoveDependency,
    RemoveTask,
    UpdateDependency,
    UpdateTask,
)
from starloom.devices.base import Device, Metrics, TaskContext
from starloom.devices.inprocess import InProcessDevice
from starloom.devices.local import LocalDevice
from starloom.devices.simulated import SimulatedDevice
from starloom.errors import (
    CommandRefused,
    DeviceError,
    EditRefused,
    PlanError,
    Problem,
    QueueFull,
    SettingsError,
    StarloomError,
)
from starloom.events import (
    ConstellationModified,
    DeviceLost,
    Event,
    RunEnded,
    RunStalled,
    Snapshot,
    TaskCancelled,
    TaskCompleted,
    TaskFailed,
    TaskReady,
    TaskRetryScheduled,
    TaskSkipped,
    TaskStarted,
)
from starloom.formats import load_plan, save_plan
from starloom.journal.base import Journal, JournalError, MemoryJournal, NullJournal
from starloom.model.dependency import Dependency
from starloom.model.device import DeviceSpec
from starloom.model.plan import Limits, Plan
from starloom.model.result import Outcome, OutcomeStatus, Result, TaskError
from starloom.model.status import (
    Backoff,
    DependencyKind,
    DeviceStatus,
    Join,
    Placement,
    RunState,
    Severity,
    TaskStatus,
)
from starloom.model.task import Prefer, Retry, Simulate, Task
from starloom.orchestration.bus import Subscription
from starloom.orchestration.orchestrator import Orchestrator
from starloom.orchestration.run import Run
from starloom.orchestration.standing import SubmissionFailed
from starloom.scheduling.summary import RunSummary
from starloom.scheduling.why import Reason
from starloom.settings import SchedulerSettings, load_settings

__all__ = [
    "AddDependency",
    "AddTask",
    "Backoff",
    "CommandRefused",
    "ConstellationModified",
    "Dependency",
    "DependencyKind",
    "Device",
    "DeviceError",
    "DeviceLost",
    "DeviceSpec",
    "DeviceStatus",
    "EditBatch",
    "EditRefused",
    "Event",
    "InProcessDevice",
    "Join",
    "Journal",
    "JournalError",
    "Limits",
    "LocalDevice",
    "MemoryJournal",
    "Metrics",
    "NullJournal",
    "Orchestrator",
    "Outcome",
    "OutcomeStatus",
    "Placement",
    "Plan",
    "PlanError",
    "Prefer",
    "Problem",
    "QueueFull",
    "Reason",
    "RemoveDependency",
    "RemoveTask",
    "Result",
    "Retry",
    "Run",
    "RunEnded",
    "RunStalled",
    "RunState",
    "RunSummary",
    "SchedulerSettings",
    "SettingsError",
    "Severity",
    "Simulate",
    "SimulatedDevice",
    "Snapshot",
    "StarloomError",
    "SubmissionFailed",
    "Subscription",
    "Task",
    "TaskCancelled",
    "TaskCompleted",
    "TaskContext",
    "TaskError",
    "TaskFailed",
    "TaskReady",
    "TaskRetryScheduled",
    "TaskSkipped",
    "TaskStarted",
    "TaskStatus",
    "UpdateDependency",
    "UpdateTask",
    "load_plan",
    "load_settings",
    "save_plan",
]
