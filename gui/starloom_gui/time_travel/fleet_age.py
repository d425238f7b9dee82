"""The age of the fleet at a moment of the past: after its end a run's journal tells nothing of devices and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.text import wall_clock
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from starloom_gui.gateway.run_reader import RunReader


def fleet_age(reader: RunReader) -> str:
    """A sentence on how old the shown fleet is; empty: it is as it was at the shown moment."""
    run = reader.view() if reader.is_past else None
    if run is None or run.ended_at is None or reader.now() <= run.ended_at:
        return ""
    at = wall_clock.shown(run.wall(run.ended_at, is_end=True))
    told = translate("Words", "As at the run's end, %1: its journal tells nothing later of devices and limits.")
    return fill(told, wall_clock.marked(f"{at:%H:%M:%S}"))
