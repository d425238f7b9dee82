"""The limits given to an orchestrator, checked and made the command that sets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET, UnsetType
from msgspec.structs import replace as structs_replace

from starloom.scheduling import commands as c
from starloom.scheduling.decide.placement import known_placement

if TYPE_CHECKING:
    from collections.abc import Collection

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


def placement_of(value: Placement | str | UnsetType) -> Placement:
    """The placement of this name.

    Raises:
        CommandRefused: there is none.
    """
    return known_placement(str(value))
