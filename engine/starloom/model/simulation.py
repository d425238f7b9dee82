"""Decides how a simulated attempt ends and how long it takes: pure, and the same in real and in virtual time."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from starloom.model.result import DONE, ErrorCode, ErrorInfo, Outcome, OutcomeStatus, Result

if TYPE_CHECKING:
    from starloom.model.task import Task

_DRAWS: Final = 2**64


def simulated_outcome(
    task: Task, attempt: int, *, device_id: str, speed: float = 1.0, failure_rate: float = 0.0, seed: int = 0
) -> tuple[float, Outcome]:
    """The seconds a simulated attempt takes on a device of a speed, and its outcome.

    Equal arguments always give an equal answer; the draw behind `failure_rate` depends on seed, task id and attempt
    only, so that a run on other devices fails in the same places.

    Args:
        task: any task; one without `simulate` takes its estimate, else no time, and completes.
        attempt: the number of the attempt, from 1.
        device_id: the device it is said to run on; named in the sentence of a failure.
        speed: more than 0; what takes 1 s takes 1/speed.
        failure_rate: the share of attempts that fail though they were to complete, 0 to 1.
        seed: another seed lets other attempts fail.
    """
    seconds = (task.expected_duration or 0.0) if task.simulate is None else task.simulate.duration
    reason = _declared_failure(task, attempt)
    if reason is None and failure_rate > 0 and _draw(seed, task.id, attempt) < failure_rate:
        reason = f"device {device_id!r} lets {failure_rate:.0%} of the attempts fail"
    return seconds / speed, _completed(task) if reason is None else _failed(attempt, reason)


def _declared_failure(task: Task, attempt: int) -> str | None:
    simulate = task.simulate
    if simulate is None:
        return None
    if attempt <= simulate.fail_attempts:
        return f"the first {simulate.fail_attempts} are to fail"
    return "the task is to fail" if simulate.outcome == "failed" else None


def _draw(seed: int, task_id: str, attempt: int) -> float:
    """A number in [0, 1) that looks random and is always the same for the same arguments."""
    digest = blake2b(f"{seed}\x00{attempt}\x00{task_id}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") / _DRAWS


def _completed(task: Task) -> Outcome:
    if task.simulate is None or task.simulate.value is None:
        return DONE
    return Outcome(OutcomeStatus.COMPLETED, Result(value=task.simulate.value))


def _failed(attempt: int, reason: str) -> Outcome:
    error = ErrorInfo(code=ErrorCode.SIMULATED, message=f"Simulated failure of attempt {attempt}: {reason}.")
    return Outcome(OutcomeStatus.FAILED, Result(error=error))
