"""What kinds of bars there are, as small numbers: how an attempt stands, or that it belongs to another run."""

from __future__ import annotations

from typing import Final

from starloom.model.status import Severity, TaskStatus

DONE: Final = 0
OTHER: Final = 1
"""It belongs to another run of the fleet."""
INTERRUPTED: Final = 2
"""Nobody knows how it would have ended, as the program died."""
SKIPPED: Final = 3
CANCELLED: Final = 4
RUNNING: Final = 5
WARNED: Final = 6
"""It failed, which is a warning."""
FAILED: Final = 7
KINDS: Final = 8
"""How many kinds there are; a later one is painted over an earlier one."""

_KIND_OF: Final = {
    TaskStatus.COMPLETED.value: DONE,
    TaskStatus.SKIPPED.value: SKIPPED,
    TaskStatus.CANCELLED.value: CANCELLED,
    TaskStatus.RUNNING.value: RUNNING,
    TaskStatus.FAILED.value: FAILED,
}


def kind_of(status: str, severity: Severity | None = None) -> int:
    """The kind of a bar whose attempt has this status.

    Args:
        status: the value of a `TaskStatus`.
        severity: of its failure; None: that does not matter.
    """
    kind = _KIND_OF.get(status, INTERRUPTED)
    return WARNED if kind == FAILED and severity is Severity.WARNING else kind
