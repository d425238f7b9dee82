"""Moving a ready task before or behind another one in the queue, by giving it another priority."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.constellation.edits import UpdateTask
from starloom.scheduling.commands import SetPriority
from starloom.scheduling.read.run_view import TaskView
from starloom_gui.editing.base import Mode, Step
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import fill, tasks, translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.read.queue_reorder import QueueReorder, ReorderResult
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.editing.base import Editor
    from starloom_gui.gateway.command_gateway import CommandGateway

HIGHEST: Final = 100


class Ordering:
    """Sets the priority with which a task starts at a wanted place in the queue; one step of undo.

    Args:
        editor: what priorities are asked of, so that they can be taken back.
        gateway: says beforehand what would be refused.
        facts: gives the facts of the run.
        reorder: gives the line as a task of the run could move in it; None: it does not stand in line.
        run_of: gives the facts of any run in that line.
    """

    def __init__(
        self,
        editor: Editor,
        gateway: CommandGateway,
        facts: Callable[[], RunFacts | None],
        reorder: Callable[[int], QueueReorder | None],
        run_of: Callable[[str], RunFacts | None],
    ) -> None:
        self._editor, self._gateway, self._facts = editor, gateway, facts
        self._reorder, self._run_of = reorder, run_of

    def take_up(self, run_id: str, number: int) -> QueueReorder | Verdict:
        """The places in the queue to which a task could move, or why it cannot."""
        run = self._facts()
        if run is None or run.run_id != run_id:
            hint = translate("Ordering", "Turn to that run to move its tasks.")
            return Verdict(False, translate("Ordering", "It belongs to another run."), hint)
        other = (TaskView(run, number).priority + 1) % (HIGHEST + 1)  # any that would change something
        verdict = self._gateway.can(_priority(run, number, other))
        if not verdict.ok:
            return verdict
        found = self._reorder(number)
        if found is None:
            return Verdict(False, translate("Ordering", "It does not stand in line: only ready tasks do."))
        return found

    def now(self, number: int) -> int:
        """The priority a task has been given, with what is staged."""
        run = self._editor.facts()
        return TaskView(run, number).priority if run is not None and number < len(run.graph.ids) else 0

    @property
    def is_staged(self) -> bool:
        """Whether the priority would only be staged: the line, by which it is offered, is that of the run as it is."""
        return self._editor.mode is Mode.STAGED

    def step(self, number: int, priority: int, label: str) -> Step | None:
        """A step that would do the same, to have its effect foreseen; None: the task has gone.

        Args:
            number: of the task.
            priority: 0 to 100.
            label: what the step is called.
        """
        run = self._facts()
        if run is None or number >= len(run.graph.ids):
            return None
        return Step(label=label, edits=(UpdateTask(run.graph.ids[number], priority=priority),))

    def give(self, number: int, priority: int, label: str) -> None:
        """Set the priority of a task.

        Args:
            number: of the task.
            priority: 0 to 100.
            label: what the step is called.
        """
        run = self._facts()
        if run is not None and number < len(run.graph.ids):
            self._editor.steer(_priority(run, number, priority), label)

    def name(self, run_id: str, number: int) -> str:
        """The name of a task."""
        run = self._run_of(run_id)
        task = run.graph.tasks[number] if run is not None and number < len(run.graph.tasks) else None
        return task.title if task is not None else ""


def _priority(run: RunFacts, number: int, priority: int) -> SetPriority:
    return SetPriority(run_id=run.run_id, task_ids=(run.graph.ids[number],), priority=priority)


class QueueNeighbour(NamedTuple):
    """The task before or behind which another one is put."""

    run_id: str
    number: int
    name: str


class Putting:
    """A move of a task in the queue; no command is sent before its end.

    Args:
        ordering: may it, and do it.
        moved: the task.

    Attributes:
        found: what would come of it where it is held; None: it stays, or cannot go there.
    """

    def __init__(self, ordering: Ordering, moved: QueueNeighbour) -> None:
        self._ordering, self._moved = ordering, moved
        taken = ordering.take_up(moved.run_id, moved.number)
        self._barred = taken if isinstance(taken, Verdict) else None
        self._line = taken if not isinstance(taken, Verdict) else None
        self._other: QueueNeighbour | None = None
        self._ahead = True
        self.found: ReorderResult | None = None

    def aim(self, other: QueueNeighbour | None, *, ahead: bool) -> None:
        """Aim before another task (`ahead`), or behind it; None: at the task's own place."""
        self._other, self._ahead, self.found = other, ahead, None
        if self._line is not None and other is not None:
            with suppress(KeyError):  # the other one does not stand in line
                self.found = self._line.beside(other.run_id, other.number, ahead=ahead)

    @property
    def priority(self) -> int | None:
        """The priority the task would get; None: it keeps its own."""
        wanted = self.found.priority if self.found is not None else None
        return None if wanted is None or wanted == self._ordering.now(self._moved.number) else wanted

    @property
    def is_wrong(self) -> bool:
        """Whether it cannot be put there."""
        if self._other is None:
            return False
        return self._barred is not None or self.found is None or self.found.priority is None

    @property
    def label(self) -> str:
        """The label of the step of undo."""
        text = translate("Ordering", "Run %1 before %2") if self._ahead else translate("Ordering", "Run %1 after %2")
        return fill(text, self._moved.name, self._other.name if self._other is not None else "")

    @property
    def step(self) -> Step | None:
        """A step that would do the same, to have its effect foreseen; None: it stays."""
        priority = self.priority
        return self._ordering.step(self._moved.number, priority, self.label) if priority is not None else None

    @property
    def words(self) -> str:
        """The effect of the move in words, or why it is not possible; empty: it stays."""
        other, found = self._other, self.found
        if other is None:
            return ""
        if self._barred is not None:
            return f"{self._barred.reason} {self._barred.hint}".strip()
        if found is None:
            return fill(translate("Ordering", "“%1” does not stand in line: only ready tasks do."), other.name)
        if found.priority is None:
            return self._why_not(found, other)
        return self._said(found, other) if self.priority is not None else ""

    def _said(self, found: ReorderResult, other: QueueNeighbour) -> str:
        ahead = self._ahead
        text = (
            translate("Ordering", "Before “%1”: priority %2")
            if ahead
            else translate("Ordering", "After “%1”: priority %2")
        )
        lines = [fill(text, other.name, found.priority)]
        if self._ordering.is_staged:
            lines.append(translate("Ordering", "By the queue as it is: staged priorities do not count yet."))
        if not found.also:
            return "\n".join(lines)
        farthest = self._ordering.name(*(found.also[0] if ahead else found.also[-1]))
        if len(found.also) == 1:
            text = translate("Ordering", "Also before “%1”") if ahead else translate("Ordering", "Also after “%1”")
            lines.append(fill(text, farthest))
        else:
            text = translate("Ordering", "Also before “%1” and %2")
            text = text if ahead else translate("Ordering", "Also after “%1” and %2")
            lines.append(fill(text, farthest, tasks(len(found.also) - 1)))
        return "\n".join(lines)

    def _why_not(self, found: ReorderResult, other: QueueNeighbour) -> str:
        if found.needed_by is not None:
            child, priority = found.needed_by
            text = translate(
                "Ordering", "“%1” needs it and has priority %2, which it inherits: it cannot come after “%3”."
            )
            return fill(text, self._ordering.name(self._moved.run_id, child), priority, other.name)
        if found.base == HIGHEST:
            text = translate("Ordering", "“%1” has priority 100 as well, and came first: nothing is higher.")
        elif found.base == 0:
            text = translate("Ordering", "“%1” has priority 0 as well, and came later: nothing is lower.")
        else:
            text = translate("Ordering", "One of the two has waited for so long that no priority has it pass “%1”.")
        return fill(text, other.name)

    def commit(self) -> None:
        """Set the priority for the new place, if there is one."""
        priority, other = self.priority, self._other
        if priority is None or other is None:
            return
        label, ahead = self.label, self._ahead
        taken = self._ordering.take_up(self._moved.run_id, self._moved.number)  # the line may be another one by now
        if not isinstance(taken, Verdict):
            with suppress(KeyError):  # the other one has started: it is still meant to be that early, or that late
                priority = taken.beside(other.run_id, other.number, ahead=ahead).priority or priority
        self._ordering.give(self._moved.number, priority, label)
