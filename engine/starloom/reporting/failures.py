"""Failures of a run, alike ones together, and their consequences: which tasks were skipped, and which ran."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.model.status import DependencyKind
from starloom.reporting.report import Failure
from starloom.reporting.text import one_line, tail
from starloom.scheduling.state.codes import FAILED
from starloom.scheduling.state.run_facts import YES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from starloom.scheduling.state.run_facts import RunFacts

MOST_FAILURES: Final = 50
MOST_SKIPPED: Final = 20
TAIL_LINES: Final = 12
_ONLY_THEN: Final = frozenset({DependencyKind.FAILURE, DependencyKind.CONDITION})
"""Kinds of dependencies that say yes to a failure because it is one, or may."""


def failures_of(run: RunFacts, place: Mapping[int, int], of_task: Sequence[tuple[int, ...]]) -> tuple[Failure, ...]:
    """The failures of a run, warnings last.

    Args:
        run: its facts.
        place: of each task in the report, by its number.
        of_task: the places of each task's attempts, oldest first.
    """
    failed = [number for number in run.with_status(FAILED) if number in place]
    failed.sort(key=lambda number: (run.is_warning(number), number))
    came_of_it = Consequences(run, failed)
    alike: dict[tuple[str, str, bool], list[int]] = {}
    for number in failed:
        alike.setdefault((*_said(run, number), run.is_warning(number)), []).append(number)
    found: list[Failure] = []
    for (message, output, _), numbers in [*alike.items()][:MOST_FAILURES]:
        skipped = sorted(place[one] for number in numbers for one in came_of_it.skipped[number])
        ran = sorted({place[one] for number in numbers for one in came_of_it.ran(number)})
        first, *others = (place[number] for number in numbers)
        own = of_task[first] if run.has_last_attempt(numbers[0]) else ()
        found.append(
            Failure(
                task=first,
                attempt=own[-1] if own else None,
                message=message,
                output=output,
                skipped=tuple(skipped[:MOST_SKIPPED]),
                skipped_count=len(skipped),
                ran=tuple(ran[:MOST_SKIPPED]),
                ran_count=len(ran),
                alike=tuple(others),
            )
        )
    return tuple(found)


def _said(run: RunFacts, number: int) -> tuple[str, str]:
    """The reason why a task failed, as a sentence, and the end of its output."""
    result = run.results[number]
    error = None if result is None else result.error
    was_marked = error is None and not run.has_last_attempt(number)
    message = "It was marked so." if was_marked else one_line(error.message if error else "")
    return message, "" if result is None else tail(result.output, TAIL_LINES)


class Consequences:
    """The consequences of a run's failures; tasks are numbers.

    Args:
        run: its facts.
        failed: the tasks that failed.

    Attributes:
        skipped: for each failed task those that were skipped because of it, also over other skipped ones.
    """

    def __init__(self, run: RunFacts, failed: Iterable[int]) -> None:
        self._run = run
        self.skipped: dict[int, list[int]] = {number: [] for number in failed}
        because = run.skipped_because
        for number in sorted(because):
            root, seen = number, set[int]()
            while root in because and root not in seen:
                seen.add(root)
                root = because[root]
            if root in self.skipped and run.graph.tasks[number] is not None:
                self.skipped[root].append(number)

    def ran(self, failed: int) -> list[int]:
        """The tasks that ran because of a failure, in order.

        These are the ones that a dependency of the kind `failure`, or a condition, had wait for it, and those that
        depend on nothing but them.
        """
        run = self._run
        graph = run.graph
        found = {child for child in graph.children[failed] if self._is_because(failed, child)}
        line = list(found)
        while line:
            for child in graph.children[line.pop()]:
                if child not in found and run.has_last_attempt(child) and found.issuperset(graph.parents[child]):
                    found.add(child)
                    line.append(child)
        return sorted(found)

    def _is_because(self, failed: int, child: int) -> bool:
        run = self._run
        special = run.graph.special.get((failed, child))
        is_then = special is not None and special.kind in _ONLY_THEN and run.answer(failed, child) == YES
        return is_then and run.has_last_attempt(child)
