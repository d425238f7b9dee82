"""Starts a plan: its devices join the fleet, then its run is created; a refusal leaves nothing behind."""

from __future__ import annotations

import asyncio
import contextlib
import time
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any

from starloom.devices.kinds import make_device
from starloom.errors import CommandRefused
from starloom.journal.base import JournalError
from starloom.model.plan import Plan
from starloom.model.run_ids import new_run_id
from starloom.orchestration.limits import placement_of
from starloom.scheduling.commands import CancelRun, CreateRun

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.journal.base import Journal
    from starloom.model.status import Placement
    from starloom.orchestration.fleet import Fleet
    from starloom.orchestration.pump import Pump
    from starloom.orchestration.run import Run
    from starloom.orchestration.runs import RunHandles


async def start(
    plan: Plan,
    run_id: str | None,
    journal: Journal,
    pump: Pump,
    fleet: Fleet,
    runs: RunHandles,
    origin: str,
    *,
    placement: Placement | str | None,
    **how: bool,
) -> Run:
    """Run a plan; see `Orchestrator.start`, also for what it raises.

    Args:
        plan: what to run.
        run_id: the run's id; None: one is made.
        journal: where the run is to be kept.
        pump: of the engine.
        fleet: that the plan's devices join.
        runs: that the run joins.
        origin: in whose name.
        placement: how devices are chosen; None: as the plan says, else as the fleet does.
        how: other fields of `CreateRun`.
    """
    if not isinstance(plan, Plan):
        raise CommandRefused(
            "not_a_plan", f"{shortened(plan)} is no plan.", "Make a Plan, or read one from a file with load_plan."
        )
    chosen = None if placement is None else placement_of(placement)
    run_id = run_id or new_run_id(plan.name)
    if run_id in runs:
        raise CommandRefused("duplicate_run", f"There is a run {run_id!r} already.", "Choose another id.")
    known = set(fleet.devices)
    await fleet.add_all([make_device(spec) for spec in plan.devices])
    own = [spec.id for spec in plan.devices if spec.id not in known]
    if not plan.devices:  # a run that goes on in another program needs to find there what it ran on here
        plan = plan.with_devices(fleet.specs)
    try:
        journal.prepare(run_id, plan.layout)
    except JournalError:
        await _take_back(fleet, own)
        raise
    run = runs.add(run_id, origin)
    fields: dict[str, Any] = {"placement": chosen, **how}
    command = CreateRun(run_id=run_id, plan=plan, wall_time=time.time(), origin=origin, **fields)
    try:
        await pump.ask(command)
    except BaseException as error:
        if isinstance(error, asyncio.CancelledError):  # the command may be on its way
            pump.post(CancelRun(run_id=run_id, origin=origin, reason="whoever started it gave up"))
        if run_id not in pump.scheduler.runs:
            runs.discard(run_id)
            journal.discard(run_id)
            await _take_back(fleet, own)
        if isinstance(error, CommandRefused) and pump.halted is not None:
            raise pump.halted from error
        raise
    return run


async def _take_back(fleet: Fleet, device_ids: Iterable[str]) -> None:
    """A refused plan leaves no device behind, unless another run has taken to it meanwhile."""
    for device_id in device_ids:
        with contextlib.suppress(CommandRefused):
            await fleet.remove(device_id)
