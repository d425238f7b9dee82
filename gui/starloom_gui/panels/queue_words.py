"""The counts of the queue in words, and as a sum."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from starloom.model.status import TaskStatus
from starloom_gui.text.words import amount, fill, status_word, tasks, translate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


_STATUSES: Final = (
    ("completed", TaskStatus.COMPLETED),
    ("failed", TaskStatus.FAILED),
    ("cancelled", TaskStatus.CANCELLED),
    ("skipped", TaskStatus.SKIPPED),
    ("running", TaskStatus.RUNNING),
    ("queued", TaskStatus.PENDING),
    ("waiting", TaskStatus.WAITING_DEPENDENCY),
)


class InQueue(QObject):
    """Sentences with counts. An object as the tool that gathers texts knows plurals from `self.tr` alone."""

    def waiting(self, count: int) -> str:
        """The number of tasks in the queue."""
        return self.tr("%n task(s) in line", "", count)

    def more(self, count: int) -> str:
        """The number of tasks that are not shown."""
        return self.tr("%n more task(s) are not shown", "", count)

    def aside(self, count: int) -> str:
        """The number of tasks that are ready and in no queue."""
        return self.tr("%n more task(s) ready: held, at a breakpoint, or not to start yet", "", count)


def sum_words(counts: Mapping[str, int]) -> str:
    """All tasks as a sum by status, without those of which there are none: `61 tasks = 21 done + 5 running`."""
    parts = [
        fill(translate("Queue", "%1 %2"), amount(counts[name]), status_word(status).lower())
        for name, status in _STATUSES
        if counts.get(name)
    ]
    if counts.get("removed"):
        parts.append(fill(translate("Queue", "%1 removed"), amount(counts["removed"])))
    submitted = fill(translate("Queue", "%1 submitted"), amount(counts.get("submitted", 0)))
    return fill(translate("Queue", "%1 = %2"), submitted, " + ".join(parts)) if parts else submitted


def unstarted_words(counts: Mapping[str, int]) -> str:
    """The number of tasks of a run that was not started: `61 tasks, not started`."""
    return fill(translate("Queue", "%1, not started"), tasks(counts["submitted"] - counts["removed"]))


def summed(each: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """The counts of several runs as those of one."""
    total: dict[str, int] = {}
    for counts in each:
        for name, count in counts.items():
            total[name] = total.get(name, 0) + count
    return total
