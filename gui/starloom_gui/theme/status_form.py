"""The visual form of a task's status: that of the status itself, or of a failure that is only a warning."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from starloom.scheduling.state import codes

if TYPE_CHECKING:
    from starloom.model.status import TaskStatus


class StatusForm(IntEnum):
    """The forms in which the status of a task is shown.

    A number too: the statuses have their codes in the engine's arrays, so that what paints ten thousand tasks looks
    forms up by what stands there, and counts by form are tuples.
    """

    WAITING = codes.WAITING
    PENDING = codes.PENDING
    RUNNING = codes.RUNNING
    COMPLETED = codes.COMPLETED
    FAILED = codes.FAILED
    CANCELLED = codes.CANCELLED
    SKIPPED = codes.SKIPPED
    REMOVED = codes.REMOVED
    """Taken out of the graph by an edit: it has no form, and nothing is counted there."""
    WARNED = codes.REMOVED + 1
    """A failure that is a warning: a hollow failure, in the hue that warns elsewhere, too: of what is overdue."""

    @classmethod
    def of(cls, status: TaskStatus | None) -> StatusForm:
        """The form of a status, a failure taken for no warning; None: of a task that was removed."""
        return cls.REMOVED if status is None else cls(codes.CODE_OF[status])

    @property
    def status(self) -> TaskStatus:
        """The status of a form; None: that of a task that was removed."""
        return codes.STATUS_OF[codes.FAILED if self is StatusForm.WARNED else self]
