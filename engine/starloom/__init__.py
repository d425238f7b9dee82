"""Starloom: run task graphs on many devices at once, and edit them while they run.

The public names stand in `__all__`; each is imported when it is first used, so that a program which needs few of them
starts fast.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starloom.agents.base import Agent, AgentView, FinishedTask, Proposal
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
    from starloom.foresight.projection import Projection
    from starloom.foresight.what_if import WhatIf
    from starloom.formats import load_plan, save_plan
    from starloom.journal.base import Journal, JournalError, JournalInUse, MemoryJournal, NullJournal
    from starloom.journal.library import Library
    from starloom.journal.records import RunRecord, records
    from starloom.model.agent_terms import AgentTerms, EditScope, EndFilter, OnConflict, ScopeKind
    from starloom.model.dependency import Dependency
    from starloom.model.device import DeviceSpec
    from starloom.model.plan import Limits, Plan
    from starloom.model.result import ErrorInfo, Outcome, OutcomeStatus, Result, TaskError
    from starloom.model.secret import Secret
    from starloom.model.severity import ExitSeverity
    from starloom.model.status import (
        Backoff,
        DependencyKind,
        DeviceStatus,
        Fence,
        Join,
        Placement,
        RunState,
        Severity,
        TaskStatus,
    )
    from starloom.model.task import Prefer, Retry, Simulate, Task
    from starloom.orchestration.ad_hoc_run import SubmissionFailed
    from starloom.orchestration.orchestrator import Orchestrator
    from starloom.orchestration.run import Run
    from starloom.orchestration.subscription import Subscription
    from starloom.scheduling.read.summary import RunSummary
    from starloom.scheduling.read.why import Reason
    from starloom.server.connecting import connect
    from starloom.settings import SchedulerSettings, load_settings

__all__ = [
    "AddDependency",
    "AddTask",
    "Agent",
    "AgentTerms",
    "AgentView",
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
    "EditScope",
    "EndFilter",
    "ErrorInfo",
    "Event",
    "ExitSeverity",
    "Fence",
    "FinishedTask",
    "InProcessDevice",
    "Join",
    "Journal",
    "JournalError",
    "JournalInUse",
    "Library",
    "Limits",
    "LocalDevice",
    "MemoryJournal",
    "Metrics",
    "NullJournal",
    "OnConflict",
    "Orchestrator",
    "Outcome",
    "OutcomeStatus",
    "Placement",
    "Plan",
    "PlanError",
    "Prefer",
    "Problem",
    "Projection",
    "Proposal",
    "QueueFull",
    "Reason",
    "RemoveDependency",
    "RemoveTask",
    "Result",
    "Retry",
    "Run",
    "RunEnded",
    "RunRecord",
    "RunStalled",
    "RunState",
    "RunSummary",
    "SchedulerSettings",
    "ScopeKind",
    "Secret",
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
    "WhatIf",
    "connect",
    "load_plan",
    "load_settings",
    "records",
    "save_plan",
]

_ROOMS = {
    "starloom.agents.base": (
        "Agent",
        "AgentView",
        "FinishedTask",
        "Proposal",
    ),
    "starloom.constellation.edits": (
        "AddDependency",
        "AddTask",
        "EditBatch",
        "RemoveDependency",
        "RemoveTask",
        "UpdateDependency",
        "UpdateTask",
    ),
    "starloom.devices.base": (
        "Device",
        "Metrics",
        "TaskContext",
    ),
    "starloom.devices.inprocess": ("InProcessDevice",),
    "starloom.devices.local": ("LocalDevice",),
    "starloom.devices.simulated": ("SimulatedDevice",),
    "starloom.errors": (
        "CommandRefused",
        "DeviceError",
        "EditRefused",
        "PlanError",
        "Problem",
        "QueueFull",
        "SettingsError",
        "StarloomError",
    ),
    "starloom.events": (
        "ConstellationModified",
        "DeviceLost",
        "Event",
        "RunEnded",
        "RunStalled",
        "Snapshot",
        "TaskCancelled",
        "TaskCompleted",
        "TaskFailed",
        "TaskReady",
        "TaskRetryScheduled",
        "TaskSkipped",
        "TaskStarted",
    ),
    "starloom.foresight.projection": ("Projection",),
    "starloom.foresight.what_if": ("WhatIf",),
    "starloom.formats": (
        "load_plan",
        "save_plan",
    ),
    "starloom.journal.base": (
        "Journal",
        "JournalError",
        "JournalInUse",
        "MemoryJournal",
        "NullJournal",
    ),
    "starloom.journal.library": ("Library",),
    "starloom.journal.records": (
        "RunRecord",
        "records",
    ),
    "starloom.model.agent_terms": ("AgentTerms", "EditScope", "EndFilter", "OnConflict", "ScopeKind"),
    "starloom.model.dependency": ("Dependency",),
    "starloom.model.device": ("DeviceSpec",),
    "starloom.model.plan": (
        "Limits",
        "Plan",
    ),
    "starloom.model.result": (
        "ErrorInfo",
        "Outcome",
        "OutcomeStatus",
        "Result",
        "TaskError",
    ),
    "starloom.model.severity": ("ExitSeverity",),
    "starloom.model.status": (
        "Backoff",
        "DependencyKind",
        "DeviceStatus",
        "Fence",
        "Join",
        "Placement",
        "RunState",
        "Severity",
        "TaskStatus",
    ),
    "starloom.model.secret": ("Secret",),
    "starloom.model.task": (
        "Prefer",
        "Retry",
        "Simulate",
        "Task",
    ),
    "starloom.orchestration.subscription": ("Subscription",),
    "starloom.orchestration.orchestrator": ("Orchestrator",),
    "starloom.orchestration.run": ("Run",),
    "starloom.orchestration.ad_hoc_run": ("SubmissionFailed",),
    "starloom.scheduling.read.summary": ("RunSummary",),
    "starloom.scheduling.read.why": ("Reason",),
    "starloom.server.connecting": ("connect",),
    "starloom.settings": (
        "SchedulerSettings",
        "load_settings",
    ),
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a public name from its room."""
    room = _ROOM_OF.get(name)
    if room is None:
        raise AttributeError(f"module 'starloom' has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(room), name)
    return value


def __dir__() -> list[str]:
    """The public names, imported or not."""
    return sorted(__all__)
