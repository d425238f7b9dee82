"""Measures makespans under `critical_path` over HEFT's: `python tests/benchmarks/bench_makespan.py [--tiny]`.

HEFT is given every duration beforehand and plans offline (`heft.py`); we decide online, in virtual time, with all
default settings but the placement. The plans are recorded workflows in WfFormat, from `data/wfinstances` in the folder
that STARLOOM_SHARED names, and some that are generated here, always alike. The budget is that of the recorded ones.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import random
import sys
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

sys.path.insert(0, str(Path(__file__).parents[2]))  # a script finds only what lies beside it

from tests.benchmarks.heft import heft_makespan
from tests.benchmarks.measuring import say

from starloom.foresight.virtual import SimulatedSpec, simulate
from starloom.formats import load_plan
from starloom.model.dependency import Dependency
from starloom.model.plan import Plan
from starloom.model.status import Placement, RunState
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

ROOT: Final = Path(__file__).parents[2]
FLEETS: Final[Mapping[str, tuple[float, ...]]] = {
    "4 equal": (1.0,) * 4,
    "16 equal": (1.0,) * 16,
    "4 mixed": (1.0, 1.0, 2.0, 4.0),
    "16 mixed": (1.0,) * 6 + (1.5,) * 4 + (2.0,) * 4 + (4.0,) * 2,
}
MEAN_BUDGET: Final = 1.05
WORST_BUDGET: Final = 1.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One plan on one fleet; makespans in seconds, `bound` is what no schedule can be shorter than."""

    plan: str
    recorded: bool
    tasks: int
    fleet: str
    ours: float
    heft: float
    bound: float

    @property
    def ratio(self) -> float:
        """Our makespan over HEFT's; 1 where both take no time."""
        return self.ours / self.heft if self.heft > 0 else 1.0


def our_makespan(plan: Plan, speeds: Sequence[float]) -> float:
    """Seconds of virtual time that a run takes under `critical_path` on devices of one slot each.

    Raises:
        RuntimeError: the run did not complete, so there is nothing to compare.
    """
    devices = [SimulatedSpec(f"sim-{number}", 1, speed) for number, speed in enumerate(speeds, 1)]
    virtual = simulate(plan, devices, placement=Placement.CRITICAL_PATH)
    if virtual.run.state is not RunState.COMPLETED:
        raise RuntimeError(f"{plan.name} ended {virtual.run.state}: {virtual.stalled}")
    return virtual.summary().makespan_s


def lower_bound(plan: Plan, speeds: Sequence[float]) -> float:
    """The longer of the critical path on the fastest device and all work on all of them."""
    cost = [task.expected_duration or 0.0 for task in plan.tasks]
    end = [0.0] * len(cost)
    for number in plan.index.order:
        end[number] = cost[number] + max((end[parent] for parent in plan.index.parents[number]), default=0.0)
    return max(max(end, default=0.0) / max(speeds), sum(cost) / sum(speeds))


def figures(plans: Iterable[tuple[str, Plan, bool]]) -> list[Figure]:
    """Every plan on every fleet."""
    return [
        Figure(
            plan=name,
            recorded=recorded,
            tasks=len(plan.tasks),
            fleet=fleet,
            ours=our_makespan(plan, speeds),
            heft=heft_makespan(plan, speeds),
            bound=lower_bound(plan, speeds),
        )
        for name, plan, recorded in plans
        for fleet, speeds in FLEETS.items()
    ]


# ---- the plans


def traces_folder() -> Path:
    """Where the recorded workflows lie; they are not part of the project."""
    shared = os.environ.get("STARLOOM_SHARED")
    return (Path(shared) if shared else ROOT.parent / "shared") / "data" / "wfinstances"


def recorded_plans(folder: Path) -> list[tuple[str, Plan, bool]]:
    """The recorded workflows in a folder, by name; none when there is no such folder."""
    return [(path.stem, load_plan(path), True) for path in sorted(folder.glob("*.json"))]


