"""When a failed attempt is retried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.model.status import Backoff

if TYPE_CHECKING:
    from starloom.model.task import Retry


def pause_before(retry: Retry, failed_attempts: int) -> float | None:
    """Seconds of backoff after so many failed attempts (1 or more), or None when there are no more attempts."""
    if failed_attempts >= retry.attempts:
        return None
    factor = 1.0
    if retry.backoff is Backoff.LINEAR:
        factor = failed_attempts
    elif retry.backoff is Backoff.EXPONENTIAL:
        factor = 2.0 ** min(failed_attempts - 1, 1000)
    pause = retry.delay * factor
    return pause if retry.cap is None else min(pause, retry.cap)
