"""The kinds of events as the filter offers them, and the glyph each is marked with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom import events as ev
from starloom.model.status import Severity
from starloom.scheduling.codes import CANCELLED, COMPLETED, FAILED, PENDING, RUNNING, SKIPPED, WAITING
from starloom_gui.text.words import translate
from starloom_gui.theme.forms import WARNED
from starloom_gui.viewmodel.event_words import Sort, event_sort

if TYPE_CHECKING:
    from collections.abc import Callable

Kind = type[ev.Event]

_CODES: Final[dict[Kind, int]] = {
    ev.TaskReady: PENDING,
    ev.TaskStarted: RUNNING,
    ev.TaskCompleted: COMPLETED,
    ev.TaskFailed: FAILED,
    ev.TaskRetryScheduled: FAILED,
    ev.TaskInterrupted: FAILED,
    ev.TaskStuck: FAILED,
    ev.TaskWarned: RUNNING,
    ev.TaskOverdue: RUNNING,
    ev.AttemptReattached: RUNNING,
    ev.AttemptBegan: RUNNING,
    ev.AttemptWorkEnded: RUNNING,
    ev.AttemptEndedLate: CANCELLED,
    ev.TaskCancelled: CANCELLED,
    ev.TaskSkipped: SKIPPED,
    ev.TaskReset: WAITING,
    ev.EditRejected: FAILED,
    ev.DeviceLost: FAILED,
    ev.RunStalled: FAILED,
}
LOUD: Final = frozenset({FAILED})
"""What failed is said in its colour; everything else is quiet."""

_NAMES: Final[dict[Kind, Callable[[], str]]] = {
    ev.TaskCompleted: lambda: translate("Events", "Task done"),
    ev.TaskFailed: lambda: translate("Events", "Task failed"),
    ev.TaskRetryScheduled: lambda: translate("Events", "Task failed, will be retried"),
    ev.TaskCancelled: lambda: translate("Events", "Task cancelled"),
    ev.TaskSkipped: lambda: translate("Events", "Task skipped"),
    ev.TaskInterrupted: lambda: translate("Events", "Task interrupted"),
    ev.TaskStuck: lambda: translate("Events", "Task does not stop"),
    ev.TaskWarned: lambda: translate("Events", "Task warns"),
    ev.AttemptReattached: lambda: translate("Events", "Attempt goes on"),
    ev.AttemptBegan: lambda: translate("Events", "Work begins"),
    ev.AttemptWorkEnded: lambda: translate("Events", "Work ended"),
    ev.AttemptTimed: lambda: translate("Events", "Attempt timed"),
    ev.AttemptEndedLate: lambda: translate("Events", "Lost attempt ended"),
    ev.TaskOverdue: lambda: translate("Events", "Task overdue"),
    ev.TaskReady: lambda: translate("Events", "Task ready"),
    ev.TaskStarted: lambda: translate("Events", "Task started"),
    ev.TaskStopping: lambda: translate("Events", "Task told to stop"),
    ev.ConditionEvaluated: lambda: translate("Events", "Condition evaluated"),
    ev.TaskMarked: lambda: translate("Events", "Task marked"),
    ev.TaskReset: lambda: translate("Events", "Task to run again"),
    ev.GateOpened: lambda: translate("Events", "Gate waits for an answer"),
    ev.GateAnswered: lambda: translate("Events", "Gate answered"),
    ev.BreakpointReached: lambda: translate("Events", "Stopped at a breakpoint"),
    ev.BreakpointsSet: lambda: translate("Events", "Breakpoint set or cleared"),
    ev.RunUntilSet: lambda: translate("Events", "Goal set"),
    ev.RunStepped: lambda: translate("Events", "Step"),
    ev.TasksHeld: lambda: translate("Events", "Held"),
    ev.TasksReleased: lambda: translate("Events", "Released"),
    ev.TasksPrioritised: lambda: translate("Events", "Priority set"),
    ev.TasksPinned: lambda: translate("Events", "Pinned"),
    ev.ConstellationModified: lambda: translate("Events", "Graph edited"),
    ev.EditRejected: lambda: translate("Events", "Edit refused"),
    ev.AgentAttached: lambda: translate("Events", "Agent attached"),
    ev.AgentTrusted: lambda: translate("Events", "Agent's trust changed"),
    ev.AgentPaused: lambda: translate("Events", "Agent paused"),
    ev.AgentResumed: lambda: translate("Events", "Agent resumed"),
    ev.AgentDetached: lambda: translate("Events", "Agent detached"),
    ev.FenceSet: lambda: translate("Events", "What waits for agents set"),
    ev.EditCycleOpened: lambda: translate("Events", "Agents asked"),
    ev.AgentAnswered: lambda: translate("Events", "Agent answered"),
    ev.ProposalSettled: lambda: translate("Events", "Proposal settled"),
    ev.ProposalStaged: lambda: translate("Events", "Proposal waits for approval"),
    ev.ApprovalAnswered: lambda: translate("Events", "Approval answered"),
    ev.EditCycleClosed: lambda: translate("Events", "Asking ended"),
    ev.RunCreated: lambda: translate("Events", "Run created"),
    ev.RunStarted: lambda: translate("Events", "Run started"),
    ev.RunPaused: lambda: translate("Events", "Run paused"),
    ev.RunResumed: lambda: translate("Events", "Run resumed"),
    ev.RunCancelRequested: lambda: translate("Events", "Run cancelled"),
    ev.RunHeldOpen: lambda: translate("Events", "Run kept open"),
    ev.RunLimitSet: lambda: translate("Events", "Run limited"),
    ev.RunStalled: lambda: translate("Events", "Run stalled"),
    ev.RunEnded: lambda: translate("Events", "Run ended"),
    ev.RunReopened: lambda: translate("Events", "Run goes on"),
    ev.RunRecovered: lambda: translate("Events", "Run taken up again"),
    ev.FleetOpened: lambda: translate("Events", "Fleet opened"),
    ev.DeviceAdded: lambda: translate("Events", "Device added"),
    ev.DeviceRemoved: lambda: translate("Events", "Device removed"),
    ev.DeviceConnecting: lambda: translate("Events", "Device being reached"),
    ev.DeviceConnected: lambda: translate("Events", "Device connected"),
    ev.DeviceLost: lambda: translate("Events", "Device lost"),
    ev.DeviceActionsChanged: lambda: translate("Events", "Device runs other tasks"),
    ev.DeviceFaulted: lambda: translate("Events", "Device failed"),
    ev.BreakerOpened: lambda: translate("Events", "Device suspended"),
    ev.BreakerHalfOpened: lambda: translate("Events", "Device on trial"),
    ev.BreakerClosed: lambda: translate("Events", "Device trusted again"),
    ev.DeviceDrained: lambda: translate("Events", "Device drained"),
    ev.DeviceResumed: lambda: translate("Events", "Device takes tasks again"),
    ev.DeviceDisabled: lambda: translate("Events", "Device disabled"),
    ev.DeviceEnabled: lambda: translate("Events", "Device enabled"),
    ev.DeviceSlotsSet: lambda: translate("Events", "Slots set"),
    ev.LimitsChanged: lambda: translate("Events", "Limits changed"),
}
"""Every kind that is logged; a test says which has been forgotten."""


def kind_word(kind: Kind) -> str:
    """What a kind of event is called, one of `kinds_of`."""
    return _NAMES[kind]()


def kinds_of(sort: Sort) -> tuple[Kind, ...]:
    """The kinds of a sort, as the filter lists them."""
    return tuple(kind for kind in _NAMES if event_sort(kind) is sort)


def code_of(event: ev.Event) -> int | None:
    """The form whose glyph stands before an event; None: it has none."""
    if isinstance(event, ev.TaskFailed) and event.severity is Severity.WARNING:
        return WARNED
    return _CODES.get(type(event))
