"""The fence: which tasks of a run do not start while agents are being asked, and people to approve of edits.

Behind a `global` fence all buckets of the run park under `RunIndex.fence`, as they do while an agent without a scope is
asked. Behind one of `descendants` or `scope` single tasks do not stand in line, as held ones don't: `RunIndex.behind`
names them, and behind any fence those that deferred edits wait for. Only dispatch waits; nothing that runs is touched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.model.agent_terms import ScopeKind
from starloom.model.status import Fence
from starloom.scheduling.state import scopes
from starloom.scheduling.state.codes import PENDING
from starloom.scheduling.state.queueing import requeue

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from starloom.model.agent_terms import EditScope
    from starloom.scheduling.state.cycle_facts import CycleFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState


def is_closed(run: RunFacts) -> bool:
    """Whether the fence keeps all tasks of the run from starting."""
    cycles = run.cycles
    if cycles is None:
        return False
    if cycles.fence is Fence.GLOBAL:
        return cycles.has_pending
    return goes_by_scope(cycles) and any(scope is None or scope.is_everything for scope, _ in cycles.claims)


def goes_by_scope(cycles: CycleFacts) -> bool:
    """Whether what waits is what agents may change; so it is by default, and an agent without a scope may all."""
    return cycles.fence is None or cycles.fence is Fence.SCOPE


def holds(run: RunFacts, number: int, most: int | None = None) -> bool:
    """Whether the fence keeps this task from starting; computed from the facts alone.

    Args:
        run: its facts.
        number: of the task.
        most: how many tasks above it are looked at, at most; None: all.
    """
    cycles = run.cycles
    if cycles is None:
        return False
    if any(number in one.tasks for one in cycles.deferrals.values()):
        return True
    if cycles.fence is not None and cycles.fence.lets_all_start:
        return False
    if goes_by_scope(cycles):
        return any(scopes.holds(run.graph, scope, ends, number, most) for scope, ends in cycles.claims)
    if cycles.fence is Fence.GLOBAL or not cycles.has_pending:
        return cycles.has_pending
    return scopes.descends(run.graph, number, cycles.pending, most)


def keeps(index: RunIndex, number: int) -> bool:
    """The same as `holds`, by the scheduler's index."""
    return number in index.behind or is_closed(index.run)


def kept(index: RunIndex, among: Iterable[int] | None = None) -> frozenset[int]:
    """The ready tasks that only the fence keeps out of the queue; held ones and those in backoff are not among them.

    Args:
        index: of the run.
        among: the tasks that are looked at; None: all of them.
    """
    run = index.run
    if among is not None:
        found: Iterable[int] = (number for number in among if keeps(index, number))
    else:
        found = run.with_status(PENDING) if is_closed(run) else index.behind
    ready = (number for number in found if run.status[number] == PENDING)
    return frozenset(number for number in ready if number not in run.held and number not in run.backoff)


def extend(index: RunIndex, number: int) -> None:
    """Put behind the fence what the end of a task closes it for, before anything becomes ready by that end."""
    run, cycles = index.run, index.run.cycles
    if cycles is None or cycles.fence is Fence.GLOBAL or (cycles.fence is not None and cycles.fence.lets_all_start):
        return
    # Not `number in cycles.pending`: while an agent thinks, thousands may end, and each would go through them all.
    asking = [agent for agent in cycles.agents.values() if agent.is_due and agent.next[-1] == number]
    if cycles.fence is Fence.DESCENDANTS:
        if asking:
            _catch(index, scopes.cone(run.graph, [number], () if cycles.deferrals else index.behind))
        return
    for agent in asking:
        if agent.scope is not None:
            # Of nothing but descendants they hold all descendants.
            known = () if index.scopes or cycles.deferrals else index.behind
            _catch(index, _claimed(index, agent.scope, [number], known) - index.behind)


def refresh(scheduler: SchedulerState, index: RunIndex) -> None:
    """Update the index from the facts; tasks that are no longer behind the fence are queued again.

    For whoever has changed the graph of a run with open cycles, or what is open.
    """
    run, before = index.run, index.behind
    cycles = run.cycles
    behind: set[int] = set()
    if cycles is not None and cycles.fence is Fence.DESCENDANTS:
        behind = scopes.cone(run.graph, cycles.pending)
    elif cycles is not None and goes_by_scope(cycles):
        for scope, ends in cycles.claims:
            if scope is not None:
                behind |= _claimed(index, scope, ends)
    for deferral in cycles.deferrals.values() if cycles is not None else ():
        behind.update(deferral.tasks)
    index.behind = behind
    _catch(index, behind - before)
    requeue(scheduler, index, sorted(before - behind))
    if index.fence.buckets and not is_closed(run):
        scheduler.queue.wake(index.fence)


def follow_edit(index: RunIndex, touched: Iterable[int]) -> None:
    """Update what is known of scopes after an edit of these tasks."""
    graph = index.run.graph
    for scope, numbers in index.scopes.items():
        for number in touched:
            if scopes.names(graph, scope, number):
                numbers.add(number)
            else:
                numbers.discard(number)


def _claimed(index: RunIndex, scope: EditScope, ends: Iterable[int], known: Collection[int] = ()) -> set[int]:
    """The tasks in a scope, without known ones if their descendants are known, too; one of everything names none."""
    graph = index.run.graph
    if scope.kind is ScopeKind.DESCENDANTS:
        return scopes.cone(graph, ends, known)
    if scope.is_everything:
        return set()
    if scope not in index.scopes:
        index.scopes[scope] = {number for number in range(len(graph.tasks)) if scopes.names(graph, scope, number)}
    return index.scopes[scope]


def _catch(index: RunIndex, numbers: Iterable[int]) -> None:
    for number in numbers:
        index.behind.add(number)
        index.keys[number] = None
