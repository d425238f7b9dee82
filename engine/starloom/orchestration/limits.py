"""The limits given to an orchestrator, checked and made the command that sets them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from msgspec import UNSET, UnsetType
from msgspec.structs import replace as structs_replace

from starloom.scheduling import commands as c
from starloom.scheduling.decide.placement import known_placement

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from starloom.model.status import Placement
    from starloom.settings import SchedulerSettings


def first_limits(settings: SchedulerSettings, chosen: Collection[str]) -> c.SetLimits:
    """The limits of the settings, but for those that an operator has chosen and nobody has set for this time.

    Args:
        settings: what the environment and the settings file say.
        chosen: the names of the limits that an operator has set in an earlier session.
    """
    limits = c.SetLimits(
        max_concurrency=settings.concurrency,
        max_queue=settings.max_queue,
        starvation_timeout=settings.starvation_timeout,
        placement=settings.placement,
        modification_timeout=settings.modification_timeout,
        overdue_factor=settings.overdue_factor,
        origin="settings",
    )
    kept = set(chosen) - settings.explicit_limits - {"groups"}
    return structs_replace(limits, **dict.fromkeys(kept, UNSET))


class LimitFields(TypedDict, total=False):
    """The limits of a fleet, by name."""

    max_concurrency: int | UnsetType | None
    """Tasks at once in the whole fleet, 0 or more; None: no limit."""
    groups: Mapping[str, int | None] | UnsetType
    """Tasks at once by limit group, 0 or more; one with None is no longer limited."""
    max_queue: int | UnsetType
    """How many ready tasks may wait before new runs are refused; 0: any number."""
    starvation_timeout: float | UnsetType
    """Seconds in which a background task ages to 60; 0: tasks do not age."""
    placement: Placement | str | UnsetType
    """How devices are chosen in runs that say nothing of it."""
    modification_timeout: float | UnsetType
    """Seconds, above 0, for which agents are waited for in runs that say nothing of it."""
    overdue_factor: float | UnsetType
    """How many times its estimate an attempt may run until it is overdue, 1 or more; 0: for ever."""


def limits_command(limits: LimitFields, origin: str) -> c.SetLimits:
    """The command that sets limits in somebody's name.

    Raises:
        CommandRefused: there is no such placement.
    """
    placement = limits.get("placement", UNSET)
    known: Any = {**limits, "placement": UNSET if placement is UNSET else known_placement(str(placement))}
    return c.SetLimits(**known, origin=origin)


def placement_of(value: Placement | str | UnsetType) -> Placement:
    """The placement of this name.

    Raises:
        CommandRefused: there is none.
    """
    return known_placement(str(value))
