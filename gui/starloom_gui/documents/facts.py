"""A plan as the facts of a run that has not started, so that panes can show it like a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom import events as ev
from starloom.scheduling.fold.apply import apply
from starloom.scheduling.state.fleet_facts import FleetFacts
from starloom.scheduling.state.run_facts import RunFacts

if TYPE_CHECKING:
    from starloom.model.plan import Plan


def facts_of(plan: Plan, key: str = "", fleet: FleetFacts | None = None) -> RunFacts:
    """The facts of a run of this plan before its start, made by the fold that makes those of a run.

    No task of it is ready, for the scheduler has not looked at it. It lives nowhere but here: no engine knows of it.

    Args:
        plan: what is to be shown.
        key: stands for the run's id.
        fleet: the devices there are; None: there are none.
    """
    run = RunFacts(key, fleet if fleet is not None else FleetFacts())
    introduce(run, plan)
    declared = ev.TasksDeclared(
        2, 0.0, key, tasks=tuple(plan.tasks), dependencies=tuple(plan.dependencies), index=plan.index
    )
    for event in (declared, ev.RunReadied(3, 0.0, key)):
        apply(run, event)
    return run


def introduce(run: RunFacts, plan: Plan) -> None:
    """Set the properties of a plan in facts from `facts_of`, without changing the tasks."""
    created = ev.RunCreated(
        run.seq + 1,
        0.0,
        run.run_id,
        name=plan.name,
        description=plan.description,
        limits=plan.limits,
        metadata=dict(plan.metadata),
        devices=tuple(plan.devices),
        rules=plan.rules,
        agents=plan.agents,
        notes=plan.notes,
        placement=None if plan.placement is None else str(plan.placement),
        overdue_factor=plan.overdue_factor,
    )
    apply(run, created)
