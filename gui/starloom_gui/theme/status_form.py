"""How the status of a task is shown: a status itself, or the warning that a failure may be no more than."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from starloom.scheduling.state import codes

if TYPE_CHECKING:
    from starloom.model.status import TaskStatus


class StatusForm(IntEnum):
    """What has a form of its own wherever tasks are shown.

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
        """The form of a status, unless it is a failure that is a warning; None: of a task that was removed."""
        return cls.REMOVED if status is None else cls(codes.CODE_OF[status])

    @property
    def status(self) -> TaskStatus:
        """The status it is a form of; a task that was removed has none."""
        return codes.STATUS_OF[codes.FAILED if self is StatusForm.WARNED else self]
