"""The summary of a run, as text for people and as JSON for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from starloom.cli.narration import seconds, why
from starloom.cli.screen import last_lines, plain
from starloom.model.plan import show_path
from starloom.model.status import Severity
from starloom.reporting.text import cycle_counts
from starloom.reporting.verdict import only_simulated
from starloom.scheduling.read.simulated import simulations
from starloom.scheduling.state.codes import FAILED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from starloom.scheduling.read.summary import DeviceUse, RunSummary
    from starloom.scheduling.state.run_facts import RunFacts

Line = tuple[str, str]
"""Text and its style on a terminal."""

MOST_FAILED: Final = 10
_FAILED_WORDS: Final = {
    Severity.WARNING: ("failed (a warning)", "yellow"),
    Severity.ERROR: ("failed", "red"),
    Severity.CRITICAL: ("failed (critical)", "bold red"),
}
TAIL_LINES: Final = 10
MOST_DEVICES: Final = 40
_STYLES: Final = {"completed": "bold green", "partially_failed": "bold yellow", "cancelled": "bold yellow"}


def json_text(summary: RunSummary) -> str:
    """The summary as one JSON object on one line, in plain ASCII so that any terminal and pipe accepts it."""
    return json.dumps(summary.to_dict(), allow_nan=False)


def summary_lines(summary: RunSummary, run: RunFacts, outputs: Path | None = None) -> Iterator[Line]:
    """The summary for people: failed tasks with the end of what they printed, then state, counts, paths, devices.

    Args:
        summary: of the run.
        run: its facts.
        outputs: the folder of the whole outputs; None: they were not kept.
    """
    yield from _failed_tasks(run, outputs)
    state = str(summary.state)
    yield f"{state.replace('_', ' ')}: {plain(summary.name)}", _STYLES.get(state, "bold red")
    yield _row("tasks", _counts(summary)), ""
    if simulated := simulations(run):
        yield _row("", only_simulated(simulated)), "yellow"
    yield _row("makespan", seconds(max(0.0, summary.makespan_s - run.idle_s))), ""  # by which devices were used, too
    statistics = summary.statistics
    if statistics.critical_path_tasks:
        path = plain(show_path(statistics.critical_path_tasks, 8))
        yield _row("critical path", f"{seconds(statistics.critical_path_length)}: {path}"), ""
    cycles = run.cycles
    if cycles is not None:
        yield _row("edit cycles", cycle_counts(cycles.handed, cycles.answered, cycles.timed_out)), ""
    for number, text in enumerate(_devices(summary.devices, run)):
        yield _row("devices" if number == 0 else "", text), ""


def _row(name: str, text: str) -> str:
    return f"  {name:14}{text}"


def _counts(summary: RunSummary) -> str:
    counts = summary.tasks
    named = {"completed": counts.completed, "failed": counts.failed}
    named |= {"cancelled": counts.cancelled, "skipped": counts.skipped}
    rest = counts.total - sum(named.values())
    named["not ended"] = rest
    told = [f"{count} {name}" for name, count in named.items() if count]
    return f"{counts.total} ({', '.join(told)})" if told else f"{counts.total}"


def _devices(devices: Sequence[DeviceUse], run: RunFacts) -> list[str]:
    shown = devices[:MOST_DEVICES]
    width = max((len(plain(device.id)) for device in shown), default=0)
    lines = [_device(device, width, is_there=device.id in run.fleet.devices) for device in shown]
    if len(devices) > len(shown):
        lines.append(f"and {len(devices) - len(shown)} more")
    return lines


def _device(device: DeviceUse, width: int, *, is_there: bool) -> str:
    if not is_there:  # nobody knows how many slots it had
        return f"{plain(device.id):{width}}  gone from the fleet, busy for {seconds(device.busy_s)}"
    slots = "any number of slots" if device.slots is None else f"{device.slots} slot{'s' if device.slots != 1 else ''}"
    used = "" if device.utilization is None else f", {device.utilization:.0%} used"
    return f"{plain(device.id):{width}}  {slots}, busy for {seconds(device.busy_s)}{used}"


def _failed_tasks(run: RunFacts, outputs: Path | None) -> Iterator[Line]:
    failed = run.with_status(FAILED)
    for number in failed[:MOST_FAILED]:
        result = run.results[number]
        attempts = run.tries[number]
        times = f" after {attempts} attempts" if attempts > 1 else ""
        reason = why(result) if result is not None else "it was marked so."
        word, style = _FAILED_WORDS[run.severity_of(number)]
        yield f"{plain(run.graph.ids[number])} {word}{times}: {reason}", style
        for line in last_lines(result.output, TAIL_LINES) if result is not None else ():
            yield f"  | {line}", ""
        if outputs is not None and result is not None and result.output_file:
            yield f"  whole output: {plain(str(outputs / result.output_file))}", ""
    if len(failed) > MOST_FAILED:
        yield f"and {len(failed) - MOST_FAILED} more failed", "red"
