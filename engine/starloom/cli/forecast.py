"""Projections: `starloom plan`, for a plan that is not run, and the projected end of a live run."""

from __future__ import annotations

import asyncio
import json
import math
import time
from typing import TYPE_CHECKING, Any, Final

from starloom.cli.job import job_of
from starloom.cli.narration import seconds
from starloom.cli.screen import plain
from starloom.cli.shape import shape_of, shape_rows, shape_values
from starloom.cli.simulated import limits_of
from starloom.foresight.projection import Certainty, project
from starloom.foresight.virtual import VirtualRun
from starloom.formats import load_plan
from starloom.model.plan import show_path
from starloom.model.quantities import format_duration
from starloom.reporting.provenance import plan_sha256
from starloom.scheduling.read.suspensions import again_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from starloom.cli.job import Job, RunOptions
    from starloom.cli.screen import Screen
    from starloom.cli.shape import PlanShape
    from starloom.foresight.projection import DeviceForecast, Projection
    from starloom.orchestration.run import Run
    from starloom.scheduling.state.fleet_facts import FleetFacts

FIRST_LOOK: Final = 1.0
"""Seconds into a run before anybody looks ahead: most short ones are over by then."""
LOOK_EVERY: Final = 2.0
SHARE: Final = 0.05
"""The share of the time that may be spent on looking ahead."""
MOST_TASKS: Final = 20_000
"""With more of them a look ahead would take longer than it is worth while the run goes on."""
SAMPLES: Final = 40
MOST_DEVICES: Final = 40
MOST_NAMES: Final = 10


# ---- a plan that is not run


def forecast_file(path: Path, wanted: RunOptions, screen: Screen, without: Sequence[str] = ()) -> int:
    """Project a run of the plan in a file; nothing is run.

    Args:
        path: the plan.
        wanted: the options of `starloom run`, with `simulate`.
        screen: where to say so.
        without: tasks of which it is said what their removal would cut off.

    Returns:
        0 if it can be run to its end on its fleet, else 1.

    Raises:
        StarloomError: plan, fleet, an option or a setting cannot be used.
    """
    job = job_of(load_plan(path), wanted)
    shape = shape_of(job.plan, without)
    virtual = VirtualRun(job.plan, job.simulated or (), limits=limits_of(job))
    found = project(virtual.fork(), virtual.run.run_id)
    if wanted.as_json:
        values = plain_values(job, found) | {"graph": shape_values(shape)}
        screen.result(json.dumps(values, allow_nan=False))
    else:
        for text, style in forecast_lines(job, found, virtual.run.fleet, shape):
            screen.result(text, style)
    return 1 if found.unforeseen else 0


def forecast_lines(job: Job, found: Projection, fleet: FleetFacts, shape: PlanShape) -> Iterator[tuple[str, str]]:
    """A projection of a plan for people, with the shape of its graph: lines with their terminal styles."""
    style = "bold red" if found.unforeseen else "bold green" if found.certainty is Certainty.EXPECTED else "bold yellow"
    yield f"forecast: {plain(job.plan.name)}", style
    total = len(job.plan.tasks)
    yield _row("tasks", f"{total:,} ({total - found.unestimated:,} with an estimate)"), ""
    yield _row("end", _end(found)), ""
    if found.path and found.certainty is not Certainty.UNKNOWN:
        path = show_path([plain(step.task_id) for step in found.path], 8)
        yield _row("critical path", f"{seconds(found.path_s)}: {path}"), ""
    for name, text in shape_rows(shape):
        yield _row(name, text), ""
    for name, ids in (("would fail", found.failing), ("would not run", found.skipped)):
        if ids:
            yield _row(name, _names(ids)), "yellow"
    used = list(found.devices.values())
    width = max((len(plain(device.id)) for device in used[:MOST_DEVICES]), default=0)
    for number, device in enumerate(used[:MOST_DEVICES]):
        yield _row("devices" if not number else "", _device(device, fleet, found, width)), ""
    if len(used) > MOST_DEVICES:
        yield _row("", f"and {len(used) - MOST_DEVICES} more"), ""
    for number, remark in enumerate(found.remarks):
        yield _row("to know" if not number else "", plain(remark)), "yellow"


def _row(name: str, text: str) -> str:
    return f"  {name:14}{text}"


