"""The spread of durations: log-normal, with the uncertainty of few observations redrawn for each sample.

A handful of observations tell neither the mean nor the scatter well, and both are wrong for all tasks of a kind at
once: that shared error does not average out over many tasks. So each sample first draws what the truth of a kind might
be (the normal-inverse-gamma posterior of the logarithms), then the single durations.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

SHORTEST: Final = 1e-6
"""Seconds; a shorter duration counts as this, as logarithms are taken."""
NAME_SPREAD: Final = 0.25
"""The scatter of the logarithm that is taken for granted of tasks of one name until observations say better."""
KIND_SPREAD: Final = 0.5
"""The same for tasks of one kind."""
DECLARED_SPREAD: Final = 0.3
"""The same for what a task then took over what was declared."""
_VIRTUAL: Final = 4.0
"""The weight of what is taken for granted about the scatter, in observations."""
_ROUNDS: Final = 6
"""How often mean and what is expected of the unfinished are brought into agreement."""
_BEYOND: Final = math.log(10.0)
"""Ratios of more than ten to one count as that: they come from a slip, or from what took no time at all."""
_FAR: Final = 8.0
"""Deviations beyond which the normal distribution has nothing left that could be counted."""
_MOST_TIMES: Final = 2.0
"""A drawn scatter is at most so many times the likeliest one: what was hardly seen could be anything."""
_OVERTIME: Final = 0.1
"""What is left of a task that is off the charts, as a share of the time it has run."""
_NORMAL: Final = NormalDist()


class Spread(msgspec.Struct, frozen=True, gc=False):
    """The distribution of the logarithm of a duration, or of the ratio of a duration to what was declared.

    Attributes:
        mean: of the logarithm.
        sigma: the likeliest standard deviation of the logarithm; 0: the duration is known.
        weight: how many observations the mean is worth.
        freedom: how many the deviation is worth.
    """

    mean: float = 0.0
    sigma: float = 0.0
    weight: float = 1.0
    freedom: float = 1.0

    def draw(self, random: Random, doubt: float) -> tuple[float, float]:
        """Draw the mean and standard deviation of the logarithm, as they might really be.

        Args:
            random: what chance there is.
            doubt: how many times the likeliest deviation the real one is; see `drawn_doubt`.
        """
        if not self.sigma:
            return self.mean, 0.0
        sigma = self.sigma * doubt
        return self.mean + sigma / math.sqrt(self.weight) * random.gauss(0.0, 1.0), sigma


def drawn_doubt(freedom: float, random: Random) -> float:
    """Draw the factor by which the real deviation may exceed the likeliest one.

    Drawn once a sample for all that was seen as often: were it drawn for each name on its own, the widest of a hundred
    names seen once would always be among those that determine the end.

    Args:
        freedom: degrees of freedom of the deviation that was seen.
        random: what chance there is.
    """
    chance = 2.0 * random.gammavariate(freedom / 2.0, 1.0) / freedom
    return min(_MOST_TIMES, 1.0 / math.sqrt(max(chance, 1e-9)))


KNOWN: Final = Spread()
UNTRIED: Final = Spread(0.0, DECLARED_SPREAD, 1.0, _VIRTUAL)
"""Of what was declared and never tried."""


def of_durations(seconds: Sequence[float], unfinished: Sequence[float] = (), usual: float = KIND_SPREAD) -> Spread:
    """The spread of so many observed durations, by mean and variance, as a duration of 0 has no logarithm.

    Args:
        seconds: how long they took; at least one.
        unfinished: how long others have taken so far.
        usual: the scatter that is taken for granted until observations say better.
    """
    count = len(seconds)
    freedom = _VIRTUAL + count - 1
    variation = (_VIRTUAL * math.expm1(usual**2) + relative_squares(seconds)) / freedom
    sigma = math.sqrt(math.log1p(variation))
    mean = math.log(max(SHORTEST, sum(seconds) / count)) - sigma**2 / 2
    longer = _completed([mean] * count, [math.log(max(SHORTEST, so_far)) for so_far in unfinished], sigma)
    return Spread((mean * count + sum(longer)) / (count + len(longer)), sigma, count, freedom)


def of_ratios(logarithms: Sequence[float], unfinished: Sequence[float] = ()) -> Spread:
    """The spread of observed ratios of real over declared durations, with one virtual observation that they agree.

    Args:
        logarithms: of the ratios; there may be none.
        unfinished: the logarithms of how long others have taken so far over what they have declared.
    """
    freedom = _VIRTUAL + len(logarithms)
    seen = [0.0, *(min(_BEYOND, max(-_BEYOND, logarithm)) for logarithm in logarithms)]
    middle = sum(seen) / len(seen)
    sigma = math.sqrt((_VIRTUAL * DECLARED_SPREAD**2 + sum((one - middle) ** 2 for one in seen)) / freedom)
    seen += _completed(seen, [min(_BEYOND, so_far) for so_far in unfinished], sigma)
    return Spread(sum(seen) / len(seen), sigma, len(logarithms) + 1.0, freedom)


def usual_spread(within: float, freedom: int) -> float:
    """The scatter of one name to be expected, from all names that were seen more than once.

    Args:
        within: the `relative_squares` of each name, summed.
        freedom: how many of these there are, less one for each name.
    """
    return math.sqrt(math.log1p((_VIRTUAL * math.expm1(NAME_SPREAD**2) + within) / (_VIRTUAL + freedom)))


def _completed(logarithms: Sequence[float], unfinished: Sequence[float], sigma: float) -> list[float]:
    """The unfinished ones as they are expected to end, given how long they have taken.

    Whatever has ended early in a run is what was short; to go by that alone would foresee the end too early, again and
    again.
    """
    found: list[float] = []
    total, count = sum(logarithms), len(logarithms)
    for _ in range(_ROUNDS if unfinished else 0):
        mean = (total + sum(found)) / (count + len(found))
        found = [mean + sigma * _hazard((so_far - mean) / sigma) for so_far in unfinished]
    return found


def _hazard(z: float) -> float:
    """The expectation of a standard normal value that is above `z`."""
    if z > _FAR:
        return z
    return _NORMAL.pdf(z) / _NORMAL.cdf(-z)


def relative_squares(values: Sequence[float]) -> float:
    """The squared deviations from the mean, summed, as shares of the squared mean."""
    mean = sum(values) / len(values)
    return sum((value / mean - 1.0) ** 2 for value in values) if mean > SHORTEST else 0.0


def expected_rest(seconds: float, sigma: float, elapsed: float) -> float:
    """Seconds left of a task of that mean duration that has run for so long already.

    Until its time is up that is the difference; beyond, the expectation of a log-normal duration given that it is
    longer than this.

    Args:
        seconds: the mean of the duration.
        sigma: the deviation of the duration's logarithm; 0: none.
        elapsed: seconds that have passed.
    """
    if elapsed < seconds:
        return seconds - elapsed
    if not sigma or seconds <= 0:
        return 0.0
    z = (math.log(max(elapsed, SHORTEST)) - math.log(seconds) + sigma**2 / 2) / sigma
    beyond = _NORMAL.cdf(-z)
    if beyond < 1e-9:
        return elapsed * _OVERTIME
    return max(0.0, seconds * _NORMAL.cdf(sigma - z) / beyond - elapsed)


def drawn_rest(mean: float, sigma: float, elapsed: float, random: Random) -> float:
    """Seconds left, drawn from the log-normal durations that are longer than what has passed.

    Args:
        mean: of the duration's logarithm.
        sigma: the deviation of the duration's logarithm; 0: none.
        elapsed: seconds that have passed.
        random: what chance there is.
    """
    if not sigma:
        return max(0.0, math.exp(mean) - elapsed)
    below = _NORMAL.cdf((math.log(max(elapsed, SHORTEST)) - mean) / sigma)
    share = below + (1.0 - below) * random.random()
    if below > 1 - 1e-9 or not 0.0 < share < 1.0:
        return elapsed * _OVERTIME * random.expovariate(1.0)
    return max(0.0, math.exp(mean + sigma * _NORMAL.inv_cdf(share)) - elapsed)
