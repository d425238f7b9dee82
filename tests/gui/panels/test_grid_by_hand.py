"""What the grid tells of ends that are not plainly good: of a task that was marked by hand, and of a run."""

from __future__ import annotations

from tests.driver import task
from tests.unit.reporting.plan_runs import column, ran

from starloom.reporting.plan_history import PlanHistory
from starloom.reporting.run_digest import digest_of
from starloom.scheduling import commands as c
from starloom_gui.panels.grid.words import cell_tip, column_form, column_tip
from starloom_gui.theme.status_form import StatusForm


def test_the_tip_of_a_marked_task_says_that_it_did_not_run_to_this_end() -> None:
    marked = ran(0, {"a": 2.0}, fails=["a"])
    marked.ask(c.MarkTasks, "a", run_id="r0")
    history = PlanHistory([digest_of(marked.run("r0")), column(1, {"a": 2.0})])
    assert "it did not run to this end" in cell_tip(history, 0, 0)
    assert "it did not run to this end" not in cell_tip(history, 0, 1)


def test_the_head_of_a_run_says_how_it_ended_as_its_tab_does() -> None:
    cancelled = ran(0, {"a": float("inf"), "b": 2.0})  # one slot: the other one waits for it
    cancelled.ask(c.CancelTasks, "b", run_id="r0")
    cancelled.end("a", "r0")
    digest = digest_of(cancelled.run("r0"))
    assert column_form(digest) is StatusForm.CANCELLED
    assert column_tip(digest, "nightly").endswith(" · Done, 1 cancelled")
    digest = column(0, {"a": 2.0}, tasks=[task("a", severity="warning")], fails=["a"])
    assert " · Done, 1 warning" in column_tip(digest, "nightly")
    assert column_tip(column(1, {"a": 2.0}), "nightly").endswith(" · Done")
    assert column_form(column(1, {"a": 2.0})) is StatusForm.COMPLETED
