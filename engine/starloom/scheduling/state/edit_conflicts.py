"""Edits of tasks that have started: which of a proposal fit now, which later, and which not at all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from starloom.constellation.edits import EditBatch, RemoveTask, UpdateTask
from starloom.constellation.transaction import Rehearsal, Rules, rehearse
from starloom.constellation.validation import must_not_have_started, task_ids
from starloom.model.agent_terms import OnConflict
from starloom.scheduling.state.codes import CANCELLED, FAILED, RUNNING, SKIPPED
from starloom.scheduling.state.edit_rules import why_frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.constellation.edits import Edit
    from starloom.constellation.graph import Graph
    from starloom.errors import Problem
    from starloom.scheduling.state.cycle_facts import Deferral
    from starloom.scheduling.state.run_facts import RunFacts

MAY_RUN_AGAIN: Final = frozenset({RUNNING, FAILED, CANCELLED, SKIPPED})
"""The codes of tasks that may get another attempt. What has completed is done, though it can be rerun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SortedEdits:
    """The edits of one proposal, each in one of three parts and there in order; or why all of it is refused.

    Attributes:
        problems: what is wrong with it even if nothing had started; then no part has anything.
        now: what can be applied as things are.
        later: what waits for its tasks to be stopped, or to run again.
        left_out: what is left out.
        why: of each edit left out, why.
    """

    problems: tuple[Problem, ...] = ()
    now: tuple[Edit, ...] = ()
    later: tuple[Edit, ...] = ()
    left_out: tuple[Edit, ...] = ()
    why: tuple[Problem, ...] = ()


def without_conflicts(graph: Graph, batch: EditBatch, rules: Rules) -> Rehearsal:
    """The rehearsal of a batch as if none of the tasks had started."""
    return rehearse(graph, batch, replace(rules, why_frozen=lambda _number: None))


def sort_edits(
    graph: Graph, batch: EditBatch, rules: Rules, status: Sequence[int], on_conflict: OnConflict
) -> SortedEdits:
    """Sort the edits of a batch by what can become of them; changes nothing.

    An edit that only follows from another, such as that of a task which one before adds, shares its part.

    Args:
        graph: as it is now.
        batch: the edits.
        rules: of the run, by which no task that has started may change.
        status: a code of each task.
        on_conflict: what becomes of the edits that these refuse.
    """
    strict = rehearse(graph, batch, rules)
    if not strict.problems:
        return SortedEdits(now=batch.edits)
    problems = without_conflicts(graph, batch, rules).problems
    if problems:
        return SortedEdits(problems=problems)
    later: set[int] = set()
    left_out = dict(zip(strict.refused, strict.problems, strict=True))
    if on_conflict is OnConflict.REPLACE:
        stopped = replace(rules, why_frozen=lambda number: _why_ended(status[number]))
        whatever = rehearse(graph, batch, stopped)
        later = {*strict.refused} - {*whatever.refused}
        left_out = dict(zip(whatever.refused, whatever.problems, strict=True))
    elif on_conflict is OnConflict.NEXT_ATTEMPT:
        gone = {edit.task_id for edit in batch.edits if isinstance(edit, RemoveTask)}
        later = {at for at in strict.refused if _holds_next_time(graph, batch.edits[at], status, gone)}
        left_out = {at: problem for at, problem in left_out.items() if at not in later}
    _keep_together(batch.edits, later, left_out)
    now = tuple(edit for at, edit in enumerate(batch.edits) if at not in left_out and at not in later)
    problems = rehearse(graph, replace(batch, edits=now), rules).problems
    if problems:  # one of them hangs together with what waits or is left out
        return SortedEdits(problems=problems)
    return SortedEdits(
        now=now,
        later=tuple(batch.edits[at] for at in sorted(later)),
        left_out=tuple(batch.edits[at] for at in sorted(left_out)),
        why=tuple(left_out[at] for at in sorted(left_out)),
    )


def _keep_together(edits: Sequence[Edit], later: set[int], left_out: dict[int, Problem]) -> None:
    """Put what is done to a task after its removal where that is: it is about another one of its id."""
    removals: dict[str, int] = {}
    for at, edit in enumerate(edits):
        if isinstance(edit, RemoveTask) and (at in later or at in left_out):
            removals[edit.task_id] = at
            continue
        before = [removals[task_id] for task_id in task_ids(edit) if task_id in removals]
        never = next((place for place in before if place in left_out), None)
        if never is not None:
            left_out.setdefault(at, left_out[never])
            later.discard(at)
        elif before and at not in left_out:
            later.add(at)


def _why_ended(code: int) -> str | None:
    return None if code == RUNNING else why_frozen(code)


def _holds_next_time(graph: Graph, edit: Edit, status: Sequence[int], gone: set[str]) -> bool:
    """Whether an edit gives fields of a task that may run again other values; not of one that takes its place."""
    if not isinstance(edit, UpdateTask) or edit.task_id in gone:
        return False
    number = graph.place.get(edit.task_id)
    return number is not None and status[number] in MAY_RUN_AGAIN


def concerned(graph: Graph, edits: Sequence[Edit]) -> tuple[int, ...]:
    """The numbers of the tasks that must not have started for these edits, by the graph as it is."""
    return tuple(dict.fromkeys(number for edit in edits for number in must_not_have_started(graph, edit)))


def is_due(run: RunFacts, deferral: Deferral) -> bool:
    """Whether deferred edits need not wait any more: no task of them runs, or theirs is to run again or is done."""
    codes = [run.status[number] for number in deferral.tasks]
    if deferral.proposed.on_conflict is OnConflict.REPLACE:
        return RUNNING not in codes
    return not any(code in MAY_RUN_AGAIN for code in codes)
