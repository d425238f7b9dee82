"""Ready tasks that do not start because an agent or a person is asked, in words.

A reader of facts that is asked for each task in sight, so it never looks far; exactly, and at length, `why` tells.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from starloom.model.status import RunState, TaskStatus
from starloom.scheduling.state import fence
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.scheduling.read.run_view import RunView, TaskView
    from starloom.scheduling.state.cycle_facts import CycleFacts

_FAR: Final = 200
"""How many of the tasks above one are looked at for one whose end is asked about."""


def fence_line(task: TaskView, *, short: bool = False) -> str:
    """The agents that a ready task waits for, e.g. `waits for reviewer`; empty: for none."""
    gate = task.gate
    if gate is not None and gate.is_open:
        return translate("Task", "asks you") if short else translate("Task", "waits for you")
    cycles = task.run.cycles
    if cycles is None or not (cycles.deferrals or cycles.has_pending):
        return ""
    if not fence.holds(task.run.facts, task.number, _FAR):
        return ""
    by = [one.proposed.agent for one in cycles.deferrals.values() if task.number in one.tasks]
    who = by[0] if by else _waited_for(cycles)
    return who if short else fill(translate("Task", "waits for %1"), who)


def awaited_agents(run: RunView) -> tuple[str, ...]:
    """The agents without whose answer nothing of an executing run goes on: no task runs, or can start; else none."""
    cycles = run.cycles
    cycle = cycles.cycle if cycles is not None else None
    if cycle is None or run.state is not RunState.EXECUTING or run.count(TaskStatus.RUNNING):
        return ()
    ready = islice(run.with_status(TaskStatus.PENDING), _FAR)
    return cycle.waiting if all(fence.holds(run.facts, task.number, _FAR) for task in ready) else ()


def answer_words(agents: Sequence[str]) -> str:
    """The sentence that a run waits for the answer of agents."""
    return fill(translate("Header", "Waits for the answer of %1"), ", ".join(agents))


def _waited_for(cycles: CycleFacts) -> str:
    if cycles.cycle is not None and cycles.cycle.waiting:
        return cycles.cycle.waiting[0]
    if any(approval.tasks for approval in cycles.approvals.values()):
        return translate("Task", "approval")
    return translate("Task", "agents")
