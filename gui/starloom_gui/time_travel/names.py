"""What tasks are called in a journal that is read but not folded."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from starloom.constellation.edits import AddTask, UpdateTask
from starloom.constellation.graph import Graph
from starloom.events import ConstellationModified, TasksDeclared

if TYPE_CHECKING:
    from starloom.events import Event


class JournalNames:
    """The tasks of a run by what its events say of them, for `scheduling.read.naming`; removed ones stay known.

    Attributes:
        run_id: of the run; empty until its first event.
        graph: its tasks, without dependencies.
    """

    def __init__(self) -> None:
        self.run_id = ""
        self.graph = Graph()

    def take(self, event: Event) -> None:
        """Note an event, in the order of the stream; only those that declare or edit tasks matter."""
        self.run_id = self.run_id or event.run_id
        if isinstance(event, TasksDeclared):
            self.graph.extend(event.tasks)
        elif isinstance(event, ConstellationModified):
            for edit in event.changes:
                if isinstance(edit, AddTask) and edit.task.id not in self.graph:
                    self.graph.add_task(edit.task)
                elif isinstance(edit, UpdateTask) and "name" in edit.fields and edit.task_id in self.graph:
                    number = self.graph.place[edit.task_id]
                    self.graph.set_task(number, replace(self.graph.task(edit.task_id), name=edit.fields["name"]))
