"""The filter of tasks as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starloom_gui.models.task_cells import device
from starloom_gui.viewmodel.grouping import group_of
from starloom_gui.viewmodel.status_forms import form_at

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.theme.status_form import StatusForm


@dataclass(frozen=True, slots=True)
class TaskFilter:
    """The filter of the tasks; an empty condition holds for every task.

    Attributes:
        text: stands somewhere in the name or id, whatever its case.
        forms: a failure that is a warning is another one than other failures.
        device: where the last attempt runs or ran, or where it has to run.
        group: one it counts against, or the one it stands in in the outline.
        only_bypassed: whether it is bypassed.
    """

    text: str = ""
    forms: frozenset[StatusForm] = frozenset()
    device: str = ""
    group: str = ""
    only_bypassed: bool = False

    def __bool__(self) -> bool:
        return bool(self.text or self.forms or self.device or self.group or self.only_bypassed)

    def wants(self, run: RunFacts, number: int) -> bool:
        """Whether a task is shown; one that was removed never is."""
        task = run.graph.tasks[number]
        if task is None or not self:
            return task is not None
        if self.forms and form_at(run, number) not in self.forms:
            return False
        if self.only_bypassed and not task.is_bypassed:
            return False
        if self.device and device(run, number) != self.device:
            return False
        if self.group and self.group not in task.groups and group_of(task)[0] != self.group:
            return False
        sought = self.text.casefold()
        return not sought or sought in task.id.casefold() or sought in task.name.casefold()
