"""Moving a ready task before or behind another one in the queue: may it, which priority that takes, and do it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.constellation.edits import UpdateTask
from starloom_gui.bridge.verbs import Target, Verb, Verdict
from starloom_gui.editing.base import Step
from starloom_gui.words import amount, fill, tasks, translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.passing import Passed, Passing
    from starloom.scheduling.run_facts import RunFacts
    from starloom_gui.editing.base import Editor
    from starloom_gui.panels.asking import Asks

HIGHEST = 100


class Ordering:
    """Gives tasks of one run the priority that has them start where they are put; one step of undo.

    Args:
        editor: what priorities are asked of, so that they can be taken back.
        asks: says beforehand what would be refused.
        facts: gives the facts of the run.
        passing: gives the line as a task of the run could move in it; None: it does not stand in line.
    """

    def __init__(
        self,
        editor: Editor,
        asks: Asks,
        facts: Callable[[], RunFacts | None],
        passing: Callable[[int], Passing | None],
    ) -> None:
        self._editor, self._asks, self._facts, self._passing = editor, asks, facts, passing

    def take_up(self, run_id: str, number: int) -> Passing | Verdict:
        """The line as a task could move in it, or why it cannot."""
        run = self._facts()
        if run is None or run.run_id != run_id:
            hint = translate("Ordering", "Turn to that run to move its tasks.")
            return Verdict(False, translate("Ordering", "It belongs to another run."), hint)
        target = Target(run_id, (run.graph.ids[number],))
        other = (run.priority[number] + 1) % (HIGHEST + 1)  # any that would change something
        verdict = self._asks.can(Verb.PRIORITISE, target, priority=other)
        if not verdict.ok:
            return verdict
        found = self._passing(number)
        if found is None:
            return Verdict(False, translate("Ordering", "It does not stand in line: only ready tasks do."))
        return found

    def now(self, number: int) -> int:
        """The priority a task has been given."""
        run = self._facts()
        return run.priority[number] if run is not None and number < len(run.priority) else 0

    def step(self, number: int, priority: int, label: str) -> Step | None:
        """A step that would do the same, to have its effect foreseen; None: the task has gone."""
        run = self._facts()
        if run is None or number >= len(run.graph.ids):
            return None
        return Step(label=label, edits=(UpdateTask(run.graph.ids[number], priority=priority),))

    def give(self, number: int, priority: int, label: str) -> None:
        """Give a task that priority."""
        run = self._facts()
        if run is not None and number < len(run.graph.ids):
            target = Target(run.run_id, (run.graph.ids[number],))
            self._editor.steer(Verb.PRIORITISE, target, label, priority=priority)

    def name(self, number: int) -> str:
        """What a task of the run is called."""
        run = self._facts()
        task = run.graph.tasks[number] if run is not None and number < len(run.graph.tasks) else None
        return task.title if task is not None else ""


def label_of(name: str, other: str, *, ahead: bool) -> str:
    """What the step of undo is called."""
    text = translate("Ordering", "Run %1 before %2") if ahead else translate("Ordering", "Run %1 after %2")
    return fill(text, name, other)


def passed_words(found: Passed, other: str, also: str, *, ahead: bool) -> str:
    """What would come of it.

    Args:
        found: what would.
        other: the name of the task before or behind which it is put.
        also: the name of the first of those that it passes as well.
        ahead: whether it is put before the other one.
    """
    text = (
        translate("Ordering", "Before “%1”: priority %2") if ahead else translate("Ordering", "After “%1”: priority %2")
    )
    lines = [fill(text, other, found.priority)]
    more = len(found.also)
    if more == 1:
        text = translate("Ordering", "Also before “%1”") if ahead else translate("Ordering", "Also after “%1”")
        lines.append(fill(text, also))
    elif more:
        text = (
            translate("Ordering", "Also before “%1” and %2")
            if ahead
            else translate("Ordering", "Also after “%1” and %2")
        )
        lines.append(fill(text, also, tasks(more - 1)))
    return "\n".join(lines)


def why_not(found: Passed, other: str, base: int, needed_by: str, priority: int) -> str:
    """Why no priority puts it there.

    Args:
        found: that none does.
        other: the name of the other task.
        base: the priority of the other task that counts.
        needed_by: the name of the task whose priority it inherits.
        priority: the priority that it inherits.
    """
    if found.needed_by is not None:
        text = translate("Ordering", "“%1” needs it and has priority %2, which it inherits: it cannot come after “%3”.")
        return fill(text, needed_by, amount(priority), other)
    if base == HIGHEST:
        text = translate("Ordering", "“%1” has priority 100 as well, and came first: nothing is higher.")
    elif base == 0:
        text = translate("Ordering", "“%1” has priority 0 as well, and came later: nothing is lower.")
    else:
        text = translate("Ordering", "One of the two has waited for so long that no priority changes places with “%1”.")
    return fill(text, other)
