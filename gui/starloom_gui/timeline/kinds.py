"""The kinds of bars as small numbers: the status of an attempt, or that it belongs to another run."""

from __future__ import annotations

from typing import Final

from starloom.model.status import TaskStatus

DONE: Final = 0
OTHER: Final = 1
"""It belongs to another run of the fleet."""
INTERRUPTED: Final = 2
"""Nobody knows how it would have ended, as the program died."""
SKIPPED: Final = 3
RETRIED: Final = 4
"""It failed, and the task has gone on since."""
CANCELLED: Final = 5
RUNNING: Final = 6
WARNED: Final = 7
"""It failed, which is a warning."""
FAILED: Final = 8
KINDS: Final = 9
"""How many kinds there are; a later one is painted over an earlier one."""

_KIND_OF: Final = {
    TaskStatus.COMPLETED.value: DONE,
    TaskStatus.SKIPPED.value: SKIPPED,
    TaskStatus.CANCELLED.value: CANCELLED,
    TaskStatus.RUNNING.value: RUNNING,
    TaskStatus.FAILED.value: FAILED,
}


def kind_of(status: str) -> int:
    """The kind of a bar whose attempt has this status, the value of a `TaskStatus`; of a failure the loud one."""
    return _KIND_OF.get(status, INTERRUPTED)
