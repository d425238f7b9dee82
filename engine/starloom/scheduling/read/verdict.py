"""The verdict of a condition on a parent that has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.constellation import conditions
from starloom.scheduling.state.codes import COMPLETED, FAILED, STATUS_OF
from starloom.scheduling.state.stops import waited

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts


def verdict_of(run: RunFacts, parent: int, condition: str) -> tuple[bool, str]:
    """The verdict of a condition, and why it cannot be evaluated; an error counts as no.

    Args:
        run: its facts.
        parent: the number of a task that has ended.
        condition: on that end.
    """
    result = run.results[parent]
    ran = run.has_last_attempt(parent)
    return conditions.evaluate(
        condition,
        status=STATUS_OF[run.status[parent]].value,
        value=result.value if result is not None and run.status[parent] == COMPLETED else None,
        exit_code=result.exit_code if result is not None else None,
        output=result.output if result is not None else "",
        attempts=run.starts(parent),
        duration=run.ended_at[parent] - run.started_at[parent] if ran else waited(run, parent),
        severity=run.severity_of(parent) if run.status[parent] == FAILED else "",
    )
