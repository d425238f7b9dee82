"""What the grid tells of a task that was marked by hand: it is done, and did not run to that end."""

from __future__ import annotations

from tests.unit.reporting.plan_runs import column, ran

from starloom.reporting.plan_history import PlanHistory
from starloom.reporting.run_digest import digest_of
from starloom.scheduling import commands as c
from starloom_gui.panels.grid.words import cell_tip


def test_the_tip_of_a_marked_task_says_that_it_did_not_run_to_this_end() -> None:
    marked = ran(0, {"a": 2.0}, fails=["a"])
    marked.ask(c.MarkTasks, "a", run_id="r0")
    history = PlanHistory([digest_of(marked.run("r0")), column(1, {"a": 2.0})])
    assert "it did not run to this end" in cell_tip(history, 0, 0)
    assert "it did not run to this end" not in cell_tip(history, 0, 1)
