"""Overheads of attempts: the seconds for which each holds a slot of its device besides its work.

The order goes there, the work is started, and the news of its end comes back. How long that takes depends on the
machine, on the way there and on how busy both are: only the attempts that have ended there tell.
"""

from __future__ import annotations

from typing import Final

import msgspec

from starloom.foresight.spread import KNOWN, Spread, of_durations

_TOGETHER: Final = 8
"""The most observations that the mean is worth: attempts of one time have the load of their device in common."""
_BEYOND: Final = 10.0
"""How many times that of the quick ones one counts at most: a link that broke says nothing of the next attempt."""
_QUICK: Final = 8
"""One in so many is quick: an outage holds up all attempts of its time, which may be most of a run."""
_LEAST_BEYOND: Final = 1.0
"""Seconds; less than that is nothing unusual."""


class Overhead(msgspec.Struct, frozen=True, gc=False):
    """The expected overhead of an attempt.

    Attributes:
        seconds: the mean.
        spread: of the logarithm of the seconds.
    """

    seconds: float = 0.0
    spread: Spread = KNOWN

    def rest(self, spent: float, elapsed: float) -> tuple[float, float]:
        """What is left of it for an attempt that runs, and the seconds for which its work has run.

        What has passed since the attempt started counts as overhead first, as nobody has told yet that the work began.

        Args:
            spent: seconds of it that are over, as was measured.
            elapsed: seconds since the attempt started, without those.
        """
        left = max(0.0, self.seconds - spent)
        passed = min(left, elapsed)
        return left - passed, elapsed - passed


NO_OVERHEAD: Final = Overhead()


def overhead_of(seen: list[float]) -> Overhead:
    """The overhead to be expected after some were observed.

    Args:
        seen: seconds of each, at least one, in any order.
    """
    ordered = sorted(seen)
    most = max(_LEAST_BEYOND, _BEYOND * ordered[len(ordered) // _QUICK])
    usual = [min(most, seconds) for seconds in ordered]
    mean = sum(usual) / len(usual)
    if not mean:
        return NO_OVERHEAD
    spread = of_durations(usual)
    return Overhead(mean, msgspec.structs.replace(spread, weight=min(spread.weight, _TOGETHER)))
