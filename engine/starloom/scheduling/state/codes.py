"""Task statuses as small integers, so that a run of 100,000 tasks keeps them in one byte array."""

from __future__ import annotations

from typing import Final

from starloom.model.status import TaskStatus

WAITING: Final = 0
PENDING: Final = 1
RUNNING: Final = 2
COMPLETED: Final = 3
FAILED: Final = 4
CANCELLED: Final = 5
SKIPPED: Final = 6
REMOVED: Final = 7
"""Taken out of the graph by an edit; its number stays reserved."""

STATUS_OF: Final = (
    TaskStatus.WAITING_DEPENDENCY,
    TaskStatus.PENDING,
    TaskStatus.RUNNING,
    TaskStatus.COMPLETED,
    TaskStatus.FAILED,
    TaskStatus.CANCELLED,
    TaskStatus.SKIPPED,
)
CODE_OF: Final = {status: code for code, status in enumerate(STATUS_OF)}


def is_terminal(code: int) -> bool:
    """Whether a task with this code has ended."""
    return COMPLETED <= code <= SKIPPED
