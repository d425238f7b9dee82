"""The fence: which tasks of a run do not start while agents are being asked, and people to approve of edits.

Behind a `global` fence all buckets of the run park under `RunIndex.fence`. Behind one of `descendants` single tasks do
not stand in line, as held ones don't: `RunIndex.behind` names them. Only dispatch waits; nothing that runs is touched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.model.status import Fence
from starloom.scheduling.state.codes import PENDING
from starloom.scheduling.state.queueing import requeue

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.constellation.graph import Graph
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState


def is_closed(run: RunFacts) -> bool:
    """Whether the fence keeps all tasks of the run from starting."""
    cycles = run.cycles
    return cycles is not None and cycles.fence is Fence.GLOBAL and cycles.has_pending


def holds(run: RunFacts, number: int) -> bool:
    """Whether the fence keeps this task from starting; computed from the facts alone."""
    cycles = run.cycles
    if cycles is None or cycles.fence is Fence.NONE:
        return False
    if cycles.fence is Fence.GLOBAL or not cycles.has_pending:
        return cycles.has_pending
    above, seen = [number], {number}
    while above:
        for parent in run.graph.parents[above.pop()]:
            if parent not in seen:
                seen.add(parent)
                above.append(parent)
    return not seen.isdisjoint(cycles.pending)


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
    """Put the descendants of a task that has just ended behind the fence, before they become ready."""
    cycles = index.run.cycles
    if cycles is None or cycles.fence is not Fence.DESCENDANTS:
        return
    # Not `number in cycles.pending`: while an agent thinks, thousands may end, and each would go through them all.
    if any(agent.is_due and agent.next[-1] == number for agent in cycles.agents.values()):
        _catch(index, _cone(index.run.graph, [number], index.behind))


def refresh(scheduler: SchedulerState, index: RunIndex) -> None:
    """Update the index from the facts; tasks that are no longer behind the fence are queued again.

    For whoever has changed the graph of a run with open cycles, or what is open.
    """
    run, before = index.run, index.behind
    cycles = run.cycles
    behind: set[int] = set()
    if cycles is not None and cycles.fence is Fence.DESCENDANTS:
        behind = _cone(run.graph, cycles.pending, behind)
    index.behind = behind
    _catch(index, behind - before)
    requeue(scheduler, index, sorted(before - behind))
    if index.fence.buckets and not is_closed(run):
        scheduler.queue.wake(index.fence)


def _catch(index: RunIndex, numbers: Iterable[int]) -> None:
    for number in numbers:
        index.behind.add(number)
        index.keys[number] = None


def _cone(graph: Graph, roots: Iterable[int], known: set[int]) -> set[int]:
    """These tasks and all that depend on them, but for what is known, whose descendants are known too."""
    found = {number for number in roots if number not in known}
    stack = list(found)
    while stack:
        for child in graph.children[stack.pop()]:
            if child not in found and child not in known:
                found.add(child)
                stack.append(child)
    return found
