"""Queue keys: how the key of a ready task is made up; the least key starts first.

From high to low: priority as of time 0, the run's number, the task's number, the bucket.
"""

from __future__ import annotations

from typing import Final

NUMBER_BITS: Final = 24
RUN_BITS: Final = 32
BUCKET_BITS: Final = 24
"""A key ends with its bucket, so that one left behind in another bucket is stale there."""
SHIFT: Final = NUMBER_BITS + RUN_BITS + BUCKET_BITS
NUMBER_MASK: Final = (1 << NUMBER_BITS) - 1
POINT: Final = 1_000_000
"""Parts of a priority point that a key tells apart: half a microsecond of waiting at the default rate."""

_SHORTEST: Final = 0.001
"""Seconds; a shorter `starvation_timeout` counts as this, as keys are made of finite numbers."""
_AGED_TO: Final = 60.0
"""The priority a background task has reached after `starvation_timeout`, as the seeds define the rate."""


def aging_rate(starvation_timeout: float) -> float:
    """Priority points a second that a ready task gains; 0 when there is no aging.

    Args:
        starvation_timeout: seconds.
    """
    return _AGED_TO / max(_SHORTEST, starvation_timeout) if starvation_timeout > 0 else 0.0
