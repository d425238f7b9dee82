"""The removals of tasks from a run: when it was, and by whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts


@dataclass(frozen=True, slots=True)
class Removal:
    """The last removal of a task.

    Attributes:
        revision: the one in which it was removed.
        origin: who removed it.
    """

    revision: int
    origin: str

    def sentence(self, task_id: str) -> str:
        """The sentence for whoever names the task still."""
        return f"{task_id!r} was removed by {self.origin} in revision {self.revision}."


def removals(run: RunFacts) -> dict[str, Removal]:
    """The removals of the tasks that a run does not have any more, by id; takes as long as all its edits are many."""
    ids, place = run.graph.ids, run.graph.place
    gone = sorted((stamp, key[1]) for key, stamp in run.touched.items() if key[0] == "gone")
    return {ids[number]: Removal(*stamp) for stamp, number in gone if ids[number] not in place}
