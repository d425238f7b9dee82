"""`make test-simulation`: lives through many histories, and prints what they were and whether a law was broken.

A history is drawn from its seed and its number of commands alone, and comes out the same each time it is lived through.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.simulation.faults import KINDS
from tests.simulation.outcomes import Outcome
from tests.simulation.world import World

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

COMMANDS: Final = 1_000
SEEDS: Final = 1_000
_MEMORY: Final = Path("/dev/shm")
_TOLD_EVERY: Final = 60.0
"""Seconds between two lines about how far it is."""


def simulate(seed: int, commands: int = COMMANDS) -> Outcome:
    """Live through the history of a seed.

    Args:
        seed: of it.
        commands: how many are given.
    """
    with tempfile.TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None) as folder:
        return World(seed, Path(folder), commands).run()


def _prepare() -> None:
    gc.collect()
    gc.freeze()  # each history ends by a look at all other objects


def _seeds(text: str) -> range:
    first, _, end = text.partition(":")
    return range(int(first), int(end) if end else int(first) + 1)


def main(arguments: Sequence[str]) -> int:
    """Simulate; returns the exit code, 1 if a law was broken."""
    parser = argparse.ArgumentParser(prog="make test-simulation", description=__doc__)
    parser.add_argument("--seeds", type=_seeds, default=range(SEEDS), metavar="FIRST:END", help="or one of them")
    parser.add_argument("--commands", type=int, default=COMMANDS, help="of each history")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="no history begins after that")
    wanted = parser.parse_args(arguments)
    report = Report(wanted.commands)
    if len(wanted.seeds) == 1:
        _prepare()
        report.add(simulate(wanted.seeds[0], wanted.commands))
    else:
        with ProcessPoolExecutor(wanted.workers, initializer=_prepare) as pool:
            report.take(pool.map(partial(_in_time, wanted.commands, time.time() + 60 * wanted.minutes), wanted.seeds))
    report.print()
    return bool(report.broken)


def _in_time(commands: int, deadline: float, seed: int) -> Outcome | None:
    return simulate(seed, commands) if time.time() < deadline else None


class Report:
    """What came of many histories.

    Args:
        commands: of each of them.

    Attributes:
        broken: those in which a law was broken.
    """

    def __init__(self, commands: int) -> None:
        self.broken: list[Outcome] = []
        self._each = commands
        self._begun = self._told = time.monotonic()
        self._total = Outcome(0)
        self._seeds: list[int] = []

    def take(self, outcomes: Iterable[Outcome | None]) -> None:
        """Take outcomes as they come; None: there was no time for one."""
        for outcome in outcomes:
            if outcome is not None:
                self.add(outcome)

    def add(self, outcome: Outcome) -> None:
        """Take an outcome."""
        total = self._total
        self._seeds.append(outcome.seed)
        total.commands += outcome.commands
        total.accepted += outcome.accepted
        total.steps += outcome.steps
        total.struck += outcome.struck
        total.places += outcome.places
        total.checked += outcome.checked
        if outcome.broken is not None:
            self.broken.append(outcome)
            self._say_broken(outcome)
        if time.monotonic() - self._told > _TOLD_EVERY:
            self._told = time.monotonic()
            _say(f"… {len(self._seeds):,} histories, {total.commands:,} commands, {total.struck.total():,} faults")

    def _say_broken(self, outcome: Outcome) -> None:
        _say(f"Seed {outcome.seed}: {outcome.broken} - is broken.", outcome.story)
        given = "" if self._each == COMMANDS else f' ARGS="--commands {self._each}"'
        _say(f"It is lived through again by: make test-simulation SEEDS={outcome.seed}{given}", "")

    def print(self) -> None:
        """Print the counts."""
        total, seconds = self._total, time.monotonic() - self._begun
        kinds, places = Counter(kind for kind, _ in total.struck.elements()), len(total.places)
        span = f"{min(self._seeds)} to {max(self._seeds)}" if self._seeds else "none"
        _say(
            f"{len(self._seeds):,} histories (seeds {span}) in {seconds:,.0f} s",
            f"{total.commands:,} commands, {total.accepted:,} of them carried out; {total.commands / seconds:,.0f} /s",
            f"{total.steps:,} steps from await to await, at {places} awaits",
            f"{total.struck.total():,} faults:",
            *(f"  {kinds[kind]:>8,}  {kind}" for kind in KINDS),
            f"{len(total.struck):,} of {places * len(KINDS):,} pairs of a kind and an await; the awaits, how often a "
            "program stood there, how often a fault struck, and the kinds that did not:",
        )
        for place, seen in total.places.most_common():
            lacking = [str(kind) for kind in KINDS if not total.struck[kind, place]]
            struck = sum(total.struck[kind, place] for kind in KINDS)
            file, function, line = place
            _say(
                f"  {seen:>12,} {struck:>7,}  {function} ({file}:{line}){'; not: ' * bool(lacking)}{', '.join(lacking)}"
            )
        _say("Laws, and how often each was checked:", *(f"  {n:>10,}  {law}" for law, n in total.checked.items()))
        _say(f"{len(self.broken)} histories broke a law." if self.broken else "No law was broken.")


def _say(*lines: str) -> None:
    for line in lines:
        print(line, flush=True)  # noqa: T201 - it is a program


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