def _end(found: Projection) -> str:
    if found.end is None or found.p50 is None or found.p90 is None:
        return "unknown"
    if found.certainty is Certainty.LOWER_BOUND:
        return f"after about {seconds(found.end)} or later"
    expected = f"after {seconds(found.end)}"
    if found.samples == 1:
        return expected
    return f"{expected}; half of all runs within {seconds(found.p50)}, nine of ten within {seconds(found.p90)}"


def _names(ids: tuple[str, ...]) -> str:
    more = f" and {len(ids) - MOST_NAMES:,} more" if len(ids) > MOST_NAMES else ""
    return plain(", ".join(ids[:MOST_NAMES])) + more


def _device(device: DeviceForecast, fleet: FleetFacts, found: Projection, width: int) -> str:
    slots = fleet.devices[device.id].slots
    offered = "any number of slots" if slots is None else f"{slots} slot{'s' if slots != 1 else ''}"
    used = f", {device.busy_s / (slots * found.end):.0%} used" if slots and found.end else ""
    return f"{plain(device.id):{width}}  {offered}, busy for {seconds(device.busy_s)}{used}"


def plain_values(job: Job, found: Projection) -> dict[str, Any]:
    """A projection of a plan as plain JSON values, in seconds from the start."""
    return {
        "name": job.plan.name,
        "plan_sha256": plan_sha256(job.plan),
        "certainty": found.certainty.value,
        "end_s": found.end,
        "p50_s": found.p50,
        "p90_s": found.p90,
        "samples": found.samples,
        "unestimated": found.unestimated,
        "unforeseen": found.unforeseen,
        "remarks": list(found.remarks),
        "failing": list(found.failing),
        "skipped": list(found.skipped),
        "critical_path_s": found.path_s,
        "critical_path": [
            {"id": step.task_id, "start_s": step.start, "finish_s": step.finish, "waited_for": step.waited_for.value}
            for step in found.path
        ],
        "devices": [
            {"id": one.id, "start_s": one.start, "finish_s": one.finish, "busy_s": one.busy_s, "attempts": one.attempts}
            for one in found.devices.values()
        ],
        "tasks": [
            {
                "id": one.task_id,
                "start_s": one.start,
                "finish_s": one.finish,
                "device": one.device_id,
                "slack_s": one.slack,
                "estimate_s": one.estimate.seconds,
                "estimate_from": one.estimate.source.value,
            }
            for one in found.tasks.values()
        ],
    }


# ---- a run that goes on


class Lookout:
    """Keeps the projected end of a live run, in a few words that stay true while time passes."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._found: Projection | None = None
        self._looked_at = 0.0

    async def keep_looking(self) -> None:
        """Project again and again, as often as it costs little; until cancelled."""
        await asyncio.sleep(FIRST_LOOK)
        while True:
            cost = await self.look()
            await asyncio.sleep(max(LOOK_EVERY, cost / SHARE))

    async def look(self) -> float:
        """Project once; returns the seconds that took. A run with very many tasks is not projected."""
        begun = time.monotonic()
        if self._run.facts.open <= MOST_TASKS:
            found = await self._run.project(samples=SAMPLES)
            self._found, self._looked_at = found, begun
        return time.monotonic() - begun

    def words(self) -> str:
        """The projected end, as in `about 3m10s left (p90 4m)`; empty while it is unknown."""
        found = self._found
        if found is None or self._run.facts.open > MOST_TASKS:
            return ""
        passed = time.monotonic() - self._looked_at
        again = again_in(self._run.facts, found.at + passed)
        if again is not None:
            return f"devices suspended, again in {format_duration(math.ceil(again))}"
        return left_in_words(found, passed)


def left_in_words(found: Projection, passed: float) -> str:
    """The remaining time, so many seconds after a projection was made; empty if it is unknown."""
    if found.p50 is None or found.p90 is None:
        return ""
    left, most = (end - found.at - passed for end in (found.p50, found.p90))
    if found.certainty is Certainty.LOWER_BOUND:
        return f"about {_rounded(left)} or more left" if left >= 1 else ""
    if most <= 0:
        return "later than expected"
    about = f"about {_rounded(left)} left" if left > 0 else "about to end"
    return f"{about} (p90 {_rounded(most)})" if found.samples > 1 else about


def _rounded(value: float) -> str:
    """Whole seconds: a forecast is no measurement."""
    return seconds(round(value)) if value >= 60 else f"{max(1, round(value))}s"
