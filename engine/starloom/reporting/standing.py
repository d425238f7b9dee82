"""The facts about a run that its stream cannot have: whether a program still runs it, and whether a part is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from starloom.reporting.text import one_line
from starloom.reporting.verdict import verdict_of

if TYPE_CHECKING:
    from starloom.reporting.provenance import Provenance
    from starloom.reporting.report import Report

INTERRUPTED: Final = "interrupted"
UNKNOWN: Final = "unknown"
_GOES_ON: Final = frozenset({"created", "ready", "executing", "paused"})


def as_it_stands(report: Report, *, is_held: bool, damage: str = "", provenance: Provenance | None = None) -> Report:
    """The report of a run, completed by what its stream alone does not tell.

    A run that has not ended and that no program has was interrupted, and so was what ran in it. If a part of its
    journal is lost, nobody knows whether it has ended.

    Args:
        report: as it was folded.
        is_held: whether a program has the run open now.
        damage: what is wrong with the journal, as a sentence; empty: nothing. Nothing after that is in the report.
        provenance: where the report comes from; None: unknown.
    """
    if provenance is not None:
        report = replace(report, provenance=provenance)
    damage = one_line(damage, 1000)
    state = report.state
    if state in _GOES_ON and damage:
        state = UNKNOWN
    elif state in _GOES_ON and not is_held:
        state = INTERRUPTED
    if state == report.state and not damage:
        return report
    tasks, attempts = report.tasks, report.attempts
    if state == INTERRUPTED:
        tasks = tuple(replace(one, status=INTERRUPTED) if one.status == "running" else one for one in tasks)
        attempts = tuple(replace(one, status=INTERRUPTED) if one.status == "running" else one for one in attempts)
    verdict = verdict_of(state, report.counts, tasks, attempts, report.failures, report.gone_on_s, report.foreseen)
    told = f"A part of this run is lost. {damage} Only what came before that is told here. {verdict}"
    verdict = told if damage else verdict
    return replace(report, state=state, tasks=tasks, attempts=attempts, verdict=verdict, damage=damage)
