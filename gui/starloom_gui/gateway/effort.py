"""How long this program has worked for something, for those that rest afterwards in proportion."""

from __future__ import annotations

import time


class Effort:
    """Measures, from its making on, for how long this program works; waiting for a server is no work."""

    def __init__(self) -> None:
        self._begun, self._used = time.perf_counter(), time.process_time()

    def elapsed(self) -> float:
        """The seconds since then."""
        return time.perf_counter() - self._begun

    def spent(self) -> float:
        """The seconds in which this program has worked since then, for that or for anything else."""
        return min(self.elapsed(), time.process_time() - self._used)

    def rest(self, every: float, times: float) -> float:
        """The seconds to rest now.

        Args:
            every: seconds between two beginnings at least.
            times: how many times as long as was worked at least.
        """
        return max(every - self.elapsed(), times * self.spent())
