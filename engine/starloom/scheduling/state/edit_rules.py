"""Edit rules that depend on the run: statuses of tasks, and conflicting edits of others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from starloom.constellation.transaction import Rules
from starloom.scheduling.state.codes import RUNNING, STATUS_OF, is_terminal
from starloom.scheduling.state.last_changes import changed_by_others
from starloom.scheduling.state.removals import removals
from starloom.scheduling.state.scopes import bounds

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from starloom.constellation.edits import Edit
    from starloom.constellation.graph import Graph
    from starloom.model.agent_terms import EditScope
    from starloom.scheduling.state.cycle_facts import Proposed
    from starloom.scheduling.state.removals import Removal
    from starloom.scheduling.state.run_facts import RunFacts


def rules_for(run: RunFacts, by: Proposed | None = None) -> Rules:
    """The edit rules of a run, beside those of its graph. `by`: whose edits they are, if an agent's, with its scope."""

    def changed_since(key: tuple[Any, ...], base: int, origin: str) -> tuple[int, str] | None:
        last = changed_by_others(run, key, origin)
        if len(key) == 3 and key[0] == "task":
            gone = changed_by_others(run, ("gone", key[1]), origin)  # with all its fields
            last = gone if last is None or (gone is not None and gone[0] > last[0]) else last
        return last if last is not None and last[0] > base else None

    def added_since(number: int, revision: int) -> bool:
        return run.touched.get(("added", number), (0, ""))[0] > revision

    removed: dict[str, Removal] | None = None

    def why_missing(task_id: str) -> str:
        nonlocal removed
        if removed is None:  # most batches miss nothing
            removed = removals(run)
        removal = removed.get(task_id)
        return removal.sentence(task_id) if removal is not None else ""

    def why_fixed(number: int) -> str | None:
        return why_frozen(run.status[number])

    rules = Rules(why_fixed, changed_since, added_since, why_missing=why_missing)
    return rules if by is None or by.scope is None else within(rules, run.graph, by.edits, by.scope, by.ends)


def within(rules: Rules, graph: Graph, edits: Iterable[Edit], scope: EditScope, ends: Collection[int]) -> Rules:
    """The rules, and that of an agent's scope; see `scopes.bounds`."""
    return replace(rules, may_change=bounds(graph, edits, scope, ends), scope=str(scope))


def why_frozen(code: int) -> str | None:
    """The reason why a task with this code may not change, as a half sentence; None: it may."""
    if code == RUNNING:
        return "is running"
    return f"has ended ({STATUS_OF[code]})" if is_terminal(code) else None
