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
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.simulation.faults import KINDS, Aim
from tests.simulation.outcomes import Outcome
from tests.simulation.world import World

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.simulation.faults import Place

COMMANDS: Final = 1_000
SEEDS: Final = 1_000
_MEMORY: Final = Path("/dev/shm")
_TOLD_EVERY: Final = 60.0
"""Seconds between two lines about how far it is."""


def simulate(seed: int, commands: int = COMMANDS, aim: Aim | None = None) -> Outcome:
    """Live through the history of a seed.

    Args:
        seed: of it.
        commands: how many are given.
        aim: a fault that strikes besides; None: none does.
    """
    with tempfile.TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None) as folder:
        return World(seed, Path(folder), commands, aim).run()


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
    parser.add_argument("--aim", type=Aim.read, metavar="KIND@FILE@FUNCTION@LINE", help="a fault that strikes there")
    parser.add_argument(
        "--complete", type=int, default=0, metavar="N", help="have each kind strike at each await, in up to N histories"
    )
    wanted = parser.parse_args(arguments)
    report = Report(wanted.commands)
    if len(wanted.seeds) == 1:
        _prepare()
        report.add(simulate(wanted.seeds[0], wanted.commands, wanted.aim), wanted.aim)
    else:
        _simulate_all(report, wanted)
    report.print()
    return bool(report.broken)


def _simulate_all(report: Report, wanted: argparse.Namespace) -> None:
    """Live through the histories of all seeds, then through some of them again for faults that struck nowhere there."""
    in_time = partial(_in_time, wanted.commands, time.time() + 60 * wanted.minutes)
    with ProcessPoolExecutor(wanted.workers, initializer=_prepare) as pool:
        for outcome in pool.map(in_time, wanted.seeds):
            report.add(outcome)
        for nth in range(wanted.complete):
            again = report.lacking(nth)
            seeds, aims = [seed for seed, _ in again], [aim for _, aim in again]
            for aim, outcome in zip(aims, pool.map(in_time, seeds, aims), strict=True):
                report.add(outcome, aim)


def _in_time(commands: int, deadline: float, seed: int, aim: Aim | None = None) -> Outcome | None:
    return simulate(seed, commands, aim) if time.time() < deadline else None


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
        self._met: defaultdict[Place, list[int]] = defaultdict(list)
        """The seeds of the histories in which a program stood at a place."""

    def lacking(self, nth: int) -> list[tuple[int, Aim]]:
        """The faults that have never struck at a place, each with the nth history in which a program stood there."""
        aims = [Aim(kind, place) for place in self._met for kind in KINDS if not self._total.struck[kind, place]]
        return [(self._met[aim.place][nth], aim) for aim in aims if nth < len(self._met[aim.place])]

    def add(self, outcome: Outcome | None, aim: Aim | None = None) -> None:
        """Take the outcome of a history, in which a fault struck besides; None: there was no time for it."""
        if outcome is None:
            return
        total = self._total
        self._seeds.append(outcome.seed)
        if aim is None:
            for place in outcome.places:
                self._met[place].append(outcome.seed)
        total.commands += outcome.commands
        total.accepted += outcome.accepted
        total.steps += outcome.steps
        total.struck += outcome.struck
        total.places += outcome.places
        total.checked += outcome.checked
        if outcome.broken is not None:
            self.broken.append(outcome)
            self._say_broken(outcome, aim)
        if time.monotonic() - self._told > _TOLD_EVERY:
            self._told = time.monotonic()
            _say(f"… {len(self._seeds):,} histories, {total.commands:,} commands, {total.struck.total():,} faults")

    def _say_broken(self, outcome: Outcome, aim: Aim | None) -> None:
        _say(f"Seed {outcome.seed}: {outcome.broken} - is broken.", outcome.story)
        options = [] if self._each == COMMANDS else [f"--commands {self._each}"]
        if aim is not None:
            options.append(f"--aim '{aim}'")
        given = f' ARGS="{" ".join(options)}"' if options else ""
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
