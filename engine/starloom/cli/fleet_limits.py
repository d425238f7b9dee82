"""The limits of a fleet file, given to an engine as it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starloom.model.plan import Limits
    from starloom.orchestration.orchestrator import Orchestrator


async def set_fleet_limits(orchestrator: Orchestrator, limits: Limits) -> None:
    """Set the limits that a fleet file names.

    Raises:
        CommandRefused: a value cannot be used.
    """
    if limits.max_concurrency is not None:
        await orchestrator.set_limits(max_concurrency=limits.max_concurrency, origin="settings")
    if limits.groups:
        await orchestrator.set_limits(groups=limits.groups, origin="settings")
