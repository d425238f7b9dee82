"""The statuses of tasks, runs and devices. Values only; the transitions are in `scheduling`."""

from __future__ import annotations

from enum import StrEnum


class TaskStatus(StrEnum):
    """The status of a task. Held and backing off are facts about a task, not statuses."""

    WAITING_DEPENDENCY = "waiting_dependency"
    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    SKIPPED = "skipped"

    @property
    def is_terminal(self) -> bool:
        """Whether the task has ended."""
        return self in TERMINAL_STATUSES


TERMINAL_STATUSES = frozenset(
    {TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.CANCELLED, TaskStatus.SKIPPED},
)


class RunState(StrEnum):
    """The state of a run."""

    CREATED = "created"
    READY = "ready"
    EXECUTING = "executing"
    PAUSED = "paused"
    COMPLETED = "completed"
    PARTIALLY_FAILED = "partially_failed"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def has_ended(self) -> bool:
        """Whether nothing more happens in the run unless it is reopened."""
        return self in ENDED_STATES


ENDED_STATES = frozenset({RunState.COMPLETED, RunState.PARTIALLY_FAILED, RunState.FAILED, RunState.CANCELLED})


class DeviceStatus(StrEnum):
    """The status of a device, as a card shows it."""

    DISCONNECTED = "disconnected"
    CONNECTING = "connecting"
    IDLE = "idle"
    BUSY = "busy"
    DRAINING = "draining"
    SUSPENDED = "suspended"
    """It failed too often in a row, and is left alone for a while: its circuit breaker is open."""
    TRIAL = "trial"
    """It was suspended, and gets one task to show that it works: its circuit breaker is half open."""
    REFUSED = "refused"
    """It was reached and cannot be used until a person does something: its host key is not trusted, or our login."""
    FAILED = "failed"


class Breaker(StrEnum):
    """The state of a device's circuit breaker."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class Severity(StrEnum):
    """The severity of a task's failure for the run: a warning, an error, or the end of everything."""

    WARNING = "warning"
    ERROR = "error"
    CRITICAL = "critical"


class Join(StrEnum):
    """Whether a task needs every dependency to say yes, or one of them."""

    ALL = "all"
    ANY = "any"


class DependencyKind(StrEnum):
    """The rule for the verdict of a dependency when its parent has ended."""

    SUCCESS = "success"
    ALWAYS = "always"
    FAILURE = "failure"
    CONDITION = "condition"


class OnInterrupt(StrEnum):
    """The treatment of a task that was running when the program died and left no trace of its end."""

    REATTACH = "reattach"
    """Its attempt goes on if its device finds it alive; else the task runs again, or waits if it is an agent's work."""
    RERUN = "rerun"
    FAIL = "fail"
    ASK = "ask"


class GateDefault(StrEnum):
    """The outcome of a gate without an answer when its countdown is over."""

    PROCEED = "proceed"
    """As if somebody had approved."""
    SKIP = "skip"
    """The gate is skipped, and what needs its success with it."""
    ABORT = "abort"
    """The gate fails and takes the whole run with it."""


class Placement(StrEnum):
    """The rule that chooses a device for a ready task."""

    ROUND_ROBIN = "round_robin"
    CAPABILITY_MATCH = "capability_match"
    LOAD_BALANCE = "load_balance"
    CRITICAL_PATH = "critical_path"


class Backoff(StrEnum):
    """The rule for the growth of the pause before the next attempt."""

    FIXED = "fixed"
    LINEAR = "linear"
    EXPONENTIAL = "exponential"


class Fence(StrEnum):
    """The set of tasks of a run that do not start while an edit cycle is open."""

    GLOBAL = "global"
    """None of the run."""
    DESCENDANTS = "descendants"
    """None of those that depend on a task of the batch, directly or not."""
    SCOPE = "scope"
    """None of those that an agent which is asked may change."""
    OPTIMISTIC = "optimistic"
    """All may start; what is done about an edit of a task that has is a matter of its agent's terms."""
    NONE = "none"
    """All may start, and a proposal that edits one which has is refused."""

    @property
    def lets_all_start(self) -> bool:
        """Whether it keeps nothing back."""
        return self in {Fence.OPTIMISTIC, Fence.NONE}


class PermissionPolicy(StrEnum):
    """What is answered to an agent's requests for permission without asking a person."""

    ASK = "ask"
    """Nothing: each is a question."""
    ALLOW_READS = "allow_reads"
    """To read and search files, wherever they are, is allowed."""
    ALLOW_WITHIN_CWD = "allow_within_cwd"
    """To read, search, change and remove files in the working directory is allowed."""
    REJECT = "reject"
    """Everything is rejected."""


class Expects(StrEnum):
    """What an agent's last message has to hold."""

    JSON = "json"
    """JSON at its end, which becomes the value."""
