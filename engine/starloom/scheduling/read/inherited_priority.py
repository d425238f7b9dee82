"""The source of a priority that a task inherits from what waits for it; the index keeps only the priority itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.scheduling.state.codes import PENDING

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts


def lender_of(run: RunFacts, number: int) -> int | None:
    """The unstarted descendant of the highest priority, if that is above the task's own; None: it inherits nothing.

    Of equal ones it is the nearest; one that runs or has ended inherits nothing any more.
    """
    highest, found, most = run.priority[number], None, max(run.priority)
    if run.status[number] > PENDING or most <= highest:  # mostly all are equal: nothing is walked then
        return None
    seen, line = {number}, [number]
    for one in line:
        for child in sorted(run.graph.children[one]):
            if child not in seen and run.status[child] <= PENDING:
                seen.add(child)
                line.append(child)
                if run.priority[child] > highest:
                    highest, found = run.priority[child], child
                    if highest == most:
                        return found
    return found
