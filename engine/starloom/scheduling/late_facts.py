"""What is found out of attempts after they were over: when they really ran, and how those ended that were lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starloom.scheduling.attempts import LateEnd
    from starloom.scheduling.run_facts import RunFacts


def is_timed(run: RunFacts, number: int, attempt: int) -> bool:
    """Whether it is known how long an attempt that has ended took."""
    return not run.untimed or attempt not in run.untimed.get(number, ())


def late_end(run: RunFacts, number: int, attempt: int) -> LateEnd | None:
    """How an attempt ended that had been given up; None: nothing is known of that."""
    return next((end for end in run.late_ends.get(number, ()) if end.attempt == attempt), None)