def generated_plans(scale: int = 1) -> list[tuple[str, Plan, bool]]:
    """Plans of typical shapes with durations spread over two orders of magnitude; equal in every run."""
    draw = random.Random(7)
    shapes = {
        "layered": [[f"l{row}-{n}" for n in range(12 * scale)] for row in range(10)],
        "narrow": [[f"n{row}-{n}" for n in range(3)] for row in range(15 * scale)],
        "wide": [["start"], [f"w{n}" for n in range(100 * scale)], ["gather"], [f"v{n}" for n in range(40)], ["end"]],
    }
    return [(name, _layered(name, rows, draw), False) for name, rows in shapes.items()]


def _layered(name: str, rows: Sequence[Sequence[str]], draw: random.Random) -> Plan:
    """Each task needs up to three of the row above; one alone in its row needs all of them."""
    edges = [
        Dependency(parent=parent, child=child)
        for above, row in itertools.pairwise(rows)
        for child in row
        for parent in (above if len(row) == 1 else draw.sample(list(above), min(3, len(above))))
    ]
    tasks = tuple(Task(id=id, simulate=round(draw.lognormvariate(2.0, 1.0), 3)) for row in rows for id in row)  # type: ignore[arg-type]  # a number is what people write
    return Plan(name=name, tasks=tasks, dependencies=tuple(edges))


# ---- reporting


def geometric_mean(values: Sequence[float]) -> float:
    """The mean that ratios have; of none, 1."""
    return math.exp(sum(map(math.log, values)) / len(values)) if values else 1.0


def table(found: Sequence[Figure]) -> str:
    """A line for each plan, a column for each fleet, and below them geometric mean and worst."""
    names = list(dict.fromkeys(figure.plan for figure in found))
    ratios = {(figure.plan, figure.fleet): figure.ratio for figure in found}
    width = max([len("geometric mean"), *map(len, names)])
    lines = ["  ".join(["ours / HEFT".ljust(width), *(fleet.rjust(8) for fleet in FLEETS)])]
    lines += [_line(name, [ratios[name, fleet] for fleet in FLEETS], width) for name in names]
    columns = [[figure.ratio for figure in found if figure.fleet == fleet] for fleet in FLEETS]
    lines.append(_line("geometric mean", [geometric_mean(column) for column in columns], width))
    lines.append(_line("worst", [max(column) for column in columns], width))
    return "\n".join(lines)


def _line(name: str, values: Sequence[float], width: int) -> str:
    return "  ".join([name.ljust(width), *(f"{value:8.3f}" for value in values)])


def verdict(title: str, found: Sequence[Figure]) -> dict[str, object]:
    """Geometric mean and worst over all, told, and whether they keep to the budget."""
    ratios = [figure.ratio for figure in found]
    mean, worst = geometric_mean(ratios), max(ratios, default=1.0)
    holds = mean <= MEAN_BUDGET and worst <= WORST_BUDGET
    say(
        f"{title}: geometric mean {mean:.3f} (budget {MEAN_BUDGET}), worst {worst:.3f} (budget {WORST_BUDGET}): "
        f"{'holds' if holds else 'DOES NOT HOLD'}"
    )
    return {"geometric_mean": mean, "worst": worst, "holds": holds}


def main(arguments: list[str] | None = None) -> None:
    """Measure, print a table, and write all figures as JSON."""
    parser = argparse.ArgumentParser(description="Compare makespans under critical_path with HEFT's.")
    parser.add_argument("--tiny", action="store_true", help="the generated plans alone: shows that it works")
    parser.add_argument("--output", type=Path, default=ROOT / "bench-results" / "makespan.json", help="the JSON file")
    options = parser.parse_args(arguments)
    folder = traces_folder()
    recorded = [] if options.tiny else figures(recorded_plans(folder))
    own = figures(generated_plans())
    results: dict[str, object] = {}
    if recorded:
        say(table(recorded))
        results["recorded"] = verdict("recorded workflows", recorded)
    elif not options.tiny:
        say(f"There are no recorded workflows in {folder}: they are skipped. STARLOOM_SHARED may name another place.")
    say(table(own))
    results["generated"] = verdict("generated plans", own)
    rows = [{**asdict(figure), "ratio": figure.ratio} for figure in (*recorded, *own)]
    at = datetime.now(tz=UTC).isoformat(timespec="seconds")
    options.output.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"at": at, "verdicts": results, "figures": rows}, indent=1)
    options.output.write_text(text + "\n", encoding="utf-8")
    say(f"All figures: {options.output}")


if __name__ == "__main__":
    main()
