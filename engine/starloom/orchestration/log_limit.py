"""Logging messages of foreign code: bounded in length, and at most once a minute on each subject."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import logging
    from collections.abc import Callable

LONGEST: Final = 8_000
"""Characters of one entry."""
EVERY: Final = 60.0
"""Seconds between two entries on one subject."""
_MOST_SUBJECTS: Final = 1_000


def bounded(text: str, longest: int = LONGEST) -> str:
    """The text, or its beginning and its end if it is longer.

    Args:
        text: any.
        longest: characters that are kept.
    """
    if len(text) <= longest:
        return text
    head = longest // 4
    return f"{text[:head]} … [{len(text) - longest:,} characters left out] … {text[head - longest :]}"


class LimitedLog:
    """Logs errors: the first on a subject, and after that one a minute, which says how many there were in between.

    Args:
        log: where they go.
        clock: seconds that never go back.
    """

    def __init__(self, log: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        self._log = log
        self._clock = clock
        self._told: dict[object, tuple[float, int]] = {}

    def error(self, subject: object, text: str) -> None:
        """Log an error, unless one on this subject was logged within the last minute; then it is counted.

        Args:
            subject: what is the same for errors of which one is enough.
            text: may be of any length.
        """
        now = self._clock()
        last, left_out = self._told.get(subject, (-EVERY, 0))
        if now - last < EVERY:
            self._told[subject] = last, left_out + 1
            return
        self._told.pop(subject, None)
        while len(self._told) >= _MOST_SUBJECTS:
            del self._told[next(iter(self._told))]
        self._told[subject] = now, 0
        more = f" ({left_out:,} more since the last entry)" if left_out else ""
        self._log.error("%s%s", bounded(text), more)
