"""Ready tasks that do not start because an agent or a person is asked, in words.

A reader of facts that is asked for each task in sight, so it never looks far; exactly, and at length, `why` tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.model.agent_terms import ScopeKind
from starloom.model.status import Fence
from starloom.scheduling.state import scopes
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Collection

    from starloom.model.agent_terms import EditScope
    from starloom.scheduling.read.run_view import TaskView
    from starloom.scheduling.state.cycle_facts import CycleFacts

_FAR: Final = 200
"""How many of the tasks above one are looked at for one whose end is asked about."""


def fence_line(task: TaskView, *, short: bool = False) -> str:
    """The agents that a ready task waits for, e.g. `waits for reviewer`; empty: for none."""
    gate = task.gate
    if gate is not None and gate.is_open:
        return translate("Task", "asks you") if short else translate("Task", "waits for you")
    cycles = task.run.cycles
    if cycles is None or cycles.fence is Fence.NONE or not cycles.has_pending:
        return ""
    if cycles.fence is not Fence.GLOBAL and not _is_behind(task, cycles):
        return ""
    who = _waited_for(cycles)
    return who if short else fill(translate("Task", "waits for %1"), who)


def _waited_for(cycles: CycleFacts) -> str:
    if cycles.cycle is not None and cycles.cycle.waiting:
        return cycles.cycle.waiting[0]
    if any(approval.tasks for approval in cycles.approvals.values()):
        return translate("Task", "approval")
    return translate("Task", "agents")


def _is_behind(task: TaskView, cycles: CycleFacts) -> bool:
    if cycles.fence is Fence.DESCENDANTS:
        return _descends(task, cycles.pending)
    return any(_is_in(task, scope, ends) for scope, ends in cycles.claims)


def _is_in(task: TaskView, scope: EditScope | None, ends: Collection[int]) -> bool:
    if scope is not None and scope.kind is ScopeKind.DESCENDANTS:
        return _descends(task, set(ends))
    return scopes.holds(task.run.graph, scope, ends, task.number)


def _descends(task: TaskView, ends: Collection[int]) -> bool:
    parents = task.run.graph.parents
    above, seen = [task.number], {task.number}
    while above and len(seen) < _FAR:
        for parent in parents[above.pop()]:
            if parent not in seen:
                seen.add(parent)
                above.append(parent)
    return not seen.isdisjoint(ends)
