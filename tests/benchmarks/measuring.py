"""How the benchmarks measure and report: interleaved rounds, medians, and a row per figure against its floor.

Python's collector is run just before each timed part and stays switched on, with its default thresholds, while it is
timed: for the engine and for what it is compared with alike, as both would run in a program.
"""

from __future__ import annotations

import json
import math
import os
import platform
import statistics
import sys
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

T = TypeVar("T")
COLLECTOR: Final = "collected before each timed part, switched on with default thresholds during it, for both sides"
FLOOR: Final = "raw asyncio"
"""What stands in the column floor where a row does not say something else."""
COLUMNS: Final = ("what", "unit", "ours", "floor", "ratio", "best", "budget", "holds?")
TEXT_COLUMNS: Final = frozenset({"what", "unit", "budget", "holds?"})


def interleaved(rounds: int, *measures: Callable[[], T], warm_up: bool = True) -> list[list[T]]:
    """The figures of each measure, taken in turns so that a noisy moment meets all of them.

    Args:
        rounds: how many figures of each.
        *measures: what takes one figure.
        warm_up: whether there is one round more, the first, that does not count.
    """
    if warm_up:
        for measure in measures:
            measure()
    taken: list[list[T]] = [[] for _ in measures]
    for _ in range(rounds):
        for figures, measure in zip(taken, measures, strict=True):
            figures.append(measure())
    return taken


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of the values does not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


@dataclass(frozen=True, slots=True)
class Budget:
    """What a row's ratio, or its own figure where `absolute`, has to keep to."""

    limit: float
    at_least: bool = False
    absolute: bool = False

    def holds(self, ours: float, ratio: float | None) -> bool | None:
        """Whether it is kept; None: there is no ratio to tell by."""
        figure = ours if self.absolute else ratio
        if figure is None:
            return None
        return figure >= self.limit if self.at_least else figure <= self.limit

    def text(self, unit: str) -> str:
        """The budget as it stands in the table."""
        sign = "≥" if self.at_least else "≤"
        return f"{sign} {self.limit:g}x" if not self.absolute else f"{sign} {number(self.limit)} {unit}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One figure against its floor.

    Attributes:
        group: the part of the benchmark it belongs to.
        ours, floor: medians over the rounds, in `unit`; floor is None where nothing is comparable.
        ratio: the median of ours / floor within a round.
        best: our best round over the floor's best.
        peer: what stands in the column floor.
        samples, floor_samples: the figure of each round.
    """

    group: str
    name: str
    unit: str
    ours: float
    floor: float | None
    ratio: float | None
    best: float | None
    budget: str
    holds: bool | None
    peer: str
    note: str
    samples: tuple[float, ...]
    floor_samples: tuple[float, ...]


def row(
    group: str,
    name: str,
    unit: str,
    ours: Sequence[float],
    floor: Sequence[float] = (),
    *,
    peer: str = FLOOR,
    budget: Budget | None = None,
    more_is_better: bool = False,
    note: str = "",
) -> Row:
    """The row of figures that were taken in the same rounds, in the same order."""
    best = max if more_is_better else min
    ratio = statistics.median(a / b for a, b in zip(ours, floor, strict=True)) if floor and all(floor) else None
    middle = statistics.median(ours)
    return Row(
        group=group,
        name=name,
        unit=unit,
        ours=middle,
        floor=statistics.median(floor) if floor else None,
        ratio=ratio,
        best=best(ours) / best(floor) if ratio is not None else None,
        budget=budget.text(unit) if budget is not None else "",
        holds=budget.holds(middle, ratio) if budget is not None else None,
        peer=peer if floor else "",
        note=note,
        samples=tuple(ours),
        floor_samples=tuple(floor),
    )


# ---- reporting


def number(value: float | None) -> str:
    """A figure in three digits or so."""
    if value is None:
        return "-"
    size = abs(value)
    digits = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 0.1 or size == 0 else 4
    return f"{value:,.{digits}f}"


def cells(entry: Row) -> tuple[str, ...]:
    """A row as the table shows it."""
    holds = {True: "yes", False: "NO", None: ""}[entry.holds]
    figures = (number(entry.ours), number(entry.floor), number(entry.ratio), number(entry.best))
    return (entry.name, entry.unit, *figures, entry.budget, holds)


def table(rows: Sequence[Row]) -> str:
    """All rows in columns, and below them what each is compared with and what is to be known about it."""
    remarks: dict[str, int] = {}
    lines: list[tuple[str, ...]] = [COLUMNS]
    for entry in rows:
        what, *rest = cells(entry)
        remark = remark_on(entry)
        mark = f" [{remarks.setdefault(remark, len(remarks) + 1)}]" if remark else ""
        lines.append((what + mark, *rest))
    widths = [max(len(line[i]) for line in lines) for i in range(len(COLUMNS))]
    out = [_line(line, widths) for line in lines]
    out.insert(1, "  ".join("─" * width for width in widths))
    return "\n".join([*out, "", *(f"[{mark}] {remark}" for remark, mark in remarks.items())]) + "\n"


def remark_on(entry: Row) -> str:
    """What the figures alone don't say."""
    compared = f"floor: {entry.peer}" if entry.peer not in ("", FLOOR) else ""
    return "; ".join(filter(None, (compared, entry.note)))


def _line(line: Sequence[str], widths: Sequence[int]) -> str:
    padded = [
        text.ljust(width) if column in TEXT_COLUMNS else text.rjust(width)
        for column, text, width in zip(COLUMNS, line, widths, strict=True)
    ]
    return "  ".join(padded).rstrip()


def circumstances() -> dict[str, Any]:
    """What a reader has to know about machine and method to judge the figures."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "at": datetime.now(tz=UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cpus": os.cpu_count(),
        "load_average": load,
        "collector": COLLECTOR,
        "ratio": "median of the rounds' own ratios; best is our best round over the floor's best",
    }


def write_json(path: Path, rows: Sequence[Row], about: Mapping[str, Any]) -> None:
    """Keep all figures, each round's too."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({**about, "rows": [asdict(entry) for entry in rows]}, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def say(text: str) -> None:
    """Write a line for whoever watches."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
