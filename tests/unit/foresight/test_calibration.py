"""What was foreseen held against what then really happened: nine of ten ends should come no later than p90.

The durations that really happen are drawn around those of a plan; foreseen is from what tasks declare or from what an
earlier run of the same plan has shown, at several moments of the run. Everything is in virtual time.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.benchmarks.bench_makespan import generated_plans, recorded_plans, traces_folder

from starloom.foresight.projection import Certainty, estimates_of, project
from starloom.foresight.virtual import SimulatedSpec, VirtualRun
from starloom.model.plan import Plan
from starloom.model.task import Simulate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from starloom.foresight.estimates import Estimates

SEEDS = range(3)
MOMENTS = (0.0, 0.3, 0.7)
"""Shares of the tasks that have ended when the end is foreseen."""
FLEET = (SimulatedSpec("a", 8), SimulatedSpec("b", 8))
COVERED = 0.85


def perturbed(plan: Plan, seed: int, *, scatter: float, bias: float = 1.0, declared: bool) -> Plan:
    """The plan with what its tasks really take; what they declare stays as it is, or goes."""
    dice = Random(seed)
    tasks = []
    for task in plan.tasks:
        usual = task.expected_duration or 0.0
        real = usual * bias * dice.lognormvariate(0.0, scatter)
        tasks.append(replace(task, simulate=Simulate(real), estimate=usual if declared else None))
    return Plan(name=plan.name, tasks=tuple(tasks), dependencies=plan.dependencies)


def foreseen(real: Plan, known: Estimates | None) -> Iterator[tuple[float, float, float]]:
    """The real end, p50 and p90 of each moment, in seconds since that moment."""
    virtual = VirtualRun(real, FLEET)
    projections = []
    for share in MOMENTS:
        while virtual.run.counts()["completed"] < share * len(real.tasks) and virtual.step():
            pass
        found = project(_unsimulated(virtual), virtual.run.run_id, estimates=known, samples=60, seed=5)
        if found.certainty is Certainty.EXPECTED and found.tasks:
            projections.append(found)
    while virtual.step():
        pass
    for found in projections:
        assert found.p50 is not None
        assert found.p90 is not None
        assert found.at <= found.p50 <= found.p90
        yield virtual.now - found.at, found.p50 - found.at, found.p90 - found.at


def _unsimulated(virtual: VirtualRun):
    """A fork that does not know how long a simulation will take."""
    fork = virtual.fork()
    run = fork.run(virtual.run.run_id)
    run.graph.tasks[:] = [
        None if task is None else replace(task, simulate=None, call=task.id.rstrip("0123456789"))
        for task in run.graph.tasks
    ]
    return fork


def history(plan: Plan, seed: int, scatter: float) -> Estimates:
    """What a whole earlier run of the plan tells."""
    earlier = VirtualRun(perturbed(plan, 1000 + seed, scatter=scatter, declared=False), FLEET)
    while earlier.step():
        pass
    return estimates_of(_unsimulated(earlier))


def declared_cases(plans: Iterable[Plan]) -> Iterator[tuple[float, float, float]]:
    for plan in plans:
        for seed in SEEDS:
            bias = (0.8, 1.0, 1.25)[seed % 3]
            yield from foreseen(perturbed(plan, seed, scatter=0.3, bias=bias, declared=True), None)


def learnt_cases(plans: Iterable[Plan]) -> Iterator[tuple[float, float, float]]:
    for plan in plans:
        for seed in SEEDS:
            known = history(plan, seed, scatter=0.3)
            yield from foreseen(perturbed(plan, seed, scatter=0.3, declared=False), known)


def recorded() -> list[Plan]:
    folder = traces_folder()
    plans = [plan for _, plan, _ in recorded_plans(folder)]
    if not plans:
        pytest.skip(f"there are no recorded workflows in {folder}")
    return plans


def made() -> list[Plan]:
    return [plan for _, plan, _ in generated_plans()]


def coverage(cases: Iterable[tuple[float, float, float]]) -> tuple[float, float, float]:
    """The shares of real ends that p50 and p90 cover, and how far p90 is above p50 on average."""
    found = list(cases)
    assert len(found) >= 20, "too few cases to tell"
    half = sum(real <= p50 for real, p50, _ in found) / len(found)
    most = sum(real <= p90 for real, _, p90 in found) / len(found)
    return half, most, sum(p90 / p50 for _, p50, p90 in found if p50) / len(found)


@pytest.mark.parametrize("cases", [declared_cases, learnt_cases])
@pytest.mark.parametrize("plans", [recorded, made])
def test_nine_of_ten_runs_end_before_p90(cases, plans) -> None:
    half, most, width = coverage(cases(plans()))
    assert most >= COVERED, f"p90 covers only {most:.0%}, p50 {half:.0%}"
    assert 0.2 <= half <= 0.9, f"p50 covers {half:.0%}: it is no middle"
    assert width < 2.0, f"p90 is {width:.2f} times p50: nobody can plan with that"
