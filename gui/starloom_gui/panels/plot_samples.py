"""How much was done and how busy the slots were over the last minutes: a fold over the facts of all runs.

Nothing is sampled while time passes, so a pane that was hidden, or is made anew, shows the same as one that was not.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import numpy as np

from starloom.scheduling.codes import RUNNING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from starloom.scheduling.run_facts import RunFacts

    Floats = NDArray[np.float64]

SPAN: Final = 600.0
"""Seconds that are shown."""
BIN: Final = 5.0
"""Seconds of a sample. Samples begin at multiples of it, so that they stay what they are while time goes on."""
BINS: Final = int(SPAN / BIN)
MINUTE: Final = int(60 / BIN)
"""Samples in a minute; there are so many more of what ended, so that the first one shown knows its last minute too."""


@dataclass(frozen=True, slots=True)
class Samples:
    """One value for each `BIN` seconds, oldest first; the last one is of the seconds that have begun.

    Attributes:
        begin: when the first one begins, on the engine's clock.
        now: when this was read.
        ended: attempts that ended; these begin a minute earlier.
        used: slots that were in use, on average; of the last one, over the part that has passed.
    """

    begin: float
    now: float
    ended: tuple[int, ...]
    used: tuple[float, ...]

    def ended_per_minute(self) -> tuple[int, ...]:
        """For each sample, how many attempts ended in the minute that ends with it."""
        passed = list(accumulate(self.ended, initial=0))
        return tuple(passed[at] - passed[at - MINUTE] for at in range(MINUTE + 1, len(passed)))

    def ended_per_second(self) -> tuple[float, ...]:
        """The rate at which attempts ended."""
        return tuple(count / BIN for count in self.ended[MINUTE:])


def samples_of(runs: Iterable[RunFacts], now: float) -> Samples:
    """What all these runs did within the last `SPAN` seconds.

    Args:
        runs: their facts.
        now: seconds on the engine's clock.
    """
    begin = (now // BIN + 1) * BIN - SPAN
    earlier = begin - MINUTE * BIN
    parts = [part for run in runs if not _is_over(run, earlier) for part in (_latest(run, now), _earlier(run, now))]
    if not parts:
        return Samples(begin, now, (0,) * (BINS + MINUTE), (0.0,) * BINS)
    starts, ends = (np.concatenate(column) for column in zip(*parts, strict=True))
    over = ends[(ends >= earlier) & (ends <= now)]
    ended = np.bincount(_bin(over, earlier, BINS + MINUTE), minlength=BINS + MINUTE)
    seen = ends > begin
    starts, ends = starts[seen], ends[seen]
    busy = _level(starts, begin) - _level(np.minimum(ends, now), begin)
    busy[-1] *= BIN / max(now - (begin + SPAN - BIN), 1e-9) if now > begin + SPAN - BIN else 1.0
    return Samples(begin, now, tuple(ended.tolist()), tuple(np.round(np.maximum(busy, 0.0), 6).tolist()))


def _is_over(run: RunFacts, begin: float) -> bool:
    return run.run_started_at is None or (run.run_ended_at is not None and run.run_ended_at < begin)


def _latest(run: RunFacts, now: float) -> tuple[Floats, Floats]:
    """When the attempts in the arrays of the facts started and ended; those that run end at some time after now."""
    has_one = np.fromiter((device is not None for device in run.device_of), np.bool_, len(run.device_of))
    runs = np.frombuffer(bytes(run.status), np.uint8) == RUNNING
    ends = np.where(runs, now + SPAN, np.array(run.ended_at, np.float64))
    return np.array(run.started_at, np.float64)[has_one], ends[has_one]


def _earlier(run: RunFacts, now: float) -> tuple[Floats, Floats]:
    """The same of the attempts before the last ones, of which there are few."""
    past = [one for attempts in run.history.values() for one in attempts]
    ends = [now + SPAN if one.ended is None else one.ended for one in past]
    return np.array([one.started for one in past], np.float64), np.array(ends, np.float64)


def _bin(times: Floats, begin: float, bins: int) -> NDArray[np.intp]:
    return np.clip(((times - begin) // BIN).astype(np.intp), 0, bins - 1)


def _level(times: Floats, begin: float) -> Floats:
    """How many of these moments have passed, on average over each sample."""
    place = _bin(times, begin, BINS)
    late = np.clip((times - begin) / BIN - place, 0.0, 1.0)
    passed = np.cumsum(np.bincount(place, minlength=BINS)).astype(np.float64)
    return passed - np.bincount(place, weights=late, minlength=BINS)
