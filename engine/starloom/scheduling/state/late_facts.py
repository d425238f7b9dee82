"""Facts learnt about attempts after their start or end was told: measured times, overheads, and ends of lost ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.model.result import ErrorCode, OutcomeStatus
from starloom.scheduling.state.codes import CANCELLED, FAILED

if TYPE_CHECKING:
    from starloom.model.result import Outcome
    from starloom.scheduling.state.attempts import LateEnd
    from starloom.scheduling.state.run_facts import RunFacts

_MAY_STILL_RUN: Final = "may still run on "


def is_timed(run: RunFacts, number: int, attempt: int) -> bool:
    """Whether the duration of an ended attempt is known."""
    return not run.untimed or attempt not in run.untimed.get(number, ())


def heard_at(run: RunFacts, number: int, attempt: int, ended: float) -> float:
    """When the end of an attempt was reported, which is when its successors became ready.

    Args:
        run: its facts.
        number: of the task.
        attempt: the attempt's number, from 1.
        ended: when it ended, in seconds on the engine's clock.
    """
    return run.heard_at[number].get(attempt, ended) if number in run.heard_at else ended


def ordered_at(run: RunFacts, number: int, attempt: int, started: float) -> float:
    """When an attempt was ordered, which is when it took its slot; it may have begun later.

    Args:
        run: its facts.
        number: of the task.
        attempt: the attempt's number, from 1.
        started: when it started, in seconds on the engine's clock.
    """
    return min(started, run.ordered_at[number].get(attempt, started)) if number in run.ordered_at else started


def overhead(run: RunFacts, number: int) -> float:
    """The seconds for which the last attempt of a task has held its slot besides its work, as far as was measured.

    They are the way to its device and the start there, and the way back of the news of its end.
    """
    return max(0.0, run.overhead.get(number, 0.0))


def late_end(run: RunFacts, number: int, attempt: int) -> LateEnd | None:
    """The end of a lost attempt; None: unknown.

    Args:
        run: its facts.
        number: of the task.
        attempt: the attempt's number, from 1.
    """
    return next((end for end in run.late_ends.get(number, ()) if end.attempt == attempt), None)


def why_out_of_reach(outcome: Outcome, device_id: str) -> str:
    """The reason why an attempt that was stopped may still run, as its task's reason; empty: it has stopped."""
    if outcome.status is OutcomeStatus.LOST:
        return f"{_MAY_STILL_RUN}{device_id!r} until it is reached"
    error = outcome.result.error
    return f"{_MAY_STILL_RUN}{device_id!r}" if error is not None and error.code == ErrorCode.NOT_STOPPED else ""


def why_ended(end: LateEnd) -> str:
    """The end of an attempt that could not be stopped, as its task's reason."""
    if end.exit_code is None:
        return "ended once its device was reached"
    return f"ended by itself, with exit code {end.exit_code}, before its device was reached"


def may_still_run(run: RunFacts, number: int) -> str | None:
    """The device on which the last attempt of an ended task may still run; None: none."""
    code, result = run.status[number], run.results[number]
    if code == CANCELLED:
        is_out_of_reach = run.reasons.get(number, "").startswith(_MAY_STILL_RUN)
    else:
        error = result.error if code == FAILED and result is not None else None
        is_out_of_reach = error is not None and error.code in {ErrorCode.DEVICE_LOST, ErrorCode.NOT_STOPPED}
        is_out_of_reach = is_out_of_reach and late_end(run, number, run.tries[number]) is None
    return run.device_of[number] if is_out_of_reach else None
