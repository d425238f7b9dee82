"""The limits of a fleet file, given to an engine as it starts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from starloom.cli.screen import plain

if TYPE_CHECKING:
    from starloom.cli.screen import Screen
    from starloom.model.plan import Limits
    from starloom.orchestration.orchestrator import Orchestrator


async def set_limits_unless_chosen(orchestrator: Orchestrator, limits: Limits, screen: Screen) -> None:
    """Set the limits that a fleet file names, but for those that people have set: these hold until they are changed.

    Raises:
        CommandRefused: a value cannot be used.
    """
    fleet = orchestrator.pump.scheduler.fleet
    most, groups = limits.max_concurrency, dict(limits.groups)
    if most is not None and fleet.chosen.get("max_concurrency", most) != most:
        _say_kept(screen, "all runs", fleet.chosen["max_concurrency"], most)
        most = None
    for name, count in fleet.chosen.get("groups", {}).items():
        if groups.get(name, count) != count:
            _say_kept(screen, f"group {name!r}", count, groups.pop(name))
    await set_fleet_limits(orchestrator, replace(limits, max_concurrency=most, groups=groups))


def _say_kept(screen: Screen, what: str, kept: int | None, given: int | None) -> None:
    words = "none" if kept is None else kept
    screen.note(plain(f"The limit of {what} is {words}, as it was set before; the fleet file says {given}."), "yellow")


async def set_fleet_limits(orchestrator: Orchestrator, limits: Limits) -> None:
    """Set the limits that a fleet file names.

    Raises:
        CommandRefused: a value cannot be used.
    """
    if limits.max_concurrency is not None:
        await orchestrator.set_limits(max_concurrency=limits.max_concurrency, origin="settings")
    if limits.groups:
        await orchestrator.set_limits(groups=limits.groups, origin="settings")
