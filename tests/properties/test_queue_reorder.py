"""In random states: a priority that is said to pass another task does so, and where none is said to, none does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.properties.test_scheduler_agents import AgentWalk

from starloom.scheduling import commands as c
from starloom.scheduling.read.line import in_line
from starloom.scheduling.read.queue_reorder import QueueReorder


@given(seed=st.integers(0, 2**32), steps=st.integers(1, 30))
def test_the_priority_that_passes_another_task_does_so_and_where_there_is_none_no_priority_does(seed, steps):
    walk = AgentWalk(seed, checked=False)
    for _ in range(steps):
        walk.step()
    scheduler, dice = walk.driver.scheduler, walk.dice
    line, _ = in_line(scheduler, walk.driver.now, 1_000)
    # No priority tells who is before whom where one run goes by rank and the other by age.
    by_rank = bool(line) and scheduler.runs[line[0].run_id].by_rank
    line = [one for one in line if scheduler.runs[one.run_id].by_rank is by_rank]
    if len(line) < 2:
        return
    mover, other = ((one.run_id, one.number) for one in dice.sample(line, 2))
    ahead = dice.random() < 0.5
    found = QueueReorder(scheduler, *mover).beside(*other, ahead=ahead)
    priority = found.priority if found.priority is not None else 100 * ahead
    task_id = scheduler.runs[mover[0]].run.graph.ids[mover[1]]
    walk.do(c.SetPriority(run_id=mover[0], task_ids=(task_id,), priority=priority))
    line, _ = in_line(scheduler, walk.driver.now, 1_000)
    names = [(one.run_id, one.number) for one in line]
    if mover in names and other in names:  # neither has started by it
        assert (names.index(mover) < names.index(other)) == (ahead if found.priority is not None else not ahead)
